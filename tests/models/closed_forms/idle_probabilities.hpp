// Bin filling of a single cluster by the equations of Bucur & Epema 2000, which fill_in_order()
// goes another way to: u(k) = P(some partial sum of the sizes is k) obeys u(0) = 1, u(k) = sum over
// n of f(n) u(k − n), and P(i idle) = (1 − F(i)) u(N − i).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/closed_forms/size_probabilities.hpp"

namespace schedfarm::tests {

/// P(i processors idle at the end of a fill), i = 0 … largest size − 1, by Eq. (1).
/// REQUIRES: largest size <= processors.
inline std::vector<double> idle_probabilities(
    const std::vector<double>& sizes, std::uint32_t processors
) {
    std::vector<double> u(processors + 1, 0.0);
    u[0] = 1;
    for (std::size_t k = 1; k <= processors; ++k) {
        for (std::size_t n = 1; n < sizes.size() && n <= k; ++n) {
            u[k] += sizes[n] * u[k - n];
        }
    }
    const std::vector<double> larger_than = models::closed_forms::upper_tail(sizes);
    std::vector<double> idle(models::closed_forms::largest_size(sizes), 0.0);
    for (std::size_t i = 0; i < idle.size(); ++i) {
        idle[i] = larger_than[i] * u[processors - i];
    }
    return idle;
}

/// Mean idle share of the processors at the end of a fill, Eq. (2).
inline double capacity_loss(const std::vector<double>& sizes, std::uint32_t processors) {
    return models::closed_forms::mean_of(idle_probabilities(sizes, processors)) / processors;
}

}  // namespace schedfarm::tests
