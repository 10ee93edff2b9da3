// The density proportional to x^(a − 1) on low … high: the log-uniform distribution for a = 0, the
// bounded Pareto distribution for a < 0, the uniform distribution for a = 1. Immutable.
#pragma once

namespace schedfarm::models {

class PowerLaw {
  public:
    /// REQUIRES: 0 < low < high.
    PowerLaw(double low, double high, double exponent);
    /// The one that has that mean. REQUIRES: 0 < low < mean < high, no nearer to either than 1 %.
    static PowerLaw with_mean(double low, double high, double mean);

    double exponent() const { return exponent_; }
    double mean() const { return moment(1); }
    /// E[X^order].
    double moment(int order) const;
    /// Increasing in `uniform`, which is in (0, 1).
    double value(double uniform) const;

  private:
    double low_;
    double log_ratio_;  ///< ln(high / low)
    double exponent_;
};

}  // namespace schedfarm::models
