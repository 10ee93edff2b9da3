#include "app/simulate/simulation_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "policies/slurm/site/site.hpp"

#include "app/report/json.hpp"
#include "app/report/number_text.hpp"
#include "app/report/text_table.hpp"
#include "app/simulate/log_json.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t label_width = 20;

/// Whole numbers and those of four digits or more without decimals, others with three significant
/// digits.
std::string number(double value) {
    constexpr double longest = 1e12;
    const bool is_in_full = value == std::floor(value) || std::abs(value) >= 1000;
    return is_in_full && std::abs(value) < longest ? fmt::format("{:.0f}", value)
                                                   : fmt::format("{:.3g}", value);
}

std::string percent(double fraction) {
    return fmt::format("{:.2f} %", 100 * fraction);
}

std::string system_text(const engine::SystemDescription& system) {
    std::string text = engine::counted(system.processors(), "processor");
    if (system.clusters.size() > 1) {
        text += fmt::format(" in {} clusters", system.clusters.size());
    }
    return text;
}

std::string published_text(const std::vector<PublishedValue>& published) {
    std::string text;
    for (const PublishedValue& value : published) {
        const std::string unit = value.unit == "1" ? "" : value.unit;
        text += text.empty() ? "\nthe policy's own\n" : "";
        text += fmt::format("{:<34} {} {}", value.name, number(value.value), unit);
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

/// The lines of a summary for terminals of so many columns.
class SummaryLines {
  public:
    explicit SummaryLines(std::size_t width) : width_(width) {}

    std::string entry(const std::string& label, const std::string& text) const {
        return labelled(label, text, label_width, width_);
    }

    std::string row(const std::string& label, const std::array<std::string, 4>& cells) const {
        std::string line = fmt::format("{:<{}}", label, label_width);
        for (const std::string& cell : cells) {
            line += fmt::format("{:>{}}", cell, (width_ - label_width) / cells.size());
        }
        return line + "\n";
    }

    std::string row(const std::string& label, const Quantity& quantity, const ShownUnit& unit = {})
        const {
        return row(
            unit.name.empty() ? label : fmt::format("{} ({})", label, unit.name),
            {number(quantity.mean / unit.own),
             number(quantity.median / unit.own),
             number(quantity.p95 / unit.own),
             number(quantity.max / unit.own)}
        );
    }

  private:
    std::size_t width_;
};

/// Where in a log to look first, and the command that tells the rest; empty: nowhere. The size of
/// the machine is told apart, and nothing else of a header matters here.
std::string oddities_text(const JobSource& source, const SummaryLines& lines) {
    const std::string first = first_oddities(source.oddities);
    return first.empty()
               ? ""
               : lines.entry("oddities", "first in " + first + "; all by:") + std::string(verbatim)
                     + engine::program_command({"trace", std::filesystem::path(source.name)})
                     + "\n";
}

/// "-" where there is none.
std::string number_or_none(double value, int decimals) {
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals);
}

std::string mean_wait(double seconds, const ShownUnit& unit) {
    return std::isnan(seconds) ? "-" : number(seconds / unit.own);
}

/// Below a summary.
std::string waits_text(const std::vector<engine::GroupAgreement>& groups, std::size_t width) {
    if (groups.empty()) {
        return "";
    }
    if (groups.front().values.n == 0) {
        return "\nThe log records no waits, so that none can be set beside these.\n";
    }
    double greatest = 0;
    for (const engine::GroupAgreement& group : groups) {
        greatest = std::fmax(greatest, group.values.recorded_mean);
        greatest = std::fmax(greatest, group.values.modelled_mean);
    }
    const ShownUnit unit = shown_unit("s", greatest);
    TextTable table = text_table(
        "Logged against simulated waits",
        {"<waits of",
         ">jobs",
         fmt::format(">logged ({})", unit.name),
         fmt::format(">simulated ({})", unit.name),
         ">within",
         ">tau"},
        1
    );
    for (const engine::GroupAgreement& group : groups) {
        const engine::Agreement& values = group.values;
        table.rows.push_back(
            {group.name,
             std::to_string(values.n),
             mean_wait(values.recorded_mean, unit),
             mean_wait(values.modelled_mean, unit),
             number_or_none(100 * values.share_within, 0) + " %",
             number_or_none(values.rank_agreement, 2)}
        );
    }
    table.notes.emplace_back(
        "Mean waits. within: jobs whose simulated wait is the logged one within 10 % of it or 60 "
        "s. "
        "tau: Kendall's tau-b of the order of both, 1 where it is the same."
    );
    return "\n" + render(table, width);
}

Json waits_json(const std::vector<engine::GroupAgreement>& groups) {
    Json list = Json::array();
    for (const engine::GroupAgreement& group : groups) {
        list.push_back(
            {{"by", group.kind},
             {"group", group.name},
             {"jobs", group.values.n},
             {"logged", json_number(group.values.recorded_mean)},
             {"simulated", json_number(group.values.modelled_mean)},
             {"within", json_number(group.values.share_within)},
             {"rank_agreement", json_number(group.values.rank_agreement)}}
        );
    }
    return list;
}

Json json_quantity(const Quantity& quantity) {
    return {
        {"mean", json_number(quantity.mean)},
        {"median", json_number(quantity.median)},
        {"p95", json_number(quantity.p95)},
        {"max", json_number(quantity.max)}};
}

/// With all of its parameters; where these are longer than `most` characters, with those alone that
/// are not their defaults. Of a file the number of its lines without those of comment.
std::string policy_text(const NamedPolicy& policy, std::size_t most) {
    const std::string whole = policy.choice.text();
    if (whole.size() <= most) {
        return whole;
    }
    const auto is_default = [&](const std::string& name, const engine::Value& value) {
        const auto& table = policy.description->alternative.parameters;
        const auto row = std::find_if(table.begin(), table.end(), [&](const auto& each) {
            return each.name == name;
        });
        return row != table.end() && row->default_value
               && value.text() == engine::with_defaults({*row}).at(name).text();
    };
    engine::Choice shown{policy.choice.name, {}};
    for (const auto& [name, value] : policy.choice.parameters.entries()) {
        if (is_default(name, value)) {
            continue;
        }
        const auto* text = std::get_if<std::string>(&value.data());
        std::uint64_t lines = 0;
        if (text != nullptr && text->find('\n') != std::string::npos) {
            std::istringstream file(*text);
            for (std::string line; std::getline(file, line);) {
                lines += !line.empty() && line.front() != '#' ? 1U : 0U;
            }
        }
        shown.parameters.set(
            name, lines == 0 ? value : engine::Value(engine::counted(lines, "line"))
        );
    }
    return shown.text() + ", all else as by default";
}

/// Of Slurm under a site's files.
std::string rules_of(const NamedPolicy& policy) {
    return policy.choice.name == "slurm" ? policies::slurm::rules_note(policy.choice.parameters)
                                         : "";
}

}  // namespace

