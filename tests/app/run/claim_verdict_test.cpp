// The verdict on a claim, counted by hand.
#include "app/run/rules/claim_verdict.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::app {

namespace {

using engine::Estimate;
using engine::Interval;
using Kind = ClaimRegion::Kind;

Estimate exactly(double value) {
    Estimate estimate;
    estimate.n = 1;
    estimate.mean = value;
    return estimate;
}

/// With 2 observations Student's t is 12.706 at .95, 25.452 at .975 and 38.188 at 1 − .05 / 3.
Estimate place(double mean, double standard_error) {
    Estimate estimate = exactly(mean);
    estimate.n = 2;
    estimate.standard_error = standard_error;
    return estimate;
}

constexpr ClaimRegion above_one{Kind::above, 1, 0};

std::string_view verdict(const std::vector<Estimate>& places, ClaimNeeds needs) {
    return verdict_word(verdict_on(places, above_one, needs, 0.95));
}

}  // namespace

TEST_CASE("an interval lies inside or outside a region or straddles its edge") {
    CHECK(side_of(Interval{1.1, 2}, above_one) == Side::inside);
    CHECK(side_of(Interval{1, 2}, above_one) == Side::straddles);
    CHECK(side_of(Interval{0, 1}, above_one) == Side::outside);
    constexpr ClaimRegion below_one{Kind::below, 0, 1};
    CHECK(side_of(Interval{0, 0.9}, below_one) == Side::inside);
    CHECK(side_of(Interval{0.5, 1}, below_one) == Side::straddles);
    CHECK(side_of(Interval{1, 2}, below_one) == Side::outside);
    constexpr ClaimRegion between{Kind::between, 2, 4};
    CHECK(side_of(Interval{2, 4}, between) == Side::inside);
    CHECK(side_of(Interval{1.9, 3}, between) == Side::straddles);
    CHECK(side_of(Interval{4, 5}, between) == Side::straddles);
    CHECK(side_of(Interval{4.1, 5}, between) == Side::outside);
    CHECK(side_of(Interval{0, 0}, {Kind::between, 0, 0}) == Side::inside);
}

TEST_CASE("most is more than half") {
    CHECK(needed_places(ClaimNeeds::every, 4) == 4);
    CHECK(needed_places(ClaimNeeds::most, 4) == 3);
    CHECK(needed_places(ClaimNeeds::most, 5) == 3);
    CHECK(needed_places(ClaimNeeds::most, 1) == 1);
    CHECK(needed_places(ClaimNeeds::some, 4) == 1);
}

TEST_CASE("values without intervals are taken as they are") {
    CHECK(verdict({exactly(1.2), exactly(1.1)}, ClaimNeeds::every) == "holds");
    CHECK(verdict({exactly(1.2), exactly(1)}, ClaimNeeds::every) == "does not hold");
    CHECK(verdict({exactly(1.2), exactly(1)}, ClaimNeeds::some) == "holds");
    CHECK(verdict({exactly(0.2), exactly(1)}, ClaimNeeds::some) == "does not hold");
    CHECK(verdict({exactly(2), exactly(2), exactly(0)}, ClaimNeeds::most) == "holds");
    CHECK(verdict({exactly(2), exactly(0), exactly(0)}, ClaimNeeds::most) == "does not hold");
    CHECK(verdict({exactly(2), exactly(std::nan(""))}, ClaimNeeds::some) == "not measured");
    CHECK(verdict({}, ClaimNeeds::every) == "not measured");
}

TEST_CASE("every place holds at the plain confidence and one fails at Bonferroni's") {
    // Half widths at .95: 1.27 of 0.1, so that 2.5 lies above 1 and 2.2 does not.
    CHECK(
        verdict({place(2.5, 0.1), place(2.5, 0.1), place(2.5, 0.1)}, ClaimNeeds::every) == "holds"
    );
    CHECK(verdict({place(2.5, 0.1), place(2.2, 0.1)}, ClaimNeeds::every) == "undecided");
    // Of two places one must lie outside at .975: half width 2.55 of 0.1, so -1.6 but not -1.5.
    CHECK(verdict({place(9, 0.1), place(-1.6, 0.1)}, ClaimNeeds::every) == "does not hold");
    CHECK(verdict({place(9, 0.1), place(-1.5, 0.1)}, ClaimNeeds::every) == "undecided");
}

TEST_CASE("some place holds at Bonferroni's confidence and all fail at the plain one") {
    CHECK(verdict({place(3.6, 0.1), place(0, 0.1)}, ClaimNeeds::some) == "holds");
    CHECK(verdict({place(3.5, 0.1), place(0, 0.1)}, ClaimNeeds::some) == "undecided");
    CHECK(verdict({place(-0.3, 0.1), place(-0.3, 0.1)}, ClaimNeeds::some) == "does not hold");
    CHECK(verdict({place(-0.2, 0.1), place(-0.3, 0.1)}, ClaimNeeds::some) == "undecided");
}

TEST_CASE("most of three places are two and each side is judged at 1 less alpha by two") {
    // k = 3, m = 2: k - m + 1 = 2 and m = 2: half width 2.55 of 0.1 both ways.
    CHECK(verdict({place(3.6, 0.1), place(3.6, 0.1), place(1, 0.1)}, ClaimNeeds::most) == "holds");
    CHECK(
        verdict({place(3.6, 0.1), place(3.5, 0.1), place(1, 0.1)}, ClaimNeeds::most) == "undecided"
    );
    CHECK(
        verdict({place(-1.6, 0.1), place(-1.6, 0.1), place(9, 0.1)}, ClaimNeeds::most)
        == "does not hold"
    );
    CHECK(
        verdict({place(-1.6, 0.1), place(-1.5, 0.1), place(9, 0.1)}, ClaimNeeds::most)
        == "undecided"
    );
}

}  // namespace schedfarm::app
