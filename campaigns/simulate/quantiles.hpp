// Quantiles of many values, of which few must be compared: the values are counted by exponent and
// the first bits of the fraction, which order numbers from 0 to infinity as they are, and only
// those that fall together with the quantile are looked at again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::campaigns {

/// Serves one set of values after the other, in the same memory.
class Quantiles {
  public:
    /// REQUIRES: there are values, all >= 0; they stay until the last question.
    void begin(std::span<const double> values);

    /// The smallest value that at least this share of all does not exceed. REQUIRES: share <= 1.
    double at(double share);

  private:
    std::span<const double> values_;
    std::vector<std::uint32_t> counts_;
    std::vector<double> candidates_;
};

}  // namespace schedfarm::campaigns
