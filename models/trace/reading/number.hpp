// Numbers of a log.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace schedfarm::models::trace {

/// The value of a decimal number ("12", "-1", "142.00", "1.5e3"), correctly rounded; absent for
/// anything else and for magnitudes above 1e15.
std::optional<double> parse_number(std::string_view token);

/// The value of a whole number of 64 bits in digits alone, "-7"; absent for anything else.
std::optional<std::int64_t> parse_integer(std::string_view token);

}  // namespace schedfarm::models::trace
