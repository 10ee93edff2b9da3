#include "engine/statistics/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

double sample_quantile(std::span<double> values, double p) {
    SCHEDFARM_EXPECT(!values.empty(), "a quantile of no values");
    SCHEDFARM_EXPECT(p >= 0 && p <= 1, "the probability is not between 0 and 1");
    const double h = static_cast<double>(values.size() - 1) * p;
    const double whole = std::floor(h);
    const auto lower = values.begin() + static_cast<std::ptrdiff_t>(whole);
    std::nth_element(values.begin(), lower, values.end());
    if (h == whole) {
        return *lower;
    }
    const double upper = *std::min_element(lower + 1, values.end());
    return *lower + (h - whole) * (upper - *lower);
}

}  // namespace schedfarm::engine
