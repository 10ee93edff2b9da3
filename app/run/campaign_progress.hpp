// The progress of every cell of a plan: gives out replications cell by cell, takes their outcomes,
// and knows when the last cell is decided. Everything that it decides is a function of the cells'
// ordered prefixes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/farm/task.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/cell_progress.hpp"
#include "app/run/cell_share.hpp"
#include "app/run/journal/outcome_codec.hpp"
#include "app/run/rules/group_rule.hpp"

namespace schedfarm::app {

class LoadSearchRule;
class SelectionRule;

/// Cost of each call: O(1) for a campaign of many cells, but next(), which passes over cells that
/// want nothing, and take(), which advances the rule of the cell's group.
class CampaignProgress {
  public:
    /// The plan outlives the progress. Only cells of the share are dispatched.
    explicit CampaignProgress(const Plan& plan, const CellShare& share = {});
    CampaignProgress(const CampaignProgress&) = delete;
    CampaignProgress& operator=(const CampaignProgress&) = delete;
    ~CampaignProgress();

    /// The next to dispatch, cell by cell in turn, a few of each that may be executed together.
    std::optional<ReplicationTask> next();
    /// Dispatches this replication; absent where it is not wanted, or is dispatched already.
    std::optional<ReplicationTask> dispatch(ReplicationId id);
    /// What to run for a replication that has been dispatched.
    ReplicationTask task_of(ReplicationId id) const;
    /// Takes a replication's result; a later one for the same replication replaces an earlier one.
    void take(const engine::TaskResult& result);
    void take(ReplicationId id, ReplicationOutcome outcome);
    /// True when every cell is decided, or when what is undecided waits for a replication that
    /// failed.
    bool finished() const;
    /// How many replications next() would give now.
    std::uint64_t ready() const { return ready_; }

    const Plan& plan() const { return plan_; }
    const std::vector<std::unique_ptr<CellProgress>>& cells() const { return cells_; }
    /// Whether the cell belongs to the share.
    bool is_ours(const Cell& cell) const { return is_ours_.at(cell.index); }
    /// With which versions of what policies of the user's own ran, in all that was taken.
    const std::set<std::string>& versions() const { return versions_; }
    /// The search of a cell; null where its load is not searched for.
    const LoadSearchRule* search(std::uint32_t cell) const;
    /// The selections, one per group of the plan's.
    const std::vector<const SelectionRule*>& selections() const { return selections_; }

  private:
    /// What the sums count of a cell.
    struct Tally {
        std::uint64_t ready = 0;
        std::uint64_t in_flight = 0;
        bool finished = false;
    };

    void add_rules();
    void add_rule(std::unique_ptr<GroupRule> rule);
    std::vector<CellProgress*> members(const CellGroup& group);
    void update(std::uint32_t cell);
    void advance_with(std::uint32_t cell);
    void place_loads(std::uint32_t pilot);

    const Plan& plan_;
    std::vector<std::unique_ptr<CellProgress>> cells_;
    std::vector<bool> is_ours_;
    std::vector<Tally> tallies_;
    std::vector<std::unique_ptr<GroupRule>> rules_;
    std::vector<GroupRule*> rule_of_;  // by cell; null: the cell's own
    std::vector<const LoadSearchRule*> search_of_;
    std::vector<const SelectionRule*> selections_;
    std::set<std::string> versions_;
    std::uint64_t ready_ = 0;
    std::uint64_t in_flight_ = 0;
    std::size_t finished_cells_ = 0;
    std::size_t next_cell_ = 0;
};

/// The load placed at a fraction of a maximal utilization: four significant digits, so that tables
/// can show it exactly.
double placed_utilization(double fraction, double maximal_utilization);

}  // namespace schedfarm::app
