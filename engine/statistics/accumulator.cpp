#include "engine/statistics/accumulator.hpp"

#include <cmath>

namespace schedfarm::engine {

void Accumulator::add(double observation) {
    const auto before = static_cast<double>(n_);
    ++n_;
    const double delta = observation - mean_;
    const double step = delta / static_cast<double>(n_);
    const double growth = delta * step * before;  // of the sum of squares
    sum_of_cubes_ += growth * step * (before - 1) - 3 * step * sum_of_squares_;
    sum_of_squares_ += growth;
    mean_ += step;
}

std::optional<double> Accumulator::mean() const {
    return n_ == 0 ? std::nullopt : std::optional(mean_);
}

std::optional<double> Accumulator::variance() const {
    return n_ < 2 ? std::nullopt : std::optional(sum_of_squares_ / static_cast<double>(n_ - 1));
}

std::optional<double> Accumulator::standard_error() const {
    const std::optional<double> s_squared = variance();
    return s_squared ? std::optional(std::sqrt(*s_squared / static_cast<double>(n_)))
                     : std::nullopt;
}

std::optional<double> Accumulator::skewness() const {
    if (n_ < 3) {
        return std::nullopt;
    }
    if (sum_of_squares_ == 0) {
        return 0.0;
    }
    const auto n = static_cast<double>(n_);
    const double s = std::sqrt(sum_of_squares_ / (n - 1));
    return n / ((n - 1) * (n - 2)) * (sum_of_cubes_ / s / s / s);
}

}  // namespace schedfarm::engine
