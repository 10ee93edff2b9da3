// Exact sample quantiles. A quantile of a replication is one observation of that replication; the
// interval over replications is that of estimate_mean.
#pragma once

#include <span>

namespace schedfarm::engine {

/// The p-quantile after Hyndman and Fan (1996), definition 7: with the values sorted, x[0] … x[n −
/// 1], and h = (n − 1) p, it is x[⌊h⌋] + (h − ⌊h⌋) (x[⌊h⌋ + 1] − x[⌊h⌋]). The default of R, NumPy
/// and pandas. Reorders the values; the result does not depend on their order. O(n) time.
/// REQUIRES: values is not empty and holds no NaN; 0 <= p <= 1.
double sample_quantile(std::span<double> values, double p);

}  // namespace schedfarm::engine
