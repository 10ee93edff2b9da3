#include "engine/optimization/gub_pricing.hpp"

#include <algorithm>
#include <limits>

#include "engine/foundation/vector_clones.hpp"

namespace schedfarm::engine {

namespace {

/// Reduced costs nearer to 0 count as 0.
constexpr double cost_slack = 1e-13;

/// What tasks pay in an interval.
struct PricedInterval {
    const double* costs;
    const double* areas;
    double price;
    std::uint64_t interval;
};

SCHEDFARM_VECTOR_CLONES
void take_better(
    double* __restrict best,
    std::uint64_t* __restrict best_interval,
    const PricedInterval& offer,
    std::size_t count
) {
    const double* __restrict const costs = offer.costs;
    const double* __restrict const areas = offer.areas;
    const double price = offer.price;
    const std::uint64_t interval = offer.interval;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = costs[i] + price * areas[i];
        best_interval[i] = value < best[i] ? interval : best_interval[i];
        best[i] = value < best[i] ? value : best[i];
    }
}

}  // namespace

GubPricing::GubPricing(const NestedAssignment& problem)
    : problem_(problem), best_(problem.tasks), best_interval_(problem.tasks) {}

const std::vector<Candidate>& GubPricing::candidates(const GubBasis& basis) {
    const std::size_t tasks = problem_.tasks;
    std::fill(best_.begin(), best_.end(), std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < problem_.intervals; ++j) {
        const double* const costs = &problem_.costs[j * tasks];
        const double* const areas = &problem_.areas[j * tasks];
        const PricedInterval offer{costs, areas, basis.prices()[j], j};
        take_better(best_.data(), best_interval_.data(), offer, tasks);
    }
    candidates_.clear();
    for (std::uint32_t i = 0; i < tasks; ++i) {
        const double gain = best_[i] - priced(basis, i, basis.key(i));
        if (gain < -cost_slack) {
            candidates_.push_back({{i, static_cast<std::uint32_t>(best_interval_[i])}, gain});
        }
    }
    for (std::uint32_t j = 0; j < problem_.rows(); ++j) {
        if (const std::optional<Candidate> candidate = slack(basis, j)) {
            candidates_.push_back(*candidate);
        }
    }
    std::stable_sort(
        candidates_.begin(),
        candidates_.end(),
        [](const Candidate& a, const Candidate& b) { return a.reduced_cost < b.reduced_cost; }
    );
    return candidates_;
}

std::optional<Candidate> GubPricing::again(const GubBasis& basis, GubVariable variable) const {
    if (variable.is_slack()) {
        return slack(basis, variable.interval);
    }
    const std::size_t task = variable.task;
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t j = 0; j < problem_.intervals; ++j) {
        const double value = priced(basis, task, j);
        if (value < best) {
            best = value;
            variable.interval = j;
        }
    }
    const double gain = best - priced(basis, task, basis.key(task));
    return gain < -cost_slack ? std::optional(Candidate{variable, gain}) : std::nullopt;
}

std::optional<Candidate> GubPricing::first(const GubBasis& basis) const {
    for (std::uint32_t task = 0; task < problem_.tasks; ++task) {
        const double own = priced(basis, task, basis.key(task));
        for (std::uint32_t j = 0; j < problem_.intervals; ++j) {
            const double gain = priced(basis, task, j) - own;
            if (gain < -cost_slack) {
                return Candidate{{task, j}, gain};
            }
        }
    }
    for (std::uint32_t j = 0; j < problem_.rows(); ++j) {
        if (const std::optional<Candidate> candidate = slack(basis, j)) {
            return candidate;
        }
    }
    return std::nullopt;
}

std::optional<Candidate> GubPricing::slack(const GubBasis& basis, std::uint32_t interval) const {
    const std::size_t next = interval + std::size_t{1};
    const double later = next < problem_.rows() ? basis.prices()[next] : 0;
    const double gain = basis.prices()[interval] - later;
    return gain < -cost_slack ? std::optional(Candidate{{GubVariable::slack, interval}, gain})
                              : std::nullopt;
}

}  // namespace schedfarm::engine
