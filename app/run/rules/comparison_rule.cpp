#include "app/run/rules/comparison_rule.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/statistics/estimate.hpp"

#include "app/campaign/plan/log_blocks.hpp"
#include "app/campaign/plan/steady_state.hpp"
#include "app/run/rules/lengthening_rule.hpp"

namespace schedfarm::app {

namespace {

std::vector<double> values_of(
    const ComparisonPlan& comparison, const CellProgress& cell, std::uint64_t n
) {
    return cell.metric_sample(comparison.metric, n).by_replication();
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> compared_pairs(
    const ComparisonPlan& comparison, std::size_t levels
) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t first = 0; first < levels; ++first) {
        if (comparison.baseline) {
            if (first != *comparison.baseline) {
                pairs.emplace_back(first, *comparison.baseline);
            }
            continue;
        }
        for (std::size_t second = first + 1; second < levels; ++second) {
            pairs.emplace_back(first, second);
        }
    }
    return pairs;
}

ComparisonRule::ComparisonRule(std::vector<CellProgress*> cells, const ComparisonPlan& comparison)
    : GroupRule(std::move(cells))
    , comparison_(comparison)
    , pairs_(compared_pairs(comparison, this->cells().size()))
    , limits_(effective_limits(this->cells().front()->cell()))
    , checkpoint_(engine::next_checkpoint(0, limits_)) {}

void ComparisonRule::advance() {
    end_overflowed();
    while (!open_positions().empty() && prefixes_reach(checkpoint_)) {
        decide();
        end_overflowed();
    }
}

std::vector<std::size_t> ComparisonRule::open_positions() const {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < cells().size(); ++i) {
        if (cells()[i]->decision().is_open()) {
            open.push_back(i);
        }
    }
    return open;
}

bool ComparisonRule::prefixes_reach(std::uint64_t n) const {
    return std::all_of(cells().begin(), cells().end(), [n](const CellProgress* cell) {
        return !cell->decision().is_open() || cell->prefix() >= n;
    });
}

/// A cell whose queue has passed its limit leaves the group; the others go on.
void ComparisonRule::end_overflowed() {
    for (CellProgress* cell : cells()) {
        const auto overflow = cell->overflow(checkpoint_);
        if (overflow && cell->decision().is_open()) {
            CellDecision decision = cell->decision();
            decision.end = CellEnd::unstable;
            decision.n = *overflow + 1;
            cell->conclude(decision);
        }
    }
}

ExtraTarget target_of_difference(
    const ComparisonPlan& comparison,
    const CellProgress& first,
    const CellProgress& second,
    std::uint64_t n
) {
    std::vector<double> a = values_of(comparison, first, n);
    const std::vector<double> b = values_of(comparison, second, n);
    ExtraTarget target;
    target.metric = comparison.metric;
    target.cells = {first.cell().index, second.cell().index};
    target.target = *comparison.target;
    target.target.method = engine::IntervalMethod::skew_adjusted;
    target.target.log = in_common(first.cell().log_blocks, second.cell().log_blocks);
    if (target.target.relative) {
        const double epsilon = *target.target.relative;
        const auto mean = engine::estimate_mean(b, 0.95, engine::IntervalMethod::student_t);
        const double allowed = mean ? epsilon / (1 + epsilon) * std::fabs(mean->mean) : 0;
        target.target.absolute = std::max(target.target.absolute.value_or(0), allowed);
        target.target.relative.reset();
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] -= b[i];
    }
    target.values = std::move(a);
    return target;
}

/// A cell that lacks a value of what is compared ends, and is no reason for the others to.
std::vector<ExtraTarget> ComparisonRule::differences_of(std::size_t position) const {
    std::vector<ExtraTarget> differences;
    for (const auto& [first, second] : pairs_) {
        const bool is_concerned = first == position || second == position;
        const std::size_t other = first == position ? second : first;
        const bool both_open =
            cells()[first]->decision().is_open() && cells()[second]->decision().is_open();
        if (is_concerned && both_open
            && !lacks_a_value(values_of(comparison_, *cells()[other], checkpoint_))) {
            differences.push_back(
                target_of_difference(comparison_, *cells()[first], *cells()[second], checkpoint_)
            );
        }
    }
    return differences;
}

/// Together at a longer horizon, where the empty start takes more of a mean than its part of the ±
/// of the cell or of a difference.
bool ComparisonRule::begins_anew(
    const std::vector<std::size_t>& open, const std::vector<CellDecision>& decisions
) {
    std::uint32_t level = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
        std::vector<MetricTarget> of_group;
        if (depends_on_queue(cells()[open[i]]->cell(), comparison_.metric)) {
            for (const ExtraTarget& difference : differences_of(open[i])) {
                of_group.push_back({difference.metric, difference.target});
            }
        }
        level =
            std::max(level, longer_level(*cells()[open[i]], decisions[i], of_group).value_or(0));
    }
    if (level == 0 || !lengthen_together(cells(), level)) {
        return false;
    }
    limits_ = effective_limits(cells()[open_positions().front()]->cell());
    checkpoint_ = engine::next_checkpoint(0, limits_);
    return true;
}

void ComparisonRule::decide() {
    const std::vector<std::size_t> open = open_positions();
    std::vector<CellDecision> decisions;
    std::uint64_t predicted = 0;
    bool all_met = true;
    for (const std::size_t position : open) {
        decisions.push_back(decide_at(*cells()[position], checkpoint_, differences_of(position)));
        predicted = std::max(predicted, decisions.back().predicted);
        all_met = all_met && decisions.back().end == CellEnd::met;
    }
    if (begins_anew(open, decisions)) {
        return;
    }
    const std::uint64_t next = engine::next_checkpoint(checkpoint_, limits_);
    for (std::size_t i = 0; i < open.size(); ++i) {
        CellDecision& decision = decisions[i];
        // A cell that has met its targets waits for the others of its group.
        const bool waits = !all_met && decision.end == CellEnd::met && checkpoint_ < limits_.max;
        if (waits || decision.is_open()) {
            decision.end = CellEnd::undecided;
            decision.next_check = next;
            decision.predicted = std::clamp(predicted, next, limits_.max);
            decision.dispatch_limit = speculation_limit(next, decision.predicted, limits_);
            cells()[open[i]]->want(decision);
        } else {
            cells()[open[i]]->conclude(decision);
        }
    }
    checkpoint_ = next;
}

}  // namespace schedfarm::app
