#include "engine/statistics/selection/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

double z_score(double measured, double standard_error, const PrintedValue& printed) {
    SCHEDFARM_EXPECT(
        standard_error >= 0 && printed.standard_error >= 0 && printed.rounding_half_width >= 0,
        "a standard error or half width is negative"
    );
    const double half = printed.rounding_half_width;
    const double variance = standard_error * standard_error
                            + printed.standard_error * printed.standard_error + half * half / 3;
    const double difference = measured - printed.value;
    if (variance == 0 && difference != 0) {
        return std::copysign(std::numeric_limits<double>::infinity(), difference);
    }
    return variance == 0 ? 0 : difference / std::sqrt(variance);
}

Verdict verdict(double z, double limit) {
    return std::fabs(z) <= limit ? Verdict::agrees : Verdict::differs;
}

std::optional<Estimate> paired_difference(
    std::span<const double> a, std::span<const double> b, double confidence
) {
    SCHEDFARM_EXPECT(a.size() == b.size(), "a paired comparison of unequally many replications");
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
    return estimate_mean(differences, confidence, IntervalMethod::skew_adjusted);
}

}  // namespace schedfarm::engine
