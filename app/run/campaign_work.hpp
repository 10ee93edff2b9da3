// A campaign as work for the farm: every outcome is in the journal before it counts. Suspects of an
// earlier run that died come first; those suspected repeatedly one at a time with nothing else in
// flight, so that the next death, if there is one, has a single cause.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/task.hpp"
#include "engine/farm/wall_clock.hpp"

#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

class CampaignWork final : public engine::WorkSource {
  public:
    /// `progress` and `journal` outlive the work. A replication that crashes is run again until it
    /// has crashed `crashes` times; a death that made it a suspect counts as one.
    CampaignWork(
        CampaignProgress& progress,
        engine::Journal& journal,
        const std::vector<engine::Suspect>& suspects = {},
        std::uint32_t crashes = 1
    );

    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    void give_again(engine::TaskId id) override;
    bool finished() const override { return progress_.finished(); }
    std::optional<std::uint64_t> tasks_ready() const override;

    /// When this run began, seconds since 1970: every result is marked with it.
    double began_s() const { return began_s_; }

    /// Records that the run is being stopped: what is under way is not suspected if it never ends.
    void acquit_under_way();

  private:
    std::optional<ReplicationTask> next_replication();
    std::optional<ReplicationTask> next_suspect(std::deque<engine::TaskId>& suspects);
    bool is_to_be_tried_again(const engine::TaskResult& result);

    CampaignProgress& progress_;
    engine::Journal& journal_;
    std::uint32_t crashes_;
    double began_s_ = engine::seconds_since_1970();
    std::map<engine::TaskId, engine::Suspect> suspects_;  // those without a result yet
    std::map<engine::TaskId, std::uint32_t> crashes_of_;
    std::deque<engine::TaskId> alone_;
    std::deque<engine::TaskId> together_;
    std::deque<engine::TaskId> again_;  // crashed in this run, or lost with their rank
    std::optional<engine::TaskId> alone_under_way_;

    /// Replications of a cell mostly come one after the other.
    struct EncodedCell {
        std::optional<std::uint32_t> cell = {};
        engine::Bytes bytes = {};
    };
    EncodedCell last_cell_;
};

}  // namespace schedfarm::app
