// Elementary functions that a simulation may use. The C library picks variants with and without FMA
// at run time, so that two kinds of node would give different bits; these use only +, −, ×, ÷ and
// sqrt of IEEE double, compiled without contraction, and give the same bits everywhere. Accuracy:
// below 1 ulp for exponential and logarithm, below 2 ulp for power, a relative error below 2e-15
// for gamma_function and normal_probability and below 1e-15 for normal_quantile.
#pragma once

#include <span>

namespace schedfarm::engine {

/// e^x; +0 on underflow, infinity on overflow, NaN for NaN.
double exponential(double x);

/// out[i] = exponential(in[i]); same bits as the scalar form; in may be out. REQUIRES: equal sizes.
void exponentials(std::span<const double> in, std::span<double> out);

/// Natural logarithm; −infinity at 0, NaN below.
double logarithm(double x);

/// x^y for x >= 0; NaN for x < 0. As in C: x^0 = 1^y = 1, and the limits at 0 and infinity.
double power(double x, double y);

/// out[i] = logarithm(in[i]) for normal positive in[i]; same bits as the scalar form; in may be
/// out. REQUIRES: equal sizes. Cost about 1 ns per value in batches of 64 or more.
void logarithms(std::span<const double> in, std::span<double> out);

/// Γ(x) for 1 <= x <= 170, by Lanczos' series.
double gamma_function(double x);

/// The standard normal distribution function (Cody 1993, ANORM of TOMS 715). The relative error is
/// larger where the value is below 1e-300, and it is 0 below −38.5.
double normal_probability(double x);

/// The standard normal quantile for p in (0, 1) (Wichura 1988, AS 241 PPND16).
double normal_quantile(double p);

}  // namespace schedfarm::engine
