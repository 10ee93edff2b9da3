// Which cells of two result files are the same: those that agree in label, experiment, policy,
// workload, clusters and utilization. Numbers of cells and of replications do not matter, nor what
// was in the logs that the workload names, which is told apart from it. Cells of one file that
// agree in all these are matched in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/report/diff/diff.hpp"
#include "app/report/schedule/named_logs.hpp"

namespace schedfarm::app {

struct CellPair {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
};

struct CellMatching {
    std::vector<CellPair> pairs;        ///< by cell of A
    std::vector<std::uint64_t> only_a;  ///< without counterpart
    std::vector<std::uint64_t> only_b;
    std::vector<LogPair> logs;  ///< of the pairs
};

/// Cells without counterparts too.
CellMatching matched_cells(const DiffSide& a, const DiffSide& b);

/// Throws ResultError when no cell has a counterpart.
CellMatching match_cells(const DiffSide& a, const DiffSide& b);

/// Says which logs of the pairs differ, which makes the files different, and of which that cannot
/// be told.
void say_logs(const CellMatching& matching, DiffReport& report);

/// What was found in the cells that have a counterpart, then those that have none; below, the logs
/// and rows that differ. The same only without any of these.
DiffReport report_of(
    const DiffSide& a,
    const DiffSide& b,
    const CellMatching& matching,
    const std::string& found,
    TextTable differing
);

/// The metrics to compare: those with estimates in both files, in the order of A, without what the
/// program watches for its own sake; or the one that was asked for, as a column or by the name of
/// its probe. Throws ResultError when there is none.
std::vector<std::string> common_metrics(
    const DiffSide& a, const DiffSide& b, const std::string& wanted
);

}  // namespace schedfarm::app
