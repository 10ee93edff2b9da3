#include "engine/statistics/selection/multiple_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/skew_adjustment.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

/// The positions of the p-values from the smallest to the largest; equal ones stay in order.
std::vector<std::size_t> ranking(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return p_values[a] < p_values[b];
    });
    return order;
}

/// Sums of squares around the mean, of all values and with one of them left out.
class SumOfSquares {
  public:
    explicit SumOfSquares(std::vector<double> values) : values_(std::move(values)) {
        Accumulator accumulator;
        for (const double value : values_) {
            accumulator.add(value);
        }
        mean_ = *accumulator.mean();
        all_ = *accumulator.variance() * (n() - 1);
    }

    double all() const { return all_; }
    double without(std::size_t i) const {
        const double deviation = values_[i] - mean_;
        return all_ - n() / (n() - 1) * deviation * deviation;
    }

  private:
    double n() const { return static_cast<double>(values_.size()); }

    std::vector<double> values_;
    double mean_ = 0;
    double all_ = 0;
};

constexpr double largest_log_e = 700;

std::uint64_t degrees_of(const Estimate& difference) {
    SCHEDFARM_EXPECT(
        difference.method != IntervalMethod::confidence_sequence,
        "a confidence sequence has neither p-value nor e-value"
    );
    return difference.carriers.value_or(difference.n) - 1;
}

/// The difference in standard errors, as one of Student's t; NaN where it has no interval.
double student_of(const Estimate& difference) {
    const double pivot = difference.mean / difference.standard_error;
    if (difference.has_too_few()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return difference.method == IntervalMethod::student_t || difference.carriers
               ? pivot
               : student_of_pivot(pivot, skew_coefficient(difference.skewness, difference.n));
}

std::vector<double> differences_of(std::span<const double> a, std::span<const double> b) {
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
    return differences;
}

}  // namespace

double p_value(const Estimate& difference) {
    const std::uint64_t degrees = degrees_of(difference);
    if (difference.standard_error == 0) {
        const double certain = std::numeric_limits<double>::infinity();
        return difference.mean == 0 ? 1 : student_t_two_sided_tail(certain, degrees);
    }
    const double t = student_of(difference);
    return std::isnan(t) ? t : student_t_two_sided_tail(std::fabs(t), degrees);
}

double e_value(const Estimate& difference) {
    constexpr double certain = 1e150;  // its square is finite
    const auto degrees = static_cast<double>(degrees_of(difference));
    const double n = degrees + 1;
    double t = difference.mean == 0 ? 0 : certain;
    if (difference.standard_error != 0) {
        t = std::min(std::fabs(student_of(difference)), certain);
    }
    double sum = 0;
    for (const double effect : e_value_effects) {
        const double growth = 1 + n * effect * effect;
        const double ratio = (1 + t * t / degrees) / (1 + t * t / (degrees * growth));
        const double log_e = (n * logarithm(ratio) - logarithm(growth)) / 2;
        sum += exponential(std::min(log_e, largest_log_e));
    }
    return std::isnan(t) ? t : sum / e_value_effects.size();
}

std::vector<HolmResult> holm(std::span<const double> p_values, double family_confidence) {
    SCHEDFARM_EXPECT(
        family_confidence > 0 && family_confidence < 1, "the confidence is not between 0 and 1"
    );
    const double alpha = 1 - family_confidence;
    std::vector<double> p(p_values.begin(), p_values.end());
    std::replace_if(
        p.begin(), p.end(), [](double value) { return std::isnan(value); }, 1
    );
    std::vector<HolmResult> results(p.size());
    std::size_t remaining = p.size();
    auto sharing = static_cast<double>(remaining);  ///< comparisons that share α at this step
    double adjusted = 0;
    bool rejects = true;
    for (const std::size_t i : ranking(p)) {
        adjusted = std::max(adjusted, std::min(1., static_cast<double>(remaining) * p[i]));
        sharing = rejects ? static_cast<double>(remaining) : sharing;
        rejects = rejects && adjusted <= alpha;
        results[i] = {adjusted, 1 - alpha / sharing};
        --remaining;
    }
    return results;
}

std::optional<Estimate> width_reduction(
    std::span<const double> a, std::span<const double> b, double confidence
) {
    SCHEDFARM_EXPECT(a.size() == b.size(), "a paired comparison of unequally many replications");
    constexpr std::size_t fewest = 10;
    constexpr double noise = 1e-13;  ///< of a difference of two sums of squares, relative
    if (a.size() < fewest) {
        return std::nullopt;
    }
    const SumOfSquares first({a.begin(), a.end()});
    const SumOfSquares second({b.begin(), b.end()});
    const SumOfSquares paired(differences_of(a, b));
    const auto n = static_cast<double>(a.size());
    const double whole = logarithm((first.all() + second.all()) / paired.all()) / 2;
    std::vector<double> pseudo_values(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double left = paired.without(i);
        if (!(left > paired.all() * noise)) {
            return std::nullopt;
        }
        const double part = logarithm((first.without(i) + second.without(i)) / left) / 2;
        pseudo_values[i] = n * whole - (n - 1) * part;
    }
    auto estimate = estimate_mean(pseudo_values, confidence, IntervalMethod::student_t);
    estimate->mean = exponential(estimate->mean);
    estimate->standard_error *= estimate->mean;
    estimate->interval = {
        exponential(estimate->interval.lower), exponential(estimate->interval.upper)};
    return estimate;
}

}  // namespace schedfarm::engine
