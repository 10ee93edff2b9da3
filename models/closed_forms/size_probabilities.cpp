#include "models/closed_forms/size_probabilities.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

double mean_of(const SizeProbabilities& sizes) {
    double mean = 0;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        mean += static_cast<double>(n) * sizes[n];
    }
    return mean;
}

std::vector<double> upper_tail(const SizeProbabilities& sizes) {
    std::vector<double> tail(sizes.size(), 0.0);
    for (std::size_t n = sizes.size(); n-- > 1;) {
        tail[n - 1] = tail[n] + sizes[n];
    }
    return tail;
}

SizeProbabilities sum_of(
    const SizeProbabilities& a, const SizeProbabilities& b, std::size_t limit
) {
    SizeProbabilities sum(std::min(limit + 1, a.size() + b.size() - 1), 0.0);
    for (std::size_t n = 0; n < b.size() && n < sum.size(); ++n) {
        if (b[n] == 0) {
            continue;
        }
        const std::size_t count = std::min(a.size(), sum.size() - n);
        for (std::size_t m = 0; m < count; ++m) {
            sum[m + n] += a[m] * b[n];
        }
    }
    return sum;
}

SizeProbabilities sum_of_draws(const SizeProbabilities& sizes, std::size_t count) {
    const std::size_t limit = count * (sizes.size() - 1);
    SizeProbabilities sum{1.0};
    for (std::size_t i = 0; i < count; ++i) {
        sum = sum_of(sum, sizes, limit);
    }
    return sum;
}

SizeProbabilities mixture_of(
    double first_probability, const SizeProbabilities& first, const SizeProbabilities& second
) {
    SizeProbabilities mixture(std::max(first.size(), second.size()), 0.0);
    for (std::size_t n = 0; n < first.size(); ++n) {
        mixture[n] += first_probability * first[n];
    }
    for (std::size_t n = 0; n < second.size(); ++n) {
        mixture[n] += (1 - first_probability) * second[n];
    }
    return mixture;
}

std::uint32_t smallest_size(const SizeProbabilities& sizes) {
    const auto found = std::find_if(sizes.begin(), sizes.end(), [](double p) { return p > 0; });
    SCHEDFARM_EXPECT(found != sizes.end(), "no size has a positive probability");
    return static_cast<std::uint32_t>(found - sizes.begin());
}

std::uint32_t largest_size(const SizeProbabilities& sizes) {
    const auto found = std::find_if(sizes.rbegin(), sizes.rend(), [](double p) { return p > 0; });
    SCHEDFARM_EXPECT(found != sizes.rend(), "no size has a positive probability");
    return static_cast<std::uint32_t>(sizes.rend() - found) - 1;
}

}  // namespace schedfarm::models::closed_forms
