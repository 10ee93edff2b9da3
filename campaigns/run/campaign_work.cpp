#include "campaigns/run/campaign_work.hpp"

namespace schedfarm::campaigns {

std::optional<ReplicationTask> CampaignWork::next_replication() {
    if (suspect_under_way_) {
        return std::nullopt;
    }
    while (!suspects_.empty()) {
        const engine::TaskId id = suspects_.front();
        suspects_.pop_front();
        if (const auto task = progress_.dispatch(ReplicationId::of(id))) {
            suspect_under_way_ = id;
            return task;
        }
    }
    return progress_.next();
}

std::optional<engine::Task> CampaignWork::next_task() {
    const auto task = next_replication();
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
    if (suspect_under_way_ == result.id) {
        suspect_under_way_.reset();
    }
}

std::optional<std::uint64_t> CampaignWork::tasks_ready() const {
    if (suspect_under_way_) {
        return 0;
    }
    return suspects_.empty() ? progress_.ready() : 1;
}

}  // namespace schedfarm::campaigns
