// Probabilistic bisection (Waeber, Frazier & Henderson, SIAM J. Control Optim. 51, 2013): finds the
// root of a decreasing or increasing function that is only seen through noise. A density over the
// interval is kept as steps; the next point is its median; an answer moves mass to one side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

enum class RootSide : std::uint8_t { below, above };  ///< of the point that was asked

class ProbabilisticBisection {
  public:
    /// Uniform over [low, high]. REQUIRES: low < high.
    ProbabilisticBisection(double low, double high);

    /// The median of the density, inside the interval.
    double query() const;
    /// The root lies on this side of `point`, which is right with probability at least
    /// `reliability`: Bayes' rule multiplies the mass of that side by it, of the other side by
    /// 1 − reliability. Costs O(updates). REQUIRES: low < point < high; 0.5 < reliability < 1.
    void update(double point, RootSide side, double reliability);
    /// The central interval that holds this probability. REQUIRES: 0 < confidence < 1.
    Interval interval(double confidence) const;
    /// Where the density has the mass p to its left. REQUIRES: 0 <= p <= 1.
    double quantile(double p) const;
    /// The mass to the left of a point.
    double mass_below(double point) const;

  private:
    /// Makes the point an end and returns the first step above it.
    std::size_t split(double point);

    std::vector<double> ends_;    ///< of the steps, increasing; one more than masses
    std::vector<double> masses_;  ///< sum 1
};

/// A sequential sign test for noisy values around an unknown mean: at n values the sign is decided
/// when the confidence sequence at level 2 · reliability − 1 leaves 0 out. A test of power one; it
/// errs with probability at most 1 − reliability however often it is looked at.
enum class SignVerdict : std::uint8_t { undecided, negative, positive };
SignVerdict sign_test(std::span<const double> values, double reliability);

}  // namespace schedfarm::engine
