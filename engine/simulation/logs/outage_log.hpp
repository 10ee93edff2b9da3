// When processors were out of order in one replication, for pictures of its schedule: the part of
// an observer that hears of their changes. 24 bytes per span.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

/// Neighbouring processors that were out of order for the same time.
struct OutageSpan {
    double begin = 0;
    double end = 0;  ///< > begin; of what lasts, the last instant of the replication
    ProcessorRange processors;
};

class OutageLog {
  public:
    /// Looks at changes of capacity alone. Cost: O(log processors) for each of them.
    void observe(const ScheduleStep& step);
    void end_of_instant(double time) { now_ = time; }

    /// In order of their ends, those that last behind the others.
    std::vector<OutageSpan> spans() const;

  private:
    std::map<std::uint32_t, double> since_;  // by processor out of order
    std::vector<OutageSpan> over_;
    double now_ = 0;
};

}  // namespace schedfarm::engine
