// What the replications of a cell are drawn from, where they resample a log: for intervals that
// speak of logs like it (engine/statistics/log_interval.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/statistics/log_interval.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::app {

/// Absent for workloads that resample no log, or one of which there is one block. Of several logs,
/// the homes of a federation, in_common(): as many degrees of freedom as the variance has at least,
/// whichever of them makes it. Each has its share of the jobs, by jobs per second; one that several
/// homes have counts once, as another log would be another one for all of them.
/// A replication of H times the log's jobs: weeks are drawn one by one, so that the variance at the
/// log's own length is H times that of the replications, of less than a week as of a week. Users
/// are drawn for a whole log, of which a shorter replication sees a part: H counts where it is
/// above 1, and below the interval is that of so short a log, which is too long.
/// REQUIRES: the log can be read, as it could when the workload was checked.
std::optional<engine::LogBlocks> log_blocks(
    const engine::Choice& workload, const engine::Horizon& horizon
);

/// What tells that the blocks of a log are not alike, so that intervals of logs like it are too
/// short, most of all above.
enum class BlockDoubt : std::uint8_t {
    none,
    trend,           ///< the work of its weeks grows or shrinks with time
    uneven_weeks,    ///< the work of its weeks scatters more than that of jobs by chance
    few_users,       ///< of weeks: the users' work is as that of fewer than five
    one_user,        ///< of users: one brings more than a quarter of the work
    few_equal_users  ///< of users: as few_users
};
BlockDoubt doubt_of(const models::trace::PreparedLog& log, models::trace::Resampling resampling);

/// Whether there is no doubt of any log that a workload draws from.
bool has_alike_blocks_in(const engine::Choice& workload);

/// For what is computed of two logs or cells: the fewer blocks and the larger ratio count.
std::optional<engine::LogBlocks> in_common(
    const std::optional<engine::LogBlocks>& a, const std::optional<engine::LogBlocks>& b
);

}  // namespace schedfarm::app
