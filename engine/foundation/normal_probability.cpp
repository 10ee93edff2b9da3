#include <array>
#include <cmath>
#include <cstddef>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

/// (first x^N + Σ c[i] x^(N − 1 − i)) / (x^N + Σ d[i] x^(N − 1 − i)), i = 0 … N − 1.
template <std::size_t N>
struct Rational {
    double first;
    std::array<double, N> numerator;
    std::array<double, N> denominator;

    double operator()(double x) const {
        double above = first;
        double below = 1.0;
        for (std::size_t i = 0; i < N; ++i) {
            above = above * x + numerator[i];
            below = below * x + denominator[i];
        }
        return above / below;
    }
};

// Cody 1993, ANORM: (Φ(x) − 1/2)/x in x² up to |x| = 0.67449, Φ(−x) e^(x²/2) in x up to sqrt(32),
// and beyond (1/sqrt(2π) − x e^(x²/2) Φ(−x)) x² in 1/x².
constexpr double centre_end = 0.67448975;
constexpr Rational<4> centre{
    0.065682337918207449113,
    {2.2352520354606839287, 161.02823106855587881, 1067.6894854603709582, 18154.981253343561249},
    {47.20258190468824187, 976.09855173777669322, 10260.932208618978205, 45507.789335026729956}};

constexpr double shoulder_end = 5.656854249492380195;  // sqrt(32)
constexpr Rational<8> shoulder{
    1.0765576773720192317e-8,
    {0.39894151208813466764,
     8.8831497943883759412,
     93.506656132177855979,
     597.27027639480026226,
     2494.5375852903726711,
     6848.1904505362823326,
     11602.651437647350124,
     9842.7148383839780218},
    {22.266688044328115691,
     235.38790178262499861,
     1519.377599407554805,
     6485.558298266760755,
     18615.571640885098091,
     34900.952721145977266,
     38912.003286093271411,
     19685.429676859990727}};
constexpr Rational<5> tail{
    0.02307344176494017303,
    {0.21589853405795699,
     0.1274011611602473639,
     0.022235277870649807,
     0.001421619193227893466,
     2.9112874951168792e-5},
    {1.28426009614491121,
     0.468238212480865118,
     0.0659881378689285515,
     0.00378239633202758244,
     7.29751555083966205e-5}};
constexpr double inverse_root_two_pi = 0.39894228040143267794;

/// e^(−x²/2): x² is split so that its rounding does not grow with x.
double bell(double x) {
    const double head = std::trunc(16.0 * x) / 16.0;
    return exponential(-0.5 * head * head) * exponential(-0.5 * (x - head) * (x + head));
}

/// Φ(−x) for x > centre_end.
double upper_tail(double x) {
    if (x <= shoulder_end) {
        return bell(x) * shoulder(x);
    }
    const double inverse_square = 1.0 / (x * x);
    return bell(x) * (inverse_root_two_pi - inverse_square * tail(inverse_square)) / x;
}

}  // namespace

double normal_probability(double x) {
    if (std::fabs(x) <= centre_end) {
        return 0.5 + x * centre(x * x);
    }
    if (std::isnan(x) || std::fabs(x) > 40.0) {  // below the smallest double
        return std::isnan(x) ? x : x < 0.0 ? 0.0 : 1.0;
    }
    return x < 0.0 ? upper_tail(-x) : 1.0 - upper_tail(x);
}

}  // namespace schedfarm::engine
