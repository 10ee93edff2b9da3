// Quantiles of Student's t distribution, our own code: an interval is reported to the last bit, and
// a library that calls exp, log or pow of the C library gives other bits on a node without fused
// multiply-add. Only +, −, ×, ÷, sqrt and engine/foundation/elementary.hpp are used. Tested against
// Boost.Math; relative error below 4e-15 + 4e-16 / (1 − confidence).
#pragma once

#include <cstdint>

namespace schedfarm::engine {

/// The t with P(|T| <= t) = confidence. REQUIRES: 0 < confidence < 1, degrees_of_freedom >= 1.
/// Costs a few microseconds.
double student_t_two_sided(double confidence, std::uint64_t degrees_of_freedom);

/// The t with P(T <= t) = p. REQUIRES: 0 < p < 1, degrees_of_freedom >= 1.
double student_t_quantile(double p, std::uint64_t degrees_of_freedom);

/// P(|T| > t), a p-value: 1 at 0 and falling in t, with a relative error below 2e-14 + 1e-15 |log
/// p|. What is below the smallest normal number, 2e-308, is that number, so that no p-value is 0.
/// REQUIRES: t >= 0, degrees_of_freedom >= 1.
double student_t_two_sided_tail(double t, std::uint64_t degrees_of_freedom);

}  // namespace schedfarm::engine
