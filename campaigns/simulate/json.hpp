// Numbers and texts as JSON has them. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace schedfarm::campaigns {

/// With every digit; null for what is no number of JSON (infinite, NaN).
std::string json_number(double value);

/// In quotes; control characters escaped, and bytes that are not ASCII read as Latin-1, so that any
/// text is valid.
std::string json_text(std::string_view text);

}  // namespace schedfarm::campaigns
