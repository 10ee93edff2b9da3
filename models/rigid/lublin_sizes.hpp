// Job sizes after Lublin & Feitelson 2003: a share of serial jobs; the others draw the binary
// logarithm of their size from a two-stage uniform distribution and round the size, or, for the
// share of powers of two, the logarithm itself. Kept as probabilities of all sizes, so that means
// are exact and a value costs one uniform and one search.
#pragma once

#include <cstdint>
#include <vector>

namespace schedfarm::models {

struct LublinSizeParameters {
    double serial = 0;        ///< share of serial jobs
    double power_of_two = 0;  ///< share of parallel jobs of a power of two, among all jobs
    double low = 0;           ///< log2 of the smallest parallel size
    double medium = 0;        ///< where the slope changes
    double high = 0;          ///< log2 of the largest size
    double low_share = 0;     ///< probability of the first stage, low … medium
};

class LublinSizes {
  public:
    /// REQUIRES: 0 <= low <= medium <= high <= 20, low < high, shares whose sum is at most 1.
    explicit LublinSizes(const LublinSizeParameters& parameters);

    /// P(size = n) for n = 0 … largest().
    const std::vector<double>& probabilities() const { return probabilities_; }
    std::uint32_t largest() const { return static_cast<std::uint32_t>(probabilities_.size() - 1); }
    /// The size up to which the probabilities add up to `uniform`, which is in (0, 1).
    std::uint32_t size(double uniform) const;

  private:
    std::vector<double> probabilities_;
    std::vector<double> cumulative_;
};

}  // namespace schedfarm::models
