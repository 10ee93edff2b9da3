// Holds a run against the time that it may last.
#pragma once

#include <optional>

#include "engine/farm/stopwatch.hpp"

#include "app/run/allocation.hpp"

namespace schedfarm::app {

class WalltimeWatch {
  public:
    /// From now on. Absent: no limit.
    explicit WalltimeWatch(std::optional<double> whole_s);

    /// True when the run is to drain.
    bool is_too_late(const CampaignProgress& progress);
    /// Says on standard error why the run was drained, if it was.
    void explain() const;

  private:
    engine::Stopwatch since_start_;
    std::optional<Allocation> allocation_;
    AllocationVerdict verdict_ = AllocationVerdict::go_on;
    double longest_s_ = 0;
};

}  // namespace schedfarm::app
