// pareto and bounded_pareto: one draw per value, inverted by a power.
#include <cmath>
#include <limits>

#include "engine/foundation/elementary.hpp"
#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

/// P(X > x) = (least / x)^shape from `least` on: least · U^(−1/shape), of the complement of the
/// draw, so that values increase with it.
class Pareto final : public TimeDistribution {
  public:
    Pareto(double shape, double mean)
        : shape_(shape), mean_(mean), least_(mean * (shape - 1) / shape) {}

    double mean() const override { return mean_; }
    double squared_variation() const override {
        return shape_ > 2 ? 1 / (shape_ * (shape_ - 2)) : std::numeric_limits<double>::infinity();
    }
    bool has_mean_reciprocal() const override { return true; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_uniforms(stream, first, out);
        for (double& value : out) {
            value = least_ * power(1 - value, -1 / shape_);
        }
    }

  private:
    double shape_;
    double mean_;
    double least_;
};

/// The integral of x^(a − 1) from 1 to `ratio`: (ratio^a − 1) / a, the logarithm at a = 0.
double power_integral(double a, double ratio) {
    const double log = logarithm(ratio);
    const double y = a * log;
    constexpr double small = 1e-5;  // below it the series is exact
    return std::fabs(y) < small ? log * (1 + y / 2 * (1 + y / 3)) : (exponential(y) - 1) / a;
}

/// A Pareto value, given that it is at most `ratio` times the least.
class BoundedPareto final : public TimeDistribution {
  public:
    BoundedPareto(double shape, double ratio, double mean)
        : shape_(shape)
        , mean_(mean)
        , cut_off_(1 - power(ratio, -shape))
        , first_(shape / cut_off_ * power_integral(1 - shape, ratio))
        , second_(shape / cut_off_ * power_integral(2 - shape, ratio)) {}

    double mean() const override { return mean_; }
    double squared_variation() const override { return second_ / (first_ * first_) - 1; }
    bool has_mean_reciprocal() const override { return true; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_uniforms(stream, first, out);
        for (double& value : out) {
            value = mean_ / first_ * power(1 - value * cut_off_, -1 / shape_);
        }
    }

  private:
    double shape_;
    double mean_;
    double cut_off_;  ///< the probability of what is kept
    double first_;    ///< moments of the value divided by the least
    double second_;
};

Tail pareto_tail(double shape) {
    return {shape, [shape](double order, double values) {
                return order < shape ? power(values, order / shape - 1) : 1;
            }};
}

/// Of a value v times the least: the integral of x^(order − shape − 1) from v to `ratio` over that
/// from 1.
Tail bounded_pareto_tail(double shape, double ratio) {
    return {
        std::numeric_limits<double>::infinity(), [shape, ratio](double order, double values) {
            const double cut_off = 1 - power(ratio, -shape);
            const double value = power(1 - (1 - 1 / values) * cut_off, -1 / shape);
            return 1 - power_integral(order - shape, value) / power_integral(order - shape, ratio);
        }};
}

ParameterDescription pareto_shape(double low) {
    return {
        .name = "shape",
        .meaning = "exponent of P(X > x): the smaller, the heavier the tail",
        .range = {.low = low, .high = 1000, .low_is_open = true}};
}

}  // namespace

TimeFamily pareto_family() {
    return {
        {.name = "pareto",
         .summary = "Pareto: P(X > x) = (least / x)^shape, least = mean (shape - 1) / shape. Up to "
                    "shape 2 its variance is infinite, and no precision of a mean can be met.",
         .parameters = {mean_parameter(), pareto_shape(1)}},
        [](const Parameters& p) {
            return std::make_unique<Pareto>(p.real("shape"), p.real("mean"));
        },
        [](const Parameters& p) {
            return pareto_tail(p.real("shape"));
        }};
}

TimeFamily bounded_pareto_family() {
    return {
        {.name = "bounded_pareto",
         .summary = "Pareto, cut off at `ratio` times the least value; the least follows from the "
                    "mean.",
         .parameters =
             {mean_parameter(),
              pareto_shape(0),
              {.name = "ratio",
               .meaning = "greatest divided by least value",
               .range = {.low = 1, .high = 1e12, .low_is_open = true}}}},
        [](const Parameters& p) {
            return std::make_unique<BoundedPareto>(
                p.real("shape"), p.real("ratio"), p.real("mean")
            );
        },
        [](const Parameters& p) {
            return bounded_pareto_tail(p.real("shape"), p.real("ratio"));
        }};
}

}  // namespace schedfarm::engine
