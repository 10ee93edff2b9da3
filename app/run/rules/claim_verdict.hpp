// What the intervals at the places of a claim say of it.
//
// With k places of which m must be as claimed, the claim holds where m or more intervals of
// confidence 1 − α / (k − m + 1) lie within the region, and does not hold where k − m + 1 or more
// intervals of confidence 1 − α / m lie outside it: either is wrong with probability at most α,
// however the places depend on one another (Benjamini & Heller, Biometrics 64, 2008, Bonferroni's
// combination; for m = k Berger's intersection-union test, 1982). Else it is undecided. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/statistics/estimate.hpp"

#include "app/config/sections/claim_reader.hpp"

namespace schedfarm::app {

/// Where an interval lies with respect to a claim's region.
enum class Side : std::uint8_t { inside, outside, straddles };

/// A point is an interval of length 0. `above` and `below` are open, `between` is closed.
Side side_of(const engine::Interval& interval, const ClaimRegion& region);

enum class ClaimVerdict : std::uint8_t { holds, does_not_hold, undecided, not_measured };
std::string_view verdict_word(ClaimVerdict verdict);

/// At how many of k places a claim must hold. REQUIRES: places > 0.
std::size_t needed_places(ClaimNeeds needs, std::size_t places);

/// Without an interval (one replication) the value is the truth. A value that is not finite is not
/// measured, and so is a claim with such a place. REQUIRES: 0 < confidence < 1.
ClaimVerdict verdict_on(
    const std::vector<engine::Estimate>& places,
    const ClaimRegion& region,
    ClaimNeeds needs,
    double confidence
);

/// The same estimate at another confidence. Its interval is a point where n < 2.
engine::Estimate at_confidence(const engine::Estimate& estimate, double confidence);

}  // namespace schedfarm::app
