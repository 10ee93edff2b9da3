// Whether the queue of a cell grows without bound, judged by its replications. A pure function of
// the ordered prefix.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/observations.hpp"
#include "engine/statistics/stability.hpp"

namespace schedfarm::campaigns {

class CellProgress;

/// The confidence at which growth counts as seen.
inline constexpr double stability_confidence = 0.999;

struct CellStability {
    engine::StabilityVerdict verdict = engine::StabilityVerdict::stable;
    engine::Stability growth;  ///< of the replications whose queue kept below its limit
    std::optional<std::uint64_t> overflow_replication;  ///< the first whose queue passed its limit
    std::optional<engine::QueueOverflow> overflow;      ///< of that replication
};

/// Judged by the first `n` replications. Cells without arrivals, with fewer than 20 measured jobs
/// or that start from a backlog are stable: their queue says nothing.
CellStability stability_of(const CellProgress& cell, std::uint64_t n);

/// Whether the cell has what stability_of() needs.
bool observes_stability(const CellProgress& cell);

}  // namespace schedfarm::campaigns
