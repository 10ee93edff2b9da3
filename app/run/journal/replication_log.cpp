#include "app/run/journal/replication_log.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/simulation/logs/start_log.hpp"

#include "models/trace/prepared_log.hpp"
#include "policies/catalogue.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/run/output_error.hpp"
#include "app/run/replication.hpp"

namespace schedfarm::app {

namespace {

using results_schema::JobLogId;

/// Whether jobs get processors by name, of their policy or for outages.
bool names_processors(const Cell& cell) {
    const engine::PolicyDescription* policy = policies::find_policy(cell.policy->name);
    return !cell.system.outages.empty() || policy->traits(cell.policy->parameters).names_processors;
}

/// The fingerprint.
std::uint64_t replay(
    const Cell& cell, const ReplicationRequest& request, ReplicationLog& replayed
) {
    if (!names_processors(cell)) {
        return run_replication(cell, request).fingerprint;
    }
    engine::StartLog starts;
    const std::uint64_t fingerprint =
        run_replication(cell, request, SimulatorChoice::general, &starts).fingerprint;
    replayed.held = starts.held();
    const engine::PolicyDescription* policy = policies::find_policy(cell.policy->name);
    if (starts.has_moved() && policy->traits(cell.policy->parameters).preemptive) {
        engine::SegmentLog segments;  // kept where they are wanted: gang scheduling makes many
        run_replication(cell, request, SimulatorChoice::general, &segments);
        replayed.pieces = segments.take_segments();
    }
    return fingerprint;
}

/// What the log does not say of a job, from its workload.
void add_requests(engine::WorkloadModel& workload, ReplicationLog& replayed) {
    const std::size_t jobs = replayed.log.jobs();
    engine::JobBlock block;
    while (replayed.user.size() < jobs) {
        engine::draw_next(workload, block);
        for (std::size_t i = 0; i < block.count && replayed.user.size() < jobs; ++i) {
            const double service = replayed.log.service[replayed.user.size()];
            replayed.estimate.push_back(block.estimate.empty() ? service : block.estimate[i]);
            replayed.user.push_back(block.user.empty() ? 0 : block.user[i]);
            replayed.job_number.push_back(
                block.job_number.empty() ? engine::no_job_number : block.job_number[i]
            );
        }
    }
}

}  // namespace

std::vector<JobLogId> logged_replications(const Plan& plan, const CampaignProgress& progress) {
    std::vector<JobLogId> ids;
    for (const auto& cell : progress.cells()) {
        const std::uint64_t logged = std::min(plan.job_log.replications, cell->used());
        const bool has_time = cell->cell().experiment.kind.has_time();
        for (std::uint64_t i = 0; has_time && i < logged; ++i) {
            if (!cell->observed(i).overflow) {
                ids.push_back({cell->cell().index, cell->index_of(i)});
            }
        }
    }
    return ids;
}

ReplicationLog replication_log(const CampaignProgress& progress, const JobLogId& id) {
    const CellProgress& owner = *progress.cells()[id.cell];
    const auto index = static_cast<std::uint32_t>(id.replication);
    const ReplicationTask task = progress.task_of({static_cast<std::uint32_t>(id.cell), index});
    const ReplicationRequest request{index, task.utilization};
    ReplicationLog replayed;
    Cell cell = owner.cell();
    cell.probes = {};
    cell.probes.job_log = &replayed.log;
    const std::uint64_t fingerprint = replay(cell, request, replayed);
    const std::uint64_t stored = owner.observed(position_in_level(cell, index)).fingerprint;
    if (fingerprint != stored) {
        throw OutputError(fmt::format(
            "the log of replication {} of cell {} cannot be written (run again, it gave another "
            "schedule than the journal has: {:016x} against {:016x}). Use the program "
            "that wrote the journal, and the traces as they were.",
            id.replication,
            id.cell,
            fingerprint,
            stored
        ));
    }
    add_requests(*make_workload(cell, request), replayed);
    if (const auto logged = replayed_log(cell); logged != nullptr && index == 0) {
        replayed.logged_wait = logged->logged.wait_s.values();
    }
    return replayed;
}

}  // namespace schedfarm::app
