// A campaign as work for the farm: every outcome is in the journal before it counts. Suspects of an
// earlier run that died come first, one at a time with nothing else in flight, so that the next
// death, if there is one, has a single cause.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/farm/journal.hpp"
#include "engine/farm/task.hpp"

#include "campaigns/run/campaign_progress.hpp"

namespace schedfarm::campaigns {

class CampaignWork final : public engine::WorkSource {
  public:
    /// `progress` and `journal` outlive the work.
    CampaignWork(
        CampaignProgress& progress,
        engine::Journal& journal,
        const std::vector<engine::TaskId>& suspects = {}
    )
        : progress_(progress), journal_(journal), suspects_(suspects.begin(), suspects.end()) {}

    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    bool finished() const override { return progress_.finished(); }
    std::optional<std::uint64_t> tasks_ready() const override;

  private:
    std::optional<ReplicationTask> next_replication();

    CampaignProgress& progress_;
    engine::Journal& journal_;
    std::deque<engine::TaskId> suspects_;
    std::optional<engine::TaskId> suspect_under_way_;
};

}  // namespace schedfarm::campaigns
