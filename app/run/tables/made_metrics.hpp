// Numbers that reports and figures show beside estimates, made of what a result file has of the
// replications of a cell: what `report.metrics` and `report.figures` may name besides metrics
// (app/campaign/keys/run_column.hpp), how far exact values lie from the estimates, the growth of
// a critically loaded queue, the share of one job in all slowdowns. Who shows them computes
// nothing. Pure.
#pragma once

#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

/// The table `made_metrics`, by what the file says of its report. A number that does not exist has
/// no row. Extremes are exact and have no interval without a distribution of the tails. A ratio of
/// sums is engine::estimate_ratio(), of resampled logs engine::of_logs_like_it(), by what `cells`
/// says of its intervals. Wall times, ms, are medians over the replications that were computed, or
/// of the differences to those of equal index in the other cell that the name has: they differ from
/// run to run, are circumstances and no results. REQUIRES: the tables of a result file but this
/// one. Cost: the rows of the tables.
results_schema::Table made_metrics_table(const results_schema::ResultFile& results);

}  // namespace schedfarm::app
