#include "engine/statistics/steady_state/start_bias.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace schedfarm::engine;

/// 1 − H1(t) of reflected Brownian motion, t in units of two relaxation times.
double deficit(double t) {
    const double root = std::sqrt(t);
    const double density = std::exp(-t / 2) / std::sqrt(2 * std::acos(-1.0));
    return 2 * ((1 + t) * 0.5 * std::erfc(root / std::sqrt(2.0)) - root * density);
}

/// Its mean over from … to by the midpoint rule, in steps of the root, where it is smooth.
double mean_deficit(double from, double to) {
    constexpr int steps = 100000;
    const double step = (std::sqrt(to) - std::sqrt(from)) / steps;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        const double root = std::sqrt(from) + (i + 0.5) * step;
        sum += deficit(root * root) * 2 * root * step;
    }
    return sum / (to - from);
}

}  // namespace

TEST_CASE("the bias of a start is the mean deficit of reflected Brownian motion") {
    for (const double relaxation_times : {0.01, 1.0, 8.0, 22.0, 50.0, 200.0}) {
        for (const double fraction : {0.0, 0.01, 0.2, 0.7}) {
            CAPTURE(relaxation_times);
            CAPTURE(fraction);
            const double length = relaxation_times / 2;
            CHECK(
                start_bias(relaxation_times, fraction)
                == doctest::Approx(mean_deficit(fraction * length, length)).epsilon(1e-6)
            );
        }
    }
    // From empty without a warm-up: one relaxation time is lost.
    CHECK(start_bias(1000, 0) == doctest::Approx(0.001).epsilon(1e-9));
}

TEST_CASE("the start biases a quantile far out more than the mean, and the median less") {
    // By quadrature with 4,000 steps (scipy), 20 relaxation times: 2.06 and 3.2 times the mean's.
    CHECK(start_bias_of_quantile(20, 0.2, 0.99) == doctest::Approx(0.0184698).epsilon(1e-4));
    CHECK(start_bias_of_quantile(20, 0.2, 0.999) == doctest::Approx(0.0288880).epsilon(1e-4));
    CHECK(start_bias_of_quantile(10, 0.2, 0.5) == doctest::Approx(0.0244298).epsilon(1e-4));
    CHECK(start_bias_of_quantile(20, 0.2, 0.99) > 2 * start_bias(20, 0.2));
}

TEST_CASE("the relaxation times for a bias leave that bias") {
    for (const double bias : {0.5, 0.05, 0.01, 0.0001}) {
        for (const double fraction : {0.0, 0.05, 0.2}) {
            CAPTURE(bias);
            CAPTURE(fraction);
            const double needed = relaxation_times_for(bias, fraction);
            CHECK(start_bias(needed, fraction) == doctest::Approx(bias).epsilon(1e-6));
        }
    }
    CHECK(start_bias(relaxation_times_for(0.01, 0.2), 0) > 0.01);
}

TEST_CASE("the bias is read off the mean over the warm-up") {
    for (const double relaxation_times : {1.0, 8.0, 22.0, 50.0}) {
        CAPTURE(relaxation_times);
        const double length = relaxation_times / 2;
        const double measured = 1 - start_bias(relaxation_times, 0.2);
        const double warm_up = 1 - mean_deficit(0, 0.2 * length);
        std::vector<double> first;
        std::vector<double> rest;
        for (int i = 0; i < 8; ++i) {
            const double scale = 50 + i;  // of the whole replication: the ratio has no noise
            first.push_back(scale * warm_up);
            rest.push_back(scale * measured);
        }
        const auto start = estimate_start_bias(first, rest, 0.2, 0.9);
        REQUIRE(start);
        CHECK(start->ratio == doctest::Approx(warm_up / measured).epsilon(1e-9));
        CHECK(start->bias == doctest::Approx(1 - measured).epsilon(1e-4));
        CHECK(start->interval.half_width() < 1e-9);
    }
}

TEST_CASE("the noise of the warm-up is that of the bias") {
    std::vector<double> warm_up(64);
    const std::vector<double> measured(64, 1);
    for (std::size_t i = 0; i < warm_up.size(); ++i) {
        warm_up[i] = i % 2 == 0 ? 0.6 : 1.0;
    }
    const auto start = estimate_start_bias(warm_up, measured, 0.2, 0.9);
    REQUIRE(start);
    CHECK(start->ratio == doctest::Approx(0.8));
    CHECK(start->interval.lower < start->bias);
    CHECK(start->bias < start->interval.upper);
    const auto surer = estimate_start_bias(warm_up, measured, 0.2, 0.99);
    CHECK(surer->interval.lower < start->interval.lower);
    CHECK(surer->interval.upper > start->interval.upper);
}

TEST_CASE("after a long warm-up the scatter of what is left says how much bias there can be") {
    const auto sample = [](double low, double high) {
        std::vector<double> values(64);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = i % 4 < 2 ? low : high;
        }
        return values;
    };
    std::vector<double> noisy(64);
    for (std::size_t i = 0; i < noisy.size(); ++i) {
        noisy[i] = i % 2 == 0 ? 0.3 : 1.64;
    }
    // Two values have no fourth moment beyond the squared second: the variation is known exactly.
    const std::vector<double> even = sample(0.9, 1.1);
    CHECK(estimate_start_bias(noisy, even, 0.5, 0.9)->interval.upper < 1e-6);
    CHECK(estimate_start_bias(noisy, even, 0.29, 0.9)->interval.upper > 0.005);
    const std::vector<double> scattered = sample(0.3, 1.7);
    CHECK(estimate_start_bias(noisy, scattered, 0.5, 0.9)->interval.upper > 0.05);

    // The squared variation 0.2 · 64 / 63, by the midpoint rule; the factor is that of the header.
    const double root = std::sqrt(0.2);
    const auto between = estimate_start_bias(noisy, sample(1 - root, 1 + root), 0.5, 0.9);
    double left = 4;
    for (double variation = 1; left < 20 && 0.85 * variation > 0.2 * 64 / 63; left += 0.02) {
        constexpr int steps = 1000;
        const double step = left / steps;
        double correlation = 1;
        variation = 0;
        for (int i = 0; i < steps; ++i) {
            const double time = (i + 0.5) * step;
            variation +=
                2 * (left - time) * (correlation - deficit(time) * step) * step / (left * left);
            correlation -= 2 * deficit(time) * step;
        }
    }
    REQUIRE(left < 20);
    CHECK(between->interval.upper == doctest::Approx(start_bias(4 * left, 0.5)).epsilon(0.03));
    // What the ratio itself shows is believed.
    const std::vector<double> low(64, 0.7);
    const auto seen = estimate_start_bias(low, even, 0.5, 0.9);
    CHECK(seen->bias > 0.001);
    CHECK(seen->interval.upper == seen->bias);
}

TEST_CASE("a warm-up that waits longer than the rest shows no bias, one that never waits shows all"
) {
    const std::vector<double> ones(8, 1);
    const std::vector<double> twos(8, 2);
    const std::vector<double> zeros(8, 0);
    CHECK(estimate_start_bias(twos, ones, 0.2, 0.9)->bias == 0);
    CHECK(estimate_start_bias(zeros, ones, 0.2, 0.9)->bias > 0.9);
    CHECK(!estimate_start_bias(zeros, zeros, 0.2, 0.9));
    const std::vector<double> seven(7, 1);
    CHECK(!estimate_start_bias(seven, seven, 0.2, 0.9));
}
