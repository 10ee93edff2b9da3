// What the tries of one job tell those of others in the same backfill pass.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "policies/slurm/jobs.hpp"

namespace schedfarm::policies::slurm {

/// Tries of a pass that failed since too few nodes were open and free by the next one. Plans only
/// grow and free nodes only become fewer in a pass, so that jobs that want no less fail there too.
class FailedTries {
  public:
    /// When the first try began, each that followed, and the one that was not sure to fail.
    using Times = std::vector<std::int64_t>;

    /// The longest row of those that count for this job; empty: there is none.
    const Times& for_job(const WaitingJob& job, std::int64_t limit) const {
        static const Times none;
        const Times* best = &none;
        for (const Row& row : rows_) {
            if (row.partition == job.partition && row.reservation == job.reservation
                && row.nodes <= job.request.nodes && row.limit <= limit
                && (best->empty() || row.times.back() >= best->back())) {
                best = &row.times;
            }
        }
        return *best;
    }

    void add(const WaitingJob& job, std::int64_t limit, Times times) {
        rows_.push_back({job.partition, job.reservation, job.request.nodes, limit, std::move(times)}
        );
    }

  private:
    struct Row {
        std::uint32_t partition = 0;
        std::uint32_t reservation = no_limit;
        std::uint32_t nodes = 0;
        std::int64_t limit = 0;
        Times times;
    };

    std::vector<Row> rows_;
};

}  // namespace schedfarm::policies::slurm
