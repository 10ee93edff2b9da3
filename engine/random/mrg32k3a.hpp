// MRG32k3a (L'Ecuyer, Good parameters and implementations for combined multiple recursive random
// number generators, Operations Research 47, 1999): two recurrences of order three,
//
//     x_n = (1403580 x_{n−2} −  810728 x_{n−3}) mod m1,    m1 = 2^32 −   209,
//     y_n = ( 527612 y_{n−1} − 1370589 y_{n−3}) mod m2,    m2 = 2^32 − 22853,
//
// and the residue z_n = (x_n − y_n) mod m1 as output; period (m1³ − 1)(m2³ − 1)/2, about 2^191.
// Both are linear, so that any number of steps is a product with powers of their matrices, as in
// the package of streams and substreams by L'Ecuyer, Simard, Chen and Kelton (Operations Research
// 50, 2002). Pure functions of integers; for stream.cpp and the tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace schedfarm::engine {

inline constexpr std::uint64_t mrg32k3a_m1 = 4294967087;
inline constexpr std::uint64_t mrg32k3a_m2 = 4294944443;

/// The last three values of each recurrence, the oldest first; neither is 0 in all three places.
struct Mrg32k3aState {
    std::array<std::uint64_t, 3> x;  ///< each below m1
    std::array<std::uint64_t, 3> y;  ///< each below m2

    bool operator==(const Mrg32k3aState&) const = default;
};

/// floor(z · 2^32 / m1) for z < m1: of the 2^32 words 209 never occur, and each other one has the
/// probability 1/m1, which is below 5e-8 more than it should be, relatively.
constexpr std::uint32_t word_of_residue(std::uint64_t z) {
    return static_cast<std::uint32_t>((z << 32) / mrg32k3a_m1);
}

/// The state that a campaign seed stands for: value i = 0 … 5 (three of x, three of y) is
/// 1 + mix(mix(seed) + (i + 1) · 0x9e3779b97f4a7c15) mod (m − 1), with mix() of hash.hpp.
Mrg32k3aState mrg32k3a_seeded(std::uint64_t seed);

/// The state count · 2^log2_unit steps later; about 20 ns for every bit that is set in `count`.
/// REQUIRES: count · 2^log2_unit < 2^160.
Mrg32k3aState mrg32k3a_advanced(Mrg32k3aState state, std::uint64_t count, unsigned log2_unit);

/// Writes the words of the next `words` steps, four bytes each in little-endian order; `out` needs
/// no alignment.
void mrg32k3a_fill(const Mrg32k3aState& state, std::byte* out, std::size_t words);

}  // namespace schedfarm::engine
