#include "engine/statistics/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

std::uint64_t quantile_place(std::uint64_t n, double p) {
    SCHEDFARM_EXPECT(n > 0, "a quantile of no values");
    SCHEDFARM_EXPECT(p >= 0 && p <= 1, "the probability is not between 0 and 1");
    const auto all = static_cast<double>(n);
    const auto is_enough = [&](std::uint64_t k) {
        return static_cast<double>(k) / all >= p;
    };
    // p n is rounded: the place may lie one to either side.
    const auto k = static_cast<std::uint64_t>(std::max(std::ceil(p * all), 1.0));
    if (k > 1 && is_enough(k - 1)) {
        return k - 2;
    }
    return is_enough(k) ? k - 1 : k;
}

double sample_quantile(std::span<double> values, double p) {
    const auto place =
        values.begin() + static_cast<std::ptrdiff_t>(quantile_place(values.size(), p));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace schedfarm::engine
