// The wall-clock time that a run may use, such as a Slurm allocation, and whether another
// replication still fits into what is left of it. Knows no clock: the caller says what time it is.
#pragma once

#include <cstdint>
#include <vector>

#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

/// What to do about the time that is left.
enum class AllocationVerdict : std::uint8_t {
    go_on,
    drain,  ///< a replication that is still to come would not end in time: the next allocation's
    never,  ///< all that is still to come lasts longer than a whole allocation
};

class Allocation {
  public:
    /// `whole_s` from `start_s` on. A tenth of it, at most 10 s, is kept for writing the results.
    Allocation(double start_s, double whole_s);

    /// `predicted_s`: seconds of a replication of every cell that wants more of them, 0 where
    /// nothing is known. Cells whose replications never fit do not hold up the others.
    AllocationVerdict judge(double now_s, const std::vector<double>& predicted_s) const;

    /// What a replication may last at most.
    double usable_s() const { return whole_s_ - reserve_s_; }

  private:
    double start_s_;
    double whole_s_;
    double reserve_s_;
};

/// Mean seconds of a replication of every undecided cell of the share, for Allocation::judge.
std::vector<double> predicted_seconds(const CampaignProgress& progress);

}  // namespace schedfarm::app
