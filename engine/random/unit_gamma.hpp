// The gamma distribution of scale 1: probabilities and, by their inversion, values. One uniform
// gives one value, and a larger one never gives a smaller value, so that gamma values are drawn
// under common random numbers like all others. Immutable. A probability costs some 10 to 200 terms
// of a series (more for a large shape), a value two or three probabilities.
#pragma once

namespace schedfarm::engine {

class UnitGamma {
  public:
    /// REQUIRES: 1e-3 <= shape <= 1e6.
    explicit UnitGamma(double shape);

    double shape() const { return shape_; }
    /// P(X <= x); relative error below 1e-12 up to shape 1000. 0 for x <= 0.
    double probability(double x) const;
    /// The x with P(X <= x) = p; it may underflow to 0 for shapes below 1. REQUIRES: 0 < p < 1.
    double quantile(double p) const;

  private:
    double density(double x) const;
    double first_guess(double p) const;

    double shape_;
    double log_gamma_;  ///< ln Γ(shape)
};

}  // namespace schedfarm::engine
