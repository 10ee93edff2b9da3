#include "app/simulate/simulate.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

#include "models/trace/logged_waits.hpp"
#include "policies/external/code.hpp"

namespace schedfarm::app {

namespace {

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

/// A policy that is code of the user's own is named with what it consisted of.
std::shared_ptr<const NamedPolicy> with_checksums(const NamedPolicy& policy) {
    std::vector<std::pair<std::string, std::string>> seen;
    return std::make_shared<const NamedPolicy>(NamedPolicy{
        policy.description, policies::with_checksums(policy.choice, seen)});
}

}  // namespace

Simulation simulate(
    const SimulationRequest& request,
    SimulatorChoice kernel,
    engine::SegmentLog* segments,
    const ArrivalsWatch& watch,
    const PolicyWatch& before_start
) {
    OpenedCell opened = open_cell(request);
    if (before_start) {
        before_start(opened.settings.policy->choice);
    }
    Simulation simulation;
    simulation.source = std::move(opened.source);
    simulation.policy = with_checksums(*opened.settings.policy);
    simulation.traits =
        simulation.policy->description->traits(simulation.policy->choice.parameters);
    simulation.is_in_seconds = opened.settings.workload_facts().is_in_seconds;
    simulation.experiment = *opened.settings.experiment;
    Cell& cell = opened.cell;
    auto first = opened.make_jobs();
    add_events(request, opened.tree, first->traits().clock, cell.system);
    if (watch) {
        first = std::make_unique<WatchedWorkload>(std::move(first), simulation.source.jobs, watch);
    }
    const auto make_jobs = [&] {
        return first ? std::move(first) : opened.make_jobs();
    };
    const bool has_segments = simulation.traits.preemptive || cell.system.clusters.size() > 1;
    cell.probes.job_log = &simulation.log;
    const auto observations =
        run_replication(cell, {}, kernel, has_segments ? segments : nullptr, make_jobs);
    note_left(simulation);
    simulation.fingerprint = observations.fingerprint;
    simulation.published = published_values(
        engine::published_columns(
            *simulation.policy->description,
            simulation.policy->choice.parameters,
            cell.system,
            *opened.settings.workload->description,
            opened.settings.workload->choice.parameters
        ),
        observations
    );
    if (simulation.source.replayed != nullptr) {
        simulation.logged_waits = models::trace::compared_waits(
            *simulation.source.replayed, simulation.log.submit, simulation.log.start
        );
    }
    simulation.cell = std::move(cell);
    simulation.cell.probes = {};
    return simulation;
}

}  // namespace schedfarm::app
