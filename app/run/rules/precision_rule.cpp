#include "app/run/rules/precision_rule.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/simulation/measurement/column_range.hpp"

#include "app/run/cell_progress.hpp"
#include "app/run/rules/cell_stability.hpp"
#include "app/run/rules/gate.hpp"

namespace schedfarm::app {

namespace {

constexpr double seconds_per_hour = 3600;

std::uint64_t at_least_one(std::uint64_t count) {
    return std::max<std::uint64_t>(count, 1);
}

/// What the next checkpoint will have cost, in the unit of the budget.
bool passes(double spent, std::uint64_t n, std::uint64_t next, double budget) {
    return spent * static_cast<double>(next) / static_cast<double>(n) > budget;
}

bool budget_is_spent(const CellProgress& cell, std::uint64_t n, std::uint64_t next) {
    const Budget& budget = cell.cell().replications.budget;
    if (budget.jobs
        && passes(static_cast<double>(cell.jobs(n)), n, next, static_cast<double>(*budget.jobs))) {
        return true;
    }
    return budget.events
           && passes(
               static_cast<double>(cell.events(n)), n, next, static_cast<double>(*budget.events)
           );
}

/// The cap of a cell is its budget where the budget is what lowered it.
CellEnd end_at_cap(const Cell& cell) {
    return effective_limits(cell).max < cell.replications.limits.max ? CellEnd::budget
                                                                     : CellEnd::cap;
}

struct TargetsDecision {
    engine::StopDecision stop;
    std::optional<std::size_t> missing;  ///< first target of which a replication lacks the value
    bool has_no_variance = false;        ///< finite, of a mean
};

/// Whether the interval meets its target only as long as it may leave what its metric can be.
bool is_too_long_within(
    const MetricSample& sample,
    const engine::PrecisionTarget& target,
    const engine::ValueRange& range
) {
    if (!sample.sketches.empty()) {
        return false;
    }
    const auto of_draws = sample.estimate(target.confidence, target.method);
    if (!of_draws) {
        return false;
    }
    const engine::Estimate estimate = engine::within(
        target.log ? engine::of_logs_like_it(*of_draws, *target.log) : *of_draws, range
    );
    return estimate.longer_side() > engine::allowed_side(target, estimate.mean);
}

/// Whether a mean is to be made precise that no number of replications does.
bool is_beyond_means(
    const CellProgress& cell,
    std::uint64_t n,
    std::span<const MetricSample> samples,
    std::span<const ExtraTarget> extra
) {
    const Gate gate(cell, n);
    bool is_beyond = std::ranges::any_of(extra, [&gate](const ExtraTarget& target) {
        return !gate.has_variance(target.metric);
    });
    const std::vector<MetricTarget>& own = cell.cell().replications.targets;
    for (std::size_t i = 0; i < own.size(); ++i) {
        is_beyond = is_beyond || (samples[i].sketches.empty() && !gate.has_variance(own[i].metric));
    }
    return is_beyond;
}

/// The decision of the targets alone, at this checkpoint and no other.
TargetsDecision decide_targets(
    const CellProgress& cell, std::uint64_t n, std::span<const ExtraTarget> extra
) {
    const std::vector<MetricTarget>& own = cell.cell().replications.targets;
    std::vector<MetricSample> samples;
    samples.reserve(own.size());
    std::vector<engine::TargetObservations> observations;
    for (const MetricTarget& target : own) {
        samples.push_back(cell.metric_sample(target.metric, n));
        observations.push_back(samples.back().observations(target.target));
    }
    for (const ExtraTarget& target : extra) {
        observations.push_back({target.target, target.values, {}});
    }
    TargetsDecision decision{
        engine::decide(observations, n, {.min = n, .max = n}),
        std::nullopt,
        is_beyond_means(cell, n, samples, extra)};
    for (std::size_t i = 0; i < own.size() && decision.stop.state == engine::StopState::met; ++i) {
        const engine::ValueRange range = engine::range_of_column(own[i].metric);
        if (is_too_long_within(samples[i], observations[i].target, range)) {
            decision.stop.state = engine::StopState::cap_reached;
            decision.stop.most_demanding = i;
            decision.stop.predicted = 2 * n;
        }
    }
    const auto lacking = std::find_if(
        observations.begin(),
        observations.end(),
        [](const engine::TargetObservations& observed) {
            return observed.sketches.empty() && lacks_a_value(observed.values);
        }
    );
    if (lacking != observations.end()) {
        decision.missing = static_cast<std::size_t>(lacking - observations.begin());
    }
    return decision;
}

/// `position`: among the cell's own targets, then those beside them.
void set_most_demanding(
    const Cell& cell,
    std::span<const ExtraTarget> extra,
    std::size_t position,
    CellDecision& decision
) {
    const auto& own = cell.replications.targets;
    if (position < own.size()) {
        decision.most_demanding = own[position].metric;
    } else {
        decision.most_demanding = extra[position - own.size()].metric;
        decision.difference = extra[position - own.size()].cells;
    }
}

}  // namespace

engine::ReplicationLimits effective_limits(const Cell& cell) {
    engine::ReplicationLimits limits = cell.replications.limits;
    const Budget& budget = cell.replications.budget;
    if (budget.replications) {
        limits.max = std::min(limits.max, at_least_one(*budget.replications));
    }
    if (budget.jobs && cell.experiment.kind.has_time()) {
        limits.max =
            std::min(limits.max, at_least_one(*budget.jobs / cell.experiment.horizon.jobs));
    }
    limits.min = std::min(limits.min, limits.max);
    return limits;
}

bool lacks_a_value(std::span<const double> values) {
    return std::any_of(values.begin(), values.end(), [](double value) {
        return std::isnan(value);
    });
}

CellDecision first_decision(const Cell& cell) {
    const engine::ReplicationLimits limits = effective_limits(cell);
    CellDecision decision;
    decision.next_check =
        cell.replications.targets.empty() ? limits.max : engine::next_checkpoint(0, limits);
    decision.predicted = decision.dispatch_limit = decision.next_check;
    return decision;
}

std::uint64_t speculation_limit(
    std::uint64_t checkpoint, std::uint64_t predicted, const engine::ReplicationLimits& limits
) {
    std::uint64_t limit = checkpoint;
    for (std::uint64_t next = limit; next <= predicted && next < limits.max;) {
        limit = next;
        next = engine::next_checkpoint(next, limits);
    }
    return limit;
}

CellDecision decide_at(
    const CellProgress& cell, std::uint64_t checkpoint, std::span<const ExtraTarget> extra
) {
    CellDecision decision;
    decision.n = decision.next_check = decision.predicted = checkpoint;
    if (cell.cell().replications.targets.empty() && extra.empty()) {
        decision.end = CellEnd::fixed;
        return decision;
    }
    const engine::ReplicationLimits limits = effective_limits(cell.cell());
    const auto [targets, missing, has_no_variance] = decide_targets(cell, checkpoint, extra);
    set_most_demanding(cell.cell(), extra, missing.value_or(targets.most_demanding), decision);
    const std::uint64_t next = engine::next_checkpoint(checkpoint, limits);
    if (stability_of(cell, checkpoint).verdict == engine::StabilityVerdict::unstable) {
        decision.end = CellEnd::unstable;
    } else if (has_no_variance) {
        decision.end = CellEnd::variance;
    } else if (targets.state == engine::StopState::met) {
        decision.end = CellEnd::met;
    } else if (targets.state == engine::StopState::out_of_reach) {
        decision.end = CellEnd::log;
    } else if (missing) {
        decision.end = CellEnd::missing;  // no further replication can bring the value
    } else if (checkpoint >= limits.max) {
        decision.end = end_at_cap(cell.cell());
    } else if (budget_is_spent(cell, checkpoint, next)) {
        decision.end = CellEnd::budget;
    } else if (const auto& hours = cell.cell().replications.budget.core_hours;
               hours && cell.seconds(checkpoint) >= *hours * seconds_per_hour) {
        decision.end = CellEnd::clock;
    } else {
        decision.next_check = next;
        decision.predicted = std::clamp(targets.predicted, next, limits.max);
        decision.dispatch_limit = speculation_limit(next, decision.predicted, limits);
    }
    return decision;
}

}  // namespace schedfarm::app
