// A campaign as work for the farm: gives out replications cell by cell, keeps every outcome in the
// journal before it counts, and knows when the last cell is decided.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/farm/journal.hpp"
#include "engine/farm/task.hpp"
#include "engine/simulation/observations.hpp"

#include "campaigns/plan/plan.hpp"
#include "campaigns/run/cell_progress.hpp"

namespace schedfarm::campaigns {

/// Which replication of which cell a task is; packed into the farm's task id.
struct ReplicationId {
    std::uint32_t cell = 0;
    std::uint32_t replication = 0;

    engine::TaskId task_id() const;
    static ReplicationId of(engine::TaskId id);
};

engine::Bytes encode(const engine::Observations& observations);
/// Throws when the bytes are no observations.
engine::Observations decode_observations(const engine::Bytes& bytes);

/// The progress of every cell of a plan. Cost of each call: O(1) for a campaign of many cells, but
/// next(), which passes over cells that want nothing.
class CampaignProgress {
  public:
    explicit CampaignProgress(const Plan& plan);

    /// The next replication to dispatch, cell by cell in turn.
    std::optional<ReplicationId> next();
    /// Takes a replication's result; a later one for the same replication replaces an earlier one.
    void take(const engine::TaskResult& result);
    bool finished() const { return finished_cells_ == cells_.size(); }
    /// How many replications next() would give now.
    std::uint64_t ready() const { return ready_; }
    const std::vector<std::unique_ptr<CellProgress>>& cells() const { return cells_; }

  private:
    std::vector<std::unique_ptr<CellProgress>> cells_;
    std::uint64_t ready_ = 0;
    std::size_t finished_cells_ = 0;
    std::size_t next_cell_ = 0;
};

/// A campaign as work for the farm: every outcome is in the journal before it counts.
class CampaignWork final : public engine::WorkSource {
  public:
    /// `progress` and `journal` outlive the work.
    CampaignWork(CampaignProgress& progress, engine::Journal& journal)
        : progress_(progress), journal_(journal) {}

    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    bool finished() const override { return progress_.finished(); }
    std::optional<std::uint64_t> tasks_ready() const override { return progress_.ready(); }

  private:
    CampaignProgress& progress_;
    engine::Journal& journal_;
};

}  // namespace schedfarm::campaigns
