#include "app/run/rules/claim_verdict.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/log_interval.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::app {

Side side_of(const engine::Interval& interval, const ClaimRegion& region) {
    bool is_inside = false;
    bool is_outside = false;
    switch (region.kind) {
        case ClaimRegion::Kind::above:
            is_inside = interval.lower > region.low;
            is_outside = interval.upper <= region.low;
            break;
        case ClaimRegion::Kind::below:
            is_inside = interval.upper < region.high;
            is_outside = interval.lower >= region.high;
            break;
        case ClaimRegion::Kind::between:
            is_inside = region.low <= interval.lower && interval.upper <= region.high;
            is_outside = interval.upper < region.low || region.high < interval.lower;
            break;
    }
    if (is_inside) {
        return Side::inside;
    }
    return is_outside ? Side::outside : Side::straddles;
}

std::string_view verdict_word(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::holds:
            return "holds";
        case ClaimVerdict::does_not_hold:
            return "does not hold";
        case ClaimVerdict::undecided:
            return "undecided";
        case ClaimVerdict::not_measured:
            break;
    }
    return "not measured";
}

std::size_t needed_places(ClaimNeeds needs, std::size_t places) {
    SCHEDFARM_EXPECT(places > 0, "a claim is measured somewhere");
    switch (needs) {
        case ClaimNeeds::every:
            return places;
        case ClaimNeeds::most:
            return places / 2 + 1;
        case ClaimNeeds::some:
            break;
    }
    return 1;
}

engine::Estimate at_confidence(const engine::Estimate& estimate, double confidence) {
    engine::Estimate result = estimate;
    if (estimate.n >= 2 && estimate.method == engine::IntervalMethod::skew_adjusted) {
        result.confidence = confidence;
        result.interval = engine::log_interval(estimate, confidence);
        return result;
    }
    const double half = estimate.n < 2 ? 0.0
                                       : engine::student_t_two_sided(confidence, estimate.n - 1)
                                             * estimate.standard_error;
    result.confidence = confidence;
    result.interval = {.lower = estimate.mean - half, .upper = estimate.mean + half};
    return result;
}

ClaimVerdict verdict_on(
    const std::vector<engine::Estimate>& places,
    const ClaimRegion& region,
    ClaimNeeds needs,
    double confidence
) {
    const auto is_measured = [](const engine::Estimate& place) {
        return std::isfinite(place.mean) && std::isfinite(place.standard_error);
    };
    if (places.empty() || !std::all_of(places.begin(), places.end(), is_measured)) {
        return ClaimVerdict::not_measured;
    }
    const std::size_t inside = needed_places(needs, places.size());
    const std::size_t outside = places.size() - inside + 1;
    const auto count = [&](Side side, std::size_t divisor) {
        const double own = 1 - (1 - confidence) / static_cast<double>(divisor);
        return static_cast<std::size_t>(std::count_if(
            places.begin(),
            places.end(),
            [&](const engine::Estimate& place) {
                return side_of(at_confidence(place, own).interval, region) == side;
            }
        ));
    };
    if (count(Side::inside, outside) >= inside) {
        return ClaimVerdict::holds;
    }
    return count(Side::outside, inside) >= outside ? ClaimVerdict::does_not_hold
                                                   : ClaimVerdict::undecided;
}

}  // namespace schedfarm::app
