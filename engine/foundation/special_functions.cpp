#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/normal_quantiles.hpp"

namespace schedfarm::engine {

namespace {

using Coefficients = std::array<double, 8>;

/// Σ c[i] x^i.
double polynomial(const Coefficients& c, double x) {
    double value = c[7];
    for (std::size_t i = 7; i-- > 0;) {
        value = value * x + c[i];
    }
    return value;
}

struct Rational {
    Coefficients numerator;
    Coefficients denominator;

    double operator()(double x) const {
        return polynomial(numerator, x) / polynomial(denominator, x);
    }
};

// AS 241, PPND16: |p − 1/2| <= 0.425; then r = sqrt(−log min(p, 1 − p)) up to 5 and beyond.
constexpr Rational centre{
    {3.3871328727963666080e0,
     1.3314166789178437745e+2,
     1.9715909503065514427e+3,
     1.3731693765509461125e+4,
     4.5921953931549871457e+4,
     6.7265770927008700853e+4,
     3.3430575583588128105e+4,
     2.5090809287301226727e+3},
    {1.0,
     4.2313330701600911252e+1,
     6.8718700749205790830e+2,
     5.3941960214247511077e+3,
     2.1213794301586595867e+4,
     3.9307895800092710610e+4,
     2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
constexpr Rational shoulder{
    {1.42343711074968357734e0,
     4.63033784615654529590e0,
     5.76949722146069140550e0,
     3.64784832476320460504e0,
     1.27045825245236838258e0,
     2.41780725177450611770e-1,
     2.27238449892691845833e-2,
     7.74545014278341407640e-4},
    {1.0,
     2.05319162663775882187e0,
     1.67638483018380384940e0,
     6.89767334985100004550e-1,
     1.48103976427480074590e-1,
     1.51986665636164571966e-2,
     5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Rational tail{
    {6.65790464350110377720e0,
     5.46378491116411436990e0,
     1.78482653991729133580e0,
     2.96560571828504891230e-1,
     2.65321895265761230930e-2,
     1.24266094738807843860e-3,
     2.71155556874348757815e-5,
     2.01033439929228813265e-7},
    {1.0,
     5.99832206555887937690e-1,
     1.36929880922735805310e-1,
     1.48753612908506148525e-2,
     7.86869131145613259100e-4,
     1.84631831751005468180e-5,
     1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

// Lanczos 1964 with g = 607/128 and 15 terms (Godfrey 2001).
constexpr double lanczos_g = 607.0 / 128.0;
constexpr std::array<double, 15> lanczos{
    0.99999999999999709182,
    57.156235665862923517,
    -59.597960355475491248,
    14.136097974741747174,
    -0.49191381609762019978,
    .33994649984811888699e-4,
    .46523628927048575665e-4,
    -.98374475304879564677e-4,
    .15808870322491248884e-3,
    -.21026444172410488319e-3,
    .21743961811521264320e-3,
    -.16431810653676389022e-3,
    .84418223983852743293e-4,
    -.26190838401581408670e-4,
    .36899182659531622704e-5};

constexpr double centre_width = 0.425;  // its square is 0.180625

double central_quantile(double q) {
    return q * centre(0.180625 - q * q);
}

/// Right where p is central.
SCHEDFARM_VECTOR_CLONES
void central_quantiles(const double* __restrict p, double* __restrict z, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        z[i] = central_quantile(p[i] - 0.5);
    }
}

}  // namespace

double normal_quantile(double p) {
    SCHEDFARM_EXPECT(p > 0.0 && p < 1.0, "a probability strictly between 0 and 1");
    const double q = p - 0.5;
    if (std::fabs(q) <= centre_width) {
        return central_quantile(q);
    }
    const double r = std::sqrt(-logarithm(q < 0.0 ? p : 1.0 - p));
    const double magnitude = r <= 5.0 ? shoulder(r - 1.6) : tail(r - 5.0);
    return q < 0.0 ? -magnitude : magnitude;
}

void normal_quantiles(std::span<double> values) {
    std::array<double, 256> block;  // NOLINT(cppcoreguidelines-pro-type-member-init): written first
    while (!values.empty()) {
        const std::span<double> some = values.first(std::min(values.size(), block.size()));
        central_quantiles(some.data(), block.data(), some.size());
        for (std::size_t i = 0; i < some.size(); ++i) {
            const bool is_central = std::fabs(some[i] - 0.5) <= centre_width;
            some[i] = is_central ? block[i] : normal_quantile(some[i]);
        }
        values = values.subspan(some.size());
    }
}

double gamma_function(double x) {
    SCHEDFARM_EXPECT(x >= 1.0 && x <= 170.0, "an argument between 1 and 170");
    constexpr double root_two_pi = 2.5066282746310005024;
    double series = 0.0;
    for (std::size_t i = lanczos.size() - 1; i > 0; --i) {
        series += lanczos[i] / (x + static_cast<double>(i));
    }
    series += lanczos[0];
    const double t = x + lanczos_g + 0.5;
    // t^(x + 1/2) alone may overflow, and x + 1/2 may round.
    const double half_power = power(t, 0.5 * x);
    return root_two_pi / x * series * std::sqrt(t) * half_power * exponential(-t) * half_power;
}

}  // namespace schedfarm::engine
