// Whether the queue of a cell grows without bound, and whether its empty start still shows in what
// is measured, judged by its replications. Pure functions of the ordered prefix.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/simulation/measurement/observations.hpp"
#include "engine/statistics/steady_state/stability.hpp"
#include "engine/statistics/steady_state/start_bias.hpp"

#include "app/campaign/keys/sections/replication_plan.hpp"

namespace schedfarm::app {

class CellProgress;
struct MetricSample;

/// The confidence at which growth counts as seen.
inline constexpr double stability_confidence = 0.999;

/// Of the interval of that bias: it is above its upper end once in twenty times.
inline constexpr double start_confidence = 0.9;

/// What the empty start leaves in the mean wait, before it is held against a ±.
struct StartOfMeans {
    engine::StartBias bias;
    double warm_up_fraction = 0;
    double waits = 0;  ///< sum over the replications

    /// How many times that bias, as a share, the mean or quantile of a metric has: of the mean
    /// response time, of which services are a part, less than once; of a quantile as that of a
    /// run with the upper end of the bias.
    double factor_of(const std::string& metric, const MetricSample& sample) const;
};

/// Absent where the start is no question, below eight replications, and where nothing queued.
std::optional<StartOfMeans> start_of_means(const CellProgress& cell, std::uint64_t n);
/// The same of some replications of a search, near one load.
std::optional<StartOfMeans> start_of_means(
    const CellProgress& cell, std::span<const std::uint64_t> replications
);

/// What the empty start leaves in the mean wait, and how much is allowed, both as shares
/// of it: the most demanding mean counts, of those with a target, or else of all that are printed.
struct CellStart {
    engine::StartBias bias;
    double allowed = 0;            ///< by the ± that is reached
    double allowed_at_target = 0;  ///< by the ± that is asked for; infinite: none is
};

struct CellStability {
    engine::StabilityVerdict verdict = engine::StabilityVerdict::stable;
    engine::Stability growth;  ///< of the replications whose queue kept below its limit
    std::optional<CellStart> start;
    std::optional<std::uint64_t> overflow_replication;  ///< the first whose queue passed its limit
    std::optional<engine::QueueOverflow> overflow;      ///< of that replication

    /// Its means may be wrong by more than a part of their ±, because the run is too short.
    bool is_biased() const { return start && start->bias.interval.upper > start->allowed; }
};

/// Judged by the first `n` replications. Cells without arrivals, with fewer than 20 measured jobs
/// or that start from a backlog are stable: their queue says nothing. The start is judged where
/// asks_for_steady_state() and some mean depends on the queue.
CellStability stability_of(const CellProgress& cell, std::uint64_t n);

/// The start alone. `of_group`: further means with the ± that a group of cells asks of them.
std::optional<CellStart> start_of(
    const CellProgress& cell, std::uint64_t n, std::span<const MetricTarget> of_group = {}
);

/// Whether the cell has what stability_of() needs.
bool observes_stability(const CellProgress& cell);

}  // namespace schedfarm::app
