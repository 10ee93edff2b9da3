// M/M/1 from empty: fractions by hand, Spitzer's identity as a second formula, and the limit.
#include "models/closed_forms/transient.hpp"

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

namespace {

using doctest::Approx;

double response_of_job(std::uint64_t job, double rate, double mean_service) {
    return mm1_response_time_from_empty(job, job + 1, rate, mean_service);
}

/// E[(A − B)⁺] in units of the mean service time, A a sum of `count` service times and B one of as
/// many interarrival times: when the last of B's phases ends, d of A's have ended with the negative
/// binomial probability C(count + d − 1, d) p^count q^d, and count − d phases of A are left.
double mean_positive_part(int count, double p) {
    const double q = 1 - p;
    double probability = 1;
    for (int i = 0; i < count; ++i) {
        probability *= p;
    }
    double mean = 0;
    for (int d = 0; d < count; ++d) {
        mean += probability * (count - d);
        probability *= q * (count + d) / (d + 1);
    }
    return mean;
}

/// Spitzer 1956: E[waiting time of job k] = Σ over n = 1 … k of E[(A_n − B_n)⁺] / n.
double response_by_spitzer(int job, double load) {
    double mean = 1;
    for (int n = 1; n <= job; ++n) {
        mean += mean_positive_part(n, load / (1 + load)) / n;
    }
    return mean;
}

}  // namespace

TEST_CASE("the first jobs of M/M/1 from empty by hand") {
    for (const double load : {0.2, 0.8, 1.0, 3.0}) {
        CAPTURE(load);
        CHECK(response_of_job(0, load / 2, 2) == Approx(2).epsilon(1e-15));
        // The second job finds the first with probability p = λ/(λ + µ), else nobody.
        const double p = load / (1 + load);
        CHECK(response_of_job(1, load / 2, 2) == Approx(2 * (1 + p)).epsilon(1e-14));
        // The third: from 0 found (q) one with p; from 1 found (p) two with p and one with p q:
        // E[found] = q p + p (2 p + p q).
        const double q = 1 - p;
        const double found = q * p + p * (2 * p + p * q);
        CHECK(response_of_job(2, load / 2, 2) == Approx(2 * (1 + found)).epsilon(1e-14));
    }
    // At load 1, p = q = 1/2: 1, 3/2, 15/8, and their mean 35/24.
    CHECK(response_of_job(2, 1, 1) == Approx(15.0 / 8).epsilon(1e-15));
    CHECK(mm1_response_time_from_empty(0, 3, 1, 1) == Approx(35.0 / 24).epsilon(1e-15));
}

TEST_CASE("probabilities of the number found sum to one from arrival to arrival") {
    std::vector<double> found{1};
    for (int job = 1; job <= 300; ++job) {
        found = found_by_next_arrival(found, 0.9);
        double sum = 0;
        for (const double p : found) {
            sum += p;
        }
        CHECK(sum == Approx(1).epsilon(1e-13));
    }
    // Load 1 once more: p = 1/2 for each number of departures that is not cut off.
    CHECK(
        found_by_next_arrival({0.25, 0, 0.75}, 1)
        == std::vector{0.25 / 2 + 0.75 / 8, 0.25 / 2 + 0.75 / 8, 0.75 / 4, 0.75 / 2}
    );
}

TEST_CASE("M/M/1 from empty agrees with Spitzer's identity") {
    for (const double load : {0.3, 0.8, 1.0, 1.5}) {
        CAPTURE(load);
        double sum = 0;
        for (int job = 0; job < 200; ++job) {
            const double expected = response_by_spitzer(job, load);
            sum += expected;
            CHECK(
                response_of_job(static_cast<std::uint64_t>(job), load, 1)
                == Approx(expected).epsilon(1e-12)
            );
        }
        CHECK(mm1_response_time_from_empty(0, 200, load, 1) == Approx(sum / 200).epsilon(1e-12));
    }
}

TEST_CASE("M/M/1 from empty rises to the stationary mean response") {
    // 1/(µ − λ), and at load 0.8 still a little below it.
    CHECK(response_of_job(1500, 0.5, 1) == Approx(2).epsilon(1e-12));
    CHECK(response_of_job(1500, 0.4, 2) == Approx(10).epsilon(1e-6));
    double before = 0;
    for (std::uint64_t job = 0; job < 100; ++job) {
        const double response = response_of_job(job, 0.8, 1);
        CHECK(response > before);
        before = response;
    }
    CHECK(before < 5);
    // At load 10 the number found grows by 1 − 1/10 per arrival, but for a few idle times early on.
    CHECK(response_of_job(4999, 10, 1) == Approx(1 + 4999 * 0.9).epsilon(1e-4));
}

TEST_CASE("a mean over no jobs and jobs that never arrive are refused") {
    CHECK_THROWS_AS(mm1_response_time_from_empty(3, 3, 0.5, 1), engine::ContractViolation);
    CHECK_THROWS_AS(mm1_response_time_from_empty(0, 3, 0, 1), engine::ContractViolation);
}

}  // namespace schedfarm::models::closed_forms
