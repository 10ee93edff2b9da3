// Columns of a report that are made of a cell's replications and not of its estimates, as the
// campaign writes them in `report.metrics`:
//   least M, greatest M   the extreme of metric M over the replications used; exact, no interval
//   A / B                 the ratio of the sums of A and B, with the jackknife's interval
// An extreme has no confidence interval without a law of the tails. What can be said of any
// continuous law: see share_beyond. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "engine/statistics/estimate.hpp"

#include "results_schema/table.hpp"

namespace schedfarm::campaigns {

/// What a column is made of: "least makespan" → least, makespan; "a / b" → ratio, a, b.
struct RunColumn {
    enum class Kind : std::uint8_t { mean, least, greatest, ratio };
    Kind kind = Kind::mean;
    std::string metric;
    std::string divisor;  ///< of a ratio
};

RunColumn parse_run_column(const std::string& text);

/// The column over the used replications of a cell; NaN where there is none, or one of them lacks
/// the metric. REQUIRES: the kind is not `mean`. Cost: the rows of the table of replications.
engine::Estimate run_column_estimate(
    const results_schema::ResultFile& results, std::uint64_t cell, const RunColumn& column
);

/// The share s of all possible runs such that, with this confidence, no more than s lie beyond the
/// extreme of n independent ones, whatever their law: 1 − (1 − confidence)^(1 / n), as all n lie
/// on the near side of the quantile 1 − s with probability (1 − s)^n (Wilks 1941, one-sided
/// tolerance limit). REQUIRES: n > 0, 0 < confidence < 1.
double share_beyond(std::uint64_t n, double confidence);

}  // namespace schedfarm::campaigns
