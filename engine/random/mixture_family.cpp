// hyperexponential and exponential_mixture: mixtures of exponential values.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "engine/foundation/elementary.hpp"
#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

/// An exponential value whose mean is chosen by a draw of its own; two draws per value: phase,
/// value.
class ExponentialMixture final : public TimeDistribution {
  public:
    /// REQUIRES: as many weights as means, a positive weight.
    ExponentialMixture(const std::vector<double>& weights, std::vector<double> means)
        : means_(std::move(means)) {
        double total = 0.0;
        for (const double weight : weights) {
            total += weight;
        }
        double sum = 0.0;
        double square = 0.0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double probability = weights[i] / total;
            mean_ += probability * means_[i];
            square += 2.0 * probability * means_[i] * means_[i];
            sum += weights[i];
            upper_.push_back(sum / total);
        }
        squared_variation_ = square / (mean_ * mean_) - 1.0;
        // The phases behind the last positive weight are never chosen, whatever rounding does.
        while (weights[upper_.size() - 1] == 0.0) {
            upper_.pop_back();
        }
        upper_.pop_back();
    }

    double mean() const override { return mean_; }
    double squared_variation() const override { return squared_variation_; }
    bool has_mean_reciprocal() const override { return false; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        for_each_part(
            first,
            out,
            uniforms_chunk / 2,
            [&](std::uint64_t at, std::span<double> part) { fill_part(stream, at, part); }
        );
    }

  private:
    void fill_part(const Stream& stream, std::uint64_t first, std::span<double> part) const {
        std::array<double, uniforms_chunk> uniforms;  // NOLINT: written before it is read
        fill_uniforms(stream, 2 * first, std::span(uniforms).first(2 * part.size()));
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] = 1.0 - uniforms[2 * i + 1];
        }
        logarithms(part, part);
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] *= -means_[phase(uniforms[2 * i])];
        }
    }

    std::size_t phase(double uniform) const {
        std::size_t phase = 0;
        for (const double upper : upper_) {
            phase += uniform >= upper ? 1U : 0U;
        }
        return phase;
    }

    std::vector<double> means_;
    std::vector<double> upper_;  // cumulative probabilities of all phases but the last
    double mean_ = 0.0;
    double squared_variation_ = 0.0;
};

struct Phases {
    std::vector<double> weights;
    std::vector<double> means;
};

/// Balanced means: both phases contribute mean / 2. With r = sqrt((c² − 1)/(c² + 1)) their
/// probabilities are (1 ± r)/2; (1 − r)/2 = 1 / ((c² + 1)(1 + r)) does not cancel.
Phases balanced_phases(double mean, double squared_variation) {
    const double r = std::sqrt((squared_variation - 1.0) / (squared_variation + 1.0));
    const double often = 0.5 * (1.0 + r);
    const double rarely = 1.0 / ((squared_variation + 1.0) * (1.0 + r));
    return {{often, rarely}, {0.5 * mean / often, 0.5 * mean / rarely}};
}

/// Σ w m^k k! e^(−x/m) Σ_{j ≤ k} (x/m)^j / j!, in proportion E[X^k; X > x]: k whole.
double moment_beyond(const Phases& phases, int order, double x) {
    double sum = 0;
    for (std::size_t i = 0; i < phases.weights.size(); ++i) {
        const double z = x / phases.means[i];
        double term = 1;
        double terms = 1;
        double scale = 1;
        for (int j = 1; j <= order; ++j) {
            term *= z / j;
            terms += term;
            scale *= j * phases.means[i];
        }
        sum += phases.weights[i] * scale * exponential(-z) * terms;
    }
    return sum;
}

Tail mixture_tail(Phases phases) {
    return {
        std::numeric_limits<double>::infinity(),
        [phases = std::move(phases)](double order, double values) {
            const double beyond = moment_beyond(phases, 0, 0) / values;
            double low = 0;
            double high = *std::ranges::max_element(phases.means);
            while (moment_beyond(phases, 0, high) > beyond) {
                low = std::exchange(high, 2 * high);
            }
            for (int halving = 0; halving < 50; ++halving) {
                const double middle = low + (high - low) / 2;
                (moment_beyond(phases, 0, middle) > beyond ? low : high) = middle;
            }
            const int whole = static_cast<int>(std::lround(order));
            return moment_beyond(phases, whole, low) / moment_beyond(phases, whole, 0);
        }};
}

std::vector<ParameterProblem> mixture_problems(const Parameters& parameters) {
    const std::vector<double> weights = parameters.reals("weights");
    const std::size_t means = parameters.reals("means").size();
    if (weights.size() != means) {
        return {
            {"means",
             std::to_string(weights.size()) + " weights and " + std::to_string(means)
                 + " means (every phase has one of each)",
             "Give both lists the same length."}};
    }
    if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0.0; })) {
        return {
            {"weights",
             "no weight is positive (no phase could be chosen)",
             "Give at least one phase a positive weight."}};
    }
    return {};
}

}  // namespace

TimeFamily hyperexponential_family() {
    return {
        {.name = "hyperexponential",
         .summary = "Mixture of two exponentials with balanced means: each phase contributes half "
                    "of the mean.",
         .parameters =
             {mean_parameter(),
              {.name = "squared_variation",
               .meaning = "variance divided by the square of the mean",
               .range = {.low = 1.0, .high = 1e6}}}},
        [](const Parameters& p) {
            Phases phases = balanced_phases(p.real("mean"), p.real("squared_variation"));
            return std::make_unique<ExponentialMixture>(phases.weights, std::move(phases.means));
        },
        [](const Parameters& p) {
            return mixture_tail(balanced_phases(p.real("mean"), p.real("squared_variation")));
        }};
}

TimeFamily exponential_mixture_family() {
    return {
        {.name = "exponential_mixture",
         .summary = "Mixture of exponentials with the given weights and means.",
         .parameters =
             {{.name = "weights",
               .meaning = "relative frequencies of the phases; they need not add up to 1",
               .type = ParameterType::real_list,
               .range = {.low = 0.0, .high = 1e9}},
              {.name = "means",
               .meaning = "mean of each phase",
               .unit = "time",
               .type = ParameterType::real_list,
               .range = {.low = 0.0, .high = 1e15, .low_is_open = true}}},
         .check = mixture_problems},
        [](const Parameters& p) {
            return std::make_unique<ExponentialMixture>(p.reals("weights"), p.reals("means"));
        },
        [](const Parameters& p) {
            return mixture_tail({p.reals("weights"), p.reals("means")});
        }};
}

}  // namespace schedfarm::engine
