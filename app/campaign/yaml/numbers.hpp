// Numbers as they stand in campaign files: decimal, finite, locale-free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedfarm::app {

/// A finite real; absent for anything else, "nan" and "inf" included.
std::optional<double> parse_real(std::string_view text);

/// Where parse_real() finds no finite number, what the text comes nearest to: an infinity for
/// "inf", ".inf" and what is larger than every number of 64 bits, 0 for what is nearer to it than
/// any. Absent for what is no number, "nan" included.
std::optional<double> limit_of(std::string_view text);

/// An integer; "1e5" and "20000.0" are integers too. Absent for anything else.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// An integer from 0 to 2^64 − 1, written likewise: seeds.
std::optional<std::uint64_t> parse_natural(std::string_view text);

/// The shortest text that reads back as the same number; integers without a point.
std::string number_text(double value);

}  // namespace schedfarm::app
