#include "campaigns/simulate/simulation_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "campaigns/report/wrapped_text.hpp"
#include "campaigns/simulate/json.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::size_t label_width = 20;

/// "label               text", wrapped.
std::string entry(const std::string& label, const std::string& text) {
    std::string result;
    for (const std::string& line : wrapped(text, terminal_width - label_width)) {
        result += fmt::format("{:<{}}{}\n", result.empty() ? label : "", label_width, line);
    }
    return result;
}

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

std::string row(const char* label, const Quantity& quantity) {
    return fmt::format(
        "{:<{}}{:>15}{:>15}{:>15}{:>15}\n",
        label,
        label_width,
        number(quantity.mean),
        number(quantity.median),
        number(quantity.p95),
        number(quantity.max)
    );
}

std::string system_text(const engine::SystemDescription& system) {
    std::string text = fmt::format("{} processors", system.processors());
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

std::string json_published(const std::vector<PublishedValue>& published) {
    std::string text;
    for (const PublishedValue& value : published) {
        text += fmt::format(
            "{}{}: {}", text.empty() ? "" : ", ", json_text(value.name), json_number(value.value)
        );
    }
    return "{" + text + "}";
}

std::string json_quantity(const char* name, const Quantity& quantity) {
    return fmt::format(
        "  \"{}\": {{\"mean\": {}, \"median\": {}, \"p95\": {}, \"max\": {}}}",
        name,
        json_number(quantity.mean),
        json_number(quantity.median),
        json_number(quantity.p95),
        json_number(quantity.max)
    );
}

}  // namespace

std::string simulation_text(const Simulation& simulation, const ScheduleSummary& summary) {
    const JobSource& source = simulation.source;
    std::string text = entry("jobs", fmt::format("{} of {}", summary.jobs, source.name));
    if (!source.notes.empty()) {
        text += entry("", source.notes);
    }
    text += entry("system", system_text(simulation.system));
    text += entry("policy", simulation.policy.choice.text());
    text += entry(
        "submits",
        fmt::format("{} to {}", number(summary.first_submit), number(summary.last_submit))
    );
    text += entry("makespan", number(summary.makespan));
    text += entry("utilization", percent(summary.utilization));
    if (summary.loss_of_capacity) {
        text += entry("loss of capacity", percent(*summary.loss_of_capacity));
    }
    text += fmt::format(
        "\n{:<{}}{:>15}{:>15}{:>15}{:>15}\n",
        source.experiment == engine::ExperimentKind::trace ? "times in seconds" : "",
        label_width,
        "mean",
        "median",
        "95 %",
        "max"
    );
    return text + row("wait", summary.wait) + row("response", summary.response)
           + row("slowdown", summary.slowdown) + row("bounded slowdown", summary.bounded_slowdown)
           + published_text(simulation.published);
}

std::string simulation_json(const Simulation& simulation, const ScheduleSummary& summary) {
    const JobSource& source = simulation.source;
    std::string text = "{\n";
    const auto add = [&text](const char* name, const std::string& value) {
        text += fmt::format("  \"{}\": {},\n", name, value);
    };
    add("workload", json_text(source.name));
    add("notes", json_text(source.notes));
    add("clusters", fmt::format("[{}]", fmt::join(simulation.system.clusters, ", ")));
    add("policy", json_text(simulation.policy.choice.text()));
    add("jobs", std::to_string(summary.jobs));
    add("fingerprint", fmt::format("\"{:016x}\"", simulation.fingerprint));
    add("first_submit", json_number(summary.first_submit));
    add("last_submit", json_number(summary.last_submit));
    add("last_finish", json_number(summary.last_finish));
    add("makespan", json_number(summary.makespan));
    add("utilization", json_number(summary.utilization));
    if (summary.loss_of_capacity) {
        add("loss_of_capacity", json_number(*summary.loss_of_capacity));
    }
    if (!simulation.published.empty()) {
        add("published", json_published(simulation.published));
    }
    return text + json_quantity("wait", summary.wait) + ",\n"
           + json_quantity("response", summary.response) + ",\n"
           + json_quantity("slowdown", summary.slowdown) + ",\n"
           + json_quantity("bounded_slowdown", summary.bounded_slowdown) + "\n}\n";
}

}  // namespace schedfarm::campaigns
