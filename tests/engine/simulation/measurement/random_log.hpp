// Random feasible schedules on a grid of whole numbers, for probes that are checked against
// counting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/foundation/hash.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::tests {

enum class StartOrder : std::uint8_t {
    of_submission,  ///< no job starts before one submitted earlier
    random,         ///< jobs are put into the holes of the schedule in random order
};

/// Numbers that depend on nothing but the seed and the number of calls.
class GridDice {
  public:
    explicit GridDice(std::uint64_t seed) : state_(engine::mix(seed + 1)) {}
    std::uint32_t below(std::uint32_t n) {
        state_ = engine::mix(state_ + 0x9e3779b97f4a7c15U);
        return static_cast<std::uint32_t>((state_ >> 32) % n);
    }

  private:
    std::uint64_t state_;
};

/// Jobs in the order of their submission; often several are submitted at one instant.
inline std::vector<engine::JobRecord> random_schedule(
    std::uint64_t seed, std::uint32_t processors, std::size_t jobs, StartOrder order
) {
    GridDice dice(seed);
    std::vector<engine::JobRecord> records(jobs);
    std::vector<std::size_t> turn(jobs);
    double submit = 0;
    for (std::size_t job = 0; job < jobs; ++job) {
        submit += dice.below(4);
        records[job].index = job;
        records[job].submit_time = submit;
        records[job].service_time = dice.below(10);
        records[job].size = 1 + dice.below(processors);
        turn[job] = job;
    }
    for (std::size_t i = jobs; order == StartOrder::random && i > 1; --i) {
        std::swap(turn[i - 1], turn[dice.below(static_cast<std::uint32_t>(i))]);
    }
    std::vector<std::uint32_t> used(20 * jobs + 100, 0);
    std::size_t last_start = 0;
    for (const std::size_t job : turn) {
        engine::JobRecord& record = records[job];
        auto start = static_cast<std::size_t>(record.submit_time);
        start = order == StartOrder::of_submission ? std::max(start, last_start) : start;
        const auto length = static_cast<std::size_t>(record.service_time);
        const auto fits = [&] {
            return std::all_of(
                used.begin() + static_cast<std::ptrdiff_t>(start),
                used.begin()
                    + static_cast<std::ptrdiff_t>(start + std::max<std::size_t>(length, 1)),
                [&](std::uint32_t busy) { return busy + record.size <= processors; }
            );
        };
        while (!fits()) {
            ++start;
        }
        for (std::size_t t = start; t < start + length; ++t) {
            used[t] += record.size;
        }
        last_start = start;
        record.start_time = static_cast<double>(start);
        record.finish_time = record.start_time + record.service_time;
    }
    return records;
}

}  // namespace schedfarm::tests
