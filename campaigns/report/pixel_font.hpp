// A font of 5 × 7 dots, as character displays have it, for pictures that must not depend on the
// fonts of a machine.
#pragma once

#include <array>
#include <cstdint>

namespace schedfarm::campaigns {

inline constexpr int glyph_width = 5;    ///< pixels; the next character is one further
inline constexpr int glyph_advance = 6;  ///< pixels from one character to the next
inline constexpr int glyph_rise = 7;     ///< pixels above the base line; one more may hang below

/// Column by column; bit 0 is the top, bit 6 stands on the base line, bit 7 hangs below it. '?' for
/// what is not printable ASCII.
const std::array<std::uint8_t, glyph_width>& glyph(char character);

}  // namespace schedfarm::campaigns
