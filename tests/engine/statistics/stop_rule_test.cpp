#include "engine/statistics/stop_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Exponential observations of mean 1, shifted and scaled.
std::vector<double> sample(std::uint64_t seed, std::size_t n, double scale = 1, double shift = 0) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t draw = mix(mix(seed + 0x9e3779b97f4a7c15U) + i);
        const double u = (static_cast<double>(draw >> 12) + 0.5) * 0x1p-52;
        values[i] = shift - scale * logarithm(u);
    }
    return values;
}

PrecisionTarget relative(double precision, IntervalMethod method = IntervalMethod::skew_adjusted) {
    return {precision, std::nullopt, 0.95, method};
}

PrecisionTarget absolute(double precision, IntervalMethod method = IntervalMethod::skew_adjusted) {
    return {std::nullopt, precision, 0.95, method};
}

constexpr std::array every_method{
    IntervalMethod::student_t, IntervalMethod::skew_adjusted, IntervalMethod::confidence_sequence};

struct Metric {
    std::string name;
    std::vector<double> values;
    std::vector<double> denominators;

    TargetObservations with(const PrecisionTarget& target) const {
        return {target, values, denominators};
    }
};

TEST_CASE("checkpoints grow by a fifth and end at the cap") {
    const ReplicationLimits limits{64, 200};
    std::vector<std::uint64_t> checkpoints;
    for (std::uint64_t n = next_checkpoint(0, limits); n < limits.max;
         n = next_checkpoint(n, limits)) {
        checkpoints.push_back(n);
    }
    // ceil of 1.2 · 64 = 76.8, 1.2 · 77 = 92.4, 1.2 · 93 = 111.6, 134.4, 1.2 · 135 = 162, 194.4.
    CHECK(checkpoints == std::vector<std::uint64_t>{64, 77, 93, 112, 135, 162, 195});
    CHECK(next_checkpoint(195, limits) == 200);
    CHECK(next_checkpoint(200, limits) == 200);
}

TEST_CASE("checkpoints of unusual limits") {
    CHECK(next_checkpoint(0, {0, 10}) == 1);
    CHECK(next_checkpoint(1, {0, 10}) == 2);
    CHECK(next_checkpoint(5, {0, 10}) == 6);  // 1.2 · 5 is 6, not the 7 of a rounded-up product
    CHECK(next_checkpoint(0, {64, 10}) == 10);
    CHECK(next_checkpoint(0, {64, 0}) == 0);
    const std::uint64_t most = ~std::uint64_t{0};
    CHECK(next_checkpoint(most - 5, {64, most}) == most);
}

TEST_CASE("without targets the number of replications is fixed") {
    const ReplicationLimits limits{64, 1000};
    const StopDecision early = decide({}, 999, limits);
    CHECK(early.state == StopState::go_on);
    CHECK(early.next_check == 1000);
    CHECK(early.predicted == 1000);
    const StopDecision late = decide({}, 1500, limits);
    CHECK(late.n == 1000);
    CHECK(decide({}, 1000, limits).state == StopState::met);
}

TEST_CASE("before the first checkpoint nothing is decided") {
    const Metric metric{"constant", std::vector<double>(100, 1.0), {}};
    for (const std::uint64_t available : {0U, 1U, 63U}) {
        const std::vector targets{metric.with(relative(0.05))};
        const StopDecision decision = decide(targets, available, {64, 100});
        CHECK(decision.state == StopState::go_on);
        CHECK(decision.n == 0);
        CHECK(decision.next_check == 64);
        CHECK(decision.predicted == 64);
    }
}

TEST_CASE("one observation never meets a target") {
    const Metric metric{"constant", std::vector<double>(3, 1.0), {}};
    const std::vector targets{metric.with(absolute(1e9))};
    const StopDecision go_on = decide(targets, 1, {1, 3});
    CHECK(go_on.state == StopState::go_on);
    CHECK(go_on.n == 1);
    CHECK(go_on.next_check == 2);
    CHECK(go_on.predicted == std::uint64_t{1} << 53U);
    CHECK(decide(targets, 1, {1, 1}).state == StopState::cap_reached);
    CHECK(decide(targets, 2, {1, 3}).state == StopState::met);
}

