// `lublin_feitelson` with `jobs: typeless`, the publication's whole sample, beside what Esbaugh
// 2010 (Table 2) prints of his workloads: 64 % of the jobs are short (below 10 minutes), 19.5 %
// medium (below 3 hours), 16.5 % long, with .5 %, 26 % and 73.5 % of the work.
#include <algorithm>
#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "engine/random/unit_gamma.hpp"

#include "models/rigid/lublin_sizes.hpp"

#include "tests/models/drawn_jobs.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::models {

namespace {

using engine::UnitGamma;
using tests::within;

constexpr double longest = 12;  // logarithm of s
constexpr std::array types{"short", "medium", "long"};

std::size_t type_of(double run_time) {
    return run_time < 600 ? 0 : run_time < 10800 ? 1 : 2;
}

/// Of the jobs of a kind, by type.
struct Shares {
    std::array<double, 3> jobs{};
    std::array<double, 3> work{};
};

/// e^X with X gamma: P(X <= x) and E[e^X; X <= x]. The density of X times e^x is (1 − s)^−a times
/// that of a gamma value of the scale s/(1 − s).
struct ExpGammaBelow {
    double shape;
    double scale;

    double probability(double x) const { return UnitGamma(shape).probability(x / scale); }
    double mean(double x) const {
        return std::pow(1 - scale, -shape) * UnitGamma(shape).probability((1 - scale) * x / scale);
    }
};

/// By the paper's parameters: jobs of n processors have run times of the first distribution with
/// the probability .78 − .0054 n, cut to 0 … 1, and logarithms above 12 are drawn again.
Shares exact_shares() {
    const LublinSizes sizes(
        {.serial = 0.244,
         .power_of_two = 0.576,
         .low = 0.8,
         .medium = 4.5,
         .high = 7,
         .low_share = 0.86}
    );
    const std::array<ExpGammaBelow, 2> times{{{4.2, 0.94}, {312, 0.03}}};
    const std::array<double, 3> limits{std::log(600), std::log(10800), longest};
    Shares below;
    for (std::uint32_t n = 1; n <= sizes.largest(); ++n) {
        const double p = std::clamp(0.78 - 0.0054 * n, 0.0, 1.0);
        const double kept =
            p * times[0].probability(longest) + (1 - p) * times[1].probability(longest);
        for (std::size_t k = 0; k < 3; ++k) {
            const double x = limits.at(k);
            const double weight = sizes.probabilities()[n] / kept;
            below.jobs.at(k) +=
                weight * (p * times[0].probability(x) + (1 - p) * times[1].probability(x));
            below.work.at(k) += weight * n * (p * times[0].mean(x) + (1 - p) * times[1].mean(x));
        }
    }
    Shares shares;
    for (std::size_t k = 0; k < 3; ++k) {
        shares.jobs.at(k) = below.jobs.at(k) - (k > 0 ? below.jobs.at(k - 1) : 0);
        shares.work.at(k) =
            (below.work.at(k) - (k > 0 ? below.work.at(k - 1) : 0)) / below.work.back();
    }
    return shares;
}

}  // namespace

TEST_CASE("the whole sample has the types of jobs that an independent calculation gives") {
    const Shares exact = exact_shares();
    CHECK(exact.jobs[0] == within(1e-6, 0.637383814));
    CHECK(exact.jobs[1] == within(1e-6, 0.197268723));
    CHECK(exact.jobs[2] == within(1e-6, 0.165347463));
    CHECK(exact.work[0] == within(1e-6, 0.005123479));
    CHECK(exact.work[1] == within(1e-6, 0.259163733));
    CHECK(exact.work[2] == within(1e-6, 0.735712788));
}

TEST_CASE("jobs of the whole sample are of each type as often as theory and Table 2 say") {
    const Shares exact = exact_shares();
    const Shares printed{{0.64, 0.195, 0.165}, {0.005, 0.26, 0.735}};
    constexpr double printed_jobs = 1e5;
    constexpr std::size_t count = 200'000;
    std::array<double, 3> jobs{};
    // The share of work of a type is a ratio of means; its error is that of the mean of
    // (work of the type − share · work) by the mean work.
    std::array<tests::Sample, 3> residual;
    tests::Sample work;
    tests::for_jobs(
        "lublin_feitelson",
        tests::parameters("lublin_feitelson", {{"jobs", "typeless"}}),
        tests::open_context(128),
        count,
        [&](const engine::Job& job) {
            const std::size_t type = type_of(job.service_time);
            const double area = job.size * job.service_time;
            ++jobs.at(type);
            work.add(area);
            for (std::size_t k = 0; k < 3; ++k) {
                residual.at(k).add((k == type ? area : 0) - exact.work.at(k) * area);
            }
        }
    );
    for (std::size_t k = 0; k < 3; ++k) {
        CAPTURE(types.at(k));
        tests::check_share(jobs.at(k), count, exact.jobs.at(k));
        CHECK(std::abs(residual.at(k).mean()) <= tests::z * residual.at(k).error());
        // Table 2 prints halves of a percent of a sample of 10 workloads of 10,000 jobs.
        const double p = exact.jobs.at(k);
        const double error_of_jobs = std::sqrt(p * (1 - p) / printed_jobs);
        const double error_of_work =
            residual.at(k).error() * std::sqrt(count / printed_jobs) / work.mean();
        CHECK(std::abs(printed.jobs.at(k) - p) <= tests::z * error_of_jobs + 0.0025);
        CHECK(std::abs(printed.work.at(k) - exact.work.at(k)) <= tests::z * error_of_work + 0.0025);
        CHECK(error_of_work < 0.005);  // it says something
    }
}

}  // namespace schedfarm::models
