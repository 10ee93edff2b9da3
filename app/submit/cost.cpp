#include "app/submit/cost.hpp"

#include <algorithm>
#include <cmath>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/stop_rule.hpp"
#include "engine/statistics/student_t.hpp"

#include "app/run/cell_progress.hpp"
#include "app/run/rules/precision_rule.hpp"

namespace schedfarm::app {

namespace {

constexpr double seconds_per_hour = 3600;
constexpr double normal_975 = 1.959963984540054;

/// Quantile of chi-squared over its degrees of freedom, at the normal quantile z.
double scaled_chi_squared(double z, double degrees) {
    const double width = 2 / (9 * degrees);
    return std::pow(1 - width + z * std::sqrt(width), 3);
}

Range between(double low, double high) {
    return {low, std::sqrt(low * high), high};
}

Range clamped(const Range& range, double low, double high) {
    return {
        std::clamp(range.low, low, high),
        std::clamp(range.expected, low, high),
        std::clamp(range.high, low, high)};
}

/// The number that is as much larger than `predicted` as the interval is longer, per standard
/// error, of so many than of the pilot's n: the fixed point, by steps of half the way, since a
/// confidence sequence of few observations shrinks as fast as their number grows.
double with_narrowing(double predicted, std::uint64_t n, const engine::PrecisionTarget& target) {
    const double of_pilot = engine::interval_factor(target.method, target.confidence, n);
    double needed = predicted;
    for (int round = 0; round < 50; ++round) {
        const auto whole = static_cast<std::uint64_t>(std::clamp(needed, 2.0, 0x1p53));
        const double factor = engine::interval_factor(target.method, target.confidence, whole);
        needed = std::sqrt(needed * predicted) * factor / of_pilot;
    }
    return needed;
}

/// What the targets need by the sample, before the limits.
Range needed_by_targets(const Cell& cell, const MeasuredCell& measured) {
    const std::uint64_t n = measured.replications.size();
    CellProgress progress(cell, Governance::group);
    for (std::uint32_t i = 0; i < n; ++i) {
        progress.accept(i, {{}, measured.replications[i].observations, "", ""});
    }
    std::vector<MetricSample> samples;
    samples.reserve(cell.replications.targets.size());
    std::vector<engine::TargetObservations> targets;
    for (const MetricTarget& target : cell.replications.targets) {
        samples.push_back(progress.metric_sample(target.metric, n));
        targets.push_back({target.target, samples.back().values, samples.back().denominators});
    }
    const engine::StopDecision decision = engine::decide(targets, n, {n, n});
    const engine::PrecisionTarget& target = targets[decision.most_demanding].target;
    const auto predicted = static_cast<double>(decision.predicted);
    const auto degrees = static_cast<double>(n - 1);
    return {
        with_narrowing(predicted / scaled_chi_squared(normal_975, degrees), n, target),
        with_narrowing(predicted, n, target),
        with_narrowing(predicted / scaled_chi_squared(-normal_975, degrees), n, target)};
}

/// Cells that are decided by something else than their own targets.
bool is_governed(const Plan& plan, const Cell& cell) {
    return (plan.comparison && plan.comparison->target && !cell.is_pilot) || cell.load_search;
}

Range product(const Range& a, const Range& b) {
    return {a.low * b.low, a.expected * b.expected, a.high * b.high};
}

void add(Range& sum, const Range& range) {
    sum.low += range.low;
    sum.expected += range.expected;
    sum.high += range.high;
}

const MeasuredCell* measurement_of(const std::vector<MeasuredCell>& measured, std::uint32_t cell) {
    const auto found = std::find_if(measured.begin(), measured.end(), [&](const auto& candidate) {
        return candidate.cell == cell;
    });
    return found == measured.end() ? nullptr : &*found;
}

/// Mean of the cells measured.
std::optional<Range> typical_seconds(const std::vector<MeasuredCell>& measured) {
    Range sum;
    double count = 0;
    for (const MeasuredCell& cell : measured) {
        if (!cell.replications.empty()) {
            add(sum, seconds_per_replication(cell.replications));
            count += 1;
        }
    }
    if (count == 0) {
        return std::nullopt;
    }
    return Range{sum.low / count, sum.expected / count, sum.high / count};
}

void note_longest(CampaignCost& cost, const MeasuredCell& measured) {
    double longest_s = measured.replications.empty() ? measured.cut_after_s : 0;
    for (const MeasuredReplication& replication : measured.replications) {
        longest_s = std::max(longest_s, replication.seconds);
    }
    if (longest_s > cost.longest_s) {
        cost.longest_s = longest_s;
        cost.longest_cell = measured.cell;
    }
    if (measured.replications.empty() && measured.cut_after_s > 0) {
        cost.unending.push_back(measured.cell);
    }
}

}  // namespace

Range replications_needed(const Plan& plan, const Cell& cell, const MeasuredCell* measured) {
    if (plan.selection && !cell.is_pilot) {
        const auto& settings = plan.selection->settings;
        return between(
            static_cast<double>(settings.first_stage), static_cast<double>(settings.max)
        );
    }
    const engine::ReplicationLimits limits = effective_limits(cell);
    const auto least = static_cast<double>(std::max<std::uint64_t>(limits.min, 1));
    const auto most = static_cast<double>(limits.max);
    if (cell.load_search) {
        return between(static_cast<double>(cell.load_search->round), most);
    }
    if (cell.replications.targets.empty() && !is_governed(plan, cell)) {
        return {most, most, most};
    }
    const bool is_known = measured != nullptr && measured->replications.size() >= 3;
    if (is_governed(plan, cell) || !is_known) {
        return between(least, most);
    }
    return clamped(needed_by_targets(cell, *measured), least, most);
}

Range seconds_per_replication(const std::vector<MeasuredReplication>& replications) {
    const auto n = static_cast<double>(replications.size());
    double sum = 0;
    for (const MeasuredReplication& replication : replications) {
        sum += replication.seconds;
    }
    const double mean = sum / n;
    if (replications.size() < 2) {
        return {mean / 3, mean, mean * 3};
    }
    double squares = 0;
    for (const MeasuredReplication& replication : replications) {
        squares += (replication.seconds - mean) * (replication.seconds - mean);
    }
    const double half_width = engine::student_t_quantile(0.975, replications.size() - 1)
                              * std::sqrt(squares / (n - 1) / n);
    return {std::max(0.0, mean - half_width), mean, mean + half_width};
}

std::optional<CampaignCost> estimate_cost(
    const Plan& plan, const std::vector<MeasuredCell>& measured
) {
    const auto typical = typical_seconds(measured);
    if (!typical) {
        return std::nullopt;
    }
    CampaignCost cost;
    for (const Cell& cell : plan.cells) {
        const MeasuredCell* const own = measurement_of(measured, cell.index);
        CellCost part;
        part.cell = cell.index;
        part.replications = replications_needed(plan, cell, own);
        part.is_measured = own != nullptr && !own->replications.empty();
        part.seconds = part.is_measured ? seconds_per_replication(own->replications) : *typical;
        part.core_hours = product(part.replications, part.seconds);
        for (double* value :
             {&part.core_hours.low, &part.core_hours.expected, &part.core_hours.high}) {
            *value /= seconds_per_hour;
        }
        if (own != nullptr) {
            note_longest(cost, *own);
        }
        cost.measured_cells += part.is_measured ? 1U : 0U;
        add(cost.replications, part.replications);
        add(cost.core_hours, part.core_hours);
        cost.cells.push_back(part);
    }
    return cost;
}

std::uint64_t proposed_time_s(const CampaignCost& cost, std::uint64_t workers) {
    constexpr double step_s = 300;
    constexpr double longest_s = 86400;
    const double share_s = cost.core_hours.high * seconds_per_hour / static_cast<double>(workers);
    const double wanted_s = std::min(1.25 * share_s + step_s, longest_s);
    const double least_s = 3 * cost.longest_s + step_s;
    return static_cast<std::uint64_t>(std::ceil(std::max(wanted_s, least_s) / step_s) * step_s);
}

}  // namespace schedfarm::app
