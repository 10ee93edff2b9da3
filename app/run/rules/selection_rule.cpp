#include "app/run/rules/selection_rule.hpp"

#include <algorithm>
#include <limits>

#include "app/plan/steady_state.hpp"
#include "app/run/rules/lengthening_rule.hpp"
#include "app/run/rules/precision_rule.hpp"

namespace schedfarm::app {

namespace {

CellEnd end_of(const engine::SelectionDecision& decision, std::size_t position) {
    const engine::SystemStatus& status = decision.systems[position];
    if (status.eliminated && !status.equals_best) {
        return CellEnd::eliminated;
    }
    switch (decision.state) {
        case engine::SelectionState::go_on:
            return CellEnd::undecided;
        case engine::SelectionState::cap_reached:
            return CellEnd::cap;
        case engine::SelectionState::selected:
            break;
    }
    return decision.selected == position || status.equals_best ? CellEnd::selected
                                                               : CellEnd::eliminated;
}

}  // namespace

SelectionRule::SelectionRule(std::vector<CellProgress*> cells, const SelectionPlan& selection)
    : GroupRule(std::move(cells)), selection_(selection) {}

bool SelectionRule::has_what_it_wants() const {
    return std::all_of(cells().begin(), cells().end(), [](const CellProgress* cell) {
        return !cell->decision().is_open() || cell->prefix() >= cell->decision().next_check;
    });
}

/// Systems are compared by their means: where one has none nothing can be selected.
bool SelectionRule::lacks_a_used_value(const std::vector<std::span<const double>>& prefixes) const {
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        const std::size_t used = std::min<std::size_t>(decision_.systems[i].n, prefixes[i].size());
        if (lacks_a_value(prefixes[i].first(used))) {
            return true;
        }
    }
    return false;
}

/// Together at a longer horizon, where the empty start may take more of a mean than its part of the
/// indifference zone, or of its ± at the end.
bool SelectionRule::begins_anew() {
    std::vector<MetricTarget> of_group;
    if (depends_on_queue(selection_.metric)) {
        of_group.push_back({selection_.metric, {}});
        of_group.back().target.absolute = selection_.settings.indifference;
    }
    std::uint32_t level = 0;
    for (const CellProgress* cell : cells()) {
        CellDecision decision = cell->decision();
        decision.n = decision.is_open() ? decision.next_check : decision.n;
        level = std::max(level, longer_level(*cell, decision, of_group).value_or(0));
    }
    if (level == 0 || !lengthen_together(cells(), level)) {
        return false;
    }
    decision_ = {};
    is_first_stage_judged_ = false;
    return true;
}

void SelectionRule::advance() {
    if (decision_.systems.empty()) {
        decide(0);
    }
    if (!has_what_it_wants()) {
        return;
    }
    const bool is_first_stage = !is_first_stage_judged_;
    is_first_stage_judged_ = true;
    if (is_first_stage && begins_anew()) {
        return advance();
    }
    decide(std::numeric_limits<std::uint64_t>::max());
    if (decision_.state == engine::SelectionState::selected && begins_anew()) {
        advance();
    }
}

/// By the first replications, `most` of each cell.
void SelectionRule::decide(std::uint64_t most) {
    std::vector<std::vector<double>> values;
    std::vector<std::span<const double>> prefixes;
    for (const CellProgress* cell : cells()) {
        const std::uint64_t n = std::min(cell->prefix(), most);
        values.push_back(cell->metric_sample(selection_.metric, n).by_replication());
    }
    prefixes.assign(values.begin(), values.end());
    decision_ = engine::select(prefixes, selection_.settings);
    const bool is_missing = lacks_a_used_value(prefixes);
    if (is_missing) {
        decision_.state = engine::SelectionState::cap_reached;
        decision_.selected.reset();
        for (engine::SystemStatus& status : decision_.systems) {
            status.equals_best = false;
        }
    }
    for (std::size_t i = 0; i < cells().size(); ++i) {
        const engine::SystemStatus& status = decision_.systems[i];
        // That an eliminated cell equals the best is known when that is.
        if (!cells()[i]->decision().is_open() && !status.equals_best) {
            continue;
        }
        CellDecision decision;
        const bool is_eliminated = decision_.systems[i].eliminated;
        decision.end = is_missing && !is_eliminated ? CellEnd::missing : end_of(decision_, i);
        decision.n = status.n;
        decision.next_check = decision.dispatch_limit = decision.predicted = status.wanted;
        decision.most_demanding = selection_.metric;
        if (decision.is_open()) {
            cells()[i]->want(decision);
        } else {
            cells()[i]->conclude(decision);
        }
    }
}

}  // namespace schedfarm::app
