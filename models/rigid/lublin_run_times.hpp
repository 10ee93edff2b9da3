// Times after Lublin & Feitelson 2003: the natural logarithm of a time is a gamma value, or comes
// from one of two gamma distributions (hyper-gamma); logarithms above a limit are drawn again. The
// repetition is done exactly: a uniform is scaled to the probability below the limit. Immutable.
#pragma once

#include "engine/random/unit_gamma.hpp"

namespace schedfarm::models {

/// e^X with X gamma of that shape and scale, given X <= limit.
class ExpGamma {
  public:
    /// REQUIRES: 1e-3 <= shape <= 1e6, 0 < scale < 1 (the mean of e^X exists), limit > 0.
    ExpGamma(double shape, double scale, double limit);

    /// P(X <= limit).
    double kept() const { return kept_; }
    /// E[e^X | X <= limit] = (1 − s)^−a P(G <= (1 − s) limit/s) / P(G <= limit/s), G of scale 1:
    /// the density of X times e^x is that of a gamma value of scale s/(1 − s), but for the first
    /// factor.
    double mean() const { return mean_; }
    /// Increasing in `uniform`, which is in (0, 1).
    double value(double uniform) const;

  private:
    engine::UnitGamma gamma_;
    double scale_;
    double kept_;
    double mean_;
};

/// The hyper-gamma distribution: `first` with probability p, else `second`.
class HyperGammaTime {
  public:
    HyperGammaTime(const ExpGamma& first, const ExpGamma& second)
        : first_(first), second_(second) {}

    double mean(double p) const;
    /// `choice` and `uniform` in (0, 1).
    double value(double p, double choice, double uniform) const;

  private:
    /// That a value below the limit comes from the first: p cut to 0 … 1, and by Bayes.
    double first_share(double p) const;

    ExpGamma first_;
    ExpGamma second_;
};

}  // namespace schedfarm::models
