// What replications of a log are drawn from with replacement. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/simulation/workload_model.hpp"

#include "models/trace/prepared_log.hpp"

namespace schedfarm::models::trace {

struct Blocks {
    std::uint64_t count = 0;   ///< users or weeks; 1: every replication has the same jobs
    std::uint64_t jobs = 0;    ///< of all blocks: as many as a replication of their length expects
    double span_s = 0;         ///< of their submissions
    double effective = 0;      ///< 1 / Σ w², w their shares of the work: so many of equal weight
    double largest_share = 0;  ///< of the work
    /// Of Kendall's test that the work of a week grows or shrinks with time; by weeks.
    double trend_p_value = 1;
    /// Of the test that it scatters no more than the work of jobs that come by chance; by weeks.
    double scatter_p_value = 1;

    double jobs_per_s() const { return span_s > 0 ? static_cast<double>(jobs) / span_s : 0; }
};

/// REQUIRES: a log prepared for this resampling.
Blocks blocks_of(const PreparedLog& log, Resampling resampling);

/// Whether every replication of a workload has the very same jobs: nothing is drawn, also because
/// each of its logs has one block. False where a log cannot be read.
bool repeats(const engine::WorkloadFacts& workload);

/// Users of equal weight that would be as many as those of these jobs: 1 / Σ w², w their shares of
/// the work. Absent: the log names none, or one. Cost: O(jobs log jobs).
std::optional<double> effective_users(const JobList& jobs);

/// Why there is one block to draw from; empty: there are several, or nothing is drawn.
std::string_view why_one_block(const PreparedLog& log, Resampling resampling);

}  // namespace schedfarm::models::trace
