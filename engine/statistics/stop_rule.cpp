#include "engine/statistics/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/pooled_quantile.hpp"

namespace schedfarm::engine {

namespace {

struct Need {
    double replications = std::numeric_limits<double>::infinity();
    bool is_met = false;
    bool is_out_of_reach = false;
};

std::optional<Estimate> estimate_first(const TargetObservations& observed, std::uint64_t n) {
    const PrecisionTarget& target = observed.target;
    if (!observed.sketches.empty()) {
        return estimate_quantile(
            observed.sketches.first(n), observed.probability, target.confidence, target.method
        );
    }
    const auto values = observed.values.first(n);
    if (observed.denominators.empty()) {
        return estimate_mean(values, target.confidence, target.method);
    }
    return estimate_sparse_ratio(
        values, observed.denominators.first(n), target.confidence, target.method
    );
}

Need need_of(const TargetObservations& observed, std::uint64_t n) {
    const PrecisionTarget& target = observed.target;
    const auto of_draws = estimate_first(observed, n);
    if (!of_draws) {
        return {};
    }
    const Estimate estimate = target.log ? of_logs_like_it(*of_draws, *target.log) : *of_draws;
    const double side = estimate.longer_side();
    if (side <= 0) {
        return target.absolute ? Need{0, true} : Need{};
    }
    if (std::isinf(estimate.interval.upper) && std::isfinite(estimate.mean)) {
        return {2 * static_cast<double>(n), false};
    }
    const double allowed = allowed_side(target, estimate.mean);
    if (target.log && with_all_draws(*of_draws, *target.log).longer_side() > allowed) {
        return {.is_out_of_reach = true};
    }
    const double excess = side / allowed;
    return {
        std::isnan(excess) ? Need{}.replications : static_cast<double>(n) * excess * excess,
        side <= allowed};
}

std::uint64_t whole_replications(double need) {
    return static_cast<std::uint64_t>(std::ceil(std::min(need, 0x1p53)));
}

StopDecision decide_at(
    std::span<const TargetObservations> targets, std::uint64_t n, const ReplicationLimits& limits
) {
    StopDecision decision;
    decision.n = n;
    bool all_met = true;
    bool is_out_of_reach = false;
    double largest_need = -1;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const Need need = need_of(targets[i], n);
        all_met = all_met && need.is_met;
        is_out_of_reach = is_out_of_reach || need.is_out_of_reach;
        if (need.replications > largest_need) {
            largest_need = need.replications;
            decision.most_demanding = i;
        }
    }
    decision.predicted = whole_replications(largest_need);
    if (is_out_of_reach) {
        decision.state = StopState::out_of_reach;
        decision.next_check = n;
    } else if (all_met || n >= limits.max) {
        decision.state = all_met ? StopState::met : StopState::cap_reached;
        decision.next_check = n;
    } else {
        decision.next_check = next_checkpoint(n, limits);
    }
    return decision;
}

StopDecision fixed_number(std::uint64_t replications, std::uint64_t number) {
    StopDecision decision;
    decision.state = replications >= number ? StopState::met : StopState::go_on;
    decision.n = replications >= number ? number : 0;
    decision.next_check = number;
    decision.predicted = number;
    return decision;
}

void check_contract(const TargetObservations& observed, std::uint64_t replications) {
    const PrecisionTarget& target = observed.target;
    SCHEDFARM_EXPECT(target.relative || target.absolute, "a precision target without a precision");
    SCHEDFARM_EXPECT(
        target.relative.value_or(0) >= 0 && target.absolute.value_or(0) >= 0,
        "a precision target is negative"
    );
    const std::size_t observations =
        observed.sketches.empty() ? observed.values.size() : observed.sketches.size();
    SCHEDFARM_EXPECT(observations >= replications, "observations are missing");
    SCHEDFARM_EXPECT(
        observed.denominators.empty() || observed.denominators.size() >= replications,
        "denominators are missing"
    );
}

}  // namespace

double allowed_side(const PrecisionTarget& target, double mean) {
    double allowed = target.absolute.value_or(0);
    if (target.relative) {
        allowed = std::max(allowed, *target.relative / (1 + *target.relative) * std::fabs(mean));
    }
    return allowed;
}

std::uint64_t next_checkpoint(std::uint64_t checkpoint, const ReplicationLimits& limits) {
    if (checkpoint == 0) {
        return std::min(std::max(limits.min, std::uint64_t{1}), limits.max);
    }
    if (checkpoint >= limits.max) {
        return limits.max;
    }
    const std::uint64_t growth = (checkpoint + 4) / 5;  // ceil(0.2 · checkpoint), exactly
    return checkpoint + std::min(growth, limits.max - checkpoint);
}

StopDecision decide(
    std::span<const TargetObservations> targets,
    std::uint64_t replications,
    const ReplicationLimits& limits
) {
    if (targets.empty()) {
        return fixed_number(replications, limits.max);
    }
    for (const TargetObservations& observed : targets) {
        check_contract(observed, replications);
    }
    StopDecision decision;
    decision.next_check = next_checkpoint(0, limits);
    decision.predicted = decision.next_check;
    while (decision.state == StopState::go_on && decision.next_check <= replications) {
        decision = decide_at(targets, decision.next_check, limits);
    }
    return decision;
}

}  // namespace schedfarm::engine
