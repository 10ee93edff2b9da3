#include "engine/statistics/bisection.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {
namespace {

doctest::Approx near(double value) {
    return doctest::Approx(value).epsilon(1e-14);
}

TEST_CASE("the density starts uniform") {
    const ProbabilisticBisection bisection(-3, 5);
    CHECK(bisection.query() == 1);
    CHECK(bisection.quantile(0) == -3);
    CHECK(bisection.quantile(0.25) == -1);
    CHECK(bisection.quantile(1) == 5);
    CHECK(bisection.interval(0.5) == Interval{-1, 3});
    CHECK(bisection.mass_below(-4) == 0);
    CHECK(bisection.mass_below(-1) == 0.25);
    CHECK(bisection.mass_below(6) == 1);
}

TEST_CASE("hand-worked answers at the median") {
    ProbabilisticBisection bisection(0, 1);
    bisection.update(0.5, RootSide::above, 0.75);
    // Masses 1/4 and 3/4; the median has 1/4 of the 3/4 to its left: 1/2 + (1/3)/2 = 2/3.
    CHECK(bisection.query() == near(2. / 3));
    CHECK(bisection.quantile(0.25) == near(0.5));
    CHECK(bisection.mass_below(0.25) == near(0.125));
    CHECK(bisection.mass_below(2. / 3) == near(0.5));
    CHECK(bisection.quantile(0.125) == near(0.25));
    bisection.update(bisection.query(), RootSide::below, 0.75);
    // 1/4 1/4 1/2 over ends 0 1/2 2/3 1, times 3/4 3/4 1/4: 3/8 3/8 1/4 after division by 1/2.
    CHECK(bisection.quantile(0.375) == near(0.5));
    CHECK(bisection.quantile(0.75) == near(2. / 3));
    // The median has 1/8 of the second 3/8 to its left: 1/2 + (1/3)/6 = 5/9.
    CHECK(bisection.query() == near(5. / 9));
    // 1/4 is 2/3 of the first step, 3/4 the end of the second.
    CHECK(bisection.interval(0.5).lower == near(1. / 3));
    CHECK(bisection.interval(0.5).upper == near(2. / 3));
}

TEST_CASE("a hand-worked answer beside the median") {
    ProbabilisticBisection bisection(0, 1);
    bisection.update(0.25, RootSide::above, 0.8);
    // 1/4 · 0.2 = 0.05 and 3/4 · 0.8 = 0.6: 1/13 and 12/13.
    CHECK(bisection.quantile(1. / 13) == near(0.25));
    CHECK(bisection.quantile(7. / 13) == near(0.625));
}

TEST_CASE("the same point may be asked again") {
    ProbabilisticBisection bisection(0, 1);
    bisection.update(0.5, RootSide::above, 0.75);
    bisection.update(0.5, RootSide::above, 0.75);
    CHECK(bisection.quantile(0.1) == near(0.5));  // odds 1 : 9
    bisection.update(0.5, RootSide::below, 0.9);
    CHECK(bisection.query() == near(0.5));  // even again
}

TEST_CASE("mirrored answers give the mirrored density") {
    ProbabilisticBisection right(0, 1);
    ProbabilisticBisection left(0, 1);
    for (int i = 0; i < 40; ++i) {
        const bool goes_up = i % 3 != 1;
        const double point = (i % 7 + 1) / 8.;
        right.update(point, goes_up ? RootSide::above : RootSide::below, 0.7);
        left.update(1 - point, goes_up ? RootSide::below : RootSide::above, 0.7);
        CHECK(left.query() == near(1 - right.query()));
        CHECK(left.interval(0.9).lower == near(1 - right.interval(0.9).upper));
    }
}

TEST_CASE("the density agrees with Bayes' rule on a fine grid") {
    constexpr std::size_t cells = 1 << 14;
    std::vector<double> grid(cells, 1. / cells);
    ProbabilisticBisection bisection(0, 1);
    for (int i = 0; i < 25; ++i) {
        const double point = std::round(bisection.query() * 512) / 512;
        const RootSide side = i % 4 == 2 ? RootSide::below : RootSide::above;
        bisection.update(point, side, 0.6);
        double sum = 0;
        for (std::size_t j = 0; j < cells; ++j) {
            const double middle = (static_cast<double>(j) + 0.5) / cells;
            grid[j] *= (middle > point) == (side == RootSide::above) ? 0.6 : 0.4;
            sum += grid[j];
        }
        double below = 0;
        for (std::size_t j = 0; j < cells; ++j) {
            grid[j] /= sum;
            below += grid[j];
            if (j % 1000 == 0) {
                const double end = (static_cast<double>(j) + 1) / cells;
                CHECK(bisection.quantile(below) == doctest::Approx(end).epsilon(1e-9));
            }
        }
    }
}

TEST_CASE("a root at an end is approached without leaving the interval") {
    for (const RootSide side : {RootSide::below, RootSide::above}) {
        ProbabilisticBisection bisection(0.5, 0.75);
        for (int i = 0; i < 2000; ++i) {
            bisection.update(bisection.query(), side, 0.9);
            REQUIRE(bisection.query() > 0.5);
            REQUIRE(bisection.query() < 0.75);
        }
        CHECK(bisection.query() == near(side == RootSide::below ? 0.5 : 0.75));
        const Interval interval = bisection.interval(0.95);
        CHECK(interval.lower <= interval.upper);
        CHECK(interval.half_width() < 1e-14);
    }
}

TEST_CASE("contradictory answers leave a valid density") {
    ProbabilisticBisection bisection(0, 1);
    for (int i = 0; i < 3000; ++i) {
        bisection.update(0.25, RootSide::above, 0.99);
        bisection.update(0.75, RootSide::below, 0.99);
    }
    CHECK(bisection.interval(0.9).lower == near(0.275));  // all mass between, uniform
    for (int i = 0; i < 6000; ++i) {  // masses of 0 stay 0: the middle part holds what there is
        bisection.update(0.25, RootSide::below, 0.99);
    }
    CHECK(std::isfinite(bisection.query()));
}

TEST_CASE("the sign is decided where the confidence sequence leaves 0 out") {
    const auto around = [](double mean) {
        std::vector<double> values(100);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = mean + (i % 2 == 0 ? 1 : -1);
        }
        return values;
    };
    const auto interval =
        estimate_mean(around(0), 0.9, IntervalMethod::confidence_sequence)->interval;
    CHECK(sign_test(around(0), 0.95) == SignVerdict::undecided);
    CHECK(sign_test(around(interval.upper * 0.999), 0.95) == SignVerdict::undecided);
    CHECK(sign_test(around(interval.upper * 1.001), 0.95) == SignVerdict::positive);
    CHECK(sign_test(around(interval.lower * 1.001), 0.95) == SignVerdict::negative);
    CHECK(sign_test(around(interval.upper * 1.001), 0.96) == SignVerdict::undecided);
    CHECK(sign_test({}, 0.95) == SignVerdict::undecided);
    CHECK(sign_test(std::vector<double>{5}, 0.95) == SignVerdict::undecided);
    CHECK(sign_test(std::vector<double>{5, std::nan("")}, 0.95) == SignVerdict::undecided);
}

TEST_CASE("broken contracts of the bisection are reported") {
    CHECK_THROWS_AS(ProbabilisticBisection(1, 1), ContractViolation);
    CHECK_THROWS_AS(ProbabilisticBisection(0, INFINITY), ContractViolation);
    ProbabilisticBisection bisection(0, 1);
    CHECK_THROWS_AS(bisection.update(0, RootSide::above, 0.75), ContractViolation);
    CHECK_THROWS_AS(bisection.update(1, RootSide::above, 0.75), ContractViolation);
    CHECK_THROWS_AS(bisection.update(0.5, RootSide::above, 0.5), ContractViolation);
    CHECK_THROWS_AS(bisection.update(0.5, RootSide::above, 1), ContractViolation);
    CHECK_THROWS_AS(bisection.interval(1), ContractViolation);
    CHECK_THROWS_AS(bisection.quantile(1.5), ContractViolation);
    CHECK_THROWS_AS(sign_test({}, 0.5), ContractViolation);
    CHECK_THROWS_AS(sign_test({}, 1), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
