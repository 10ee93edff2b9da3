// Equality to within a fraction of the value. doctest's Approx allows the same fraction of 1 as
// well, by which any small value equals any other.
#pragma once

#include <doctest/doctest.h>

namespace schedfarm::tests {

/// REQUIRES: value != 0.
inline doctest::Approx within(double fraction, double value) {
    return doctest::Approx(value).epsilon(fraction).scale(0);
}

}  // namespace schedfarm::tests
