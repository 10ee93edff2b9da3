// One replication of one cell: a pure function (cell, replication index, load) → observations,
// runnable twice in one process, on any rank, and alone (`schedfarm replay`).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/workload_model.hpp"
#include "engine/statistics/agreement.hpp"

#include "models/trace/logged_waits.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::engine {
class ScheduleVerifier;
}

namespace schedfarm::app {

/// Which implementation simulates; both give the same bits.
enum class SimulatorChoice : std::uint8_t {
    automatic,  ///< the policy's specialised simulator where it has one, else the general kernel
    general,    ///< always the general kernel
    verified,   ///< the general kernel with every verifier
};

/// Replications below this index carry Observations::series; later ones would add nothing to the
/// ensemble average.
inline constexpr std::uint32_t ensemble_replications = 64;

/// Which replication of a cell.
struct ReplicationRequest {
    std::uint32_t index = 0;
    std::optional<double> utilization = {};  ///< for cells whose load is placed or searched
};

/// The jobs of a replication. REQUIRES: its load is known.
std::unique_ptr<engine::WorkloadModel> make_workload(
    const Cell& cell, const ReplicationRequest& request
);

/// Makes the jobs of a replication: the same at every call.
using JobsMaker = std::function<std::unique_ptr<engine::WorkloadModel>()>;

/// `observer` is told every step, by the general kernel. `jobs`: in place of make_workload().
engine::Observations run_replication(
    const Cell& cell,
    const ReplicationRequest& request,
    SimulatorChoice kernel = SimulatorChoice::automatic,
    engine::ScheduleVerifier* observer = nullptr,
    const JobsMaker& jobs = nullptr
);

/// The same for several replications of a cell at once; empty where that is no faster.
std::vector<engine::Observations> run_side_by_side(
    const Cell& cell, std::span<const ReplicationRequest> requests
);

/// The log of a cell that replays the whole of it at its own load and machine; else null.
std::shared_ptr<const models::trace::PreparedLog> replayed_log(
    const Cell& cell, models::trace::WaitGroups groups = models::trace::WaitGroups::all_jobs
);

struct RunBesideLog {
    engine::Observations observations;
    /// Of the first replication of a whole log at its own load and machine; else none.
    std::vector<engine::GroupAgreement> logged_waits;
};

/// run_replication(), beside the waits that the cell's log records.
RunBesideLog run_beside_log(
    const Cell& cell,
    const ReplicationRequest& request,
    SimulatorChoice kernel = SimulatorChoice::automatic,
    models::trace::WaitGroups groups = models::trace::WaitGroups::all_jobs
);

}  // namespace schedfarm::app
