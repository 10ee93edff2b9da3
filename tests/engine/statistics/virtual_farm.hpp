// A farm in virtual time, for tests: the order in which replications 0, 1, 2, … finish when each of
// several workers takes the next index as soon as it is free.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

namespace schedfarm::engine {

/// Indices in the order of finishing (ties: lower index first) for the run times by index.
inline std::vector<std::uint32_t> finishing_order(
    std::span<const double> run_times, std::size_t workers
) {
    struct Run {
        double finish = 0;
        std::uint32_t index = 0;
        bool operator>(const Run& other) const {
            return finish != other.finish ? finish > other.finish : index > other.index;
        }
    };
    std::priority_queue<Run, std::vector<Run>, std::greater<>> running;
    std::vector<std::uint32_t> order;
    std::uint32_t next = 0;
    double now = 0;
    while (order.size() < run_times.size()) {
        while (next < run_times.size() && running.size() < workers) {
            running.push({now + run_times[next], next});
            ++next;
        }
        now = running.top().finish;
        order.push_back(running.top().index);
        running.pop();
    }
    return order;
}

}  // namespace schedfarm::engine
