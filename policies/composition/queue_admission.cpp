#include "policies/composition/queue_admission.hpp"

#include <utility>

namespace schedfarm::policies {

using engine::JobId;

QueueAdmission::QueueAdmission(QueueTable table)
    : table_(std::move(table)), usage_(table_), queues_(table_.rules.size()) {}

void QueueAdmission::submit(JobId id, const engine::Job& job) {
    const std::size_t number = table_.queue_of(job);
    known_.resize(std::max(known_.size(), id.value + std::size_t{1}));
    known_[id.value] = {
        .use = {number, job.user, job.size},
        .place = {table_.rules[number].priority, arrivals_++, id}};
    queues_[number].held.emplace(known_[id.value].place.arrival, id);
}

bool QueueAdmission::leave(JobId id) {
    const Known& job = known_[id.value];
    Queue& queue = queues_[job.use.queue];
    if (job.is_held) {
        queue.held.erase(job.place.arrival);
        return false;
    }
    usage_.remove(job.use);
    queue.handed.erase(job.place.arrival);
    admitted_.erase(job.place);
    return true;
}

void QueueAdmission::admit(Queue& queue) {
    for (auto at = queue.held.begin(); at != queue.held.end();) {
        Known& job = known_[at->second.value];
        const Hold hold = usage_.hold(table_, job.use);
        if (hold == Hold::queue) {
            break;
        }
        if (hold == Hold::user) {
            ++at;
            continue;
        }
        usage_.add(job.use);
        job.is_held = false;
        queue.handed.insert(*at);
        at = queue.held.erase(at);
        if (admitted_.insert(job.place).second) {
            job.is_newcomer = true;
            newcomers_.push_back(job.place);
        }
    }
    for (const JobId id : doubtful_) {
        if (known_[id.value].is_held) {
            admitted_.erase(known_[id.value].place);
            taken_back_.push_back(id);
        }
    }
}

}  // namespace schedfarm::policies
