// truncated_normal: a normal value conditioned to be positive, one draw per value, by inversion.
#include <algorithm>

#include "engine/foundation/elementary.hpp"
#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

/// µ + σ Z given Z > −h, h = µ/σ >= 0. With the hazard λ = φ(h)/Φ(h) the mean is µ + σλ and the
/// variance σ² (1 − λ (h + λ)) (Johnson, Kotz & Balakrishnan, Continuous Univariate Distributions
/// 1, second edition, 1994, chapter 13).
class TruncatedNormal final : public TimeDistribution {
  public:
    TruncatedNormal(double location, double deviation)
        : location_(location)
        , deviation_(deviation)
        , cut_off_(std::min(location / deviation, nothing_cut_off))
        , kept_probability_(normal_probability(cut_off_))
        , lost_probability_(normal_probability(-cut_off_))
        , hazard_(
              inverse_root_two_pi * exponential(-0.5 * cut_off_ * cut_off_) / kept_probability_
          ) {}

    double mean() const override { return location_ + deviation_ * hazard_; }
    double squared_variation() const override {
        const double ratio = deviation_ / mean();
        return ratio * ratio * (1.0 - hazard_ * (cut_off_ + hazard_));
    }
    bool has_mean_reciprocal() const override { return false; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_uniforms(stream, first, out);
        for (double& value : out) {
            value = std::max(0.0, location_ + deviation_ * quantile(value));
        }
    }

  private:
    /// From here on Φ(−h) is 0 in double.
    static constexpr double nothing_cut_off = 50.0;
    static constexpr double inverse_root_two_pi = 0.39894228040143267794;

    /// Of Z given Z > −h, from the smaller tail, which keeps its relative accuracy.
    double quantile(double u) const {
        const double below = lost_probability_ + u * kept_probability_;
        if (below < 0.5) {
            return normal_quantile(below);
        }
        return -normal_quantile(std::min(0.5, (1.0 - u) * kept_probability_));
    }

    double location_;
    double deviation_;
    double cut_off_;  ///< h
    double kept_probability_;
    double lost_probability_;
    double hazard_;
};

}  // namespace

TimeFamily truncated_normal_family() {
    return {
        {.name = "truncated_normal",
         .summary = "Normal, conditioned to be positive; both parameters are those of the normal "
                    "distribution before, so that the mean of the values is larger.",
         .parameters =
             {{.name = "mean",
               .meaning = "mean before the truncation; 0 is the half-normal distribution",
               .unit = "time",
               .default_value = 1.0,
               .range = {.low = 0.0, .high = 1e15}},
              {.name = "standard_deviation",
               .meaning = "standard deviation before the truncation",
               .unit = "time",
               .range = {.low = 0.0, .high = 1e15, .low_is_open = true}}}},
        [](const Parameters& p) {
            return std::make_unique<TruncatedNormal>(p.real("mean"), p.real("standard_deviation"));
        }};
}

}  // namespace schedfarm::engine
