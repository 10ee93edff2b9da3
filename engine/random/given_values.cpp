// deterministic and empirical: times that are given, one draw per value (deterministic uses none).
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

class Deterministic final : public TimeDistribution {
  public:
    explicit Deterministic(double value) : value_(value) {}

    double mean() const override { return value_; }
    double squared_variation() const override { return 0.0; }
    bool has_mean_reciprocal() const override { return value_ > 0; }
    void fill(const Stream&, std::uint64_t, std::span<double> out) const override {
        std::fill(out.begin(), out.end(), value_);
    }

  private:
    double value_;
};

/// Given values with given weights, inverted in increasing order of the values. A guide table
/// (Chen, Asau 1974) with a cell per value finds a value in about two comparisons.
class Empirical final : public TimeDistribution {
  public:
    /// REQUIRES: as many weights as values, a positive weight.
    Empirical(const std::vector<double>& values, const std::vector<double>& weights) {
        std::vector<std::size_t> order(values.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return values[a] < values[b];
        });
        double total = 0.0;
        for (const std::size_t i : order) {
            if (weights[i] > 0.0) {
                total += weights[i];
                values_.push_back(values[i]);
                upper_.push_back(total);
            }
        }
        set_moments(total);
        for (double& upper : upper_) {
            upper /= total;
        }
        upper_.back() = 1.0;
        const std::size_t cells = values_.size();
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double lowest = static_cast<double>(cell) / static_cast<double>(cells);
            const auto found = std::upper_bound(upper_.begin(), upper_.end(), lowest);
            guide_.push_back(static_cast<std::size_t>(found - upper_.begin()));
        }
    }

    double mean() const override { return mean_; }
    double squared_variation() const override { return squared_variation_; }
    bool has_mean_reciprocal() const override { return values_.front() > 0; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_uniforms(stream, first, out);
        const auto cells = static_cast<double>(guide_.size());
        for (double& value : out) {
            // The product may round up to the next cell, never beyond it: step back if it did.
            std::size_t i =
                guide_[std::min(static_cast<std::size_t>(value * cells), guide_.size() - 1)];
            while (i > 0 && value < upper_[i - 1]) {
                --i;
            }
            while (value >= upper_[i]) {
                ++i;
            }
            value = values_[i];
        }
    }

  private:
    /// Mean and variation about it, from the cumulative weights in upper_.
    void set_moments(double total) {
        const auto weight = [this](std::size_t i) {
            return i == 0 ? upper_[0] : upper_[i] - upper_[i - 1];
        };
        for (std::size_t i = 0; i < values_.size(); ++i) {
            mean_ += weight(i) * values_[i] / total;
        }
        double variance = 0.0;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            variance += weight(i) * (values_[i] - mean_) * (values_[i] - mean_) / total;
        }
        squared_variation_ = variance / (mean_ * mean_);
    }

    std::vector<double> values_;      // increasing
    std::vector<double> upper_;       // cumulative probabilities; the last is 1
    std::vector<std::size_t> guide_;  // first candidate for uniform values from cell / cells on
    double mean_ = 0.0;
    double squared_variation_ = 0.0;
};

/// The weights of the values; all 1 when none are given.
std::vector<double> weights_of(const Parameters& parameters) {
    std::vector<double> weights = parameters.reals("weights");
    if (weights.empty()) {
        weights.assign(parameters.reals("values").size(), 1.0);
    }
    return weights;
}

std::vector<ParameterProblem> empirical_problems(const Parameters& parameters) {
    const std::vector<double> values = parameters.reals("values");
    const std::vector<double> weights = weights_of(parameters);
    if (values.empty()) {
        return {{"values", "the list is empty (there is nothing to draw)", "Give a value."}};
    }
    if (weights.size() != values.size()) {
        return {
            {"weights",
             std::to_string(values.size()) + " values and " + std::to_string(weights.size())
                 + " weights (every value needs one)",
             "Give both lists the same length, or leave the weights out."}};
    }
    bool has_positive = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        has_positive = has_positive || (values[i] > 0.0 && weights[i] > 0.0);
    }
    if (!has_positive) {
        return {
            {"values",
             "no positive value has a positive weight (the mean would be 0)",
             "Give a positive value with a positive weight."}};
    }
    return {};
}

}  // namespace

TimeFamily deterministic_family() {
    return {
        {.name = "deterministic",
         .summary = "Always the same value.",
         .parameters =
             {{.name = "value",
               .meaning = "the value",
               .unit = "time",
               .default_value = 1.0,
               .range = {.low = 0.0, .high = 1e15, .low_is_open = true}}}},
        [](const Parameters& p) {
            return std::make_unique<Deterministic>(p.real("value"));
        }};
}

TimeFamily empirical_family() {
    return {
        {.name = "empirical",
         .summary = "One of the given values, drawn with replacement.",
         .parameters =
             {{.name = "values",
               .meaning = "the values; repeated ones count as often as they stand there",
               .unit = "time",
               .type = ParameterType::real_list,
               .range = {.low = 0.0, .high = 1e15}},
              {.name = "weights",
               .meaning = "relative frequencies of the values; empty: all alike",
               .type = ParameterType::real_list,
               .default_value = Value::List{},
               .range = {.low = 0.0, .high = 1e9}}},
         .check = empirical_problems},
        [](const Parameters& p) {
            return std::make_unique<Empirical>(p.reals("values"), weights_of(p));
        }};
}

}  // namespace schedfarm::engine
