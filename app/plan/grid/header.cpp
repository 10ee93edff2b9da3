#include "app/plan/grid/header.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/config/schema/schema.hpp"
#include "app/config/sections/run_column.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/theory.hpp"
#include "app/config/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// Free text, of several lines if the user likes.
std::string read_text(const Node& campaign, const std::string& key_path, Problems& problems) {
    const Node* node = find_path(campaign, key_path);
    if (node == nullptr || node->is_null()) {
        return "";
    }
    if (!node->is_scalar()) {
        problems.add(
            node->at,
            key_path,
            fmt::format("'{}' must be a text, not {}", key_path, what_is(*node)),
            "Put it in quotes?"
        );
        return "";
    }
    return node->scalar;
}

std::vector<std::string> names_at(
    const Node& campaign, const std::string& key_path, Problems& problems
) {
    const Node* node = find_path(campaign, key_path);
    return node == nullptr ? std::vector<std::string>() : read_names(*node, key_path, problems);
}

/// An integer of the top level; 0 when it is missing or wrong.
std::int64_t read_count(const Node& campaign, const std::string& key, Problems& problems) {
    const Node* node = required_key(campaign, key.c_str(), "Add '" + key + ": 1'?", problems);
    const auto value = node == nullptr
                           ? std::nullopt
                           : read_value(*node, section("campaign").row(key), key, problems);
    return value ? value->as_integer() : 0;
}

void expect_format(const Node& campaign, Problems& problems) {
    const Node* node = campaign.find("campaign_format");
    if (node == nullptr || !node->is_scalar() || node->scalar == "1") {
        read_count(campaign, "campaign_format", problems);
        return;
    }
    problems.add(
        node->at,
        "campaign_format",
        fmt::format(
            "campaign_format {} is not known (this program reads format 1)", what_is(*node)
        ),
        "Write 'campaign_format: 1'?"
    );
}

void expect_name(const Header& header, const Node& campaign, Problems& problems) {
    if (!header.name.empty() || problems.is_excused("name")) {
        return;
    }
    const Node* node = campaign.find("name");
    const SourcePosition& at = node == nullptr ? campaign.at : node->at;
    if (node == nullptr || node->is_null() || node->is_scalar()) {
        problems.add(at, "name", "'name' is missing (name of the campaign)", "Add 'name: …'?");
    }
}

JobLogPlan read_job_log(const Node& campaign, Problems& problems) {
    JobLogPlan plan;
    const Node* node = campaign.find("job_log");
    const auto parameters =
        read_section(node, "job_log", node == nullptr ? campaign.at : node->at, problems);
    if (parameters) {
        const auto count = [&](const char* key) {
            return static_cast<std::uint64_t>(parameters->integer(key));
        };
        plan.replications = count("replications");
        plan.utilization_parts = count("utilization_parts");
        plan.users = count("users");
    }
    return plan;
}

/// The column that a text of the report means, its metrics resolved: "least response_time" →
/// "least response_time.mean".
std::optional<std::string> resolve_shown(
    const std::string& text, const std::vector<engine::ObservationColumn>& columns
) {
    RunColumn column = parse_run_column(text);
    if (column.kind == RunColumn::Kind::wall_time) {
        return text;
    }
    const auto metric = resolve_metric(column.metric, columns);
    if (!metric) {
        return std::nullopt;
    }
    column.metric = *metric;
    if (column.kind == RunColumn::Kind::ratio) {
        const auto divisor = resolve_metric(column.divisor, columns);
        if (!divisor) {
            return std::nullopt;
        }
        column.divisor = *divisor;
    }
    return text_of(column);
}

/// A wall time beyond that of a level that no factor has.
void check_other_level(
    const Node& campaign,
    const std::vector<Cell>& cells,
    const std::vector<std::string>& metrics,
    std::size_t i,
    Problems& problems
) {
    const std::string other = parse_run_column(metrics[i]).beyond;
    std::vector<std::string> labels;
    for (const Cell& cell : cells) {
        for (const FactorLevel& level : cell.levels) {
            labels.push_back(level.label);
        }
    }
    if (!other.empty() && std::find(labels.begin(), labels.end(), other) == labels.end()) {
        problems.add(
            find_path(campaign, "report.metrics")->items[i].at,
            "report.metrics",
            fmt::format("'{}' is no level of a factor", other),
            name_suggestion(other, labels)
        );
    }
}

}  // namespace

Header read_header(const Node& campaign, Problems& problems) {
    expect_known_keys(campaign, key_names(section("campaign").keys), "", problems);
    expect_format(campaign, problems);
    Header header;
    header.name = read_text(campaign, "name", problems);
    expect_name(header, campaign, problems);
    header.description = read_text(campaign, "description", problems);
    header.time_unit = read_text(campaign, "time_unit", problems);
    header.seed = static_cast<std::uint64_t>(read_count(campaign, "seed", problems));
    header.job_log = read_job_log(campaign, problems);
    const Node* report = campaign.find("report");
    if (report == nullptr) {
        return header;
    }
    if (!report->is_map()) {
        problems.add(
            report->at,
            "report",
            "'report' must be a mapping, not " + what_is(*report),
            "Write {metrics: [response_time]}?"
        );
        return header;
    }
    expect_known_keys(*report, key_names(section("report").keys), "report", problems);
    header.report.title = read_text(campaign, "report.title", problems);
    header.report.source = read_text(campaign, "report.source", problems);
    header.report.rows = names_at(campaign, "report.rows", problems);
    header.report.metrics = names_at(campaign, "report.metrics", problems);
    if (const Node* intervals = report->find("intervals")) {
        const auto word = read_value(
            *intervals, section("report").row("intervals"), "report.intervals", problems
        );
        header.report.intervals = word ? word->text() : "";
    }
    return header;
}

void check_report(
    const Node& campaign, const std::vector<Cell>& cells, ReportLayout& report, Problems& problems
) {
    std::vector<std::string> factors;
    for (const FactorLevel& level : cells.front().levels) {
        factors.push_back(level.factor);
    }
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        if (std::find(factors.begin(), factors.end(), report.rows[i]) == factors.end()) {
            problems.add(
                find_path(campaign, "report.rows")->items[i].at,
                "report.rows",
                fmt::format("'{}' is no factor of the campaign", report.rows[i]),
                name_suggestion(report.rows[i], factors)
            );
        }
    }
    for (std::size_t i = 0; i < report.metrics.size(); ++i) {
        check_other_level(campaign, cells, report.metrics, i, problems);
        std::optional<std::string> resolved;
        for (const Cell& cell : cells) {
            resolved = resolved ? resolved : resolve_shown(report.metrics[i], cell.columns);
        }
        if (resolved) {
            report.metrics[i] = *resolved;
            continue;
        }
        std::vector<std::string> names;
        for (const engine::ObservationColumn& column : cells.front().columns) {
            names.push_back(column.name);
        }
        problems.add(
            find_path(campaign, "report.metrics")->items[i].at,
            "report.metrics",
            fmt::format("metric '{}' is not observed in any cell", report.metrics[i]),
            name_suggestion(report.metrics[i], names)
        );
    }
}

}  // namespace schedfarm::app
