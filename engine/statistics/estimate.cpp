#include "engine/statistics/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/skew_adjustment.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

Interval symmetric(const Estimate& estimate, double factor) {
    return {
        estimate.mean - factor * estimate.standard_error,
        estimate.mean + factor * estimate.standard_error};
}

/// Half the length of the confidence sequence at n, in standard errors.
double sequence_factor(std::uint64_t n, double confidence) {
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
    const double log_alpha = logarithm(1 - confidence);
    const double v =
        static_cast<double>(n) / tuned_size * (-2 * log_alpha + logarithm(1 - 2 * log_alpha));
    return std::sqrt(2 * (v + 1) / v * (0.5 * logarithm(v + 1) - log_alpha));
}

Interval interval_of(const Estimate& estimate) {
    if (estimate.has_too_few()) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none};
    }
    const double t = estimate.factor();
    if (estimate.method != IntervalMethod::skew_adjusted || estimate.carriers) {
        return symmetric(estimate, t);
    }
    const double b = skew_coefficient(estimate.skewness, estimate.n);
    return {
        estimate.mean - pivot_of_student(t, b) * estimate.standard_error,
        estimate.mean - pivot_of_student(-t, b) * estimate.standard_error};
}

double sum_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

double Estimate::factor() const {
    return interval_factor(method, confidence, carriers.value_or(n));
}

double interval_factor(IntervalMethod method, double confidence, std::uint64_t n) {
    return method == IntervalMethod::confidence_sequence ? sequence_factor(n, confidence)
                                                         : student_t_two_sided(confidence, n - 1);
}

std::optional<Estimate> estimate_mean(
    std::span<const double> observations, double confidence, IntervalMethod method
) {
    Accumulator accumulator;
    for (const double observation : observations) {
        accumulator.add(observation);
    }
    if (accumulator.n() < 2) {
        return std::nullopt;
    }
    Estimate estimate;
    estimate.n = accumulator.n();
    estimate.mean = *accumulator.mean();
    estimate.standard_error = *accumulator.standard_error();
    estimate.skewness = accumulator.skewness().value_or(0);
    estimate.confidence = confidence;
    estimate.method = method;
    estimate.interval = interval_of(estimate);
    return estimate;
}

std::optional<Estimate> estimate_ratio(
    std::span<const double> numerators,
    std::span<const double> denominators,
    double confidence,
    IntervalMethod method
) {
    SCHEDFARM_EXPECT(
        numerators.size() == denominators.size(), "numerators and denominators differ in number"
    );
    const auto n = static_cast<double>(numerators.size());
    const double denominator_sum = sum_of(denominators);
    if (numerators.size() < 2 || denominator_sum == 0) {
        return std::nullopt;
    }
    const double ratio = sum_of(numerators) / denominator_sum;
    Accumulator residuals;
    for (std::size_t i = 0; i < numerators.size(); ++i) {
        residuals.add(numerators[i] - ratio * denominators[i]);
    }
    Estimate estimate;
    estimate.n = residuals.n();
    estimate.mean = ratio;
    estimate.standard_error = *residuals.standard_error() / std::fabs(denominator_sum / n);
    estimate.skewness = residuals.skewness().value_or(0) * (denominator_sum < 0 ? -1 : 1);
    estimate.confidence = confidence;
    estimate.method = method;
    estimate.interval = interval_of(estimate);
    return estimate;
}

std::optional<Estimate> estimate_sparse_ratio(
    std::span<const double> numerators,
    std::span<const double> denominators,
    double confidence,
    IntervalMethod method
) {
    const auto estimate = estimate_ratio(numerators, denominators, confidence, method);
    const auto empty = static_cast<std::uint64_t>(std::ranges::count(denominators, 0.0));
    return estimate ? std::optional(of_carriers(*estimate, estimate->n - empty)) : std::nullopt;
}

Estimate of_carriers(Estimate estimate, std::uint64_t carriers) {
    if (carriers < estimate.n) {
        const auto m = static_cast<double>(carriers);
        const auto n = static_cast<double>(estimate.n);
        estimate.carriers = carriers;
        estimate.standard_error *= std::sqrt(m / (m - 1) * (n - 1) / n);
        estimate.interval = interval_of(estimate);
    }
    return estimate;
}

std::vector<double> linearized_ratio(
    std::span<const double> numerators, std::span<const double> denominators
) {
    SCHEDFARM_EXPECT(
        numerators.size() == denominators.size(), "numerators and denominators differ in number"
    );
    const double denominator_sum = sum_of(denominators);
    const double ratio = sum_of(numerators) / denominator_sum;
    const double mean_denominator = denominator_sum / static_cast<double>(denominators.size());
    std::vector<double> values;
    values.reserve(numerators.size());
    for (std::size_t i = 0; i < numerators.size(); ++i) {
        values.push_back(ratio + (numerators[i] - ratio * denominators[i]) / mean_denominator);
    }
    return values;
}

std::optional<double> largest_share(std::span<const double> values) {
    const double mean = sum_of(values) / static_cast<double>(values.size());
    double largest = 0;
    double sum = 0;
    for (const double value : values) {
        const double square = (value - mean) * (value - mean);
        largest = std::max(largest, square);
        sum += square;
    }
    return sum > 0 && std::isfinite(sum) ? std::optional(largest / sum) : std::nullopt;
}

}  // namespace schedfarm::engine
