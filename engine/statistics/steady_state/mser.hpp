// Where a transient ends, judged on one series: the ensemble average of many replications, never a
// single replication (that biases the mean and ruins the interval). Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace schedfarm::engine {

/// MSER-5 (White, Cobb & Spratt 2000): the series is averaged over batches of 5, and the cut d
/// minimizes Σ_{j >= d} (batch j − mean)² / (batches − d)² over the first half of the batches; the
/// first of equals. Returned in values of the series, 5 d; a rest of fewer than 5 is left out.
/// 0 below 10 values. A minimum at the end of the admitted half says that the series is too short.
struct MserCut {
    std::size_t cut = 0;
    bool is_at_limit = false;
};
MserCut mser5(std::span<const double> series);

/// Welch's moving average with the given half-window w: the mean of 2w + 1 neighbours, of fewer and
/// symmetric ones at the beginning; as long as the series less w at the end.
std::vector<double> welch_average(std::span<const double> series, std::size_t half_window);

}  // namespace schedfarm::engine
