#include "app/campaign/checks/cell_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/planning/queue_policy.hpp"

#include "models/trace/reading/blocks.hpp"

#include "app/campaign/checks/counted_jobs.hpp"
#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/checks/search_checks.hpp"
#include "app/campaign/keys/run_column.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

void check_experiment(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.workload || !settings.experiment
        || settings.workload->description->serves(*settings.experiment)) {
        return;
    }
    std::vector<std::string> served;
    for (const auto kind : settings.workload->description->experiments) {
        served.emplace_back(kind.name());
    }
    problems.add(
        nearest_position(cell.tree, "experiment"),
        "experiment",
        fmt::format(
            "workload model '{}' does not serve experiment '{}'",
            settings.workload->choice.name,
            settings.experiment->name()
        ),
        "It serves " + joined(served)
    );
}

/// Tells once what is wrong with a workload model or a policy of this name; `section` is where it
/// stands in the campaign, as {model: name, parameter: value} or as {name: {parameter: value}}.
void add_problems(
    const CheckedCell& cell,
    const engine::ParameterProblems& found,
    const std::string& section,
    const std::string& name,
    Problems& problems
) {
    const std::string named = section + "." + name;
    const std::string mapping = find_path(cell.tree, named) == nullptr ? section : named;
    for (const engine::ParameterProblem& problem : found) {
        const std::string path = mapping + "." + problem.parameter;
        problems.add_once(
            "system " + section,
            {nearest_position(cell.tree, path),
             path,
             fmt::format("'{}': {}{}", section, problem.reason, cell.where),
             problem.suggestion}
        );
    }
}

template <typename Description>
void check_system(
    const CheckedCell& cell,
    const std::shared_ptr<const Named<Description>>& named,
    const std::string& section,
    Problems& problems
) {
    if (named && cell.settings.system && named->description->check_system) {
        const auto found =
            named->description->check_system(named->choice.parameters, *cell.settings.system);
        add_problems(cell, found, section, named->choice.name, problems);
    }
}

/// The jobs that may come against the policy. REQUIRES: the workload's own parts agree.
void check_workload(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (settings.workload && settings.system && settings.experiment && settings.policy
        && settings.policy->description->check_workload) {
        const auto found = settings.policy->description->check_workload(
            settings.policy->choice.parameters, *settings.system, workload_traits(settings)
        );
        add_problems(cell, found, "policy", settings.policy->choice.name, problems);
    }
}

void check_fixed_starts(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.workload || !settings.policy || !settings.workload_facts().has_fixed_starts
        || settings.policy->description->traits(settings.policy->choice.parameters)
               .keeps_fixed_starts) {
        return;
    }
    problems.add_once(
        "fixed starts",
        {nearest_position(cell.tree, "policy"),
         "policy",
         fmt::format(
             "policy '{}' with these parameters cannot serve advance reservations{} (it does not "
             "plan around them)",
             settings.policy->choice.name,
             cell.where
         ),
         fixed_starts_suggestion()}
    );
}

void check_placement(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.policy || !settings.experiment || settings.experiment->has_time()
        || engine::names_placement(settings.policy->choice.parameters)) {
        return;
    }
    problems.add_once(
        "policy without placement",
        {nearest_position(cell.tree, "policy"),
         "policy",
         fmt::format(
             "policy '{}' names no placement, which is all that experiment 'bin_filling' asks of a "
             "policy{}",
             settings.policy->choice.name,
             cell.where
         ),
         "policy: {fcfs: {placement: first_fit}}."}
    );
}

/// Why what the cell asks for has no meaning where processors go out of order, by key; "" if it
/// has.
struct OutageProblem {
    const char* key = "";
    std::string reason = {};
};

OutageProblem outage_problem(const CellSettings& settings) {
    const auto probes =
        settings.probes ? settings.probes->set.requests : std::vector<engine::ProbeRequest>();
    const bool asks_for_fair_starts =
        std::any_of(probes.begin(), probes.end(), [](const engine::ProbeRequest& request) {
            return request.metric == engine::Metric::fair_start_miss;
        });
    if (settings.experiment && !settings.experiment->has_time()) {
        return {"experiment", "experiment 'bin_filling' has no time"};
    }
    if (settings.experiment && settings.experiment->keeps_backlog()) {
        return {"experiment", "experiment 'saturated' measures what all processors can do"};
    }
    if (settings.saturation_fraction || settings.load_search) {
        return {"load", "no saturation point is estimated where processors come and go"};
    }
    if (settings.policy
        && settings.policy->description->traits(settings.policy->choice.parameters).preemptive) {
        return {
            "policy",
            fmt::format(
                "policy '{}' switches jobs off and on by a plan of all processors",
                settings.policy->choice.name
            )};
    }
    if (asks_for_fair_starts) {
        return {"probes", "fair_start_miss compares with a machine that does not change"};
    }
    return {};
}

