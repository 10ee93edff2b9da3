#include "app/run/campaign_progress.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/farm/task_executor.hpp"
#include "engine/foundation/expect.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/run/rules/comparison_rule.hpp"
#include "app/run/rules/horizon_rule.hpp"
#include "app/run/rules/load_search_rule.hpp"
#include "app/run/rules/selection_rule.hpp"

namespace schedfarm::app {

namespace {

/// What decides each cell: its own stop rule, or something else.
std::vector<Governance> governance_of_cells(const Plan& plan) {
    std::vector<Governance> found(plan.cells.size(), Governance::own);
    const auto mark = [&](const std::vector<CellGroup>& groups, Governance governance) {
        for (const CellGroup& group : groups) {
            for (const std::uint32_t cell : group.cells) {
                found.at(cell) = governance;
            }
        }
    };
    if (shares_horizons(plan)) {
        mark(plan.comparison->groups, Governance::own_but_horizon);
    }
    if (plan.comparison && plan.comparison->target) {
        mark(plan.comparison->groups, Governance::group);
    }
    if (plan.selection) {
        mark(plan.selection->groups, Governance::group);
    }
    for (const Cell& cell : plan.cells) {
        if (cell.load_search) {
            found[cell.index] = Governance::group;
        }
    }
    return found;
}

}  // namespace

double placed_utilization(double fraction, double maximal_utilization) {
    return std::stod(fmt::format("{:.4g}", fraction * maximal_utilization));
}

CampaignProgress::CampaignProgress(const Plan& plan, const CellShare& share)
    : plan_(plan)
    , is_ours_(cells_of_share(plan, share))
    , tallies_(plan.cells.size())
    , rule_of_(plan.cells.size(), nullptr)
    , search_of_(plan.cells.size(), nullptr) {
    const std::vector<Governance> governance = governance_of_cells(plan);
    for (const Cell& cell : plan.cells) {
        cells_.push_back(std::make_unique<CellProgress>(cell, governance[cell.index]));
    }
    add_rules();
    for (const auto& rule : rules_) {
        rule->advance();
    }
    for (std::uint32_t i = 0; i < cells_.size(); ++i) {
        update(i);
    }
}

CampaignProgress::~CampaignProgress() = default;

std::vector<CellProgress*> CampaignProgress::members(const CellGroup& group) {
    std::vector<CellProgress*> cells;
    for (const std::uint32_t cell : group.cells) {
        cells.push_back(cells_.at(cell).get());
    }
    return cells;
}

void CampaignProgress::add_rule(std::unique_ptr<GroupRule> rule) {
    for (const CellProgress* cell : rule->cells()) {
        GroupRule*& place = rule_of_.at(cell->cell().index);
        SCHEDFARM_EXPECT(place == nullptr, "a cell is decided by two rules");
        place = rule.get();
    }
    rules_.push_back(std::move(rule));
}

void CampaignProgress::add_rules() {
    if (plan_.comparison && plan_.comparison->target) {
        for (const CellGroup& group : plan_.comparison->groups) {
            add_rule(std::make_unique<ComparisonRule>(members(group), *plan_.comparison));
        }
    }
    if (shares_horizons(plan_)) {
        for (const CellGroup& group : plan_.comparison->groups) {
            add_rule(std::make_unique<HorizonRule>(members(group)));
        }
    }
    if (plan_.selection) {
        for (const CellGroup& group : plan_.selection->groups) {
            auto rule = std::make_unique<SelectionRule>(members(group), *plan_.selection);
            selections_.push_back(rule.get());
            add_rule(std::move(rule));
        }
    }
    for (const auto& cell : cells_) {
        if (cell->cell().load_search) {
            auto rule = std::make_unique<LoadSearchRule>(*cell);
            search_of_[cell->cell().index] = rule.get();
            add_rule(std::move(rule));
        }
    }
}

void CampaignProgress::update(std::uint32_t cell) {
    const CellProgress& progress = *cells_[cell];
    Tally& tally = tallies_[cell];
    const std::uint64_t ready = is_ours_[cell] ? progress.ready() : 0;
    const Tally now{ready, progress.in_flight(), progress.finished()};
    ready_ = ready_ - tally.ready + now.ready;
    in_flight_ = in_flight_ - tally.in_flight + now.in_flight;
    finished_cells_ += now.finished ? 1U : 0U;
    finished_cells_ -= tally.finished ? 1U : 0U;
    const bool is_decided = !progress.decision().is_open() && !tally.finished;
    tally = now;
    if (is_decided && progress.cell().is_pilot) {
        place_loads(cell);
    }
}

/// A pilot is decided: the cells that wait for it may begin.
void CampaignProgress::place_loads(std::uint32_t pilot) {
    const CellProgress& saturated = *cells_[pilot];
    const MetricSample sample = saturated.metric_sample("gross_utilization", saturated.used());
    const auto estimate = engine::estimate_ratio(sample.values, sample.denominators, 0.95);
    SCHEDFARM_EXPECT(estimate.has_value(), "a pilot has fewer than two replications");
    for (const auto& cell : cells_) {
        const auto& placed = cell->cell().placed_load;
        if (placed && placed->pilot == pilot && cell->waits_for_load()) {
            cell->place_load(placed_utilization(placed->fraction, estimate->mean));
            advance_with(cell->cell().index);
        }
    }
}

std::optional<ReplicationTask> CampaignProgress::next() {
    while (ready_ > 0) {
        const auto index = static_cast<std::uint32_t>(next_cell_);
        std::optional<std::uint32_t> replication;
        if (is_ours_[index]) {
            replication = cells_[index]->next_replication();
            update(index);
        }
        // The first two of every cell come first, so that something is known of each; together, for
        // then a worker reads the cell once.
        if (!replication || *replication == 1 || (*replication + 1) % engine::most_together == 0) {
            next_cell_ = (next_cell_ + 1) % cells_.size();
        }
        if (replication) {
            return task_of({index, *replication});
        }
    }
    return std::nullopt;
}

std::optional<ReplicationTask> CampaignProgress::dispatch(ReplicationId id) {
    const bool is_ours = id.cell < cells_.size() && is_ours_[id.cell];
    if (!is_ours || !cells_[id.cell]->dispatch(id.replication)) {
        return std::nullopt;
    }
    update(id.cell);
    return task_of(id);
}

ReplicationTask CampaignProgress::task_of(ReplicationId id) const {
    ReplicationTask task;
    task.id = id;
    if (search_of_[id.cell] != nullptr) {
        task.utilization = search_of_[id.cell]->utilization(id.replication);
    } else if (cells_[id.cell]->cell().placed_load) {
        task.utilization = cells_[id.cell]->utilization();
    }
    return task;
}

void CampaignProgress::take(const engine::TaskResult& result) {
    take(ReplicationId::of(result.id), outcome_of(result));
}

void CampaignProgress::take(ReplicationId id, ReplicationOutcome outcome) {
    SCHEDFARM_EXPECT(id.cell < cells_.size(), "a result of a cell that the plan does not have");
    versions_.insert(outcome.versions.begin(), outcome.versions.end());
    cells_[id.cell]->accept(id.replication, std::move(outcome));
    advance_with(id.cell);
}

/// A cell has changed, and with it perhaps its group.
void CampaignProgress::advance_with(std::uint32_t cell) {
    GroupRule* rule = rule_of_[cell];
    if (rule == nullptr) {
        update(cell);
        return;
    }
    rule->advance();
    for (const CellProgress* member : rule->cells()) {
        update(member->cell().index);
    }
}

bool CampaignProgress::finished() const {
    return finished_cells_ == cells_.size() || (ready_ == 0 && in_flight_ == 0);
}

const LoadSearchRule* CampaignProgress::search(std::uint32_t cell) const {
    return search_of_.at(cell);
}

}  // namespace schedfarm::app
