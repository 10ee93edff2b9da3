#include "engine/foundation/elementary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/elementary_parts.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::engine {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// log x of a normal positive x, branch-free. With x = 2^k (1 + f), s = f / (2 + f) and the minimax
/// polynomial R of fdlibm's e_log.c (Sun Microsystems 1993):
/// log(1 + f) = f − f²/2 + s (f²/2 + R(s²)).
inline double logarithm_of_normal(double x) {
    const BinaryParts parts = binary_parts(x);
    const double k = parts.exponent;
    const double f = parts.mantissa - 1.0;
    const double half_square = 0.5 * f * f;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double w = z * z;
    double even = 2.222219843214978396e-01 + w * 1.531383769920937332e-01;
    even = w * (3.999999999940941908e-01 + w * even);
    double odd = 1.818357216161805012e-01 + w * 1.479819860511658591e-01;
    odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * odd));
    return s * (half_square + (even + odd)) + k * ln2_low - half_square + f + k * ln2_high;
}

SCHEDFARM_VECTOR_CLONES
void logarithms_of_normals(const double* in, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = logarithm_of_normal(in[i]);
    }
}

/// 2^k for −1022 <= k <= 1023.
inline double power_of_two(int k) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + k) << 52);
}

// Beyond these e^x is infinity and +0.
constexpr double overflow = 709.782712893383973096;
constexpr double underflow = -745.133219101941108420;

/// e^(high + low) for high from `underflow` to `overflow`, branch-free. high = k ln 2 + r with
/// |r| <= ln(2)/2; e^r from the rational form of fdlibm's e_exp.c (Sun Microsystems 1993). The
/// scale is applied in two halves, so that it rounds once if subnormal.
inline double exponential_in_range(double high, double low) {
    constexpr double inverse_ln2 = 1.44269504088896338700;
    const int k = static_cast<int>(high * inverse_ln2 + (high < 0.0 ? -0.5 : 0.5));
    const double r_high = high - k * ln2_high;
    const double r_low = k * ln2_low - low;
    const double r = r_high - r_low;
    const double z = r * r;
    double c = -1.65339022054652515390e-06 + z * 4.13813679705723846039e-08;
    c = -2.77777777770155933842e-03 + z * (6.61375632143793436117e-05 + z * c);
    c = r - z * (1.66666666666666019037e-01 + z * c);
    const double e = 1.0 - ((r_low - (r * c) / (2.0 - c)) - r_high);
    return e * power_of_two(k / 2) * power_of_two(k - k / 2);
}

SCHEDFARM_VECTOR_CLONES
void exponentials_in_range(const double* in, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = exponential_in_range(in[i], 0.0);
    }
}

SCHEDFARM_VECTOR_CLONES
std::size_t count_in_range(const double* in, std::size_t count) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        found += in[i] >= underflow && in[i] <= overflow ? 1U : 0U;
    }
    return found;
}

}  // namespace

double logarithm(double x) {
    if (!(x > 0.0)) {
        return x == 0.0 ? -infinity : not_a_number;
    }
    if (x == infinity) {
        return x;
    }
    if (x < std::numeric_limits<double>::min()) {
        const BinaryParts parts = binary_parts(x * 0x1p54);
        const double k = parts.exponent - 54.0;
        return k * ln2_high + (logarithm_of_normal(parts.mantissa) + k * ln2_low);
    }
    return logarithm_of_normal(x);
}

void logarithms(std::span<const double> in, std::span<double> out) {
    SCHEDFARM_EXPECT(in.size() == out.size(), "as many results as arguments");
    logarithms_of_normals(in.data(), out.data(), in.size());
}

double exponential_of_sum(double high, double low) {
    if (std::isnan(high)) {
        return high;
    }
    if (high > overflow) {
        return infinity;
    }
    if (high < underflow) {
        return 0.0;
    }
    return exponential_in_range(high, low);
}

double exponential(double x) {
    return exponential_of_sum(x, 0.0);
}

void exponentials(std::span<const double> in, std::span<double> out) {
    SCHEDFARM_EXPECT(in.size() == out.size(), "as many results as arguments");
    if (count_in_range(in.data(), in.size()) == in.size()) {
        exponentials_in_range(in.data(), out.data(), in.size());
    } else {
        std::transform(in.begin(), in.end(), out.begin(), exponential);
    }
}

}  // namespace schedfarm::engine
