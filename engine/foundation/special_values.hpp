// The special values of doubles, under the names that they have here.
#pragma once

#include <limits>

namespace schedfarm::engine {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double never = infinity;  ///< the time of what does not happen

}  // namespace schedfarm::engine
