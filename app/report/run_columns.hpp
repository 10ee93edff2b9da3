// Columns of a report that are made of a cell's replications and not of its estimates, as
// app/config/sections/run_column.hpp reads them. A ratio of sums has the interval of its cell's
// means over the jobs of a class. An extreme is exact and has none without a distribution of the
// tails; what can be said of any continuous distribution: see share_beyond. Pure.
#pragma once

#include <cstdint>

#include "engine/statistics/estimate.hpp"

#include "results_schema/tables/table.hpp"

#include "app/config/sections/run_column.hpp"

namespace schedfarm::app {

/// An extreme or a ratio over the used replications of a cell; NaN where there is none, or one of
/// them lacks the metric. REQUIRES: the kind is neither `mean` nor `wall_time`. Cost: the rows of
/// the table of replications.
/// A ratio's is engine::estimate_ratio(), of resampled logs engine::of_logs_like_it(), by what
/// `cells` says of its intervals.
engine::Estimate run_column_estimate(
    const results_schema::ResultFile& results, std::uint64_t cell, const RunColumn& column
);

/// The median wall time of the cell's replications that were computed, in ms, or of its differences
/// to those of equal index in the other cell that the column names. NaN where there are none. Times
/// differ from run to run: they are circumstances, no results.
double median_wall_time_ms(
    const results_schema::ResultFile& results, std::uint64_t cell, const RunColumn& column
);

/// The share s of all possible runs such that, with this confidence, no more than s lie beyond the
/// extreme of n independent ones, whatever their distribution: 1 − (1 − confidence)^(1 / n), as all
/// n lie on the near side of the quantile 1 − s with probability (1 − s)^n (Wilks 1941, one-sided
/// tolerance limit). REQUIRES: n > 0, 0 < confidence < 1.
double share_beyond(std::uint64_t n, double confidence);

}  // namespace schedfarm::app
