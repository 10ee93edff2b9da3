#include "engine/statistics/jackknife.hpp"

#include <cmath>

#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

std::optional<Estimate> jackknife(
    std::uint64_t n, const LeaveOneOut& statistic, double confidence
) {
    if (n < 2) {
        return std::nullopt;
    }
    std::vector<double> left_out;
    double sum = 0;
    for (std::uint64_t r = 0; r < n; ++r) {
        left_out.push_back(statistic(r));
        sum += left_out.back();
    }
    const auto count = static_cast<double>(n);
    const double mean = sum / count;
    double squares = 0;
    Accumulator pseudo_values;  // but for a constant and a positive factor
    for (const double value : left_out) {
        squares += (value - mean) * (value - mean);
        pseudo_values.add(-value);
    }
    Estimate estimate;
    estimate.n = n;
    estimate.mean = statistic(std::nullopt);
    estimate.standard_error = std::sqrt((count - 1) / count * squares);
    estimate.skewness = pseudo_values.skewness().value_or(0);
    estimate.confidence = confidence;
    const double half = student_t_two_sided(confidence, n - 1) * estimate.standard_error;
    estimate.interval = {.lower = estimate.mean - half, .upper = estimate.mean + half};
    return estimate;
}

std::vector<double> pseudo_values(std::uint64_t n, const LeaveOneOut& statistic) {
    if (n == 0) {
        return {};
    }
    const auto count = static_cast<double>(n);
    const double of_all = statistic(std::nullopt);
    if (n == 1) {
        return {of_all};
    }
    std::vector<double> values;
    values.reserve(n);
    for (std::uint64_t r = 0; r < n; ++r) {
        values.push_back(count * of_all - (count - 1) * statistic(r));
    }
    return values;
}

}  // namespace schedfarm::engine
