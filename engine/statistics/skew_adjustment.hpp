// The skew adjustment of intervals and tests of a mean (Hall 1992; Willink 2005): with
// b = skewness / (6 sqrt n), the pivot w = (mean − μ) / standard error is no Student's t, but
// w (1 + 2bw + 4/3 b²w²) + b is nearly one. Pure.
#pragma once

#include <cstdint>

namespace schedfarm::engine {

/// b of n observations.
double skew_coefficient(double skewness, std::uint64_t n);

/// G(r) = ((1 + 6b(r − b))^(1/3) − 1) / (2b), r where b is 0: of a Student's r the pivot w.
double pivot_of_student(double r, double b);

/// The inverse of G, which grows with w.
double student_of_pivot(double w, double b);

}  // namespace schedfarm::engine
