// Which cells of two result files are the same: those that agree in label, experiment, policy,
// workload, clusters and utilization. Numbers of cells and of replications do not matter. Cells of
// one file that agree in all these are matched in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results_schema/table.hpp"

#include "campaigns/report/diff.hpp"

namespace schedfarm::campaigns {

struct CellPair {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
};

struct CellMatching {
    std::vector<CellPair> pairs;        ///< by cell of A
    std::vector<std::uint64_t> only_a;  ///< without counterpart
    std::vector<std::uint64_t> only_b;
};

/// Throws ResultError when no cell has a counterpart.
CellMatching match_cells(const DiffSide& a, const DiffSide& b);

/// "Only in A (old.h5): fcfs, 0.7; fcfs, 0.8", one line per file that has such cells.
std::vector<std::string> unmatched_lines(
    const CellMatching& matching, const DiffSide& a, const DiffSide& b
);

/// The metrics to compare: those with estimates in both files, in the order of A, without what the
/// program watches for its own sake; or the one that was asked for, as a column or by the name of
/// its probe. Throws ResultError when there is none.
std::vector<std::string> common_metrics(
    const DiffSide& a, const DiffSide& b, const std::string& wanted
);

}  // namespace schedfarm::campaigns
