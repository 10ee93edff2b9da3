// One macro-run of a certificate: a cell run to its own end under a seed of its own, by the very
// parts that `schedfarm run` uses (replications, progress with its stop rule, summary). A pure
// function of (row, number), but for the time it took.
#pragma once

#include <cstdint>

#include "campaigns/certify/certificate_row.hpp"

namespace schedfarm::campaigns {

struct MacroRun {
    double relative_error = 0;     ///< (estimate − truth) / truth
    double half_width = 0;         ///< of the interval, relative to the truth
    std::uint64_t used = 0;        ///< replications that the estimate rests on
    bool covers = false;           ///< the interval contains the truth
    bool is_complete = false;      ///< ended as planned: precision met, or the fixed number run
    bool is_same_in_order = true;  ///< by_index: equal bits when replications finish in order
    double cpu_seconds = 0;
};

/// The first 64 bits of SHA-256("schedfarm certificate\n" name "\n" seed "\n" cell "\n" number),
/// the campaign's name and seed and the cell's index: macro-runs are independent of each other and
/// of the campaign's own replications, and cells and campaigns share none.
std::uint64_t macro_run_seed(const CertificateRow& row, std::uint32_t number);

/// Throws what a replication throws.
MacroRun run_macro_run(const CertificateRow& row, std::uint32_t number);

}  // namespace schedfarm::campaigns