void check_outages(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.system || settings.system->outages.empty()) {
        return;
    }
    const OutageProblem problem = outage_problem(settings);
    if (!problem.reason.empty()) {
        problems.add_once(
            "outages",
            {nearest_position(cell.tree, problem.key),
             problem.key,
             fmt::format("'system.outages'{}: {}", cell.where, problem.reason),
             "Remove 'system.outages'."}
        );
    }
}

void check_load(const CheckedCell& cell, Theory& theory, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.is_open() || !settings.utilization || settings.allow_unstable != false) {
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
         "Lower it, or set 'allow_unstable: true'."}
    );
}

/// Where the cell says how many replications there are, or until when; else what asks for them.
std::string replications_path(const Node& tree) {
    for (const char* key : {"replications", "precision"}) {
        if (find_path(tree, key) != nullptr) {
            return key;
        }
    }
    return "workload";
}

/// What to do where replications are the same; an analysis of levels needs several that differ.
std::string ways_out_of_repetition(const CheckedCell& cell) {
    const std::string ways = ways_to_differ(cell.settings.workload->choice);
    const std::string one =
        "'replications: 1'" + (cell.analysis.empty() ? "" : " without '" + cell.analysis + "'");
    return ways.empty() ? fmt::format("Write {}.", one)
                        : fmt::format("Write {}, or in the workload {}.", one, ways);
}

/// Identical replications meet any precision.
void check_repetition(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!settings.workload || !settings.policy || !settings.replications
        || settings.replications->limits.max < 2
        || !models::trace::repeats(settings.workload_facts())
        || settings.policy->description->traits(settings.policy->choice.parameters).draws) {
        return;
    }
    const std::string path = replications_path(cell.tree);
    problems.add_once(
        "repetition",
        {nearest_position(cell.tree, path),
         path,
         fmt::format(
             "'{}': more than one replication of the same jobs{} (all would be the same to the "
             "bit, "
             "and any precision met)",
             path,
             cell.where
         ),
         ways_out_of_repetition(cell)}
    );
}

/// A workload with an end has as many jobs as the horizon.
void check_job_count(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    const Node* jobs = find_path(cell.tree, "horizon.jobs");
    if (jobs == nullptr || jobs->scalar == "all" || !settings.horizon) {
        return;
    }
    const auto count = count_of_finite(settings);
    if (!count || settings.horizon->horizon.jobs <= *count) {
        return;
    }
    problems.add_once(
        "job count",
        {jobs->at,
         "horizon.jobs",
         fmt::format(
             "{} of a workload that has {}{} (it would end before the horizon)",
             engine::counted(settings.horizon->horizon.jobs, "job"),
             *count,
             cell.where
         ),
         can_be_counted(settings) ? "Write 'jobs: all'." : fmt::format("Write 'jobs: {}'.", *count)}
    );
}

