// The waiting jobs in queue order with an ageing counter each, and the scan of "Fit Processors
// First Served" (Bucur & Epema 2000, section 2.3): from head to tail, every job that fits starts.
// A start adds 1 to the counter of each waiting job ahead of the started one, and no job may
// overpass a waiting job whose counter has reached `max_jumps`, checked at once after each start.
// max_jumps = 0: the head blocks.
//
// "Ahead" means in queue order. Jobs are ordered by key, equal keys by arrival; with equal keys
// throughout it is the order of arrival and counters never increase from head to tail. Otherwise an
// arrival may be put ahead of older jobs; that counts for nobody, and the newcomer's counter is 0
// though jobs behind it may have more. One scheme serves both: entry i keeps
// counter(i) − counter(i + 1), so that one addition ages all jobs ahead, and the scan carries the
// highest counter seen so far.
//
// Cost: arrival at the tail O(1), elsewhere O(log n + jobs up to the nearer end); scan O(jobs
// looked at), plus for each start the shorter way to close the gap; reorder O(n log n).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/simulation/job.hpp"

namespace schedfarm::engine {

struct WaitingJob {
    JobId id;
    std::uint32_t size = 0;
    double key = 0;              ///< place in the queue: smaller is nearer to the head
    std::uint64_t arrival = 0;   ///< number in order of arrival
    std::int64_t jump_step = 0;  ///< counter of this job − counter of the next
};

/// What became of a job that was offered a start.
enum class Offer : std::uint8_t {
    started,
    does_not_fit,
    nothing_fits,  ///< nor does any other job
};

class WaitingQueue {
  public:
    explicit WaitingQueue(std::int64_t max_jumps) : max_jumps_(max_jumps) {}

    bool empty() const { return head_ == jobs_.size(); }
    std::size_t size() const { return jobs_.size() - head_; }

    /// Puts a job behind all jobs with the same or a smaller key; its counter is 0.
    void add(JobId id, std::uint32_t size, double key);

    /// Takes a job out that does not start: nobody ages. REQUIRES: it waits. Cost: O(jobs behind).
    void withdraw(JobId id);

    /// Offers the jobs from head to tail to `offer` (const WaitingJob& → Offer), which starts those
    /// that fit; stops at a job that must not be overpassed.
    template <typename Function>
    void scan(Function offer);

    /// Gives every job a new key, key_of(id); counters stay with their jobs.
    template <typename Function>
    void reorder(Function key_of);

  private:
    bool is_nearer_to_head(std::size_t at) const { return at - head_ < jobs_.size() - at; }
    std::size_t place_of(double key) const;
    std::int64_t counter_at(std::size_t at) const;
    void insert(std::size_t at, const WaitingJob& job);
    void remove(std::size_t at);
    void close_gap(std::size_t at);
    void sort();

    std::int64_t max_jumps_;
    std::uint64_t arrivals_ = 0;
    std::vector<WaitingJob> jobs_;  // the queue is jobs_[head_] …
    std::size_t head_ = 0;
    std::int64_t head_counter_ = 0;
};

template <typename Function>
void WaitingQueue::scan(Function offer) {
    std::int64_t counter = head_counter_;  // of the job offered
    std::int64_t highest_ahead = -1;       // −1: none is ahead
    for (std::size_t passed = 0; passed < size() && highest_ahead < max_jumps_;) {
        const std::size_t at = head_ + passed;
        const std::int64_t step = jobs_[at].jump_step;
        const Offer answer = offer(std::as_const(jobs_[at]));
        if (answer == Offer::nothing_fits) {
            return;
        }
        if (answer == Offer::does_not_fit) {
            highest_ahead = std::max(highest_ahead, counter);
            ++passed;
        } else {
            remove(at);
            highest_ahead += passed > 0 ? 1 : 0;
        }
        counter -= step;
    }
}

template <typename Function>
void WaitingQueue::reorder(Function key_of) {
    for (std::size_t at = head_; at < jobs_.size(); ++at) {
        jobs_[at].key = key_of(jobs_[at].id);
    }
    sort();
}

}  // namespace schedfarm::engine
