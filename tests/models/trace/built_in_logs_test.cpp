// Logs that the program generates.
#include "models/trace/built_in_logs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "engine/statistics/accumulator.hpp"

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

TEST_CASE("names of built-in logs") {
    CHECK(is_built_in_log("example"));
    CHECK(is_built_in_log("mm1_weeks.17"));
    CHECK_FALSE(is_built_in_log("mm1_weeks."));
    CHECK_FALSE(is_built_in_log("mm1_weeks.x"));
    CHECK_FALSE(is_built_in_log("mm1_weeks.1.swf"));
    CHECK(*log_of_seed("mm1_weeks", 42) == "mm1_weeks.42");
    for (const char* name : {"mm1_weeks.1", "example", "kth.swf"}) {
        CHECK_FALSE(log_of_seed(name, 42).has_value());
    }
}

TEST_CASE("mm1_weeks has ten weeks of exponential times at load .8 by fifty users") {
    const Log log = built_in_log("mm1_weeks.3");
    const std::size_t jobs = log.jobs();
    CHECK(std::fabs(static_cast<double>(jobs) - 6000) < 4 * std::sqrt(6000.0));
    CHECK(log.submit_time[jobs - 1] == 10 * week_s);
    engine::Accumulator runs;
    engine::Accumulator gaps;
    std::int64_t largest_user = 0;
    for (std::size_t i = 0; i + 1 < jobs; ++i) {
        runs.add(log.run_time[i]);
        gaps.add(log.submit_time[i + 1] - log.submit_time[i]);
        largest_user = std::max(largest_user, log.user[i]);
    }
    // Of exponential times the variance is the square of the mean; its estimate varies by about
    // sqrt(8 / n) of it.
    for (const auto& [times, mean] : {std::pair(runs, 806.4), std::pair(gaps, 1008.0)}) {
        CHECK(std::fabs(*times.mean() - mean) < 4 * *times.standard_error());
        CHECK(std::fabs(*times.variance() / (mean * mean) - 1) < 4 * std::sqrt(8.0 / 6000));
    }
    CHECK(largest_user == 49);
    const Log other = built_in_log("mm1_weeks.4");
    CHECK(other.submit_time[0] != log.submit_time[0]);
    CHECK(built_in_log("mm1_weeks.3").submit_time[5] == log.submit_time[5]);
}

}  // namespace schedfarm::models::trace
