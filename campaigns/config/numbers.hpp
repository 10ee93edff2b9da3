// Numbers as they stand in campaign files: decimal, finite, locale-free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedfarm::campaigns {

/// A finite real; absent for anything else, "nan" and "inf" included.
std::optional<double> parse_real(std::string_view text);

/// An integer; "1e5" and "20000.0" are integers too. Absent for anything else.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// An integer from 0 to 2^64 − 1, written likewise: seeds.
std::optional<std::uint64_t> parse_natural(std::string_view text);

/// The shortest text that reads back as the same number; integers without a point.
std::string number_text(double value);

}  // namespace schedfarm::campaigns
