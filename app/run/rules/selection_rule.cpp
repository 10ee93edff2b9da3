#include "app/run/rules/selection_rule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "app/campaign/plan/steady_state.hpp"
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
        if (is_unstable_[i]) {
            continue;
        }
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
    if (depends_on_queue(cells().front()->cell(), selection_.metric)) {
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

/// Among the systems whose queue kept below its limit in all replications that are used: one that
/// passed it is eliminated as unstable, and the rest is decided as if it had never been there.
void SelectionRule::select_stable(const std::vector<std::span<const double>>& prefixes) {
    std::vector<std::size_t> stable(prefixes.size());
    std::iota(stable.begin(), stable.end(), std::size_t{0});
    for (;;) {
        const engine::SelectionDecision among = select_of(prefixes, stable);
        const auto unstable = std::ranges::find_if(stable, [&](const std::size_t& i) {
            const auto place = static_cast<std::size_t>(&i - stable.data());
            return cells()[i]->overflow(among.systems[place].n).has_value();
        });
        if (unstable != stable.end()) {
            stable.erase(unstable);
            continue;
        }
        decision_ = {among.state, std::nullopt, {}};
        for (const CellProgress* cell : cells()) {
            const std::uint64_t n = cell->overflow(cell->prefix()).value_or(0) + 1;
            decision_.systems.push_back({.eliminated = true, .n = n, .wanted = n});
        }
        for (std::size_t place = 0; place < stable.size(); ++place) {
            decision_.systems[stable[place]] = among.systems[place];
        }
        if (among.selected) {
            decision_.selected = stable[*among.selected];
        }
        is_unstable_.assign(cells().size(), true);
        for (const std::size_t i : stable) {
            is_unstable_[i] = false;
        }
        return;
    }
}

/// Of some of the systems, in their order; of one alone after its first stage, which selects it.
engine::SelectionDecision SelectionRule::select_of(
    const std::vector<std::span<const double>>& prefixes, const std::vector<std::size_t>& places
) const {
    std::vector<std::span<const double>> own;
    for (const std::size_t i : places) {
        own.push_back(prefixes[i]);
    }
    if (own.size() >= 2) {
        return engine::select(own, selection_.settings);
    }
    engine::SelectionDecision decision{engine::SelectionState::cap_reached, std::nullopt, {}};
    if (!own.empty()) {
        const std::uint64_t first =
            std::min(selection_.settings.first_stage, selection_.settings.max);
        const bool is_there = own.front().size() >= first;
        decision.state =
            is_there ? engine::SelectionState::selected : engine::SelectionState::go_on;
        decision.selected = is_there ? std::optional<std::size_t>(0) : std::nullopt;
        decision.systems.push_back({.n = is_there ? first : 0, .wanted = first});
    }
    return decision;
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
    select_stable(prefixes);
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
        CellDecision decision;
        decision.end = is_unstable_[i]                    ? CellEnd::unstable
                       : is_missing && !status.eliminated ? CellEnd::missing
                                                          : end_of(decision_, i);
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
