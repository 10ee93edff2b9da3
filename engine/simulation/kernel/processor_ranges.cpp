#include "engine/simulation/kernel/processor_ranges.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

/// Which processors are free, one bit each, for those who hand out the lowest-numbered ones.
/// Cost: O(processors / 64 + ranges) to take, O(range / 64) to give back.
class FreeProcessors {
  public:
    explicit FreeProcessors(std::uint32_t processors) : words_(processors / word_bits + 1) {
        give_back({.first = {0}, .count = processors});
    }

    void give_back(const ProcessorRange& range) {
        mark(range, State::free);
        lowest_ = std::min(lowest_, range.first.value / word_bits);
    }

    /// Takes the lowest `count` and appends them to `ranges`.
    void take(std::uint32_t count, std::vector<ProcessorRange>& ranges) {
        const std::size_t begin = ranges.size();
        while (count > 0) {
            while (lowest_ < words_.size() && words_[lowest_] == 0) {
                ++lowest_;
            }
            SCHEDFARM_EXPECT(lowest_ < words_.size(), "more processors are held than there are");
            const std::uint64_t word = words_[lowest_];
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(word));
            const auto run = static_cast<std::uint32_t>(std::countr_one(word >> bit));
            const ProcessorRange range{
                .first = {lowest_ * word_bits + bit}, .count = std::min(run, count)};
            mark(range, State::held);
            count -= range.count;
            append(range, begin, ranges);
        }
    }

  private:
    enum class State : std::uint8_t { free, held };
    static constexpr std::uint32_t word_bits = 64;

    static void append(
        const ProcessorRange& range, std::size_t begin, std::vector<ProcessorRange>& ranges
    ) {
        if (ranges.size() > begin
            && ranges.back().first.value + ranges.back().count == range.first.value) {
            ranges.back().count += range.count;
        } else {
            ranges.push_back(range);
        }
    }

    void mark(const ProcessorRange& range, State state) {
        const std::uint32_t end = range.first.value + range.count;
        for (std::uint32_t at = range.first.value; at < end;) {
            const std::uint32_t bit = at % word_bits;
            const std::uint32_t bits = std::min(word_bits - bit, end - at);
            const std::uint64_t mask = (~std::uint64_t{0} >> (word_bits - bits)) << bit;
            std::uint64_t& word = words_[at / word_bits];
            word = state == State::free ? word | mask : word & ~mask;
            at += bits;
        }
    }

    std::vector<std::uint64_t> words_;
    std::uint32_t lowest_ = 0;  // no word below has a free processor
};

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
