#include "engine/statistics/stability.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t fewest_replications = 8;

/// Slower growth cannot be told from rounding in the measure of time.
constexpr double least_growth = 0.001;

/// A rise within the run that would show in the mean.
constexpr double stationary_ratio = 1.05;

/// The mean of sqrt x over low … high, up to the factor 2/3.
double mean_root(double low, double high) {
    return (high * std::sqrt(high) - low * std::sqrt(low)) / (high - low);
}

}  // namespace

double critical_growth_ratio(double warm_up_fraction) {
    SCHEDFARM_EXPECT(
        warm_up_fraction >= 0 && warm_up_fraction < 1, "the warm-up is not a fraction of the run"
    );
    const double middle = (1 + warm_up_fraction) / 2;
    return mean_root(middle, 1) / mean_root(warm_up_fraction, middle);
}

Stability judge_stability(const QueueGrowth& queue, double confidence) {
    SCHEDFARM_EXPECT(
        queue.growth.size() == queue.first_half.size(), "growth and queueing times differ in number"
    );
    const double critical_ratio = critical_growth_ratio(queue.warm_up_fraction);
    const auto ratio = estimate_ratio(queue.second_half, queue.first_half, confidence);
    const auto growth = estimate_mean(queue.growth, confidence, IntervalMethod::student_t);
    Stability stability;
    stability.half_ratio = ratio ? ratio->mean : absent;
    stability.ratio = ratio ? ratio->interval : Interval{absent, absent};
    stability.mean_growth = growth ? growth->mean : absent;
    stability.growth = growth ? growth->interval : Interval{absent, absent};
    if (!ratio || ratio->n < fewest_replications) {
        return stability;
    }
    // A NaN is beyond nothing.
    if (stability.ratio.lower > critical_ratio && stability.growth.lower > least_growth) {
        stability.verdict = StabilityVerdict::unstable;
    } else if (stability.ratio.lower > stationary_ratio) {
        stability.verdict = StabilityVerdict::not_stationary;
    }
    return stability;
}

}  // namespace schedfarm::engine
