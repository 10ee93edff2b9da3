#include "app/run/replication.hpp"

#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/planning/bin_filling.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/backlogged_workload.hpp"
#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/kernel/twin_queues.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/measurement/measurement_window.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/verifiers/dependency_verifier.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "models/catalogue.hpp"
#include "models/trace/logged_waits.hpp"
#include "models/trace/prepared_log.hpp"
#include "models/trace/trace_settings.hpp"
#include "policies/catalogue.hpp"

#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/checks/unserved_jobs.hpp"
#include "app/campaign/plan/lengthening.hpp"
#include "app/campaign/plan/twins.hpp"

namespace schedfarm::app {

namespace {

using engine::PolicyDescription;
using engine::WorkloadModel;
using engine::WorkloadModelDescription;

const PolicyDescription& policy_of(const Cell& cell) {
    const PolicyDescription* description = policies::find_policy(cell.policy->name);
    SCHEDFARM_EXPECT(description != nullptr, "no policy '" + cell.policy->name + "'");
    return *description;
}

const WorkloadModelDescription& model_of(const Cell& cell) {
    const WorkloadModelDescription* description = models::find_model(cell.workload->name);
    SCHEDFARM_EXPECT(description != nullptr, "no workload model '" + cell.workload->name + "'");
    return *description;
}

engine::WorkloadContext workload_context(const Cell& cell, const ReplicationRequest& request) {
    engine::WorkloadContext context;
    context.system = cell.system;
    context.experiment = cell.experiment.kind;
    context.utilization = request.utilization ? request.utilization : cell.utilization;
    context.seed = cell.random.seed;
    context.generator = cell.random.generator;
    context.replication = request.index;
    return context;
}

/// Jobs of a log have numbers of their own; of one of which no job can be placed none is left out,
/// and the simulation has met the first.
void throw_if_all_are_unserved(const Cell& cell) {
    if (!facts_of(*cell.workload).logs.empty()) {
        engine::Choice workload = *cell.workload;
        const UnservedJobs unserved = leave_out_unserved_jobs(*cell.policy, cell.system, workload);
        if (unserved.are_all()) {
            throw engine::UnservedJobError("no job of the log can be placed: " + unserved.first);
        }
    }
}

engine::Observations run_general(
    const Cell& cell,
    const engine::SimulationSetup& setup,
    WorkloadModel& workload,
    const engine::PolicyContext& context,
    const std::vector<engine::ScheduleVerifier*>& verifiers
) {
    const auto scheduler = policy_of(cell).make(cell.policy->parameters, context);
    try {
        return engine::simulate(setup, workload, *scheduler, verifiers);
    } catch (const engine::UnservedJobError&) {
        throw_if_all_are_unserved(cell);
        throw;
    }
}

/// Those that object to what the policy does. `jobs` makes the jobs again.
std::vector<std::unique_ptr<engine::ScheduleVerifier>> verifiers_of(
    const Cell& cell,
    const engine::SimulationSetup& setup,
    const WorkloadModel& workload,
    const engine::PolicyContext& context,
    const JobsMaker& jobs
) {
    const PolicyDescription& policy = policy_of(cell);
    std::vector<std::unique_ptr<engine::ScheduleVerifier>> verifiers;
    verifiers.push_back(engine::make_machine_verifier(cell.system));
    if (policy.make_verifier) {
        verifiers.push_back(policy.make_verifier(cell.policy->parameters, context));
    }
    if (workload.dependent() != nullptr) {
        verifiers.push_back(engine::make_dependency_verifier(
            *jobs(), setup.experiment.horizon.jobs, setup.policy_traits
        ));
    }
    return verifiers;
}

engine::SimulationSetup setup_of(const Cell& cell, const ReplicationRequest& request) {
    const PolicyDescription& policy = policy_of(cell);
    engine::SimulationSetup setup;
    setup.system = cell.system;
    setup.experiment = cell.experiment;
    setup.experiment.horizon = horizon_at(cell, level_of(cell, request.index));
    if (position_in_level(cell, request.index) >= ensemble_replications) {
        setup.experiment.series_bins = 0;
    }
    setup.probes = cell.probes;
    setup.policy_traits = policy.traits(cell.policy->parameters);
    setup.published = engine::published_columns(
        policy, cell.policy->parameters, cell.system, model_of(cell), cell.workload->parameters
    );
    setup.outages = engine::Stream(
        cell.random.seed, engine::Purpose::outages, request.index, cell.random.generator
    );
    if (engine::needs_window(cell.probes, cell.experiment)) {
        setup.experiment.window =
            engine::measurement_window(*make_workload(cell, request), setup.experiment.horizon);
    }
    return setup;
}

engine::PolicyContext policy_context(
    const Cell& cell, const ReplicationRequest& request, const WorkloadModel& workload
) {
    const engine::Stream random(
        cell.random.seed, engine::Purpose::policy, request.index, cell.random.generator
    );
    const engine::WorkloadTraits& traits = workload.traits();
    return {cell.system, random, traits.has_fixed_starts, false, traits.clock};
}

}  // namespace

std::shared_ptr<const models::trace::PreparedLog> replayed_log(
    const Cell& cell, models::trace::WaitGroups groups
) {
    if (!facts_of(*cell.workload).is_log || !cell.experiment.kind.has_arrivals()
        || cell.utilization) {
        return nullptr;
    }
    const models::trace::TraceSettings settings(cell.workload->parameters);
    if (settings.resampling != models::trace::Resampling::none) {
        return nullptr;
    }
    auto log = models::trace::prepared_log(settings, models::trace::Checksum::none, groups);
    const bool is_own = models::trace::is_own_replay(settings, *log, cell.system.processors())
                        && cell.experiment.horizon.jobs == log->jobs.size();
    return is_own ? log : nullptr;
}

std::unique_ptr<WorkloadModel> make_workload(const Cell& cell, const ReplicationRequest& request) {
    auto workload = model_of(cell).make(cell.workload->parameters, workload_context(cell, request));
    const bool is_open = cell.experiment.kind.is_open();
    const std::uint64_t start_backlog = is_open ? cell.experiment.horizon.start_backlog : 0;
    if (start_backlog == 0) {
        return workload;
    }
    return std::make_unique<engine::BackloggedWorkload>(std::move(workload), start_backlog);
}

namespace {

engine::Observations with_waits(engine::Observations observed, const engine::TwinQueues& twins) {
    const std::vector<double> waits =
        observed.overflow
            ? std::vector<double>(twins.count(), std::numeric_limits<double>::quiet_NaN())
            : twins.mean_waits();
    observed.values.insert(observed.values.end(), waits.begin(), waits.end());
    return observed;
}

/// `make_jobs` makes those of the workload again.
engine::Observations run_alone(
    const Cell& cell,
    const ReplicationRequest& request,
    const engine::SimulationSetup& setup,
    WorkloadModel& workload,
    SimulatorChoice kernel,
    engine::ScheduleVerifier* observer,
    const JobsMaker& make_jobs
) {
    const PolicyDescription& policy = policy_of(cell);
    if (!cell.experiment.kind.has_time()) {
        return engine::fill_bins(
            engine::placement_rule(cell.policy->parameters),
            cell.system,
            cell.experiment.horizon.fills,
            workload
        );
    }
    const bool may_be_fast = kernel == SimulatorChoice::automatic && observer == nullptr;
    if (may_be_fast && policy.specialised_simulator) {
        if (auto found = policy.specialised_simulator(cell.policy->parameters, setup, workload)) {
            return *std::move(found);
        }
    }
    const engine::PolicyContext context = policy_context(cell, request, workload);
    std::vector<std::unique_ptr<engine::ScheduleVerifier>> owned;
    if (kernel == SimulatorChoice::verified) {
        owned = verifiers_of(cell, setup, workload, context, make_jobs);
    }
    std::vector<engine::ScheduleVerifier*> verifiers;
    for (const auto& verifier : owned) {
        verifiers.push_back(verifier.get());
    }
    if (observer != nullptr) {
        verifiers.push_back(observer);
    }
    return run_general(cell, setup, workload, context, verifiers);
}

}  // namespace

engine::Observations run_replication(
    const Cell& cell,
    const ReplicationRequest& request,
    SimulatorChoice kernel,
    engine::ScheduleVerifier* observer,
    const JobsMaker& jobs
) {
    const JobsMaker make_jobs = jobs ? jobs : [&] {
        return make_workload(cell, request);
    };
    const engine::SimulationSetup setup = setup_of(cell, request);
    const auto workload = make_jobs();
    const bool is_observed = observer != nullptr;
    engine::TwinQueues twins(
        *workload, setup.experiment.horizon, is_observed ? std::vector<double>() : twin_loads(cell)
    );
    return with_waits(
        run_alone(cell, request, setup, twins.jobs(), kernel, observer, make_jobs), twins
    );
}

std::vector<engine::Observations> run_side_by_side(
    const Cell& cell, std::span<const ReplicationRequest> requests
) {
    const std::optional<engine::GroupSimulator>& group = policy_of(cell).group_simulator;
    if (!group || requests.size() < 2 || !cell.experiment.kind.has_time()) {
        return {};
    }
    std::vector<std::unique_ptr<WorkloadModel>> workloads;
    std::deque<engine::SimulationSetup> setups;
    std::deque<engine::TwinQueues> twins;
    std::vector<engine::Replica> replicas;
    for (const ReplicationRequest& request : requests) {
        workloads.push_back(make_workload(cell, request));
        if (!group->applies(cell.system, *workloads.back())) {
            return {};
        }
        const auto& setup = setups.emplace_back(setup_of(cell, request));
        twins.emplace_back(*workloads.back(), setup.experiment.horizon, twin_loads(cell));
        replicas.push_back({setup, twins.back().jobs()});
    }
    std::vector<engine::Observations> all = group->simulate(replicas);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = with_waits(std::move(all[i]), twins[i]);
    }
    return all;
}

RunBesideLog run_beside_log(
    const Cell& cell,
    const ReplicationRequest& request,
    SimulatorChoice kernel,
    models::trace::WaitGroups groups
) {
    const bool is_first = request.index == 0 && !request.utilization;
    const auto logged = is_first ? replayed_log(cell, groups) : nullptr;
    if (logged == nullptr) {
        return {run_replication(cell, request, kernel), {}};
    }
    engine::JobLog log;
    Cell with_log = cell;
    with_log.probes.job_log = &log;
    RunBesideLog run{run_replication(with_log, request, kernel), {}};
    if (!run.observations.overflow) {
        run.logged_waits = models::trace::compared_waits(*logged, log.submit, log.start);
    }
    return run;
}

}  // namespace schedfarm::app
