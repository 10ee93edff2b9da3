// The one rule for quantiles, of single values as of sketches: the smallest value that at least a
// share p of all values does not exceed (Hyndman & Fan 1996, definition 1).
#pragma once

#include <cstdint>
#include <span>

namespace schedfarm::engine {

/// The place of the p-quantile among n values in order, from 0: one less than the smallest k of 1
/// … n with k / n >= p, in double, so that 7 of 100 values are a share of 0.07.
/// REQUIRES: n > 0; 0 <= p <= 1.
std::uint64_t quantile_place(std::uint64_t n, double p);

/// The p-quantile of values. Reorders them; the result does not depend on their order. O(n) time.
/// REQUIRES: values is not empty and holds no NaN; 0 <= p <= 1.
double sample_quantile(std::span<double> values, double p);

}  // namespace schedfarm::engine
