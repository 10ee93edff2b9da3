#include "engine/statistics/steady_state/stability.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {
namespace {

/// Replications whose halves are `first` and `second`, give or take, and whose queue grows so.
struct Example {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<double> growth;

    Example(std::size_t n, double mean_first, double mean_second, double mean_growth, double spread)
        : first(n), second(n), growth(n) {
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = 1 + (i % 2 == 0 ? spread : -spread);
            first[i] = factor * mean_first;
            second[i] = factor * mean_second;
            growth[i] = factor * mean_growth;
        }
    }

    Stability judge(double warm_up_fraction = 0) const {
        return judge_stability({first, second, growth, warm_up_fraction}, 0.999);
    }
};

TEST_CASE("the ratio of a critically loaded queue") {
    // f = 0: over the halves of 0 … 1 sqrt x has the means (1/2)^1.5 and 1 − (1/2)^1.5, up to a
    // factor; their ratio is 2^1.5 − 1.
    CHECK(critical_growth_ratio(0) == doctest::Approx(std::sqrt(8) - 1).epsilon(1e-14));
    // f = 0.2: m = 0.6, 0.6^1.5 = 0.4647580, 0.2^1.5 = 0.0894427:
    // (0.5352420 / 0.4) / (0.3753153 / 0.4) = 1.426113.
    CHECK(critical_growth_ratio(0.2) == doctest::Approx(1.426113).epsilon(1e-6));
    CHECK(critical_growth_ratio(0.999) == doctest::Approx(1).epsilon(1e-3));
    CHECK_THROWS_AS(critical_growth_ratio(1), ContractViolation);
    CHECK_THROWS_AS(critical_growth_ratio(-0.1), ContractViolation);
}

TEST_CASE("linear growth on which all replications agree is unstable") {
    const Stability stability = Example(8, 1, 3, 0.05, 0.1).judge();
    CHECK(stability.verdict == StabilityVerdict::unstable);
    CHECK(stability.half_ratio == doctest::Approx(3));
    CHECK(stability.mean_growth == doctest::Approx(0.05));
    // Second halves 3.3 and 2.7, four each: mean 3, s² = 8 · 0.09 / 7.
    CHECK(stability.steadiness == doctest::Approx(3 / std::sqrt(8 * 0.09 / 7)));
    CHECK(stability.ratio.contains(3));
    CHECK(stability.growth.contains(0.05));
}

TEST_CASE("each of the three signs of overload is needed") {
    // Slower than the critical square root, whose ratio is 1.828: the run is too short, no more.
    CHECK(Example(64, 1, 1.8, 0.05, 0.1).judge().verdict == StabilityVerdict::not_stationary);
    CHECK(Example(64, 1, 1.9, 0.05, 0.1).judge().verdict == StabilityVerdict::unstable);
    // After a warm-up of a fifth the critical ratio is 1.426.
    CHECK(Example(64, 1, 1.8, 0.05, 0.1).judge(0.2).verdict == StabilityVerdict::unstable);
    CHECK(Example(64, 1, 1.4, 0.05, 0.1).judge(0.2).verdict == StabilityVerdict::not_stationary);
    // Replications that scatter, as those of a machine that is filling up: steadiness
    // sqrt(63/64) / spread against 1.5 + t(63, .999) / 8 = 1.5 + 3.452 / 8 = 1.93.
    CHECK(Example(64, 1, 3, 0.05, 0.50).judge().verdict == StabilityVerdict::unstable);
    CHECK(Example(64, 1, 3, 0.05, 0.53).judge().verdict == StabilityVerdict::not_stationary);
    // With eight sqrt(7/8) / spread against 1.5 + t(7, .999) / sqrt 8 = 1.5 + 5.408 / 2.828
    // = 3.412.
    CHECK(Example(8, 1, 3, 0.05, 0.270).judge().verdict == StabilityVerdict::unstable);
    CHECK(Example(8, 1, 3, 0.05, 0.279).judge().verdict == StabilityVerdict::not_stationary);
    // Growth without practical meaning.
    CHECK(Example(64, 1, 3, 0.0009, 0.1).judge().verdict == StabilityVerdict::not_stationary);
    CHECK(Example(64, 1, 3, 0.0012, 0.1).judge().verdict == StabilityVerdict::unstable);
}

TEST_CASE("growth that may as well be none is no overload, however large its mean") {
    // Growth −0.05 and 0.15, 32 each: mean 0.05, half a length of 3.452 · 0.1008 / 8 = 0.0435; and
    // −0.10 and 0.20 with 0.0652.
    Example example(64, 1, 3, 0.05, 0.1);
    for (std::size_t i = 0; i < 64; ++i) {
        example.growth[i] = i % 2 == 0 ? -0.05 : 0.15;
    }
    CHECK(example.judge().verdict == StabilityVerdict::unstable);
    for (std::size_t i = 0; i < 64; ++i) {
        example.growth[i] = i % 2 == 0 ? -0.10 : 0.20;
    }
    CHECK(example.judge().verdict == StabilityVerdict::not_stationary);
}

TEST_CASE("a queue that has settled is stable") {
    CHECK(Example(64, 1, 1.04, 0.0001, 0.1).judge().verdict == StabilityVerdict::stable);
    CHECK(Example(64, 1, 1.06, 0.0001, 0.1).judge().verdict == StabilityVerdict::not_stationary);
    CHECK(Example(64, 1, 0.5, -0.01, 0.1).judge().verdict == StabilityVerdict::stable);
}

TEST_CASE("few replications cannot say") {
    for (const std::size_t n : {0U, 1U, 2U, 7U}) {
        CHECK(Example(n, 1, 3, 0.05, 0.1).judge().verdict == StabilityVerdict::stable);
    }
    const Stability none = Example(1, 1, 3, 0.05, 0.1).judge();
    CHECK(std::isnan(none.half_ratio));
    CHECK(std::isnan(none.ratio.lower));
    CHECK(std::isnan(none.steadiness));
    CHECK(std::isnan(none.mean_growth));
    CHECK(std::isnan(none.growth.upper));
}

TEST_CASE("where nothing queued nothing grows") {
    const Stability stability = Example(64, 0, 0, 0, 0).judge();
    CHECK(stability.verdict == StabilityVerdict::stable);
    CHECK(std::isnan(stability.half_ratio));
    CHECK(std::isnan(stability.steadiness));
    CHECK(stability.mean_growth == 0);
}

TEST_CASE("replications that agree to the last bit are infinitely steady") {
    const Stability stability = Example(8, 1, 3, 0.05, 0).judge();
    CHECK(stability.verdict == StabilityVerdict::unstable);
    CHECK(std::isinf(stability.steadiness));
}

TEST_CASE("a NaN accuses nobody") {
    Example example(64, 1, 3, 0.05, 0.1);
    example.second[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK(example.judge().verdict == StabilityVerdict::stable);
}

TEST_CASE("broken contracts of the stability are reported") {
    Example example(8, 1, 3, 0.05, 0.1);
    CHECK_THROWS_AS(example.judge(1), ContractViolation);
    example.growth.pop_back();
    CHECK_THROWS_AS(example.judge(), ContractViolation);
    example.growth.push_back(1);
    example.first.pop_back();
    CHECK_THROWS_AS(example.judge(), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
