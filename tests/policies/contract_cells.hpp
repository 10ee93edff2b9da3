// What the tests over all registered policies vary, and when two results are the same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

inline constexpr std::array structures = {
    RequestStructure::total,
    RequestStructure::ordered,
    RequestStructure::unordered,
    RequestStructure::grouped};

inline constexpr std::array kinds = {
    ExperimentKind::open,
    ExperimentKind::saturated,
    ExperimentKind::trace,
    ExperimentKind::offline};

/// Equal to the bit, NaN included.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    });
}

inline bool are_same(const Observations& a, const Observations& b) {
    return same_bits(a.values, b.values) && same_bits(a.series, b.series)
           && a.fingerprint == b.fingerprint && a.jobs == b.jobs && a.events == b.events
           && a.overflow == b.overflow && a.sketches == b.sketches;
}

}  // namespace schedfarm::tests
