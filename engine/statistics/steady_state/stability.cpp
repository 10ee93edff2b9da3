#include "engine/statistics/steady_state/stability.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t fewest_replications = 8;

/// Slower growth cannot be told from rounding in the measure of time.
constexpr double least_growth = 0.001;

/// Of a critically loaded queue, or above: of mean |B(x)| over 1/2 <= x <= 1, B Brownian motion.
constexpr double critical_steadiness = 1.5;

/// A rise within the run that would show in the mean.
constexpr double stationary_ratio = 1.05;

/// The mean of sqrt x over low … high, up to the factor 2/3.
double mean_root(double low, double high) {
    return (high * std::sqrt(high) - low * std::sqrt(low)) / (high - low);
}

double steadiness_of(std::span<const double> values) {
    Accumulator accumulator;
    for (const double value : values) {
        accumulator.add(value);
    }
    if (accumulator.n() < 2 || accumulator.mean() == 0) {
        return absent;
    }
    return *accumulator.mean() / std::sqrt(*accumulator.variance());
}

double steadiness_limit(std::uint64_t replications, double confidence) {
    return critical_steadiness
           + student_t_two_sided(confidence, replications - 1)
                 / std::sqrt(static_cast<double>(replications));
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
        queue.growth.size() == queue.first_half.size(), "growth and waits differ in number"
    );
    const double critical_ratio = critical_growth_ratio(queue.warm_up_fraction);
    const auto ratio = estimate_ratio(queue.second_half, queue.first_half, confidence);
    const auto growth = estimate_mean(queue.growth, confidence, IntervalMethod::student_t);
    Stability stability;
    stability.half_ratio = ratio ? ratio->mean : absent;
    stability.ratio = ratio ? ratio->interval : Interval{absent, absent};
    stability.steadiness = steadiness_of(queue.second_half);
    stability.mean_growth = growth ? growth->mean : absent;
    stability.growth = growth ? growth->interval : Interval{absent, absent};
    if (!ratio || ratio->n < fewest_replications) {
        return stability;
    }
    // A NaN is beyond nothing.
    const bool outgrows = stability.ratio.lower > critical_ratio;
    const bool is_steady = stability.steadiness > steadiness_limit(ratio->n, confidence);
    if (outgrows && is_steady && stability.growth.lower > least_growth) {
        stability.verdict = StabilityVerdict::unstable;
    } else if (stability.ratio.lower > stationary_ratio) {
        stability.verdict = StabilityVerdict::not_stationary;
    }
    return stability;
}

}  // namespace schedfarm::engine
