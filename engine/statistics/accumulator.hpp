// Running mean, variance and skewness of a sequence of observations (Welford 1962; third moment
// after Pébay 2008, SAND2008-6212, Eqs. 2.1–2.4). An accumulator is a value; its bits depend on the
// order of the observations. What is not defined for the number of observations at hand is absent,
// never 0. Costs O(1) time and space.
#pragma once

#include <cstdint>
#include <optional>

namespace schedfarm::engine {

class Accumulator {
  public:
    void add(double observation);

    std::uint64_t n() const { return n_; }

    /// Absent without observations.
    std::optional<double> mean() const;

    /// Unbiased sample variance s², divisor n − 1; absent below two observations.
    std::optional<double> variance() const;

    /// Standard error of the mean, s / sqrt n; absent below two observations.
    std::optional<double> standard_error() const;

    /// n / ((n − 1)(n − 2)) Σ (x − mean)³ / s³: the unbiased third central moment over s³ (the
    /// adjusted Fisher–Pearson coefficient G1). Between −sqrt n and sqrt n; 0 when all
    /// observations are equal; absent below three observations.
    std::optional<double> skewness() const;

  private:
    std::uint64_t n_ = 0;
    double mean_ = 0;
    double sum_of_squares_ = 0;  ///< Σ (x − mean)²
    double sum_of_cubes_ = 0;    ///< Σ (x − mean)³
};

}  // namespace schedfarm::engine
