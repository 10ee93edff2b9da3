#include "engine/statistics/student_t.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double series_precision = 0x1p-60;

/// Γ((ν + 1) / 2) / Γ(ν / 2): the asymptotic series in 1 / ν (Tricomi and Erdélyi 1951) from
/// ν = 100 on, below that through g(ν) = g(ν + 2) ν / (ν + 1).
double gamma_ratio(double v) {
    double factor = 1;
    while (v < 100) {
        factor *= v / (v + 1);
        v += 2;
    }
    constexpr std::array c{1., -1., 1. / 2, 5. / 2, -21. / 8, -399. / 8, 869. / 16, 39325. / 16};
    double series = 0;
    for (std::size_t i = c.size(); i-- > 0;) {
        series = series / (4 * v) + c[i];
    }
    return factor * std::sqrt(v / 2) * series;
}

/// log(1 + u) for u >= 0 without the loss of 1 + u (Kahan; Goldberg 1991, theorem 4).
double logarithm_of_one_plus(double u) {
    const double w = 1 + u;
    return w == 1 ? u : logarithm(w) * u / (w - 1);
}

/// Sum over k of the products of (ν + 1 + 2j) / (first + 2j) · x, j < k; all terms are positive.
double product_series(double v, double first, double x) {
    double term = 1;
    double sum = 1;
    for (double j = 0; term > sum * series_precision; j += 2) {
        term *= (v + 1 + j) / (first + j) * x;
        sum += term;
    }
    return sum;
}

/// Both tails together: their probability and its derivative, at t > 0.
struct Tails {
    double probability = 0;
    double density = 0;  ///< of |T|
};

/// DiDonato and Morris (1992), the series of the incomplete beta ratio I_x(ν/2, 1/2), on the side
/// where its argument is at most 1/2.
Tails tails(double t, double v, double density_at_0) {
    const double u = t * t / v;
    const double density = density_at_0 * exponential(-(v + 1) / 2 * logarithm_of_one_plus(u));
    if (u > 1) {
        const double sum = product_series(v, v + 2, 1 / (1 + u));
        return {density * t / v * sum, density};
    }
    return {1 - density * t * product_series(v, 3, u / (1 + u)), density};
}

double density_at_zero(double v) {
    return 2 * gamma_ratio(v) / std::sqrt(v * std::numbers::pi);
}

/// Newton's iteration for P(|T| > t) = tail_probability from t = 0. The probability is convex in
/// t, so the iterates grow towards the root and rounding ends them.
double two_sided_from_tail(double tail_probability, double v) {
    const double density_at_0 = density_at_zero(v);
    double t = (1 - tail_probability) / density_at_0;
    for (;;) {
        const Tails at = tails(t, v, density_at_0);
        const double next = t + (at.probability - tail_probability) / at.density;
        if (!(next > t)) {
            return t;
        }
        t = next;
    }
}

}  // namespace

double student_t_two_sided_probability(double t, std::uint64_t degrees_of_freedom) {
    SCHEDFARM_EXPECT(t >= 0, "t is negative");
    SCHEDFARM_EXPECT(degrees_of_freedom >= 1, "no degrees of freedom");
    const auto v = static_cast<double>(degrees_of_freedom);
    return 1 - tails(t, v, density_at_zero(v)).probability;
}

double student_t_two_sided(double confidence, std::uint64_t degrees_of_freedom) {
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
    SCHEDFARM_EXPECT(degrees_of_freedom >= 1, "no degrees of freedom");
    return two_sided_from_tail(1 - confidence, static_cast<double>(degrees_of_freedom));
}

double student_t_quantile(double p, std::uint64_t degrees_of_freedom) {
    SCHEDFARM_EXPECT(p > 0 && p < 1, "the probability is not between 0 and 1");
    SCHEDFARM_EXPECT(degrees_of_freedom >= 1, "no degrees of freedom");
    if (p == 0.5) {
        return 0;
    }
    const auto v = static_cast<double>(degrees_of_freedom);
    return p > 0.5 ? two_sided_from_tail(2 * (1 - p), v) : -two_sided_from_tail(2 * p, v);
}

}  // namespace schedfarm::engine
