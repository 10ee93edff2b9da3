// lognormal and weibull: one draw per value, inverted by the normal quantile and by a power.
#include <cmath>
#include <limits>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/normal_quantiles.hpp"
#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

/// ln(1 + x) for x >= 0 without cancellation: x ln(w) / (w − 1), w = 1 + x rounded (Kahan).
double logarithm_of_one_plus(double x) {
    const double w = 1.0 + x;
    return w == 1.0 ? x : logarithm(w) * x / (w - 1.0);
}

/// exp(µ + σ Z) with σ² = ln(1 + c²) and µ = ln(mean) − σ²/2.
class Lognormal final : public TimeDistribution {
  public:
    Lognormal(double mean, double squared_variation)
        : mean_(mean)
        , squared_variation_(squared_variation)
        , variance_of_log_(logarithm_of_one_plus(squared_variation))
        , sigma_(std::sqrt(variance_of_log_)) {}

    double mean() const override { return mean_; }
    double squared_variation() const override { return squared_variation_; }
    bool has_mean_reciprocal() const override { return true; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_uniforms(stream, first, out);
        normal_quantiles(out);
        for (double& value : out) {
            value = sigma_ * value - 0.5 * variance_of_log_;
        }
        exponentials(out, out);
        for (double& value : out) {
            value *= mean_;
        }
    }

  private:
    double mean_;
    double squared_variation_;
    double variance_of_log_;
    double sigma_;
};

/// scale · E^(1/shape) with E exponential of mean 1 and scale = mean / Γ(1 + 1/shape).
class Weibull final : public TimeDistribution {
  public:
    Weibull(double shape, double mean)
        : exponent_(1.0 / shape), mean_(mean), scale_(mean / gamma_function(1.0 + exponent_)) {}

    double mean() const override { return mean_; }
    double squared_variation() const override {
        const double first = gamma_function(1.0 + exponent_);
        return gamma_function(1.0 + 2.0 * exponent_) / (first * first) - 1.0;
    }
    bool has_mean_reciprocal() const override { return exponent_ < 1; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_unit_exponentials(stream, first, out);
        for (double& value : out) {
            value = scale_ * power(value, exponent_);
        }
    }

  private:
    double exponent_;
    double mean_;
    double scale_;
};

/// The density of x^k times a lognormal one is lognormal, its logarithm shifted by k σ².
Tail lognormal_tail(double squared_variation) {
    const double sigma = std::sqrt(logarithm_of_one_plus(squared_variation));
    return {std::numeric_limits<double>::infinity(), [sigma](double order, double values) {
                return normal_probability(order * sigma - normal_quantile(1 - 1 / values));
            }};
}

}  // namespace

TimeFamily lognormal_family() {
    return {
        {.name = "lognormal",
         .summary = "Lognormal; the logarithm has variance ln(1 + squared_variation), so that "
                    "sigma = 1 is squared_variation = e - 1 = 1.718281828459045.",
         .parameters =
             {mean_parameter(),
              {.name = "squared_variation",
               .meaning = "variance divided by the square of the mean",
               .range = {.low = 0.0, .high = 1e6, .low_is_open = true}}}},
        [](const Parameters& p) {
            return std::make_unique<Lognormal>(p.real("mean"), p.real("squared_variation"));
        },
        [](const Parameters& p) {
            return lognormal_tail(p.real("squared_variation"));
        }};
}

TimeFamily weibull_family() {
    return {
        {.name = "weibull",
         .summary =
             "Weibull with the given shape and mean; the scale is mean / Gamma(1 + 1/shape).",
         .parameters =
             {{.name = "shape",
               .meaning = "below 1: heavier tail than exponential; 1: exponential; above: lighter",
               .range = {.low = 0.02, .high = 1000.0}},
              mean_parameter()}},
        [](const Parameters& p) {
            return std::make_unique<Weibull>(p.real("shape"), p.real("mean"));
        }};
}

}  // namespace schedfarm::engine