TEST_CASE("a target is met exactly when the longer side is short enough") {
    for (const auto method : every_method) {
        const Metric metric{"exponential", sample(1, 64), {}};
        const auto estimate = estimate_mean(metric.values, 0.95, method);
        const double side = estimate->longer_side();
        const ReplicationLimits limits{64, 1000};
        const auto state = [&](const PrecisionTarget& target) {
            const std::vector targets{metric.with(target)};
            return decide(targets, 64, limits).state;
        };
        CHECK(state(absolute(side, method)) == StopState::met);
        CHECK(state(absolute(std::nextafter(side, 0), method)) == StopState::go_on);
        // ε / (1 + ε) · mean = side at ε = side / (mean − side).
        const double precision = side / (estimate->mean - side);
        CHECK(state(relative(precision * (1 + 1e-14), method)) == StopState::met);
        CHECK(state(relative(precision * (1 - 1e-14), method)) == StopState::go_on);
    }
}

TEST_CASE("the longer side of an asymmetric interval must meet the target") {
    const Metric metric{"exponential", sample(1, 64), {}};
    const auto estimate = estimate_mean(metric.values, 0.95, IntervalMethod::skew_adjusted);
    const double shorter = estimate->mean - estimate->interval.lower;
    const double half_width = estimate->interval.half_width();
    REQUIRE(shorter < half_width);
    REQUIRE(half_width < estimate->longer_side());
    for (const double precision : {shorter, half_width}) {
        const std::vector targets{metric.with(absolute(precision))};
        CHECK(decide(targets, 64, {64, 1000}).state == StopState::go_on);
    }
}

TEST_CASE("a relative and an absolute precision together stop at the first that is met") {
    const Metric metric{"exponential", sample(1, 64), {}};
    const auto state = [&](double relative_precision, double absolute_precision) {
        const std::vector targets{
            metric.with({relative_precision, absolute_precision, 0.95, IntervalMethod::student_t})};
        return decide(targets, 64, {64, 1000}).state;
    };
    CHECK(state(10, 0) == StopState::met);
    CHECK(state(0, 10) == StopState::met);
    CHECK(state(1e-6, 1e-6) == StopState::go_on);
}

TEST_CASE("without variance a precision of zero is met, and no relative one") {
    const Metric constant{"constant", std::vector<double>(64, 3.0), {}};
    const Metric varying{"varying", sample(1, 64), {}};
    const auto state = [](const Metric& metric, const PrecisionTarget& target) {
        const std::vector targets{metric.with(target)};
        return decide(targets, 64, {64, 1000}).state;
    };
    CHECK(state(constant, absolute(0)) == StopState::met);
    const std::vector nothing_needed{constant.with(absolute(0))};
    CHECK(decide(nothing_needed, 64, {64, 1000}).predicted == 0);
    CHECK(state(constant, relative(0.5)) == StopState::go_on);  // of a rare event 0 ± 0 says little
    CHECK(state(varying, absolute(0)) == StopState::go_on);
}

TEST_CASE("the predicted number follows the square of the excess") {
    // ±1 alternating: mean 0, s² = n/(n − 1), side = t s / sqrt n; predicted n (side / 0.01)².
    std::vector<double> values(64);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 2 == 0 ? 1 : -1;
    }
    const Metric metric{"alternating", values, {}};
    const std::vector targets{metric.with(absolute(0.01, IntervalMethod::student_t))};
    const StopDecision decision = decide(targets, 64, {64, 100000});
    // t(63, 0.95) = 1.998340542520741; t² · (64/63) / 1e-4 = 40567.5…
    CHECK(
        decision.predicted
        == static_cast<std::uint64_t>(
            std::ceil(1.998340542520741 * 1.998340542520741 * 64 / 63 / 1e-4)
        )
    );
    CHECK(decision.n == 64);
    CHECK(decision.next_check == 77);
}

TEST_CASE("a cap without the precision is reported as such") {
    const Metric metric{"exponential", sample(2, 500), {}};
    const std::vector targets{metric.with(relative(0.001))};
    const StopDecision decision = decide(targets, 500, {64, 300});
    CHECK(decision.state == StopState::cap_reached);
    CHECK(decision.n == 300);
    CHECK(decision.next_check == 300);
    CHECK(decision.predicted > 300);
}

TEST_CASE("a precision that is met at the cap is met") {
    const Metric metric{"exponential", sample(2, 300), {}};
    const std::vector all{metric.with(relative(0.2))};
    const std::uint64_t stop = decide(all, 300, {64, 300}).n;
    REQUIRE(stop > 64);
    REQUIRE(stop < 300);
    CHECK(decide(all, 300, {64, stop}).state == StopState::met);
}

TEST_CASE("a mean of zero with a relative precision runs to the cap") {
    Metric metric{"alternating", std::vector<double>(200, 1.0), {}};
    for (std::size_t i = 1; i < metric.values.size(); i += 2) {
        metric.values[i] = -1;
    }
    const std::vector targets{metric.with(relative(0.1))};
    CHECK(decide(targets, 200, {64, 200}).state == StopState::cap_reached);
    CHECK(decide(targets, 64, {64, 200}).predicted == std::uint64_t{1} << 53U);
}

