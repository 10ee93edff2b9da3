#include "app/campaign/grid/header.hpp"

#include <optional>

#include <fmt/format.h>

#include "app/campaign/checks/theory.hpp"
#include "app/campaign/keys/analyses/report_reader.hpp"
#include "app/campaign/keys/run_column.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/sections/seed_range.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// An integer of the top level; 0 when it is missing or wrong.
std::int64_t read_count(const Node& campaign, const std::string& key, Problems& problems) {
    const Node* node = required_key(campaign, key.c_str(), "Add '" + key + ": 1'.", problems);
    const auto value = node == nullptr
                           ? std::nullopt
                           : read_value(*node, campaign_section().row(key), key, problems);
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
        "Write 'campaign_format: 1'."
    );
}

void expect_name(const Header& header, const Node& campaign, Problems& problems) {
    if (!header.name.empty() || problems.is_excused("name")) {
        return;
    }
    const Node* node = campaign.find("name");
    const SourcePosition& at = node == nullptr ? campaign.at : node->at;
    if (node == nullptr || node->is_null() || node->is_scalar()) {
        problems.add(at, "name", "'name' is missing (name of the campaign)", "Add 'name: …'.");
    }
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
    if (!other.empty() && !contains(labels, other)) {
        problems.add(
            find_path(campaign, "report.metrics")->items[i]->at,
            "report.metrics",
            fmt::format("'{}' is no level of a factor", other),
            name_suggestion(other, labels)
        );
    }
}

}  // namespace

Header read_header(const Node& campaign, Problems& problems) {
    expect_known_keys(campaign, key_names(campaign_section().keys), "", problems);
    expect_format(campaign, problems);
    Header header;
    const auto prose = [&](const char* key) {
        return read_prose(campaign, key, key, problems);
    };
    header.name = prose("name");
    expect_name(header, campaign, problems);
    header.description = prose("description");
    header.time_unit = prose("time_unit");
    if (find_path(campaign, std::string("factors.") + seed_key) == nullptr) {
        read_count(campaign, seed_key, problems);
    }
    header.job_log = read_job_log(campaign, problems);
    header.report = read_report(campaign, problems);
    return header;
}

std::uint64_t campaign_seed(const Node& tree) {
    Problems ignored;
    return tree.find(seed_key) == nullptr
               ? 0
               : static_cast<std::uint64_t>(read_count(tree, seed_key, ignored));
}

void check_report(
    const Node& campaign, const std::vector<Cell>& cells, ReportLayout& report, Problems& problems
) {
    std::vector<std::string> factors = names_of(cells.front().levels, &FactorLevel::factor);
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        if (!contains(factors, report.rows[i])) {
            problems.add(
                find_path(campaign, "report.rows")->items[i]->at,
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
            resolved =
                resolved ? resolved : resolve_shown(report.metrics[i], cell.measures->columns);
        }
        if (resolved) {
            report.metrics[i] = *resolved;
            continue;
        }
        std::vector<std::string> names =
            names_of(cells.front().measures->columns, &engine::ObservationColumn::name);
        problems.add(
            find_path(campaign, "report.metrics")->items[i]->at,
            "report.metrics",
            fmt::format("metric '{}' is not observed in any cell", report.metrics[i]),
            name_suggestion(report.metrics[i], names)
        );
    }
}

}  // namespace schedfarm::app