/// Where the program finds the horizon, the index of a replication tells it.
void check_auto_jobs(const CheckedCell& cell, Problems& problems) {
    const CellSettings& settings = cell.settings;
    if (!lengthens(settings) || !settings.replications
        || settings.replications->limits.max <= most_while_lengthening) {
        return;
    }
    const bool has_target = !settings.replications->targets.empty();
    const char* const key = has_target ? "precision.max" : "replications";
    problems.add_once(
        "auto jobs",
        {nearest_position(cell.tree, key),
         key,
         fmt::format(
             "{} replications{} (where no number of jobs is given, {} are the most)",
             settings.replications->limits.max,
             cell.where,
             most_while_lengthening
         ),
         fmt::format("Add 'horizon: {{jobs: {}}}'.", default_jobs)}
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

/// A quantile of all jobs lies between the bounds of a bucket, and so do the ends of its interval:
/// the bucket and a neighbour are up to 3 accuracies long on one side.
void check_resolution(
    const CheckedCell& cell,
    std::size_t i,
    const MetricTarget& target,
    const std::vector<engine::SketchDescription>& sketches,
    Problems& problems
) {
    constexpr double finest = 4 * engine::sketch_accuracy;
    const bool is_sketched = std::any_of(sketches.begin(), sketches.end(), [&](const auto& sketch) {
        return std::any_of(
            sketch.quantiles.begin(),
            sketch.quantiles.end(),
            [&](const auto& quantile) { return quantile.column == target.metric; }
        );
    });
    if (is_sketched && target.target.relative && *target.target.relative < finest) {
        problems.add_once(
            "resolution",
            {metric_position(cell.tree, i),
             "precision.relative",
             fmt::format(
                 "relative precision {} of {} (quantiles of all jobs are known to {:g} %)",
                 *target.target.relative,
                 target.metric,
                 100 * engine::sketch_accuracy
             ),
             fmt::format("Take {:g} or more.", finest)}
        );
    }
}

/// A metric of the campaign's own is not called like what the cell observes anyway.
void check_own_names(
    const CheckedCell& cell,
    const std::vector<engine::ObservationColumn>& columns,
    Problems& problems
) {
    const auto& requests = cell.settings.probes->set.requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::string name = engine::description_of(requests[i]).name;
        const bool is_taken = std::any_of(columns.begin(), columns.end(), [&](const auto& column) {
            return column.name.substr(0, column.name.find('[')) == name;
        });
        if (requests[i].own && (is_taken || parse_run_column(name).kind != RunColumn::Kind::mean)) {
            problems.add_once(
                "own name",
                {cell.tree.find("probes")->items[i]->entries.front().at,
                 "probes." + name,
                 fmt::format("'{}' is observed anyway{}", name, cell.where),
                 "Give your metric another name."}
            );
        }
    }
}

/// What a metric that is not observed may have meant.
std::string metric_suggestion(
    const std::string& metric, const std::vector<engine::ObservationColumn>& columns
) {
    std::vector<std::string> probes =
        names_of(engine::probe_alternatives(), &engine::Alternative::name);
    const std::string probe = metric.substr(0, metric.find('.'));
    for (const engine::ObservationColumn& column : columns) {  // gross_utilization
        if (column.name.ends_with("_" + metric)) {
            return fmt::format("Did you mean '{}'?", column.name);
        }
    }
    if (contains(probes, probe)) {
        return "Add it to 'probes'.";
    }
    std::vector<std::string> names = names_of(columns, &engine::ObservationColumn::name);
    for (const std::string& probe_name : probes) {  // some columns are called like their probe
        if (!contains(names, probe_name)) {
            names.push_back(probe_name);
        }
    }
    return name_suggestion(metric, names);
}

}  // namespace

std::optional<std::string> resolve_observed(
    const std::string& metric,
    const std::vector<engine::ObservationColumn>& columns,
    const std::string& where,
    const ConfigProblem& place,
    Problems& problems
) {
    auto resolved = resolve_metric(metric, columns);
    if (!resolved) {
        problems.add_once(
            "not observed",
            {place.position,
             place.key_path,
             fmt::format("metric '{}' is not observed{}", metric, where),
             metric_suggestion(metric, columns)}
        );
    }
    return resolved;
}

void check_parts(const CheckedCell& cell, Theory& theory, Problems& problems) {
    const std::size_t first = problems.size();
    check_experiment(cell, problems);
    const std::size_t before = problems.size();
    check_system(cell, cell.settings.workload, "workload", problems);
    check_system(cell, cell.settings.policy, "policy", problems);
    check_placement(cell, problems);
    check_fixed_starts(cell, problems);
    check_outages(cell, problems);
    check_repetition(cell, problems);
    if (problems.size() == first) {
        check_workload(cell, problems);
    }
    if (problems.size() == before) {
        check_load(cell, theory, problems);
    }
    if (problems.size() == first) {
        check_job_count(cell, problems);
        check_auto_jobs(cell, problems);
        check_search(cell, problems);
    }
}

void resolve_targets(
    const CheckedCell& cell,
    const std::vector<engine::ObservationColumn>& columns,
    const std::vector<engine::SketchDescription>& sketches,
    ReplicationPlan& plan,
    Problems& problems
) {
    check_own_names(cell, columns, problems);
    const bool sees_times =
        cell.settings.load_search
        && cell.settings.load_search->criterion == SearchCriterion::response_time;
    if (cell.settings.is_open() && sees_times) {
        const ConfigProblem place{
            nearest_position(cell.tree, "load.search.criterion"), "load.search.criterion", "", ""};
        resolve_observed("response_time", columns, cell.where, place, problems);
    }
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
        std::string& metric = plan.targets[i].metric;
        const ConfigProblem place{metric_position(cell.tree, i), "precision.metric", "", ""};
        metric = resolve_observed(metric, columns, cell.where, place, problems).value_or(metric);
        check_resolution(cell, i, plan.targets[i], sketches, problems);
    }
}

}  // namespace schedfarm::app
