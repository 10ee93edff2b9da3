// The jackknife against Student's interval where both apply, and against the delta method.
#include "engine/statistics/jackknife.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::engine {

namespace {

using Values = std::vector<double>;

double mean_without(const Values& values, std::optional<std::uint64_t> left_out) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += left_out == i ? 0.0 : values[i];
    }
    return sum / static_cast<double>(left_out ? values.size() - 1 : values.size());
}

}  // namespace

TEST_CASE("of a difference of means the jackknife is the paired interval") {
    const Values a{3, 5, 4, 8, 6};
    const Values b{1, 4, 4, 5, 3};
    const Values differences{2, 1, 0, 3, 3};
    const auto estimate = jackknife(
        a.size(), [&](auto left) { return mean_without(a, left) - mean_without(b, left); }, 0.95
    );
    const auto paired = estimate_mean(differences, 0.95, IntervalMethod::student_t);
    REQUIRE(estimate);
    CHECK(estimate->n == 5);
    CHECK(estimate->mean == doctest::Approx(paired->mean).epsilon(1e-14));
    CHECK(estimate->standard_error == doctest::Approx(paired->standard_error).epsilon(1e-13));
    CHECK(estimate->interval.lower == doctest::Approx(paired->interval.lower).epsilon(1e-13));
    CHECK(estimate->interval.upper == doctest::Approx(paired->interval.upper).epsilon(1e-13));
}

TEST_CASE("a ratio of means worked out by hand") {
    // a = 2, 4, b = 1, 3: 6 / 4; without the first 4 / 3, without the second 2 / 1. Their mean is
    // 5 / 3, both lie 1 / 3 from it: standard error sqrt(1 / 2 · 2 / 9) = 1 / 3. Student's t of one
    // degree of freedom at .5 is 1.
    const Values a{2, 4};
    const Values b{1, 3};
    const auto estimate = jackknife(
        2, [&](auto left) { return mean_without(a, left) / mean_without(b, left); }, 0.5
    );
    REQUIRE(estimate);
    CHECK(estimate->mean == 1.5);
    CHECK(estimate->standard_error == doctest::Approx(1.0 / 3));
    CHECK(estimate->interval.lower == doctest::Approx(1.5 - 1.0 / 3));
    CHECK(estimate->interval.upper == doctest::Approx(1.5 + 1.0 / 3));
}

TEST_CASE("equal statistics have an interval of length 0 and one replication has none") {
    const auto same = jackknife(
        3, [](auto) { return 0.0; }, 0.95
    );
    REQUIRE(same);
    CHECK(same->interval == Interval{0, 0});
    CHECK(!jackknife(
        1, [](auto) { return 0.0; }, 0.95
    ));
    CHECK(!jackknife(
        0, [](auto) { return 0.0; }, 0.95
    ));
}

TEST_CASE("what is no number stays none") {
    const auto estimate = jackknife(
        3, [](auto left) { return left == 1 ? std::nan("") : 1.0; }, 0.95
    );
    REQUIRE(estimate);
    CHECK(std::isnan(estimate->standard_error));
}

TEST_CASE("pseudo-values of a mean are the observations, of a ratio they are free of its bias") {
    const Values a{3, 5, 4, 8, 6};
    const Values same = pseudo_values(a.size(), [&](auto left) { return mean_without(a, left); });
    REQUIRE(same.size() == a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(same[i] == doctest::Approx(a[i]).epsilon(1e-14));
    }
    // (2 + 4) / (1 + 3); without the first 4/3, without the second 2.
    const Values x{2, 4};
    const Values y{1, 3};
    const Values ratio =
        pseudo_values(2, [&](auto left) { return mean_without(x, left) / mean_without(y, left); });
    REQUIRE(ratio.size() == 2);
    CHECK(ratio[0] == doctest::Approx(2 * 1.5 - 4.0 / 3));
    CHECK(ratio[1] == doctest::Approx(2 * 1.5 - 2.0));
    CHECK(pseudo_values(1, [](auto) { return 7.0; }) == Values{7});
    CHECK(pseudo_values(0, [](auto) { return 7.0; }).empty());
}

}  // namespace schedfarm::engine
