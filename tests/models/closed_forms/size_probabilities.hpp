// Distributions of sizes for tests of the closed forms.
#pragma once

#include <cstdint>
#include <vector>

namespace schedfarm::tests {

/// P(n) on 0 … high for sizes uniform on [low, high].
inline std::vector<double> uniform_sizes(std::uint32_t low, std::uint32_t high) {
    std::vector<double> p(high + 1, 0.0);
    for (std::uint32_t n = low; n <= high; ++n) {
        p[n] = 1.0 / (high - low + 1);
    }
    return p;
}

/// P(n) proportional to ratio^n on 1 … high.
inline std::vector<double> geometric_sizes(double ratio, std::uint32_t high) {
    std::vector<double> p(high + 1, 0.0);
    double weight = 1;
    double total = 0;
    for (std::uint32_t n = 1; n <= high; ++n) {
        weight *= ratio;
        p[n] = weight;
        total += weight;
    }
    for (double& probability : p) {
        probability /= total;
    }
    return p;
}

/// 1, 2, 4, … high, equally often.
inline std::vector<double> power_of_two_sizes(std::uint32_t high) {
    std::vector<double> p(high + 1, 0.0);
    std::uint32_t count = 0;
    for (std::uint32_t n = 1; n <= high; n *= 2) {
        ++count;
    }
    for (std::uint32_t n = 1; n <= high; n *= 2) {
        p[n] = 1.0 / count;
    }
    return p;
}

}  // namespace schedfarm::tests
