// Workers that compute nothing: they know how long each task would keep them, and when they would
// report. By the rules of real ones: bundles in their order, results of a bundle together, none of
// them waiting longer than about 50 ms for the next task.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/farm/task.hpp"
#include "engine/farm/transport/messages.hpp"

namespace schedfarm::engine {

/// How long a task keeps its worker, in seconds.
using TaskDuration = std::function<double(const Task&)>;

struct TimedReport {
    double at_s = 0;
    WorkerReport report;
};

class VirtualWorker {
  public:
    explicit VirtualWorker(std::uint32_t rank) : rank_(rank) {}

    std::uint32_t rank() const { return rank_; }
    /// Puts a bundle that arrives at `now_s` behind what the worker has to do; returns its reports.
    /// `execute` gives the payloads of the results; empty: none.
    std::vector<TimedReport> work(
        const Order& order, double now_s, const TaskDuration& duration, const TaskFunction& execute
    );

    /// How long it has executed tasks. REQUIRES: no bundle arrived after `until_s`.
    double busy_seconds(double until_s) const {
        return busy_seconds_ - std::max(0.0, free_s_ - until_s);
    }

  private:
    std::uint32_t rank_ = 0;
    double free_s_ = 0;
    double busy_seconds_ = 0;  ///< all bundles so far, up to free_s_
};

}  // namespace schedfarm::engine
