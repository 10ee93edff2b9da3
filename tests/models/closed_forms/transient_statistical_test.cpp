// M/M/1 from empty against Lindley's recursion with a generator of the standard library: nothing is
// shared with the closed form or the simulator.
#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "models/closed_forms/transient.hpp"

namespace schedfarm::models::closed_forms {

namespace {

/// Mean response time of jobs first … end − 1, with unit mean service time.
double lindley_mean(std::mt19937_64& random, std::uint64_t first, std::uint64_t end, double load) {
    const auto exponential = [&random](double mean) {
        return -mean * std::log((static_cast<double>(random() >> 11) + 0.5) * 0x1p-53);
    };
    double waiting = 0;
    double sum = 0;
    for (std::uint64_t job = 0; job < end; ++job) {
        const double response = waiting + exponential(1);
        sum += job >= first ? response : 0;
        waiting = std::max(0.0, response - exponential(1 / load));
    }
    return sum / static_cast<double>(end - first);
}

void check_against_lindley(std::uint64_t first, std::uint64_t end, double load) {
    CAPTURE(load);
    constexpr int runs = 40'000;
    std::mt19937_64 random(20'001);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < runs; ++i) {
        const double mean = lindley_mean(random, first, end, load);
        sum += mean;
        squares += mean * mean;
    }
    const double mean = sum / runs;
    const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
    const double expected = mm1_response_time_from_empty(first, end, load, 1);
    CAPTURE(mean);
    CAPTURE(expected);
    CAPTURE(error);
    CHECK(std::abs(mean - expected) <= 4 * error);
}

}  // namespace

TEST_CASE("M/M/1 from empty agrees with Lindley's recursion") {
    check_against_lindley(0, 200, 0.8);
    check_against_lindley(50, 200, 0.8);
    check_against_lindley(0, 20, 1.3);
    check_against_lindley(9, 10, 0.5);
}

}  // namespace schedfarm::models::closed_forms
