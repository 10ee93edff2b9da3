#include "engine/statistics/student_t.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

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

/// Where P(|T| <= t) is below this, 1 less it loses at most ten bits.
constexpr double subtractable = 1 - 0x1p-10;

/// P(|T| <= t) over t times the density, DiDonato and Morris (1992), their series of the incomplete
/// beta ratio in y = u / (1 + u), u = t² / ν: all terms are positive.
double central_series(double v, double y) {
    double term = 1;
    double sum = 1;
    for (double j = 0; term > sum * series_precision; j += 2) {
        term *= (v + 1 + j) / (3 + j) * y;
        sum += term;
    }
    return sum;
}

/// The continued fraction of the incomplete beta ratio I_x(ν/2, 1/2) (Abramowitz and Stegun
/// 26.5.8), 1 / (1 − a₁ / (1 − a₂ / …)) with 0 < a < 1, by Steed's algorithm: the approximants
/// grow, so that their differences are positive. The odd a are near 1 for large ν: 1 − a is formed
/// from y = 1 − x.
double tail_fraction(double v, double x, double y) {
    double term = 1;
    double sum = 1;
    double q = 0;  ///< the last even a over what it is divided by
    for (double m = 0; term > sum * series_precision; m += 2) {
        const double scale = (v + 2 * m) * (v + 2 * m + 2);
        const double odd = (v + m) * (v + m + 1) / scale;
        const double rest = (v * (2 * m + 1) + 3 * m * (m + 1)) / scale + odd * y - q;
        term *= odd * x / rest;
        sum += term;
        q = (m + 2) * (m + 1) / ((v + 2 * m + 2) * (v + 2 * m + 4)) * x * (1 - q) / rest;
        term *= q / (1 - q);
        sum += term;
    }
    return sum;
}

/// P(|T| > t) and the density of |T|, at t > 0.
struct Tail {
    double probability = 0;
    double density = 0;
};

Tail tail(double t, double v, double density_at_0) {
    const double u = t * t / v;
    const bool is_far = u > 0x1p100;  // 1 + u is u; u may be infinite
    const double logarithm_of_x =
        is_far ? logarithm(v) - 2 * logarithm(t) : -logarithm_of_one_plus(u);
    const double x = 1 / (1 + u);
    const double y = is_far ? 1 : u / (1 + u);
    const double density = density_at_0 * exponential((v + 1) / 2 * logarithm_of_x);
    if (u <= 1) {
        const double centre = density * t * central_series(v, y);
        if (centre < subtractable) {
            return {1 - centre, density};
        }
    }
    const double factor = density_at_0 * std::sqrt(y / v) * exponential(v / 2 * logarithm_of_x);
    return {factor * tail_fraction(v, x, y), density};
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
        const Tail at = tail(t, v, density_at_0);
        const double next = t + (at.probability - tail_probability) / at.density;
        if (!(next > t)) {
            return t;
        }
        t = next;
    }
}

}  // namespace

double student_t_two_sided_tail(double t, std::uint64_t degrees_of_freedom) {
    SCHEDFARM_EXPECT(t >= 0, "t is negative");
    SCHEDFARM_EXPECT(degrees_of_freedom >= 1, "no degrees of freedom");
    const auto v = static_cast<double>(degrees_of_freedom);
    const double probability = tail(t, v, density_at_zero(v)).probability;
    return std::max(probability, std::numeric_limits<double>::min());
}

double student_t_two_sided(double confidence, std::uint64_t degrees_of_freedom) {
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
    SCHEDFARM_EXPECT(degrees_of_freedom >= 1, "no degrees of freedom");
    // Kept: the intervals of cells ask for a few, over and over.
    struct Known {
        double confidence = 0;
        std::uint64_t degrees_of_freedom = 0;
        double t = 0;
    };
    thread_local std::array<Known, 64> known;
    const std::uint64_t asked = mix(std::bit_cast<std::uint64_t>(confidence) + degrees_of_freedom);
    Known& one = known[asked % known.size()];
    if (one.confidence != confidence || one.degrees_of_freedom != degrees_of_freedom) {
        const auto v = static_cast<double>(degrees_of_freedom);
        one = {confidence, degrees_of_freedom, two_sided_from_tail(1 - confidence, v)};
    }
    return one.t;
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
