#include "campaigns/config/cell_checks.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "campaigns/config/schema.hpp"
#include "campaigns/config/suggestion.hpp"
#include "campaigns/config/value_reader.hpp"

namespace schedfarm::campaigns {

namespace {

bool serves(const engine::WorkloadModelDescription& model, engine::ExperimentKind kind) {
    return std::find(model.experiments.begin(), model.experiments.end(), kind)
           != model.experiments.end();
}

void check_experiment(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.workload || !settings.experiment
        || serves(*settings.workload->description, *settings.experiment)) {
        return;
    }
    std::vector<std::string> served;
    for (const engine::ExperimentKind kind : settings.workload->description->experiments) {
        served.push_back(experiment_name(kind));
    }
    problems.add(
        nearest_position(cell.tree, "experiment"),
        "experiment",
        fmt::format(
            "workload model '{}' does not serve experiment '{}'",
            settings.workload->choice.name,
            experiment_name(*settings.experiment)
        ),
        "It serves " + joined(served)
    );
}

void check_system(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.workload || !settings.system || !settings.workload->description->check_system) {
        return;
    }
    const auto found = settings.workload->description->check_system(
        settings.workload->choice.parameters, *settings.system
    );
    for (const engine::ParameterProblem& problem : found) {
        problems.add_once(
            "system",
            {nearest_position(cell.tree, "workload." + problem.parameter),
             "workload." + problem.parameter,
             fmt::format("'workload': {}{}", problem.reason, cell.where),
             problem.suggestion}
        );
    }
}

void check_load(const CheckedCell& cell, Theory& theory, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (settings.experiment != engine::ExperimentKind::open || !settings.utilization
        || settings.allow_unstable != false) {
        return;
    }
    const auto limit = theory.maximal_utilization(settings);
    if (!limit || *settings.utilization < limit->value) {
        return;
    }
    problems.add_once(
        "unstable",
        {nearest_position(cell.tree, "load.utilization"),
         "load.utilization",
         fmt::format(
             "utilization {} is not below the maximal utilization {:.6g}{} (the queue would grow "
             "without bound)",
             *settings.utilization,
             limit->value,
             cell.where
         ),
         "Lower it, or set 'allow_unstable: true'?"}
    );
}

/// Where the campaign writes the metric of target number i.
SourcePosition metric_position(const Node& tree, std::size_t i) {
    const Node* targets = find_path(tree, "precision.targets");
    if (targets != nullptr && i < targets->items.size()) {
        return nearest_position(targets->items[i], "metric");
    }
    return nearest_position(tree, "precision.metric");
}

}  // namespace

void check_parts(const CheckedCell& cell, Theory& theory, Problems& problems) {
    check_experiment(cell, problems);
    const std::size_t before = problems.size();
    check_system(cell, problems);
    if (problems.size() == before) {
        check_load(cell, theory, problems);
    }
}

void resolve_targets(
    const CheckedCell& cell,
    const std::vector<engine::ObservationColumn>& columns,
    ReplicationPlan& plan,
    Problems& problems
) {
    std::vector<std::string> names;
    for (const engine::ObservationColumn& column : columns) {
        names.push_back(column.name);
    }
    std::vector<std::string> probes;
    probes.reserve(engine::probe_alternatives().size());
    for (const engine::Alternative& probe : engine::probe_alternatives()) {
        probes.push_back(probe.name);
    }
    names.insert(names.end(), probes.begin(), probes.end());
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
        std::string& metric = plan.targets[i].metric;
        if (auto resolved = resolve_metric(metric, columns)) {
            metric = std::move(*resolved);
            continue;
        }
        const std::string probe = metric.substr(0, metric.find('.'));
        const bool is_probe = std::find(probes.begin(), probes.end(), probe) != probes.end();
        problems.add_once(
            "target",
            {metric_position(cell.tree, i),
             "precision.metric",
             fmt::format("metric '{}' is not observed{}", metric, cell.where),
             is_probe ? "Add it to 'probes'?" : name_suggestion(metric, names)}
        );
    }
}

}  // namespace schedfarm::campaigns
