#include "models/power_law.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::models {

namespace {

/// ∫ e^(a t) dt over 0 … length.
double integral(double a, double length) {
    const double x = a * length;
    if (std::abs(x) < 1e-5) {
        return length * (1 + x / 2 + x * x / 6);
    }
    return (engine::exponential(x) - 1) / a;
}

}  // namespace

PowerLaw::PowerLaw(double low, double high, double exponent)
    : low_(low), log_ratio_(engine::logarithm(high / low)), exponent_(exponent) {
    SCHEDFARM_EXPECT(low > 0 && low < high, "no interval");
}

PowerLaw PowerLaw::with_mean(double low, double high, double mean) {
    SCHEDFARM_EXPECT(mean > 1.01 * low && 1.01 * mean < high, "the mean is not in the interval");
    double below = -200;
    double above = 200;
    for (int step = 0; step < 100; ++step) {
        const double middle = 0.5 * (below + above);
        (PowerLaw(low, high, middle).mean() < mean ? below : above) = middle;
    }
    return {low, high, 0.5 * (below + above)};
}

double PowerLaw::moment(int order) const {
    // With t = ln(x / low): ∫ e^((a + order) t) dt / ∫ e^(a t) dt.
    return engine::power(low_, order) * integral(exponent_ + order, log_ratio_)
           / integral(exponent_, log_ratio_);
}

double PowerLaw::value(double uniform) const {
    const double all = integral(exponent_, log_ratio_);
    const double x = uniform * all * exponent_;
    const double t = std::abs(x) < 1e-5 && std::abs(exponent_ * log_ratio_) < 1e-5
                         ? uniform * log_ratio_
                         : engine::logarithm(1 + x) / exponent_;
    return low_ * engine::exponential(std::clamp(t, 0.0, log_ratio_));
}

}  // namespace schedfarm::models
