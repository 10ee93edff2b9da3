#include "campaigns/plan/keys.hpp"

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "campaigns/config/numbers.hpp"
#include "campaigns/config/schema.hpp"
#include "campaigns/config/suggestion.hpp"
#include "campaigns/plan/results_version.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::ExperimentKind;

std::string horizon_text(ExperimentKind kind, const engine::Horizon& horizon) {
    if (kind == ExperimentKind::bin_filling) {
        return fmt::format("{{fills: {}}}", horizon.fills);
    }
    const std::string backlog =
        kind == ExperimentKind::saturated ? fmt::format(", backlog: {}", horizon.backlog) : "";
    return fmt::format(
        "{{jobs: {}, warm_up: {{jobs: {}}}{}}}", horizon.jobs, horizon.warm_up_jobs, backlog
    );
}

std::string workload_text(const engine::Choice& workload) {
    std::string text = "{model: " + workload.name;
    for (const auto& [name, value] : workload.parameters.entries()) {
        text += ", " + name + ": " + value.text();
    }
    return text + "}";
}

std::string optional_text(const std::optional<double>& value) {
    return value ? number_text(*value) : "none";
}

std::string replications_text(const ReplicationPlan& plan) {
    std::string text = fmt::format(
        "{} to {} at {} by method {}",
        plan.limits.min,
        plan.limits.max,
        number_text(plan.confidence),
        static_cast<int>(plan.method)
    );
    for (const MetricTarget& target : plan.targets) {
        text += fmt::format(
            "; {} relative {} absolute {}",
            target.metric,
            optional_text(target.target.relative),
            optional_text(target.target.absolute)
        );
    }
    return text;
}

}  // namespace

std::string cell_text(const CellSettings& settings) {
    const ExperimentKind kind = *settings.experiment;
    std::vector<std::string> clusters;
    for (const std::uint32_t processors : settings.system->clusters) {
        clusters.push_back(std::to_string(processors));
    }
    std::string text = "experiment: " + experiment_name(kind) + "\n";
    text += fmt::format(
        "system: {{clusters: [{}], memory_per_processor: {}}}\n",
        joined(clusters),
        number_text(settings.system->memory_per_processor)
    );
    text += "workload: " + workload_text(settings.workload->choice) + "\n";
    text += "policy: " + settings.policy->choice.text() + "\n";
    if (settings.utilization) {
        text += fmt::format("load: {{utilization: {}}}\n", number_text(*settings.utilization));
    }
    text += "horizon: " + horizon_text(kind, *settings.horizon) + "\n";
    if (kind != ExperimentKind::bin_filling && kind != ExperimentKind::saturated) {
        std::vector<std::string> probes;
        for (const engine::Choice& probe : settings.probe_choices) {
            probes.push_back(probe.text());
        }
        text += "probes: [" + joined(probes) + "]\n";
    }
    return text;
}

std::string replication_key(const Cell& cell, std::uint64_t seed) {
    return engine::sha256_hex(
        fmt::format("results_version: {}\nseed: {}\n{}", results_version, seed, cell.effective)
    );
}

std::string plan_hash(const Plan& plan) {
    engine::Sha256 hash;
    hash.add(fmt::format("plan of {} cells, seed {}\n", plan.cells.size(), plan.seed));
    for (const Cell& cell : plan.cells) {
        hash.add(cell.replication_key + "\n");
        for (const FactorLevel& level : cell.levels) {
            hash.add(fmt::format("{}={}\n", level.factor, level.label));
        }
        hash.add(replications_text(cell.replications) + "\n");
    }
    return hash.hex();
}

}  // namespace schedfarm::campaigns
