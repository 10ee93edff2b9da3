// What a column of numbers holds where there is no value.
#pragma once

#include <limits>

namespace schedfarm::results_schema {

inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

}  // namespace schedfarm::results_schema
