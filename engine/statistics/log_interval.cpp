#include "engine/statistics/log_interval.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

/// b of log_interval().
double asymmetry(const Estimate& of_logs) {
    const double of_draws = std::fabs(of_logs.skewness) / std::sqrt(static_cast<double>(of_logs.n));
    return (of_draws > 1 ? 1 : of_draws) / 6;
}

/// The side of the long tail, in standard errors; grows with t.
double long_side(double t, double b) {
    const double q = t + b;
    return q + 2 * b * q * q + 20. / 3 * b * b * q * q * q;
}

/// The t whose long side this is; 0 where it is shorter than that of 0.
double t_of_long_side(double side, double b) {
    double low = 0;
    double high = side;
    while (true) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            return low;
        }
        (long_side(middle, b) <= side ? low : high) = middle;
    }
}

std::uint64_t degrees_of_freedom(std::uint64_t blocks, std::uint64_t replications) {
    const double of_blocks = 1 / static_cast<double>(blocks - 1);
    const double of_replications = 1 / static_cast<double>(replications - 1);
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::floor(1 / (of_blocks + of_replications)))
    );
}

/// Of a lognormal quantity whose coefficient of variation is that of the mean over logs, away from
/// 0. Few blocks hardly show how skewed they are, and a mean of one sign has its long tail there.
/// Where it may have either sign: 0.
double least_skewness(double mean, double deviation) {
    constexpr double most_variation = 0.5;
    const double variation = std::fabs(deviation / mean);
    if (!(variation <= most_variation)) {
        return 0;
    }
    return std::copysign(variation * (3 + variation * variation), mean);
}

/// Where the replications do not show a tail towards 0.
double skewness_at_least(double skewness, double least) {
    const bool is_longer = std::fabs(least) > std::fabs(skewness);
    return skewness * least >= 0 && is_longer ? least : skewness;
}

/// `share`: of the variance of one replication that the mean over the draws still has.
Estimate estimate_of_logs(const Estimate& of_draws, const LogBlocks& blocks, double share) {
    SCHEDFARM_EXPECT(of_draws.n >= 2, "one replication has no variance");
    SCHEDFARM_EXPECT(blocks.count >= 2, "one block has no variance");
    const auto replications = static_cast<double>(of_draws.n);
    const auto count = static_cast<double>(blocks.count);
    const double deviation = of_draws.standard_error * std::sqrt(replications);
    Estimate result = of_draws;
    if (of_draws.has_too_few()) {
        return result;
    }
    result.carriers.reset();
    result.n = 1 + degrees_of_freedom(blocks.count, of_draws.carriers.value_or(of_draws.n));
    result.standard_error =
        deviation * std::sqrt(blocks.variance_ratio * count / (count - 1) + share);
    const double least =
        least_skewness(of_draws.mean, deviation * std::sqrt(blocks.variance_ratio));
    result.skewness =
        skewness_at_least(of_draws.skewness, least) * std::sqrt(static_cast<double>(result.n));
    result.method = IntervalMethod::skew_adjusted;
    result.interval = log_interval(result, of_draws.confidence);
    return result;
}

}  // namespace

Estimate of_logs_like_it(const Estimate& of_draws, const LogBlocks& blocks) {
    return estimate_of_logs(of_draws, blocks, 1 / static_cast<double>(of_draws.n));
}

Estimate with_all_draws(const Estimate& of_draws, const LogBlocks& blocks) {
    return estimate_of_logs(of_draws, blocks, 0);
}

Interval log_interval(const Estimate& of_logs, double confidence) {
    const double t = student_t_two_sided(confidence, of_logs.n - 1);
    const double longer = long_side(t, asymmetry(of_logs));
    const double below = of_logs.skewness < 0 ? longer : t;
    const double above = of_logs.skewness > 0 ? longer : t;
    return {
        of_logs.mean - below * of_logs.standard_error,
        of_logs.mean + above * of_logs.standard_error};
}

double log_p_value(const Estimate& of_logs) {
    if (of_logs.mean == 0) {
        return 1;
    }
    const double distance = std::fabs(of_logs.mean) / of_logs.standard_error;
    // The end of the interval that lies towards 0 is that of the long tail, or the other.
    const bool is_long = of_logs.skewness != 0 && (of_logs.mean > 0) == (of_logs.skewness < 0);
    const double t = is_long && std::isfinite(distance)
                         ? t_of_long_side(distance, asymmetry(of_logs))
                         : distance;
    return std::isnan(t) ? t : student_t_two_sided_tail(t, of_logs.n - 1);
}

}  // namespace schedfarm::engine
