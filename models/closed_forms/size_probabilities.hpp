// Probabilities of sizes as plain vectors: entry n is P(size = n), entry 0 is 0 for a size that is
// at least 1. Pure functions in double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedfarm::models::closed_forms {

using SizeProbabilities = std::vector<double>;

double mean_of(const SizeProbabilities& sizes);

/// Entry n: P(size > n), summed from the small end so that it is exact to rounding.
std::vector<double> upper_tail(const SizeProbabilities& sizes);

/// P(a + b = n) for n = 0 … limit, a and b independent. Cost: limit × (non-zero range of b).
SizeProbabilities sum_of(const SizeProbabilities& a, const SizeProbabilities& b, std::size_t limit);

/// The sum of `count` independent draws.
SizeProbabilities sum_of_draws(const SizeProbabilities& sizes, std::size_t count);

/// With `first_probability` a draw from `first`, else from `second`.
SizeProbabilities mixture_of(
    double first_probability, const SizeProbabilities& first, const SizeProbabilities& second
);

/// Smallest size of positive probability. REQUIRES: there is one.
std::uint32_t smallest_size(const SizeProbabilities& sizes);
std::uint32_t largest_size(const SizeProbabilities& sizes);

}  // namespace schedfarm::models::closed_forms
