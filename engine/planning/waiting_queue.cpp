#include "engine/planning/waiting_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedfarm::engine {

namespace {

std::ptrdiff_t offset(std::size_t at) {
    return static_cast<std::ptrdiff_t>(at);
}

}  // namespace

void WaitingQueue::add(JobId id, std::uint32_t size, double key) {
    if (head_ > 64 && head_ > jobs_.size() / 2) {
        jobs_.erase(jobs_.begin(), jobs_.begin() + offset(head_));
        head_ = 0;
    }
    std::size_t at = jobs_.size();
    std::int64_t counter_behind = 0;  // of the job that will be behind the new one
    for (; at > head_ && key < jobs_[at - 1].key; --at) {
        counter_behind += jobs_[at - 1].jump_step;
    }
    if (at > head_) {
        jobs_[at - 1].jump_step += counter_behind;
    } else {
        head_counter_ = 0;
    }
    const WaitingJob job{
        .id = id, .size = size, .key = key, .arrival = arrivals_++, .jump_step = -counter_behind};
    jobs_.insert(jobs_.begin() + offset(at), job);
}

// Takes a started job out and ages the jobs ahead of it.
void WaitingQueue::remove(std::size_t at) {
    const std::int64_t step = jobs_[at].jump_step;
    if (at == head_) {
        head_counter_ -= step;
        ++head_;
        return;
    }
    jobs_[at - 1].jump_step += step + 1;
    ++head_counter_;
    if (at - head_ < jobs_.size() - at) {
        std::move_backward(
            jobs_.begin() + offset(head_),
            jobs_.begin() + offset(at),
            jobs_.begin() + offset(at + 1)
        );
        ++head_;
    } else {
        jobs_.erase(jobs_.begin() + offset(at));
    }
}

// Between the two ends each job holds its whole counter in place of the step.
void WaitingQueue::sort() {
    std::int64_t counter = head_counter_;
    for (std::size_t at = head_; at < jobs_.size(); ++at) {
        const std::int64_t step = jobs_[at].jump_step;
        jobs_[at].jump_step = counter;
        counter -= step;
    }
    std::sort(
        jobs_.begin() + offset(head_),
        jobs_.end(),
        [](const WaitingJob& a, const WaitingJob& b) {
            return a.key < b.key || (a.key == b.key && a.arrival < b.arrival);
        }
    );
    head_counter_ = empty() ? 0 : jobs_[head_].jump_step;
    for (std::size_t at = head_; at < jobs_.size(); ++at) {
        jobs_[at].jump_step -= at + 1 < jobs_.size() ? jobs_[at + 1].jump_step : 0;
    }
}

std::vector<std::int64_t> WaitingQueue::counters() const {
    std::vector<std::int64_t> result;
    std::int64_t counter = head_counter_;
    for (std::size_t at = head_; at < jobs_.size(); ++at) {
        result.push_back(counter);
        counter -= jobs_[at].jump_step;
    }
    return result;
}

}  // namespace schedfarm::engine
