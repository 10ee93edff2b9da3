// The waiting jobs of a backfilling policy: one of them is the head by the chosen order, the others
// may be candidates. With an order that does not change with time the jobs lie in that order and
// the head is the first; else they lie in order of arrival, and update() finds the head.
//
// Cost: add O(1) at the tail, elsewhere O(n); update O(n) where the order changes with time, else
// O(1); remove O(n).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/simulation/job.hpp"

#include "policies/backfilling/queue_order.hpp"

namespace schedfarm::policies {

class BackfillQueue {
  public:
    struct Waiting {
        double duration = 0;  ///< as a candidate
        std::uint32_t size = 0;
        engine::JobId id;
        double key = 0;
        OrderedJob job;
    };

    explicit BackfillQueue(QueueOrder order) : order_(order) {}

    bool empty() const { return jobs_.empty(); }
    std::size_t size() const { return jobs_.size(); }
    const Waiting& at(std::size_t i) const { return jobs_[i]; }
    /// Where the head is. REQUIRES: not empty; update() since the last change.
    std::size_t head() const { return head_; }

    /// Returns where the job is.
    std::size_t add(engine::JobId id, double duration, const OrderedJob& job) {
        const double key = changes_with_time(order_) ? 0 : queue_key(order_, job, 0);
        const Waiting waiting{duration, job.size, id, key, job};
        smallest_ = std::min(smallest_, job.size);
        auto after = jobs_.end();
        if (!jobs_.empty() && key < jobs_.back().key) {
            after = std::upper_bound(
                jobs_.begin(),
                jobs_.end(),
                key,
                [](double wanted, const Waiting& other) { return wanted < other.key; }
            );
        }
        const auto place = jobs_.insert(after, waiting);
        return static_cast<std::size_t>(place - jobs_.begin());
    }

    /// Where a job is, looked for from the tail. REQUIRES: it waits.
    std::size_t place_of(engine::JobId id) const {
        std::size_t i = jobs_.size() - 1;
        while (!(jobs_.at(i).id == id)) {
            --i;
        }
        return i;
    }

    /// The order as it is at `now`.
    void update(double now) {
        head_ = 0;
        if (!changes_with_time(order_)) {
            return;
        }
        if (order_ == QueueOrder::lxf) {
            find_keys([now](const OrderedJob& job) { return queue_key(QueueOrder::lxf, job, now); }
            );
        } else {
            find_keys([now](const OrderedJob& job) { return queue_key(QueueOrder::wfp, job, now); }
            );
        }
    }

    /// Puts some jobs, given by where they are, in the order of the queue.
    void sort(std::span<std::uint32_t> some) const {
        if (changes_with_time(order_)) {
            std::sort(some.begin(), some.end(), [this](std::uint32_t a, std::uint32_t b) {
                return jobs_[a].key < jobs_[b].key || (jobs_[a].key == jobs_[b].key && a < b);
            });
        }
    }

    void remove(std::size_t i) {
        const std::uint32_t size = jobs_[i].size;
        jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
        if (size == smallest_) {
            smallest_ = none;
            for (const Waiting& job : jobs_) {
                smallest_ = std::min(smallest_, job.size);
            }
        }
    }

    /// The least size of all jobs.
    std::uint32_t smallest() const { return smallest_; }

  private:
    /// And the head.
    template <typename Function>
    void find_keys(Function key_of) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            const double key = key_of(jobs_[i].job);
            jobs_[i].key = key;
            head_ = key < least ? i : head_;
            least = std::min(key, least);
        }
    }

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    QueueOrder order_;
    std::vector<Waiting> jobs_;
    std::size_t head_ = 0;
    std::uint32_t smallest_ = none;
};

}  // namespace schedfarm::policies
