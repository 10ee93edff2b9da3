#include "engine/random/unit_gamma.hpp"

#include <cmath>
#include <limits>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double precision = 1e-16;

/// ln Γ(a) by Stirling's series from 16 on, below by the recurrence Γ(a) = Γ(a + 1)/a.
double log_gamma(double a) {
    double product = 1.0;
    while (a < 16.0) {
        product *= a;
        a += 1.0;
    }
    constexpr double half_log_two_pi = 0.91893853320467274178;
    const double r = 1.0 / a;
    const double r2 = r * r;
    const double series =
        r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 / 1188))));
    return (a - 0.5) * logarithm(a) - a + half_log_two_pi + series - logarithm(product);
}

/// Σ x^n / (a (a + 1) … (a + n)), which times x^a e^−x is the lower incomplete gamma function
/// (Abramowitz & Stegun 6.5.29); for x < a + 1.
double lower_series(double a, double x) {
    double term = 1.0 / a;
    double sum = term;
    while (term > sum * precision) {
        a += 1.0;
        term *= x / a;
        sum += term;
    }
    return sum;
}

/// The continued fraction of the upper function (6.5.31) by Lentz' method; for x >= a + 1.
double upper_fraction(double a, double x) {
    constexpr double tiny = 1e-300;
    double b = x + 1.0 - a;
    double c = 1.0 / tiny;
    double d = 1.0 / b;
    double value = d;
    for (int n = 1; n < 10'000; ++n) {
        const double numerator = -n * (n - a);
        b += 2.0;
        d = numerator * d + b;
        d = 1.0 / (std::abs(d) < tiny ? tiny : d);
        c = b + numerator / c;
        c = std::abs(c) < tiny ? tiny : c;
        const double change = c * d;
        value *= change;
        if (std::abs(change - 1.0) < 4.0 * precision) {
            break;
        }
    }
    return value;
}

}  // namespace

UnitGamma::UnitGamma(double shape) : shape_(shape), log_gamma_(log_gamma(shape)) {
    SCHEDFARM_EXPECT(shape >= 1e-3 && shape <= 1e6, "no shape of a gamma distribution");
}

double UnitGamma::density(double x) const {
    return exponential((shape_ - 1.0) * logarithm(x) - x - log_gamma_);
}

double UnitGamma::probability(double x) const {
    if (!(x > 0.0)) {
        return 0.0;
    }
    const double factor = x * density(x);
    if (factor == 0.0) {
        return x < shape_ ? 0.0 : 1.0;
    }
    return x < shape_ + 1.0 ? factor * lower_series(shape_, x)
                            : 1.0 - factor * upper_fraction(shape_, x);
}

/// Wilson & Hilferty 1931: the cube root is nearly normal. Near 0 the first term of the series.
double UnitGamma::first_guess(double p) const {
    const double spread = 1.0 / (9.0 * shape_);
    const double root = 1.0 - spread + normal_quantile(p) * std::sqrt(spread);
    if (shape_ >= 0.5 && root > 0.2) {
        return shape_ * root * root * root;
    }
    const double scaled = logarithm(p) + log_gamma_ + logarithm(shape_);
    return exponential(scaled / shape_);
}

double UnitGamma::quantile(double p) const {
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    double x = first_guess(p);
    for (int step = 0; step < 200 && x > 0.0; ++step) {
        const double excess = probability(x) - p;
        (excess < 0.0 ? low : high) = x;
        // Halley's step; the derivative of the density is density · ((shape − 1)/x − 1).
        const double newton = excess / density(x);
        if (std::abs(newton) <= 1e-8 * x) {
            return x - newton;  // Newton's error is now below 1e-16
        }
        const double bend = 0.5 * newton * ((shape_ - 1.0) / x - 1.0);
        x -= newton / (bend < 0.8 ? 1.0 - bend : 0.2);
        if (!(x > low && x < high)) {
            x = high < std::numeric_limits<double>::infinity() ? 0.5 * (low + high) : 2.0 * low;
        }
    }
    return x;
}

}  // namespace schedfarm::engine
