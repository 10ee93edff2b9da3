#include "bench/minimal_moldable.hpp"

#include <algorithm>
#include <limits>

namespace schedfarm::bench {

namespace {

std::uint32_t gamma(const engine::MoldableInstance& instance, std::size_t task, double time) {
    std::uint32_t k = 1;
    while (k <= instance.processors() && instance.time(task, k) > time) {
        ++k;
    }
    return k;
}

bool is_accepted(const engine::MoldableInstance& instance, double lambda) {
    const std::uint32_t m = instance.processors();
    std::vector<double> least(m + std::size_t{1}, 0);  // work, by processors of the first shelf
    for (std::size_t task = 0; task < instance.size(); ++task) {
        if (instance.time(task, 1) <= lambda / 2) {
            for (double& work : least) {
                work += instance.time(task, 1);
            }
            continue;
        }
        const std::uint32_t first = gamma(instance, task, lambda);
        const std::uint32_t second = gamma(instance, task, lambda / 2);
        for (std::uint32_t j = m + 1; j-- > 0;) {
            double work = std::numeric_limits<double>::infinity();
            if (second <= m) {
                work = least[j] + second * instance.time(task, second);
            }
            if (first <= j) {
                work = std::min(work, least[j - first] + first * instance.time(task, first));
            }
            least[j] = work;
        }
    }
    return least[m] <= m * lambda * (1 + 1e-12);
}

}  // namespace

MinimalChoice minimal_knapsack(
    const std::vector<engine::KnapsackItem>& items, std::uint32_t capacity
) {
    const std::size_t width = capacity + std::size_t{1};
    std::vector<double> least(width, 0);
    std::vector<bool> is_in(items.size() * width, false);
    for (std::size_t i = 0; i < items.size(); ++i) {
        for (std::size_t j = width; j-- > 0;) {
            const double without = least[j] + items[i].outside;
            least[j] = without;
            if (items[i].size <= j && least[j - items[i].size] + items[i].inside < without) {
                least[j] = least[j - items[i].size] + items[i].inside;
                is_in[i * width + j] = true;
            }
        }
    }
    MinimalChoice result{least[capacity], std::vector<bool>(items.size(), false)};
    std::size_t room = capacity;
    for (std::size_t i = items.size(); i-- > 0;) {
        if (is_in[i * width + room]) {
            result.chosen[i] = true;
            room -= items[i].size;
        }
    }
    return result;
}

double minimal_lambda(const engine::MoldableInstance& instance) {
    double low = 0;
    double high = 1;
    while (!is_accepted(instance, high)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1e-9 * high) {
        const double middle = low + (high - low) / 2;
        (is_accepted(instance, middle) ? high : low) = middle;
    }
    return high;
}

}  // namespace schedfarm::bench
