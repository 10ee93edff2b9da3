#include "engine/simulation/measurement/response_series.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {

namespace {

double response_of(std::uint64_t job) {
    return static_cast<double>(mix(job) % 100);
}

/// Of jobs begin … end − 1: sums of whole numbers, exact in any order.
double mean_of(std::uint64_t begin, std::uint64_t end) {
    double sum = 0;
    for (std::uint64_t job = begin; job < end; ++job) {
        sum += response_of(job);
    }
    return end > begin ? sum / static_cast<double>(end - begin)
                       : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

TEST_CASE("parts of a series hold equal shares of the jobs by index") {
    // 7 jobs in 3 parts: 0·7/3 = 0, 1·7/3 = 2, 2·7/3 = 4, 3·7/3 = 7: jobs 0 1, 2 3, 4 5 6.
    ResponseSeries series(7, 3);
    for (std::uint64_t job = 0; job < 7; ++job) {
        series.add(job, static_cast<double>(10 * job));
    }
    CHECK(series.means() == std::vector<double>{5, 25, 50});
}

TEST_CASE("jobs of a series may come in any order") {
    // 10 jobs in 4 parts begin at 0, 2, 5, 7: means 0.5, 3, 5.5, 8.
    ResponseSeries series(10, 4);
    for (const std::uint64_t job : {9U, 0U, 4U, 3U, 8U, 5U, 1U, 2U, 7U, 6U}) {
        series.add(job, static_cast<double>(job));
    }
    CHECK(series.means() == std::vector<double>{0.5, 3, 5.5, 8});
}

TEST_CASE("parts without a job are not numbers") {
    // 2 jobs in 5 parts begin at 0, 0, 0, 1, 1 of 2: parts 2 and 4 have a job.
    ResponseSeries series(2, 5);
    series.add(0, 3);
    series.add(1, 4);
    const std::vector<double> means = series.means();
    REQUIRE(means.size() == 5);
    CHECK(std::isnan(means[0]));
    CHECK(std::isnan(means[1]));
    CHECK(means[2] == 3);
    CHECK(std::isnan(means[3]));
    CHECK(means[4] == 4);
}

TEST_CASE("every job finds its part") {
    for (std::uint64_t jobs = 1; jobs <= 40; ++jobs) {
        for (std::uint32_t parts = 1; parts <= 45; ++parts) {
            CAPTURE(jobs);
            CAPTURE(parts);
            ResponseSeries series(jobs, parts);
            for (std::uint64_t i = 0; i < jobs; ++i) {
                const std::uint64_t job = i * 47 % jobs;  // 47 is a prime: each job once
                series.add(job, response_of(job));
            }
            const std::vector<double> means = series.means();
            REQUIRE(means.size() == parts);
            for (std::uint64_t part = 0; part < parts; ++part) {
                const double expected = mean_of(part * jobs / parts, (part + 1) * jobs / parts);
                const bool is_right =
                    std::isnan(expected) ? std::isnan(means[part]) : means[part] == expected;
                REQUIRE(is_right);
            }
        }
    }
}

TEST_CASE("a series of no parts or beyond 64 bits is a broken contract") {
    CHECK_THROWS_AS(ResponseSeries(10, 0), ContractViolation);
    CHECK_THROWS_AS(ResponseSeries(0, 10), ContractViolation);
    CHECK_THROWS_AS(
        ResponseSeries(std::numeric_limits<std::uint64_t>::max() / 2, 3), ContractViolation
    );
}

}  // namespace schedfarm::engine
