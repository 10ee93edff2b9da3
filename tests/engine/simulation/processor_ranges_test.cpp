#include "engine/simulation/kernel/processor_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

struct Held {
    double start;
    double finish;
    std::uint32_t size;
};

JobLog log_of(const std::vector<Held>& jobs) {
    JobLog log;
    log.begin(jobs.size());
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        JobRecord record;
        record.index = job;
        record.start_time = jobs[job].start;
        record.finish_time = jobs[job].finish;
        record.size = jobs[job].size;
        log.add(record);
    }
    return log;
}

// "0-3 6"
std::string text_of(const JobProcessors& processors, std::size_t job) {
    std::string text;
    for (const ProcessorRange& range : processors.of(job)) {
        const std::uint32_t last = range.first.value + range.count - 1;
        text += (text.empty() ? "" : " ") + std::to_string(range.first.value);
        text += range.count == 1 ? "" : "-" + std::to_string(last);
    }
    return text;
}

}  // namespace

TEST_CASE("jobs get the lowest free processors in the order of their starts") {
    // P = 8. At 0: job 0 takes 0-2, job 1 3, job 2 4-5. At 5 jobs 0 and 2 end: 0-2 and 4-7 are
    // free. Job 3 takes 0-2 and 4-5; job 4 starts at 6, when job 1 ends, and takes 3 and 6.
    const JobLog log = log_of({{0, 5, 3}, {0, 6, 1}, {0, 5, 2}, {5, 9, 5}, {6, 9, 2}});
    const JobProcessors processors = lowest_free_processors(log, 8);
    CHECK(text_of(processors, 0) == "0-2");
    CHECK(text_of(processors, 1) == "3");
    CHECK(text_of(processors, 2) == "4-5");
    CHECK(text_of(processors, 3) == "0-2 4-5");
    CHECK(text_of(processors, 4) == "3 6");
}

TEST_CASE("ranges run across the limits of words and rows without a record have none") {
    JobLog log = log_of({{2, 3, 130}, {0, 1, 70}, {1, 4, 64}});
    log.begin(4);
    JobRecord record;
    record.index = 2;
    record.start_time = 1;
    record.finish_time = 4;
    record.size = 130;
    log.add(record);
    const JobProcessors processors = lowest_free_processors(log, 200);
    CHECK(text_of(processors, 0).empty());
    CHECK(text_of(processors, 2) == "0-129");
    CHECK_THROWS_AS(lowest_free_processors(log, 129), ContractViolation);
}

TEST_CASE("jobs without service can pass through processors that are held afterwards") {
    // P = 4; job 0 runs from 1 on all processors, job 1 has come and gone at 1.
    const JobProcessors processors = lowest_free_processors(log_of({{1, 2, 4}, {1, 1, 3}}), 4);
    CHECK(text_of(processors, 0) == "0-3");
    CHECK(text_of(processors, 1) == "0-2");
}

TEST_CASE("no processor is held twice") {
    // Jobs of a random schedule that fits: each starts when the processors it needs are free.
    constexpr std::uint32_t all = 100;
    std::vector<Held> jobs;
    std::vector<double> free_from(all, 0);  // of interchangeable processors
    for (std::uint64_t i = 0; i < 300; ++i) {
        const auto size = static_cast<std::uint32_t>(1 + mix(3 * i + 1) % 40);
        std::sort(free_from.begin(), free_from.end());
        const double start = free_from[size - 1];
        const double finish = start + static_cast<double>(mix(3 * i + 2) % 10);
        std::fill_n(free_from.begin(), size, finish);
        jobs.push_back({start, finish, size});
    }
    const JobProcessors processors = lowest_free_processors(log_of(jobs), all);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        std::vector<bool> mine(all);
        std::uint32_t count = 0;
        for (const ProcessorRange& range : processors.of(job)) {
            for (std::uint32_t p = range.first.value; p < range.first.value + range.count; ++p) {
                mine[p] = true;
                ++count;
            }
        }
        REQUIRE(count == jobs[job].size);
        for (std::size_t other = 0; other < job; ++other) {
            if (jobs[other].start < jobs[job].finish && jobs[job].start < jobs[other].finish) {
                for (const ProcessorRange& range : processors.of(other)) {
                    for (std::uint32_t p = 0; p < range.count; ++p) {
                        REQUIRE_FALSE(mine[range.first.value + p]);
                    }
                }
            }
        }
    }
}

}  // namespace schedfarm::tests
