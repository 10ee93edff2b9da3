#include "engine/planning/waiting_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/foundation/expect.hpp"

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
    const std::size_t at = place_of(key);
    const std::int64_t counter_behind = counter_at(at);  // of the job that will be behind it
    if (at > head_) {
        jobs_[at - 1].jump_step += counter_behind;
    } else {
        head_counter_ = 0;
    }
    insert(
        at,
        {.id = id, .size = size, .key = key, .arrival = arrivals_++, .jump_step = -counter_behind}
    );
}

// Behind all jobs with the same or a smaller key; mostly at the tail.
std::size_t WaitingQueue::place_of(double key) const {
    if (empty() || jobs_.back().key <= key) {
        return jobs_.size();
    }
    const auto place = std::upper_bound(
        jobs_.begin() + offset(head_),
        jobs_.end(),
        key,
        [](double wanted, const WaitingJob& job) { return wanted < job.key; }
    );
    return static_cast<std::size_t>(place - jobs_.begin());
}

// From the nearer end; behind the tail 0.
std::int64_t WaitingQueue::counter_at(std::size_t at) const {
    const auto add_step = [](std::int64_t sum, const WaitingJob& job) {
        return sum + job.jump_step;
    };
    const auto head = jobs_.begin() + offset(head_);
    const auto place = jobs_.begin() + offset(at);
    if (is_nearer_to_head(at)) {
        return head_counter_ - std::accumulate(head, place, std::int64_t{0}, add_step);
    }
    return std::accumulate(place, jobs_.end(), std::int64_t{0}, add_step);
}

// Moves the shorter part. Where the queue is overloaded and orders by time, nearly all newcomers
// belong close to its head.
void WaitingQueue::insert(std::size_t at, const WaitingJob& job) {
    if (!is_nearer_to_head(at)) {
        jobs_.insert(jobs_.begin() + offset(at), job);
        return;
    }
    if (head_ == 0) {
        const std::size_t room = 16 + size() / 2;
        jobs_.insert(jobs_.begin(), room, {});
        head_ += room;
        at += room;
    }
    const auto head = jobs_.begin() + offset(head_);
    std::move(head, jobs_.begin() + offset(at), head - 1);
    --head_;
    jobs_[at - 1] = job;
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
    close_gap(at);
}

void WaitingQueue::withdraw(JobId id) {
    std::size_t at = jobs_.size() - 1;
    while (!(jobs_[at].id == id)) {
        --at;
        SCHEDFARM_EXPECT(at + 1 > head_, "a job was withdrawn that does not wait");
    }
    if (at == head_) {
        remove(at);
        return;
    }
    jobs_[at - 1].jump_step += jobs_[at].jump_step;
    close_gap(at);
}

// Moves the shorter part.
void WaitingQueue::close_gap(std::size_t at) {
    if (is_nearer_to_head(at)) {
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

}  // namespace schedfarm::engine
