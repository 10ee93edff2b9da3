#include "models/closed_forms/approximations.hpp"

#include <numeric>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

namespace {

double equation_3(
    const SizeProbabilities& sizes,
    std::uint32_t processors,
    const std::vector<std::uint32_t>& idle_numbers
) {
    SCHEDFARM_EXPECT(largest_size(sizes) <= processors, "a job is larger than the cluster");
    const std::vector<double> larger_than = upper_tail(sizes);
    double weighted = 0;
    double total = 0;
    for (const std::uint32_t i : idle_numbers) {
        weighted += larger_than[i] * i;
        total += larger_than[i];
    }
    return weighted / total / processors;
}

}  // namespace

double loss_by_equation_3(const SizeProbabilities& sizes, std::uint32_t processors) {
    std::vector<std::uint32_t> idle_numbers(largest_size(sizes));
    std::iota(idle_numbers.begin(), idle_numbers.end(), 0U);
    return equation_3(sizes, processors, idle_numbers);
}

double loss_by_equation_4(std::uint32_t low, std::uint32_t high, std::uint32_t processors) {
    SCHEDFARM_EXPECT(0 < low && low < high && high <= processors, "not an interval of sizes");
    const double n1 = low;
    const double n2 = high;
    const double numerator = n2 * n2 * n2 - n1 * n1 * n1 + 3 * n1 * n1 - n2 - 2 * n1;
    const double denominator = 3 * n2 * n2 - 3 * n1 * n1 + 3 * n2 + 3 * n1;
    return numerator / denominator / processors;
}

std::vector<std::uint32_t> possible_idle_numbers(
    const SizeProbabilities& sizes, std::uint32_t processors
) {
    std::vector<bool> reachable(std::size_t{processors} + 1, false);
    reachable[0] = true;
    for (std::size_t k = 1; k < reachable.size(); ++k) {
        for (std::size_t n = 1; n < sizes.size() && n <= k && !reachable[k]; ++n) {
            reachable[k] = sizes[n] > 0 && reachable[k - n];
        }
    }
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < largest_size(sizes); ++i) {
        if (reachable[processors - i]) {
            result.push_back(i);
        }
    }
    return result;
}

double loss_with_true_idle_set(const SizeProbabilities& sizes, std::uint32_t processors) {
    return equation_3(sizes, processors, possible_idle_numbers(sizes, processors));
}

}  // namespace schedfarm::models::closed_forms