std::string simulation_text(
    const Simulation& simulation, const ScheduleSummary& summary, std::size_t width
) {
    const JobSource& source = simulation.source;
    const SummaryLines lines(width);
    const std::string seconds = simulation.is_in_seconds ? "s" : "";
    const auto time_text = [&](double time) {
        const ShownUnit own = shown_unit(seconds, time);
        return number(time / own.own) + own.suffix();
    };
    const ShownUnit of_means = shown_unit(seconds, summary.response.mean);
    const std::string rules = rules_of(*simulation.policy);
    std::string text = source.has_many_unserved ? source.unserved + "\n" : "";
    text += rules.empty() ? "" : lines.entry("rules", rules);
    text += lines.entry("jobs", fmt::format("{} of {}", summary.jobs, source.name));
    if (!source.unserved.empty() && !source.has_many_unserved) {
        text += lines.entry("", source.unserved);
    }
    if (!source.notes.empty()) {
        text += lines.entry("", source.notes);
    }
    text += source.not_dense.empty() ? "" : lines.entry("not dense", source.not_dense);
    text += oddities_text(source, lines);
    text += lines.entry("system", system_text(simulation.cell.system));
    text += lines.entry("policy", policy_text(*simulation.policy, 2 * width));
    text += lines.entry(
        "submits",
        fmt::format("{} to {}", time_text(summary.first_submit), time_text(summary.last_submit))
    );
    text += lines.entry("makespan", time_text(summary.makespan));
    text += lines.entry("utilization", percent(summary.utilization));
    if (summary.gross_utilization) {
        const bool ends_before = summary.first_submit < summary.last_submit;
        text += lines.entry(
            "gross utilization",
            percent(*summary.gross_utilization) + (ends_before ? " until the last submit" : "")
        );
    }
    if (summary.loss_of_capacity) {
        text += lines.entry("loss of capacity", percent(*summary.loss_of_capacity));
    }
    text += "\n" + lines.row("", {"mean", "median", "95 %", "max"});
    return text + lines.row("wait", summary.wait, of_means)
           + lines.row("response time", summary.response, of_means)
           + lines.row("slowdown", summary.slowdown)
           + lines.row("bounded slowdown", summary.bounded_slowdown)
           + published_text(simulation.published) + waits_text(simulation.logged_waits, width);
}

std::string simulation_json(const Simulation& simulation, const ScheduleSummary& summary) {
    const JobSource& source = simulation.source;
    Json object{
        {"workload", source.name},
        {"notes", source.notes},
        {"not_dense", source.not_dense},
        {"oddities", oddities_json(source.oddities)},
        {"clusters", simulation.cell.system.clusters},
        {"policy", simulation.policy->choice.text()},
        {"jobs", summary.jobs},
        {"fingerprint", fmt::format("{:016x}", simulation.fingerprint)},
        {"first_submit", json_number(summary.first_submit)},
        {"last_submit", json_number(summary.last_submit)},
        {"last_finish", json_number(summary.last_finish)},
        {"makespan", json_number(summary.makespan)},
        {"utilization", json_number(summary.utilization)}};
    if (summary.gross_utilization) {
        object["gross_utilization"] = json_number(*summary.gross_utilization);
    }
    if (summary.loss_of_capacity) {
        object["loss_of_capacity"] = json_number(*summary.loss_of_capacity);
    }
    if (const std::string rules = rules_of(*simulation.policy); !rules.empty()) {
        object["rules"] = rules;
    }
    for (const PublishedValue& value : simulation.published) {
        object["published"][value.name] = json_number(value.value);
    }
    object["wait"] = json_quantity(summary.wait);
    object["response_time"] = json_quantity(summary.response);
    object["slowdown"] = json_quantity(summary.slowdown);
    object["bounded_slowdown"] = json_quantity(summary.bounded_slowdown);
    if (!simulation.logged_waits.empty()) {
        object["logged_waits"] = waits_json(simulation.logged_waits);
    }
    return json_text(object);
}

}  // namespace schedfarm::app
