// Probabilistic bisection and the sign test on noisy answers, over many independent runs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"
#include "engine/statistics/bisection.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "tests/engine/statistics/coverage.hpp"
#include "tests/support/long_form.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::engine {
namespace {

/// Uniforms and normals one after the other.
class Noise {
  public:
    explicit Noise(std::uint32_t run) : stream_(20130701, Purpose::service, run) {}

    double uniform() { return unit_interval(stream_.draw(position_++)); }
    double normal() { return normal_quantile(uniform()); }

  private:
    Stream stream_;
    std::uint64_t position_ = 0;
};

RootSide true_side(double root, double point) {
    return root > point ? RootSide::above : RootSide::below;
}

RootSide other(RootSide side) {
    return side == RootSide::above ? RootSide::below : RootSide::above;
}

/// Asks `answers` times at the median; an answer is right with probability `reliability`.
ProbabilisticBisection search(double root, double reliability, int answers, Noise& noise) {
    ProbabilisticBisection bisection(0, 1);
    for (int i = 0; i < answers; ++i) {
        const double point = bisection.query();
        const RootSide truth = true_side(root, point);
        bisection.update(point, noise.uniform() < reliability ? truth : other(truth), reliability);
    }
    return bisection;
}

TEST_CASE("the interval of the bisection covers exactly as stated") {
    // With a root drawn from the uniform prior and answers that are right with the stated
    // probability the density is the posterior, so that coverage is exact at every step.
    for (const double reliability : {0.6, 0.75, 0.95}) {
        for (const int answers : {1, 5, 25, 60}) {
            Coverage coverage;
            constexpr std::uint32_t runs = 4000;
            for (std::uint32_t run = 0; run < runs; ++run) {
                Noise noise(run);
                const double root = noise.uniform();
                const auto bisection = search(root, reliability, answers, noise);
                ++coverage.macro_runs;
                coverage.covered += bisection.interval(0.9).contains(root) ? 1U : 0U;
            }
            CAPTURE(reliability);
            CAPTURE(answers);
            CHECK(std::fabs(coverage.fraction() - 0.9) < z * std::sqrt(0.9 * 0.1 / runs));
        }
    }
}

double median_error(double reliability, int answers) {
    std::vector<double> errors;
    for (std::uint32_t run = 0; run < 1001; ++run) {
        Noise noise(run);
        const double root = noise.uniform();
        errors.push_back(std::fabs(search(root, reliability, answers, noise).query() - root));
    }
    std::nth_element(errors.begin(), errors.begin() + 500, errors.end());
    return errors[500];
}

TEST_CASE("the error of the bisection falls geometrically") {
    // The information of an answer is log 2 + p log p + (1 − p) log(1 − p): the density narrows by
    // that factor per answer, to first order, here 0.1308 at p = 0.75 and 0.3681 at p = 0.9.
    for (const double p : {0.75, 0.9}) {
        const double information = logarithm(2) + p * logarithm(p) + (1 - p) * logarithm(1 - p);
        std::vector<double> logarithms_of_errors;
        for (const int answers : {20, 40, 60, 80}) {
            logarithms_of_errors.push_back(logarithm(median_error(p, answers)));
        }
        const double rate = (logarithms_of_errors[0] - logarithms_of_errors[3]) / 60;
        MESSAGE("p = " << p << ": rate " << rate << " per answer, information " << information);
        CHECK(rate == tests::within(0.15, information));
        for (std::size_t i = 1; i < logarithms_of_errors.size(); ++i) {
            const double step = (logarithms_of_errors[i - 1] - logarithms_of_errors[i]) / 20;
            CHECK(step == tests::within(0.4, rate));
        }
    }
}

/// Looks at 4 values, then at a fifth more, until decided or `most` values were seen.
SignVerdict sequential_sign(double mean, double reliability, std::uint64_t most, Noise& noise) {
    const ReplicationLimits limits{4, most};
    std::vector<double> values;
    for (std::uint64_t n = next_checkpoint(0, limits);; n = next_checkpoint(n, limits)) {
        while (values.size() < n) {
            values.push_back(mean + noise.normal());
        }
        const SignVerdict verdict = sign_test(values, reliability);
        if (verdict != SignVerdict::undecided || n == most) {
            return verdict;
        }
    }
}

TEST_CASE("bisection finds the root of a noisy linear function") {
    // f(x) = x − root with noise of standard deviation 0.05; the sign is asked until it is decided.
    constexpr double root = 0.3571;
    constexpr double sigma = 0.05;
    const auto runs = tests::short_or_long(80U, 200U);
    Coverage coverage;
    double squares = 0;
    for (std::uint32_t run = 0; run < runs; ++run) {
        Noise noise(run);
        ProbabilisticBisection bisection(0, 1);
        for (int i = 0; i < 12; ++i) {
            const double point = bisection.query();
            const auto sign = sequential_sign((point - root) / sigma, 0.9, 50'000, noise);
            if (sign != SignVerdict::undecided) {
                const bool is_above_root = sign == SignVerdict::positive;
                bisection.update(point, is_above_root ? RootSide::below : RootSide::above, 0.9);
            }
        }
        squares += std::pow(bisection.query() - root, 2) / runs;
        ++coverage.macro_runs;
        coverage.covered += bisection.interval(0.9).contains(root) ? 1U : 0U;
    }
    MESSAGE("root mean square error " << std::sqrt(squares) << ", " << coverage.fraction());
    CHECK(std::sqrt(squares) < 0.02);
    check_band(coverage, 0.9, 1);
}

struct SignCounts {
    std::uint32_t wrong = 0;
    std::uint32_t right = 0;
};

SignCounts count_signs(double drift, double reliability, std::uint64_t most, std::uint32_t runs) {
    SignCounts counts;
    for (std::uint32_t run = 0; run < runs; ++run) {
        Noise noise(run);
        const SignVerdict verdict = sequential_sign(drift, reliability, most, noise);
        counts.wrong += verdict == SignVerdict::negative ? 1U : 0U;
        counts.right += verdict == SignVerdict::positive ? 1U : 0U;
    }
    return counts;
}

TEST_CASE("the sign test errs no more often than stated and always decides") {
    constexpr std::uint32_t runs = 2000;
    for (const double reliability : {0.75, 0.95}) {
        const SignCounts counts = count_signs(0.1, reliability, 20'000, runs);
        const double allowed = 1 - reliability;
        MESSAGE("drift 0.1, reliability " << reliability << ": " << counts.wrong << " wrong");
        CHECK(counts.wrong / double{runs} < allowed + z * std::sqrt(allowed * reliability / runs));
        CHECK(counts.wrong + counts.right == runs);  // a test of power one
    }
}

TEST_CASE("without drift the sign stays undecided") {
    constexpr std::uint32_t runs = 2000;
    const SignCounts counts = count_signs(0, 0.95, 5'000, runs);
    MESSAGE("no drift: " << counts.wrong << " negative and " << counts.right << " positive");
    // Each side at most 0.05.
    const double limit = 0.05 + z * std::sqrt(0.05 * 0.95 / runs);
    CHECK(counts.wrong / double{runs} < limit);
    CHECK(counts.right / double{runs} < limit);
}

}  // namespace
}  // namespace schedfarm::engine
