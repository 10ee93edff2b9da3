// What the elementary functions share: the split of a number into mantissa and exponent, and the
// exponential of an unevaluated sum. For the .cpp files of elementary.hpp only.
#pragma once

#include <bit>
#include <cstdint>

namespace schedfarm::engine {

/// ln 2 as a sum; the high part ends in 21 zero bits, so that k · ln2_high is exact for |k| < 2^20.
inline constexpr double ln2_high = 6.93147180369123816490e-01;
inline constexpr double ln2_low = 1.90821492927058770002e-10;

/// x = 2^exponent · mantissa with sqrt(1/2) <= mantissa < sqrt(2).
struct BinaryParts {
    double mantissa;
    double exponent;
};

/// REQUIRES: x normal and positive. Branch-free; the exponent becomes a double by bit operations
/// because not every vector unit converts 64-bit integers.
inline BinaryParts binary_parts(double x) {
    constexpr std::uint64_t one = 0x3ff0000000000000U;
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdU;
    constexpr std::uint64_t fraction = 0x000fffffffffffffU;
    constexpr std::uint64_t two_to_52 = 0x4330000000000000U;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (one - root_half);
    return {
        .mantissa = std::bit_cast<double>((bits & fraction) + root_half),
        .exponent =
            std::bit_cast<double>((bits >> 52) | two_to_52) - (4503599627370496.0 + 1023.0)};
}

/// e^(high + low) for |low| far below |high|; infinity and +0 beyond the range of double.
double exponential_of_sum(double high, double low);

}  // namespace schedfarm::engine