TEST_CASE("a NaN or an empty denominator never meets a target") {
    Metric poisoned{"NaN", std::vector<double>(200, 1.0), {}};
    poisoned.values[10] = std::nan("");
    const Metric nothing{"nothing", std::vector<double>(200, 0.0), std::vector<double>(200, 0.0)};
    for (const Metric& metric : {poisoned, nothing}) {
        CAPTURE(metric.name);
        for (const auto& target : {relative(10), absolute(1e9)}) {
            const std::vector targets{metric.with(target)};
            const StopDecision decision = decide(targets, 200, {64, 200});
            CHECK(decision.state == StopState::cap_reached);
            CHECK(decision.predicted == std::uint64_t{1} << 53U);
        }
    }
}

TEST_CASE("of equally demanding metrics the first is named") {
    const Metric metric{"exponential", sample(1, 64), {}};
    const std::vector targets{
        metric.with(absolute(1)), metric.with(absolute(0.1)), metric.with(absolute(0.1))};
    CHECK(decide(targets, 64, {64, 1000}).most_demanding == 1);
    const Metric single{"single", {1}, {}};
    const std::vector absent{single.with(absolute(1)), single.with(relative(1))};
    CHECK(decide(absent, 1, {1, 1000}).most_demanding == 0);
}

/// A hard and an easy metric of each kind under each rule: whichever is hard must decide.
std::vector<TargetObservations> every_pair(
    const Metric& mean_metric, const Metric& ratio_metric, double precision
) {
    std::vector<TargetObservations> targets;
    for (const Metric* metric : {&mean_metric, &ratio_metric}) {
        for (const auto method : every_method) {
            targets.push_back(metric->with(relative(precision, method)));
            targets.push_back(metric->with(absolute(precision, method)));
        }
    }
    return targets;
}

TEST_CASE("any metric under any rule can be the limiting one") {
    const std::size_t n = 6000;
    const Metric mean_metric{"mean", sample(3, n, 0.5, 0.5), {}};
    const Metric ratio_metric{"ratio", sample(4, n, 0.5, 0.5), sample(5, n, 0.1, 0.9)};
    const ReplicationLimits limits{64, n};
    const auto easy = every_pair(mean_metric, ratio_metric, 1.5);
    const auto hard = every_pair(mean_metric, ratio_metric, 0.04);
    const StopDecision all_easy = decide(easy, n, limits);
    CHECK(all_easy.state == StopState::met);
    CHECK(all_easy.n == 64);
    for (std::size_t i = 0; i < easy.size(); ++i) {
        for (std::size_t j = 0; j < easy.size(); ++j) {
            CAPTURE(i);
            CAPTURE(j);
            const std::vector alone{hard[i]};
            const StopDecision expected = decide(alone, n, limits);
            REQUIRE(expected.state == StopState::met);
            REQUIRE(expected.n > 64);
            REQUIRE(expected.n < n);
            const std::vector hard_first{hard[i], easy[j]};
            const std::vector hard_last{easy[j], hard[i]};
            CHECK(decide(hard_first, n, limits).n == expected.n);
            CHECK(decide(hard_last, n, limits).n == expected.n);
            CHECK(decide(hard_first, n, limits).most_demanding == 0);
            CHECK(decide(hard_last, n, limits).most_demanding == 1);
            CHECK(decide(hard_last, n, limits).predicted == expected.predicted);
        }
    }
}

TEST_CASE("the strict rule looks at the confidence sequence") {
    const std::size_t n = 20000;
    const Metric mean_metric{"mean", sample(12, n), {}};
    const Metric ratio_metric{"ratio", sample(13, n, 0.5, 0.5), sample(14, n, 0.1, 0.9)};
    const ReplicationLimits limits{64, n};
    for (const Metric* metric : {&mean_metric, &ratio_metric}) {
        CAPTURE(metric->name);
        const std::vector strict{metric->with(relative(0.05, IntervalMethod::confidence_sequence))};
        const StopDecision decision = decide(strict, n, limits);
        REQUIRE(decision.state == StopState::met);
        // By hand: the first checkpoint at which half the sequence is at most 0.05/1.05 · mean.
        std::uint64_t c = 64;
        for (;; c = next_checkpoint(c, limits)) {
            const auto values = std::span(metric->values).first(c);
            const auto estimate =
                metric->denominators.empty()
                    ? estimate_mean(values, 0.95, IntervalMethod::confidence_sequence)
                    : estimate_ratio(
                        values,
                        std::span(metric->denominators).first(c),
                        0.95,
                        IntervalMethod::confidence_sequence
                    );
            if (estimate->interval.half_width() <= 0.05 / 1.05 * estimate->mean) {
                break;
            }
        }
        CHECK(decision.n == c);
        const std::vector lenient{metric->with(relative(0.05, IntervalMethod::student_t))};
        CHECK(decision.n > 1.5 * static_cast<double>(decide(lenient, n, limits).n));
    }
}

