// Texts of unknown origin, such as what a foreign file holds: which bytes are UTF-8 (RFC 3629), and
// how the text can be shown. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedfarm::engine {

/// Bytes of the UTF-8 sequence at the beginning of the text: 1 to 4; 0 where there is none, as for
/// overlong forms, surrogates and what is above U+10FFFF. A NUL is a sequence. REQUIRES: not empty.
std::size_t utf8_length(std::string_view text);

/// U+FFFD: what could not be read.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// The text with every byte that is not part of UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Bytes at the beginning of the text that command a terminal or hide what is written: control
/// characters of C0 and C1 and DEL, and marks that change the direction of writing (Unicode's
/// bidirectional class); 0: another character stands there. REQUIRES: not empty.
std::size_t control_length(std::string_view text);

enum class LineBreaks : std::uint8_t { keep, replace };

/// The text with '?' in place of all that has a control_length() or is not seen, such as U+200B, by
/// which names that look equal would differ; other bytes stay as they are, as
/// names of files must. Line breaks can stay.
std::string without_controls(std::string_view text, LineBreaks breaks = LineBreaks::replace);

}  // namespace schedfarm::engine
