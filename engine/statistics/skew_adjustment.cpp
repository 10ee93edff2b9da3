#include "engine/statistics/skew_adjustment.hpp"

#include <cmath>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

double cube_root(double x) {
    return std::copysign(power(std::fabs(x), 1. / 3), x);
}

}  // namespace

double skew_coefficient(double skewness, std::uint64_t n) {
    return skewness / (6 * std::sqrt(static_cast<double>(n)));
}

// In the form c³ − 1 = (c − 1)(c² + c + 1), which loses nothing near b = 0.
double pivot_of_student(double r, double b) {
    const double c = cube_root(1 + 6 * b * (r - b));
    return 3 * (r - b) / (c * c + c + 1);
}

double student_of_pivot(double w, double b) {
    const double x = b * w;
    return w * (1 + x * (2 + 4. / 3 * x)) + b;
}

}  // namespace schedfarm::engine
