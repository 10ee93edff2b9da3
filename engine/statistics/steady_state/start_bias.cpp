#include "engine/statistics/steady_state/start_bias.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t fewest_biased_replications = 8;
constexpr double relaxation_times_per_unit = 2;

/// The shortest and the longest run told apart, in units of Brownian motion.
constexpr double shortest = 1e-3;
constexpr double longest = 200;

/// ∫ (1 − H1) from t to infinity; a half from 0.
double deficit_after(double t) {
    if (t > longest) {
        return 0;
    }
    constexpr double one_over_root_two_pi = 0.3989422804014327;
    const double root = std::sqrt(t);
    const double density = one_over_root_two_pi * exponential(-t / 2);
    const double tail = normal_probability(-root);
    return std::max(0.0, root * (1 + t) * density + (1 - 2 * t - t * t) * tail);
}

/// The mean of 1 − H1 over from … to.
double mean_deficit(double from, double to) {
    return (deficit_after(from) - deficit_after(to)) / (to - from);
}

double measured_deficit(double length, double warm_up_fraction) {
    return mean_deficit(warm_up_fraction * length, length);
}

/// The length at which something that grows with it passes a value, within a part in 10^9.
template <typename Growing>
double length_where(Growing growing, double value, double high) {
    double low = shortest;
    constexpr int halvings = 60;
    for (int i = 0; i < halvings; ++i) {
        const double middle = std::sqrt(low * high);
        (growing(middle) < value ? low : high) = middle;
    }
    return high;
}

/// The bias behind a ratio of the two means; runs beyond the longest have none.
double bias_of(double ratio, double warm_up_fraction) {
    const auto ratio_of = [&](double length) {
        return (1 - mean_deficit(0, warm_up_fraction * length))
               / (1 - measured_deficit(length, warm_up_fraction));
    };
    const double end = longest / warm_up_fraction;
    if (ratio >= ratio_of(end)) {
        return 0;
    }
    return measured_deficit(length_where(ratio_of, ratio, end), warm_up_fraction);
}

/// P(R(t) > x) from empty.
double tail_at(double x, double t) {
    const double root = std::sqrt(t);
    return normal_probability(-(x + t) / root)
           + exponential(-2 * x) * normal_probability((t - x) / root);
}

/// Its mean over from … to, by Simpson's rule.
double mean_tail(double x, double from, double to) {
    constexpr int steps = 64;  // even; four digits from a warm-up of a tenth on
    double sum = tail_at(x, from) + tail_at(x, to);
    for (int i = 1; i < steps; ++i) {
        sum += (i % 2 == 1 ? 4 : 2) * tail_at(x, from + (to - from) * i / steps);
    }
    return sum / (3 * steps);
}

/// From this part of the run on its scatter is asked.
constexpr double long_warm_up = 0.3;

/// Squared variation of the mean over a length of stationary motion, by Simpson's rule in the root
/// of time. What starts empty scatters less: by up to .15 where that is below .43, which all runs
/// have that are shorter (simulated, warm-ups of .3 to .9).
double variation_of_mean(double length) {
    constexpr int steps = 64;
    const double step = std::sqrt(std::min(length, longest)) / steps;
    double sum = 0;  // nothing at 0
    for (int i = 1; i <= steps; ++i) {
        const double root = i * step;
        const double weight = i == steps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * (length - root * root) * 2 * deficit_after(root * root) * 2 * root;
    }
    return 2 * sum * step / (3 * length * length);
}

/// The bias of the shortest run whose means over the measured part may scatter as these do.
double largest_bias_behind(
    std::span<const double> measured, double warm_up_fraction, double confidence
) {
    constexpr double least_of_short = 0.43;
    constexpr double least_of_stationary = 0.85;
    const auto n = static_cast<double>(measured.size());
    double mean = 0;
    for (const double value : measured) {
        mean += value / n;
    }
    double squares = 0;
    double fourths = 0;
    for (const double value : measured) {
        const double square = (value - mean) * (value - mean);
        squares += square / n;
        fourths += square * square / n;
    }
    if (!(squares > 0)) {
        return 1;
    }
    const double t = student_t_two_sided(confidence, measured.size() - 1);
    const double error = std::sqrt((fourths / (squares * squares) - 1) / n);  // of the logarithm
    const double variation = squares * n / (n - 1) / (mean * mean) * exponential(t * error);
    if (variation >= least_of_short) {
        return 1;
    }
    const double left = length_where(
        [](double length) { return -least_of_stationary * variation_of_mean(length); },
        -variation,
        longest
    );
    return measured_deficit(left / (1 - warm_up_fraction), warm_up_fraction);
}

}  // namespace

double start_bias_of_quantile(
    double relaxation_times, double warm_up_fraction, double probability
) {
    SCHEDFARM_EXPECT(relaxation_times > 0 && warm_up_fraction > 0, "a run without a warm-up");
    SCHEDFARM_EXPECT(probability > 0 && probability < 1, "a quantile of no probability");
    const double length = relaxation_times / relaxation_times_per_unit;
    const double stationary = -logarithm(1 - probability) / 2;
    double low = 0;
    double high = stationary;
    constexpr int halvings = 40;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        const double beyond = mean_tail(middle, warm_up_fraction * length, length);
        (beyond > 1 - probability ? low : high) = middle;
    }
    return 1 - high / stationary;
}

double start_bias(double relaxation_times, double warm_up_fraction) {
    SCHEDFARM_EXPECT(relaxation_times > 0, "a run has no length");
    SCHEDFARM_EXPECT(
        warm_up_fraction >= 0 && warm_up_fraction < 1, "the warm-up is not a fraction of the run"
    );
    return measured_deficit(relaxation_times / relaxation_times_per_unit, warm_up_fraction);
}

double relaxation_times_for(double bias, double warm_up_fraction) {
    SCHEDFARM_EXPECT(bias > 0 && bias < 1, "the bias is not a share of the mean");
    const auto unbiased = [&](double length) {
        return 1 - measured_deficit(length, warm_up_fraction);
    };
    constexpr double far = 1e9;  // without a warm-up the bias falls no faster than 1 / length
    return relaxation_times_per_unit * length_where(unbiased, 1 - bias, far);
}

std::optional<StartBias> estimate_start_bias(
    std::span<const double> warm_up,
    std::span<const double> measured,
    double warm_up_fraction,
    double confidence
) {
    SCHEDFARM_EXPECT(
        warm_up_fraction > 0 && warm_up_fraction < 1, "the warm-up is not a part of the run"
    );
    const auto ratio = estimate_ratio(warm_up, measured, confidence);
    if (!ratio || ratio->n < fewest_biased_replications || std::isnan(ratio->mean)) {
        return std::nullopt;
    }
    StartBias start;
    start.ratio = ratio->mean;
    start.bias = bias_of(ratio->mean, warm_up_fraction);
    start.interval = {
        bias_of(ratio->interval.upper, warm_up_fraction),
        bias_of(ratio->interval.lower, warm_up_fraction)};
    if (warm_up_fraction >= long_warm_up) {
        const double largest = largest_bias_behind(measured, warm_up_fraction, confidence);
        start.interval.upper = std::max(start.bias, std::min(start.interval.upper, largest));
    }
    return start;
}

}  // namespace schedfarm::engine
