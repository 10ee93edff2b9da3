#include "engine/simulation/processor_ranges.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "engine/simulation/free_processors.hpp"

namespace schedfarm::engine {

namespace {

std::vector<std::uint32_t> in_start_order(const JobLog& log) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t job = 0; job < log.jobs(); ++job) {
        if (log.has(job)) {
            order.push_back(job);
        }
    }
    std::sort(order.begin(), order.end(), [&log](std::uint32_t a, std::uint32_t b) {
        const auto key = [&log](std::uint32_t job) {
            return std::tuple(log.start[job], log.finish[job] > log.start[job], job);
        };
        return key(a) < key(b);
    });
    return order;
}

struct Running {
    double finish;
    std::uint32_t job;
    friend bool operator>(const Running& a, const Running& b) { return a.finish > b.finish; }
};

}  // namespace

JobProcessors lowest_free_processors(const JobLog& log, std::uint32_t processors) {
    JobProcessors result;
    result.first.resize(log.jobs());
    result.count.resize(log.jobs());
    FreeProcessors free(processors);
    std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
    for (const std::uint32_t job : in_start_order(log)) {
        while (!running.empty() && running.top().finish <= log.start[job]) {
            for (const ProcessorRange& range : result.of(running.top().job)) {
                free.give_back(range);
            }
            running.pop();
        }
        result.first[job] = result.ranges.size();
        free.take(log.size[job], result.ranges);
        result.count[job] = static_cast<std::uint32_t>(result.ranges.size() - result.first[job]);
        running.push({log.finish[job], job});
    }
    return result;
}

}  // namespace schedfarm::engine
