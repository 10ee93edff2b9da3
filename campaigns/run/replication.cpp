#include "campaigns/run/replication.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/backlogged_workload.hpp"
#include "engine/simulation/fast_way.hpp"
#include "engine/simulation/measurement_window.hpp"
#include "engine/simulation/published_columns.hpp"
#include "engine/simulation/schedule_verifier.hpp"
#include "engine/simulation/simulator.hpp"

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::PolicyDescription;
using engine::WorkloadModel;
using engine::WorkloadModelDescription;

const PolicyDescription& policy_of(const Cell& cell) {
    const PolicyDescription* description = policies::find_policy(cell.policy.name);
    SCHEDFARM_EXPECT(description != nullptr, "no policy '" + cell.policy.name + "'");
    return *description;
}

const WorkloadModelDescription& model_of(const Cell& cell) {
    const WorkloadModelDescription* description = models::find_model(cell.workload.name);
    SCHEDFARM_EXPECT(description != nullptr, "no workload model '" + cell.workload.name + "'");
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

engine::Observations run_general(
    const Cell& cell,
    const engine::SimulationSetup& setup,
    WorkloadModel& workload,
    const engine::PolicyContext& context,
    Kernel kernel
) {
    const PolicyDescription& policy = policy_of(cell);
    std::vector<std::unique_ptr<engine::ScheduleVerifier>> owned;
    if (kernel == Kernel::verified) {
        owned.push_back(engine::make_machine_verifier(cell.system));
        if (policy.make_verifier) {
            owned.push_back(policy.make_verifier(cell.policy.parameters, context));
        }
    }
    std::vector<engine::ScheduleVerifier*> verifiers;
    verifiers.reserve(owned.size());
    for (const auto& verifier : owned) {
        verifiers.push_back(verifier.get());
    }
    const auto scheduler = policy.make(cell.policy.parameters, context);
    return engine::simulate(setup, workload, *scheduler, verifiers);
}

}  // namespace

std::unique_ptr<WorkloadModel> make_workload(const Cell& cell, const ReplicationRequest& request) {
    auto workload = model_of(cell).make(cell.workload.parameters, workload_context(cell, request));
    const bool is_open = cell.experiment.kind == engine::ExperimentKind::open;
    const std::uint64_t start_backlog = is_open ? cell.experiment.horizon.start_backlog : 0;
    if (start_backlog == 0) {
        return workload;
    }
    return std::make_unique<engine::BackloggedWorkload>(std::move(workload), start_backlog);
}

engine::Observations run_replication(
    const Cell& cell, const ReplicationRequest& request, Kernel kernel
) {
    const PolicyDescription& policy = policy_of(cell);
    engine::SimulationSetup setup;
    setup.system = cell.system;
    setup.experiment = cell.experiment;
    if (request.index >= ensemble_replications) {
        setup.experiment.series_bins = 0;
    }
    setup.probes = cell.probes;
    setup.policy_traits = policy.traits(cell.policy.parameters);
    setup.published = engine::published_columns(
        policy, cell.policy.parameters, model_of(cell), cell.workload.parameters
    );
    if (engine::needs_window(cell.probes, cell.experiment.kind)) {
        setup.experiment.window =
            engine::measurement_window(*make_workload(cell, request), cell.experiment.horizon);
    }
    const auto workload = make_workload(cell, request);
    const bool has_fixed_starts = workload->traits().has_fixed_starts;
    if (kernel == Kernel::automatic && policy.make_fast_way && !has_fixed_starts) {
        const engine::FastWayContext fast{cell.system, cell.experiment.kind, &workload->traits()};
        if (const auto fast_way = policy.make_fast_way(cell.policy.parameters, fast)) {
            return fast_way->run(setup.experiment, cell.probes, *workload);
        }
    }
    const engine::Stream random(
        cell.random.seed, engine::Purpose::policy, request.index, cell.random.generator
    );
    return run_general(cell, setup, *workload, {cell.system, random, has_fixed_starts}, kernel);
}

}  // namespace schedfarm::campaigns
