#include "campaigns/run/campaign_work.hpp"

namespace schedfarm::campaigns {

std::optional<engine::Task> CampaignWork::next_task() {
    const auto task = progress_.next();
    if (!task) {
        return std::nullopt;
    }
    const engine::TaskId id = task->id.task_id();
    journal_.append_intent(id);
    return engine::Task{id, encode(*task), progress_.cells()[task->id.cell]->mean_seconds()};
}

void CampaignWork::accept(const engine::TaskResult& result) {
    journal_.append_result(result);
    progress_.take(result);
}

}  // namespace schedfarm::campaigns
