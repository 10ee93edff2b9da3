// A campaign as work for the farm: every outcome is in the journal before it counts.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/farm/journal.hpp"
#include "engine/farm/task.hpp"

#include "campaigns/run/campaign_progress.hpp"

namespace schedfarm::campaigns {

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
