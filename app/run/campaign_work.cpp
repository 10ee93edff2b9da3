#include "app/run/campaign_work.hpp"

#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/run/journal/task_message.hpp"

namespace schedfarm::app {

CampaignWork::CampaignWork(
    CampaignProgress& progress,
    engine::Journal& journal,
    const std::vector<engine::Suspect>& suspects,
    std::uint32_t crashes
)
    : progress_(progress), journal_(journal), crashes_(crashes) {
    for (const engine::Suspect& suspect : suspects) {
        suspects_[suspect.id] = suspect;
        crashes_of_[suspect.id] = 1;
        (suspect.is_retried_alone() ? alone_ : together_).push_back(suspect.id);
    }
}

std::optional<ReplicationTask> CampaignWork::next_suspect(std::deque<engine::TaskId>& suspects) {
    while (!suspects.empty()) {
        const engine::TaskId id = suspects.front();
        suspects.pop_front();
        if (const auto task = progress_.dispatch(ReplicationId::of(id))) {
            return task;
        }
    }
    return std::nullopt;
}

std::optional<ReplicationTask> CampaignWork::next_replication() {
    if (alone_under_way_) {
        return std::nullopt;
    }
    if (const auto task = next_suspect(alone_)) {
        alone_under_way_ = task->id.task_id();
        return task;
    }
    if (const auto task = next_suspect(together_)) {
        return task;
    }
    if (!again_.empty()) {
        const engine::TaskId id = again_.front();
        again_.pop_front();
        return progress_.task_of(ReplicationId::of(id));
    }
    return progress_.next();
}

std::optional<engine::Task> CampaignWork::next_task() {
    auto task = next_replication();
    if (!task) {
        return std::nullopt;
    }
    const engine::TaskId id = task->id.task_id();
    task->is_suspect = crashes_of_.contains(id);
    journal_.append_intent(id);
    const CellProgress& cell = *progress_.cells()[task->id.cell];
    if (last_cell_.cell != task->id.cell) {
        last_cell_ = {task->id.cell, encode_cell(cell.cell())};
    }
    return engine::Task{id, task_message(*task, last_cell_.bytes), cell.mean_seconds()};
}

bool CampaignWork::is_to_be_tried_again(const engine::TaskResult& result) {
    return result.status == engine::TaskStatus::crashed && ++crashes_of_[result.id] < crashes_;
}

void CampaignWork::accept(const engine::TaskResult& result) {
    if (alone_under_way_ == result.id) {
        alone_under_way_.reset();
    }
    if (is_to_be_tried_again(result)) {
        again_.push_back(result.id);
        return;
    }
    engine::TaskResult marked = result;
    marked.run_began_s = began_s_;
    journal_.append_result(marked);
    progress_.take(marked);
    suspects_.erase(result.id);
}

void CampaignWork::give_again(engine::TaskId id) {
    if (alone_under_way_ == id) {
        alone_under_way_.reset();
    }
    again_.push_back(id);
}

std::optional<std::uint64_t> CampaignWork::tasks_ready() const {
    if (alone_under_way_) {
        return 0;
    }
    return alone_.empty() ? progress_.ready() + again_.size() : 1;
}

void CampaignWork::acquit_under_way() {
    std::vector<engine::Suspect> suspects;
    for (const auto& [id, suspect] : suspects_) {
        suspects.push_back(suspect);
    }
    journal_.append_suspects(suspects);
}

}  // namespace schedfarm::app
