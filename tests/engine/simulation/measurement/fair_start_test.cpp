#include "engine/simulation/measurement/fair_start.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/engine/simulation/measurement/random_log.hpp"

namespace schedfarm::tests {

namespace {

using engine::fair_starts;
using engine::JobLog;
using engine::JobRecord;

JobLog log_of(const std::vector<JobRecord>& records) {
    JobLog log;
    log.begin(records.size());
    for (const JobRecord& record : records) {
        log.add(record);
    }
    return log;
}

/// The definition, processor by processor: those that run and those that wait at the submission of
/// `job` are laid on the processors that become free first.
double counted_fair_start(const JobLog& log, std::size_t job, std::uint32_t processors) {
    const double now = log.submit[job];
    std::vector<double> free_at(processors, now);
    double earliest = now;
    const auto lay = [&](std::size_t other, double from, double until) {
        std::sort(free_at.begin(), free_at.end());
        earliest = std::max(from, log.size[other] > 0 ? free_at[log.size[other] - 1] : from);
        std::fill_n(
            free_at.begin(),
            log.size[other],
            std::isnan(until) ? earliest + log.service[other] : until
        );
    };
    for (std::size_t other = 0; other < log.jobs(); ++other) {
        if (log.start[other] < now && log.finish[other] > now) {
            lay(other, now, log.finish[other]);
        }
    }
    earliest = now;
    for (std::size_t other = 0; other <= job; ++other) {
        if (log.start[other] >= now || other == job) {
            lay(other, earliest, std::nan(""));
        }
    }
    return earliest;
}

}  // namespace

TEST_CASE("fair starts are those of a list schedule from the submission on") {
    // P = 4                                 fair start
    //   job  submit  start  size  service
    //     0       0      0     3       10   0: the machine is empty
    //     1       1     22     4        5   10: when job 0 ends
    //     2       2      2     1       20   15: behind job 1, which would run 10 … 15
    //     3       3     28     1        2   27: job 2 runs until 22, so job 1 would run 22 … 27
    //     4      28     30     4        1   30: job 3, which starts at this instant, comes first
    const JobLog log = log_of({
        {0, 0, 0, 10, 10, 3},
        {1, 1, 22, 27, 5, 4},
        {2, 2, 2, 22, 20, 1},
        {3, 3, 28, 30, 2, 1},
        {4, 28, 30, 31, 1, 4},
    });
    CHECK(fair_starts(log, 4) == std::vector<double>{0, 10, 15, 27, 30});
}

TEST_CASE("a job that ended before its service would have is gone") {
    // One processor; job 0 would run until 10 and ends at 5, before job 1 comes.
    CHECK(fair_starts(log_of({{0, 0, 0, 5, 10, 1}, {1, 6, 6, 7, 1, 1}}), 1)[1] == 6);
}

TEST_CASE("fair starts of random schedules are those counted processor by processor") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const std::uint32_t processors = 1 + static_cast<std::uint32_t>(seed % 7);
        const JobLog log = log_of(random_schedule(seed, processors, 60, StartOrder::random));
        const std::vector<double> fair = fair_starts(log, processors);
        for (std::size_t job = 0; job < log.jobs(); ++job) {
            CAPTURE(seed);
            CAPTURE(job);
            REQUIRE(fair[job] == counted_fair_start(log, job, processors));
        }
    }
}

TEST_CASE("nobody misses a fair start where jobs start in the order of their submission") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const JobLog log = log_of(random_schedule(seed, 5, 60, StartOrder::of_submission));
        CAPTURE(seed);
        REQUIRE(fair_starts(log, 5) == log.start);
    }
}

TEST_CASE("a log without records or with jobs too large has no fair starts") {
    JobLog log = log_of({{0, 0, 0, 1, 1, 3}});
    CHECK_THROWS_AS(fair_starts(log, 2), engine::ContractViolation);
    log.begin(1);
    CHECK_THROWS_AS(fair_starts(log, 4), engine::ContractViolation);
    log.begin(0);
    CHECK(fair_starts(log, 4).empty());
}

}  // namespace schedfarm::tests
