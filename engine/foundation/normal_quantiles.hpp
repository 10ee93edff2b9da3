// Normal quantiles of arrays: the bits of normal_quantile() of engine/foundation/elementary.hpp, in
// vectors where the argument is in the middle, as most are.
#pragma once

#include <span>

namespace schedfarm::engine {

/// Every p of the array becomes normal_quantile(p). REQUIRES: p in (0, 1).
void normal_quantiles(std::span<double> values);

}  // namespace schedfarm::engine
