#include "engine/simulation/measurement/utilization_series.hpp"

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/engine/simulation/measurement/random_log.hpp"

namespace schedfarm::tests {

namespace {

using engine::JobLog;
using engine::UtilizationSeries;

JobLog log_of(const std::vector<engine::JobRecord>& records) {
    JobLog log;
    log.begin(records.size());
    for (const engine::JobRecord& record : records) {
        log.add(record);
    }
    return log;
}

}  // namespace

TEST_CASE("utilization over time is the busy share of each part") {
    // P = 4, window 10 … 40 in parts of 10. Busy: 10 … 12 one, 10 … 14 two: 10 of 40; 26 … 30
    // three: 12 of 40; 30 … 36 three, 32 … 34 one: 20 of 40. What lies outside the window does not
    // count.
    const JobLog log = log_of(
        {{0, 0, 0, 12, 12, 1},
         {1, 10, 10, 14, 4, 2},
         {2, 20, 26, 36, 10, 3},
         {3, 30, 32, 34, 2, 1},
         {4, 40, 60, 80, 20, 4}}
    );
    const UtilizationSeries series(log, 4, {.begin = 10, .end = 40}, 3);
    CHECK(series.edge(0) == 10);
    CHECK(series.edge(1) == 20);
    CHECK(series.edge(3) == 40);
    CHECK(series.utilization(0) == 0.25);
    CHECK(series.utilization(1) == 0.3);
    CHECK(series.utilization(2) == 0.5);
}

TEST_CASE("utilization over time of random schedules is that counted instant by instant") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::uint32_t processors = 1 + static_cast<std::uint32_t>(seed % 7);
        const auto jobs = random_schedule(seed, processors, 60, StartOrder::random);
        const int length = 1 + static_cast<int>(seed % 5);
        const std::uint64_t parts = 1 + seed % 20;
        const double end = 3 + length * static_cast<double>(parts);
        const UtilizationSeries series(log_of(jobs), processors, {.begin = 3, .end = end}, parts);
        for (std::uint64_t part = 0; part < parts; ++part) {
            double busy = 0;
            for (int t = 0; t < length; ++t) {
                const double now = 3 + length * static_cast<double>(part) + t;
                for (const engine::JobRecord& job : jobs) {
                    busy += job.start_time <= now && now < job.finish_time ? job.size : 0;
                }
            }
            CAPTURE(seed);
            REQUIRE(
                series.utilization(part)
                == doctest::Approx(busy / (static_cast<double>(processors) * length)).epsilon(1e-12)
            );
        }
    }
}

TEST_CASE("a series needs a window and parts") {
    const JobLog log = log_of({{0, 0, 0, 1, 1, 1}});
    CHECK_THROWS_AS(
        UtilizationSeries(log, 1, {.begin = 1, .end = 1}, 1), engine::ContractViolation
    );
    CHECK_THROWS_AS(
        UtilizationSeries(log, 1, {.begin = 0, .end = 1}, 0), engine::ContractViolation
    );
}

}  // namespace schedfarm::tests
