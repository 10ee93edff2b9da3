// x^y = e^(y log x) with log x as an unevaluated sum of two doubles, about 107 bits in the leading
// terms: y log x may reach 745, so that e^… multiplies its relative error by as much. Sums and
// products of two doubles: Dekker 1971, Knuth (TwoSum).
#include <cmath>
#include <limits>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/elementary_parts.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::engine {

namespace {

/// The unevaluated sum high + low.
struct TwoDoubles {
    double high;
    double low;
};

/// a + b exactly.
TwoDoubles exact_sum(double a, double b) {
    const double sum = a + b;
    const double b_part = sum - a;
    return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// The upper 26 bits of a and the rest; REQUIRES: |a| < 2^996.
TwoDoubles halves(double a) {
    const double scaled = 134217729.0 * a;
    const double upper = scaled - (scaled - a);
    return {upper, a - upper};
}

/// a · b exactly, barring underflow.
TwoDoubles exact_product(double a, double b) {
    const double product = a * b;
    const TwoDoubles x = halves(a);
    const TwoDoubles y = halves(b);
    const double error = ((x.high * y.high - product) + x.high * y.low + x.low * y.high);
    return {product, error + x.low * y.low};
}

TwoDoubles product(TwoDoubles a, TwoDoubles b) {
    const TwoDoubles exact = exact_product(a.high, b.high);
    return {exact.high, exact.low + (a.high * b.low + a.low * b.high)};
}

TwoDoubles sum(TwoDoubles a, TwoDoubles b) {
    const TwoDoubles exact = exact_sum(a.high, b.high);
    return exact_sum(exact.high, exact.low + (a.low + b.low));
}

/// (m − 1) / (m + 1); m − 1 is exact.
TwoDoubles atanh_argument(double m) {
    const double numerator = m - 1.0;
    const TwoDoubles denominator = exact_sum(1.0, m);
    const double quotient = numerator / denominator.high;
    const TwoDoubles back = exact_product(quotient, denominator.high);
    const double rest = (numerator - back.high) - back.low - quotient * denominator.low;
    return {quotient, rest / denominator.high};
}

/// log x for positive finite x: k ln 2 + 2 artanh s, s = (m − 1)/(m + 1), |s| < 0.172, by the
/// series s (2 + 2/3 s² + 2/5 s⁴ + … + 2/27 s²⁶), whose first two terms need both doubles.
TwoDoubles precise_logarithm(double x) {
    const bool subnormal = x < std::numeric_limits<double>::min();
    const BinaryParts parts = binary_parts(subnormal ? x * 0x1p54 : x);
    const double k = subnormal ? parts.exponent - 54.0 : parts.exponent;

    const TwoDoubles s = atanh_argument(parts.mantissa);
    const TwoDoubles square = product(s, s);
    const double z = square.high;
    double tail = 2.0 / 27.0;
    for (int denominator = 25; denominator >= 5; denominator -= 2) {
        tail = tail * z + 2.0 / denominator;
    }
    constexpr double two_thirds = 2.0 / 3.0;
    const TwoDoubles second = product(square, {two_thirds, two_thirds * 0x1p-54});
    const TwoDoubles factor = sum({2.0, 0.0}, sum(second, {z * z * tail, 0.0}));
    return sum({k * ln2_high, k * ln2_low}, product(s, factor));
}

/// The cases that are not finite and positive; 0 · ∞ and NaN come out as in C's pow.
double power_at_the_edge(double x, double y) {
    if (std::isnan(x) || std::isnan(y) || x < 0.0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const bool x_is_large = x > 1.0;
    const bool y_is_positive = y > 0.0;
    return x_is_large == y_is_positive ? infinity : 0.0;
}

}  // namespace

double power(double x, double y) {
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    if (!(x > 0.0 && x < infinity) || !std::isfinite(y)) {
        return power_at_the_edge(x, y);
    }
    const TwoDoubles log = precise_logarithm(x);
    const double estimate = y * log.high;
    if (!(std::fabs(estimate) < 750.0)) {  // beyond the range; y may be too large to be split
        return estimate > 0.0 ? infinity : 0.0;
    }
    const TwoDoubles exact = exact_product(y, log.high);
    return exponential_of_sum(exact.high, exact.low + y * log.low);
}

}  // namespace schedfarm::engine
