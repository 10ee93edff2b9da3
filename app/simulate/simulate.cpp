#include "app/simulate/simulate.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/verifiers/dependency_verifier.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "models/trace/logged_waits.hpp"

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

namespace {

using engine::ScheduleVerifier;

std::vector<std::unique_ptr<ScheduleVerifier>> verifiers_of(
    const Simulation& simulation,
    const SimulationRequest& request,
    const engine::PolicyContext& context
) {
    const NamedPolicy& policy = simulation.policy;
    std::vector<std::unique_ptr<ScheduleVerifier>> verifiers;
    verifiers.push_back(engine::make_machine_verifier(context.system));
    if (policy.description->make_verifier) {
        verifiers.push_back(policy.description->make_verifier(policy.choice.parameters, context));
    }
    if (simulation.source.workload->dependent() != nullptr) {
        const JobSource again = open_jobs(request, simulation.system);
        verifiers.push_back(
            engine::make_dependency_verifier(*again.workload, again.jobs, simulation.traits)
        );
    }
    return verifiers;
}

/// A workload that tells how many of its jobs have been drawn.
class WatchedWorkload final : public engine::VersionOfWorkload {
  public:
    WatchedWorkload(
        std::unique_ptr<engine::WorkloadModel> jobs, std::uint64_t count, const ArrivalsWatch& watch
    )
        : VersionOfWorkload(*jobs), jobs_(std::move(jobs)), count_(count), watch_(watch) {}

    const engine::WorkloadTraits& traits() const override { return jobs_->traits(); }
    std::vector<engine::LeavingJob> leaving() const override {
        return jobs_->dependent()->leaving();
    }
    void next(engine::JobBlock& block) override {
        watch_(drawn_, count_);
        jobs_->next(block);
        drawn_ = std::min(drawn_ + block.count, count_);
    }

  private:
    std::unique_ptr<engine::WorkloadModel> jobs_;
    std::uint64_t count_;
    ArrivalsWatch watch_;
    std::uint64_t drawn_ = 0;
};

engine::SimulationSetup setup_of(Simulation& simulation) {
    engine::SimulationSetup setup;
    setup.system = simulation.system;
    setup.experiment.kind = simulation.source.experiment;
    setup.experiment.horizon.jobs = simulation.source.jobs;
    setup.probes.job_log = &simulation.log;
    setup.policy_traits = simulation.traits;
    setup.published = engine::published_columns(
        *simulation.policy.description,
        simulation.policy.choice.parameters,
        simulation.system,
        simulation.source.workload->traits()
    );
    return setup;
}

/// What became of jobs that left while they waited.
void note_left(Simulation& simulation) {
    JobSource& source = simulation.source;
    if (source.left_waiting == 0) {
        return;
    }
    source.notes += source.notes.empty() ? "" : "; ";
    source.notes += fmt::format("{} left while waiting: ", source.left_waiting);
    source.notes += simulation.traits.takes_withdrawals
                        ? fmt::format(
                            "replayed, of which {} left where they could have started",
                            simulation.log.left_sooner
                        )
                        : "not replayed (this policy takes no waiting job back)";
}

void expect_fixed_starts_are_kept(const Simulation& simulation) {
    if (simulation.source.workload->traits().has_fixed_starts
        && !simulation.traits.keeps_fixed_starts) {
        throw_problem(
            {.file = "--policy " + simulation.policy.choice.name},
            "this policy cannot serve advance reservations with these parameters (it does not "
            "plan around them)",
            fixed_starts_suggestion()
        );
    }
}

engine::Observations run(
    Simulation& simulation,
    const engine::SimulationSetup& setup,
    const SimulationRequest& request,
    Implementation implementation,
    engine::SegmentLog* segments
) {
    const engine::PolicyDescription& policy = *simulation.policy.description;
    const engine::Parameters& parameters = simulation.policy.choice.parameters;
    engine::WorkloadModel& workload = *simulation.source.workload;
    const bool may_be_fast = implementation == Implementation::fastest && segments == nullptr;
    if (may_be_fast && policy.specialised_simulator) {
        if (auto found = policy.specialised_simulator(parameters, setup, workload)) {
            return *std::move(found);
        }
    }
    const engine::Stream random(request.seed, engine::Purpose::policy, 0);
    const engine::PolicyContext context{
        setup.system, random, workload.traits().has_fixed_starts, false, workload.traits().clock};
    std::vector<std::unique_ptr<ScheduleVerifier>> owned;
    if (implementation == Implementation::verified) {
        owned = verifiers_of(simulation, request, context);
    }
    std::vector<ScheduleVerifier*> verifiers;
    verifiers.reserve(owned.size());
    for (const auto& verifier : owned) {
        verifiers.push_back(verifier.get());
    }
    if (segments != nullptr) {
        verifiers.push_back(segments);
    }
    const auto scheduler = policy.make(parameters, context);
    return engine::simulate(setup, workload, *scheduler, verifiers);
}

std::vector<PublishedValue> published_values(
    const std::vector<engine::ObservationColumn>& columns, const engine::Observations& observations
) {
    std::vector<PublishedValue> published;
    const std::size_t first = observations.values.size() - columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        published.push_back({columns[i].name, columns[i].unit, observations.values[first + i]});
    }
    return published;
}

}  // namespace

Simulation simulate(
    const SimulationRequest& request,
    Implementation implementation,
    engine::SegmentLog* segments,
    const ArrivalsWatch& watch
) {
    Simulation simulation;
    simulation.policy = read_policy(request);
    simulation.system = read_system(request);
    check_system(simulation.policy, simulation.system);
    simulation.traits = simulation.policy.description->traits(simulation.policy.choice.parameters);
    simulation.source = open_jobs(request, simulation.system);
    add_events(request, simulation.source.workload->traits().clock, simulation.system);
    expect_fixed_starts_are_kept(simulation);
    check_workload(simulation.policy, simulation.system, simulation.source.workload->traits());
    if (watch) {
        simulation.source.workload = std::make_unique<WatchedWorkload>(
            std::move(simulation.source.workload), simulation.source.jobs, watch
        );
    }
    const bool has_segments = simulation.traits.preemptive || simulation.system.clusters.size() > 1;
    engine::SegmentLog* const pauses = has_segments ? segments : nullptr;
    const engine::SimulationSetup setup = setup_of(simulation);
    const auto observations = run(simulation, setup, request, implementation, pauses);
    note_left(simulation);
    simulation.fingerprint = observations.fingerprint;
    simulation.published = published_values(setup.published, observations);
    if (simulation.source.replayed != nullptr) {
        simulation.logged_waits = models::trace::compared_waits(
            *simulation.source.replayed, simulation.log.submit, simulation.log.start
        );
    }
    return simulation;
}

}  // namespace schedfarm::app
