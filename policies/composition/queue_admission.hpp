// Which jobs of queues with priorities and limits the policy inside them is to see, and in which
// order. The policy `queues` and its verifier share this; it knows nothing of processors.
//
// Under the limits of a queue count those of its jobs that have started, and ahead of a job those
// that are handed down. Jobs of a queue are handed down in order of arrival: one that a limit of
// the queue holds back holds all behind it, one that the limit of its user holds back is passed by,
// and when it may go on takes the place of those behind it that have not started. What is handed
// down is in order of priority, jobs of equal priority in order of arrival: waiting jobs that come
// behind a newcomer are taken back and handed down again behind it.
//
// Cost: O(log jobs) per job, O(held jobs looked at and jobs that wait behind them) per instant, and
// O(jobs behind the first newcomer) per instant with a newcomer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "engine/simulation/job.hpp"

#include "policies/composition/queue_table.hpp"

namespace schedfarm::policies {

class QueueAdmission {
  public:
    explicit QueueAdmission(QueueTable table);

    /// The job is held until hand_down() finds that it may go on.
    void submit(engine::JobId id, const engine::Job& job);
    /// The job has completed, or was taken back. Returns whether it had been handed down.
    bool leave(engine::JobId id);

    /// Finds what to take back and what to hand down, after all events of an instant;
    /// `waits` (id) tells whether a job that was handed down has not started.
    template <typename Function>
    void hand_down(Function waits);
    /// Jobs in both were taken back for one that comes ahead of them.
    std::span<const engine::JobId> taken_back() const { return taken_back_; }
    /// In order.
    std::span<const engine::JobId> handed_down() const { return handed_down_; }

  private:
    /// Of a job among those that are handed down.
    struct Place {
        std::int64_t priority = 0;
        std::uint64_t arrival = 0;
        engine::JobId id;

        friend bool operator<(const Place& a, const Place& b) {
            return a.priority != b.priority ? a.priority > b.priority : a.arrival < b.arrival;
        }
    };
    struct Known {
        QueueUsage::Request use;
        Place place;
        bool is_held = true;
        bool is_newcomer = false;  // admitted in this hand_down()
    };
    using Line = std::map<std::uint64_t, engine::JobId>;  // by arrival
    struct Queue {
        Line held;
        Line handed;  // down; some have started
    };

    template <typename Function>
    void hold_anew(Queue& queue, Function waits);
    void admit(Queue& queue);

    QueueTable table_;
    QueueUsage usage_;
    std::vector<Queue> queues_;
    std::vector<Known> known_;  // by slot of the job
    std::set<Place> admitted_;  // handed down and neither completed nor taken back
    std::uint64_t arrivals_ = 0;

    // Of an instant.
    std::vector<Place> newcomers_;
    std::vector<engine::JobId> doubtful_;  // of a queue: handed down, and held for now
    std::vector<engine::JobId> taken_back_;
    std::vector<engine::JobId> handed_down_;
};

template <typename Function>
void QueueAdmission::hand_down(Function waits) {
    newcomers_.clear();
    taken_back_.clear();
    handed_down_.clear();
    for (Queue& queue : queues_) {
        if (!queue.held.empty()) {
            hold_anew(queue, waits);
            admit(queue);
        }
    }
    if (newcomers_.empty()) {
        return;
    }
    const Place first = *std::min_element(newcomers_.begin(), newcomers_.end());
    for (auto at = admitted_.find(first); at != admitted_.end(); ++at) {
        bool& is_newcomer = known_[at->id.value].is_newcomer;
        if (!is_newcomer && waits(at->id)) {
            taken_back_.push_back(at->id);
            handed_down_.push_back(at->id);
        } else if (is_newcomer) {
            handed_down_.push_back(at->id);
        }
        is_newcomer = false;
    }
}

// What waits behind the first that is held: it counts when its turn comes.
template <typename Function>
void QueueAdmission::hold_anew(Queue& queue, Function waits) {
    doubtful_.clear();
    const auto behind = queue.handed.lower_bound(queue.held.begin()->first);
    for (auto at = behind; at != queue.handed.end(); ++at) {
        Known& job = known_[at->second.value];
        if (waits(at->second)) {
            usage_.remove(job.use);
            job.is_held = true;
            queue.held.insert(*at);
            doubtful_.push_back(at->second);
        }
    }
    queue.handed.erase(behind, queue.handed.end());
}

}  // namespace schedfarm::policies
