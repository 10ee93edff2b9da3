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

/// The progress of every cell of a plan.
class CampaignProgress {
  public:
    explicit CampaignProgress(const Plan& plan);

    /// Takes a replication's result; a later one for the same replication replaces an earlier one.
    void take(const engine::TaskResult& result);
    bool finished() const;
    const std::vector<std::unique_ptr<CellProgress>>& cells() const { return cells_; }

  private:
    std::vector<std::unique_ptr<CellProgress>> cells_;
};

class CampaignWork final : public engine::WorkSource {
  public:
    /// `progress` and `journal` outlive the work.
    CampaignWork(CampaignProgress& progress, engine::Journal& journal)
        : progress_(progress), journal_(journal) {}

    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    bool finished() const override { return progress_.finished(); }

  private:
    CampaignProgress& progress_;
    engine::Journal& journal_;
    std::size_t next_cell_ = 0;
};

}  // namespace schedfarm::campaigns
