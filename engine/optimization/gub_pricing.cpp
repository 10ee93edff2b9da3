#include "engine/optimization/gub_pricing.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace schedfarm::engine {

namespace {

/// Reduced costs nearer to 0 count as 0.
constexpr double cost_slack = 1e-13;

}  // namespace

GubPricing::GubPricing(const NestedAssignment& problem) : problem_(problem) {}

const std::vector<Candidate>& GubPricing::candidates(const GubBasis& basis) {
    find_cheapest(problem_, basis.prices(), cheapest_);
    candidates_.clear();
    for (std::uint32_t i = 0; i < problem_.tasks; ++i) {
        const double gain = cheapest_.payments[i] - priced(basis, i, basis.key(i));
        if (gain < -cost_slack) {
            candidates_.push_back({{i, static_cast<std::uint32_t>(cheapest_.intervals[i])}, gain});
        }
    }
    for (std::uint32_t j = 0; j < problem_.rows(); ++j) {
        if (const std::optional<Candidate> candidate = slack(basis, j)) {
            candidates_.push_back(*candidate);
        }
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.reduced_cost, a.variable.task, a.variable.interval)
               < std::tie(b.reduced_cost, b.variable.task, b.variable.interval);
    });
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