TEST_CASE("a ratio stops by the interval that is asked for") {
    const std::size_t n = 6000;
    const Metric metric{"ratio", sample(15, n), sample(16, n, 0.1, 0.9)};
    for (const auto method : every_method) {
        const std::vector targets{metric.with(relative(0.05, method))};
        const StopDecision decision = decide(targets, n, {64, n});
        REQUIRE(decision.state == StopState::met);
        std::uint64_t c = 64;
        while (estimate_ratio(
                   std::span(metric.values).first(c),
                   std::span(metric.denominators).first(c),
                   0.95,
                   method
               )
                   ->longer_side()
               > 0.05 / 1.05
                     * std::fabs(estimate_ratio(
                                     std::span(metric.values).first(c),
                                     std::span(metric.denominators).first(c),
                                     0.95,
                                     method
                     )
                                     ->mean)) {
            c = next_checkpoint(c, {64, n});
        }
        CHECK(decision.n == c);
    }
}

TEST_CASE("several metrics stop where the last of them is met") {
    const std::size_t n = 3000;
    const Metric a{"a", sample(6, n), {}};
    const Metric b{"b", sample(7, n, 0.5, 0.5), sample(8, n, 0.1, 0.9)};
    const ReplicationLimits limits{64, n};
    for (const double precision : {0.08, 0.1, 0.15, 0.2}) {
        const std::vector both{a.with(relative(0.1)), b.with(relative(precision))};
        const std::vector first{both[0]};
        const std::vector second{both[1]};
        const std::uint64_t together = decide(both, n, limits).n;
        CHECK(together >= std::max(decide(first, n, limits).n, decide(second, n, limits).n));
        // At the checkpoint itself both must hold, and at no earlier one did they hold together.
        for (std::uint64_t c = 64; c <= together; c = next_checkpoint(c, limits)) {
            bool both_hold = true;
            for (const TargetObservations& target : both) {
                const std::vector one{target};
                both_hold = both_hold && decide(one, c, {c, n}).state == StopState::met;
            }
            CHECK(both_hold == (c == together));
        }
    }
}

TEST_CASE("the decision depends only on the prefix up to the checkpoint") {
    const std::size_t n = 2000;
    for (std::uint64_t seed = 10; seed < 30; ++seed) {
        const Metric metric{"mean", sample(seed, n), {}};
        const ReplicationLimits limits{10, n};
        const std::vector targets{metric.with(relative(0.15))};
        const StopDecision full = decide(targets, n, limits);
        REQUIRE(full.state == StopState::met);
        for (std::uint64_t available = 0; available <= n; ++available) {
            const StopDecision partial = decide(targets, available, limits);
            if (available >= full.n) {
                CHECK(partial.n == full.n);
                CHECK(partial.predicted == full.predicted);
            }
            CHECK((partial.state == StopState::met) == (available >= full.n));
            CHECK(partial.n <= available);
        }
        Metric altered = metric;  // whatever lies beyond the checkpoint
        std::fill(
            altered.values.begin() + static_cast<std::ptrdiff_t>(full.n),
            altered.values.end(),
            infinity
        );
        const std::vector other{altered.with(relative(0.15))};
        CHECK(decide(other, n, limits).n == full.n);
    }
}

TEST_CASE("broken contracts of the stop rule are reported") {
    const Metric metric{"mean", sample(1, 64), {}};
    const Metric short_ratio{"ratio", sample(1, 64), sample(2, 63)};
    const auto decide_one = [](const TargetObservations& target, std::uint64_t n) {
        const std::vector targets{target};
        return decide(targets, n, {64, 100});
    };
    CHECK_THROWS_AS(decide_one(metric.with({}), 64), ContractViolation);
    CHECK_THROWS_AS(decide_one(metric.with(relative(-0.1)), 64), ContractViolation);
    CHECK_THROWS_AS(decide_one(metric.with(relative(0.1)), 65), ContractViolation);
    CHECK_THROWS_AS(decide_one(short_ratio.with(relative(0.1)), 64), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
