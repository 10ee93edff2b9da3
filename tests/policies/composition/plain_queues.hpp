// Queues with priorities and limits over fcfs, and without limits over EASY, in a plain loop, and
// random tables of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

inline constexpr double never = std::numeric_limits<double>::infinity();

struct PlainQueue {
    int priority = 0;
    std::uint32_t smallest = 1;
    std::uint32_t largest = 0;  // 0: no limit, as below
    double longest = never;
    std::uint32_t processors = 0;
    std::uint32_t running = 0;
    std::uint32_t per_user = 0;
};

struct PlainQueues {
    std::vector<PlainQueue> queues;
    bool by_number = false;
    bool backfills = false;

    std::size_t queue_of(const PlainJob& job) const {
        if (by_number) {
            return job.given.queue;
        }
        for (std::size_t q = 0;; ++q) {
            const PlainQueue& queue = queues.at(q);
            if (job.size() >= queue.smallest && (queue.largest == 0 || job.size() <= queue.largest)
                && (queue.processors == 0 || job.size() <= queue.processors)
                && job.request() <= queue.longest) {
                return q;
            }
        }
    }

    /// 0: may start beside `running`; 1: held by its user's limit; 2: by its queue's.
    int held(const PlainJob& job, const std::vector<PlainJob>& running) const {
        const std::size_t q = queue_of(job);
        std::uint32_t processors = job.size();
        std::uint32_t jobs = 1;
        std::uint32_t own = 1;
        for (const PlainJob& other : running) {
            if (queue_of(other) == q) {
                processors += other.size();
                ++jobs;
                own += other.given.user == job.given.user ? 1U : 0U;
            }
        }
        const PlainQueue& queue = queues[q];
        if ((queue.processors > 0 && processors > queue.processors)
            || (queue.running > 0 && jobs > queue.running)) {
            return 2;
        }
        return queue.per_user > 0 && own > queue.per_user ? 1 : 0;
    }

    double end(const PlainLoop& loop, const PlainJob& job) const {
        return std::max(
            loop.now,
            std::nextafter(job.start, never) > job.start + job.request()
                ? std::nextafter(job.start, never)
                : job.start + job.request()
        );
    }

    /// When `size` are free by plan, and how many are left over then.
    std::pair<double, std::int64_t> forecast(const PlainLoop& loop, std::uint32_t size) const {
        std::vector<PlainJob> running = loop.running;
        std::stable_sort(running.begin(), running.end(), [&](const auto& a, const auto& b) {
            return end(loop, a) < end(loop, b);
        });
        std::int64_t free = loop.free;
        for (std::size_t i = 0; i < running.size(); ++i) {
            free += running[i].size();
            const bool is_last =
                i + 1 == running.size() || end(loop, running[i + 1]) > end(loop, running[i]);
            if (is_last && free >= std::int64_t{size}) {
                return {end(loop, running[i]), free - size};
            }
        }
        return {never, 0};
    }

    void pass(PlainLoop& loop) const {
        std::stable_sort(loop.waiting.begin(), loop.waiting.end(), [&](auto& a, auto& b) {
            const std::size_t left = queue_of(a);
            const std::size_t right = queue_of(b);
            return queues[left].priority != queues[right].priority
                       ? queues[left].priority > queues[right].priority
                       : a.index < b.index;
        });
        bool is_reserved = false;
        std::pair<double, std::int64_t> shadow;
        std::vector<bool> is_closed(queues.size(), false);
        for (std::size_t i = 0; i < loop.waiting.size();) {
            const PlainJob job = loop.waiting[i];
            const int holds = is_closed[queue_of(job)] ? 2 : held(job, loop.running);
            is_closed[queue_of(job)] = holds == 2;
            if (holds > 0) {
                ++i;
                continue;
            }
            if (!is_reserved && job.size() > loop.free) {
                if (!backfills) {
                    return;
                }
                is_reserved = true;
                shadow = forecast(loop, job.size());
                ++i;
                continue;
            }
            PlainJob started = job;
            started.start = loop.now;
            const bool in_time = shadow.first > loop.now && end(loop, started) <= shadow.first;
            if (is_reserved) {
                if (job.size() > loop.free
                    || (!in_time && std::int64_t{job.size()} > shadow.second)) {
                    ++i;
                    continue;
                }
                shadow.second -= in_time ? 0 : std::int64_t{job.size()};
            }
            loop.start(i);
        }
    }
};

/// The same table for both; none has limits on what runs where it backfills.
inline PlainQueues random_queues(Dice& dice, std::uint32_t processors, Parameters& parameters) {
    PlainQueues plain;
    plain.by_number = dice.below(2) == 0;
    plain.backfills = dice.below(2) > 0;
    std::vector<Value::List> columns(7);
    const std::uint32_t count = plain.by_number ? 3 : 1 + dice.below(3);
    for (std::uint32_t q = 0; q < count; ++q) {
        PlainQueue queue;
        queue.priority = static_cast<int>(dice.below(3)) - 1;
        queue.running = !plain.backfills && dice.below(3) == 0 ? 1 + dice.below(4) : 0;
        queue.per_user = !plain.backfills && dice.below(3) == 0 ? 1 + dice.below(2) : 0;
        const bool is_open = plain.by_number || q + 1 == count;  // takes every job
        if (!is_open) {
            queue.smallest = 1 + dice.below(3);
            queue.largest = dice.below(3) == 0 ? 0 : queue.smallest + dice.below(processors);
            queue.longest = dice.below(2) == 0 ? never : 1 + dice.below(10);
        }
        if (!plain.backfills && dice.below(2) == 0) {
            queue.processors = is_open ? processors : queue.smallest + dice.below(processors);
        }
        columns[0].emplace_back(queue.priority);
        columns[1].emplace_back(std::int64_t{queue.smallest});
        columns[2].emplace_back(std::int64_t{queue.largest});
        columns[3].emplace_back(queue.longest);
        columns[4].emplace_back(std::int64_t{queue.processors});
        columns[5].emplace_back(std::int64_t{queue.running});
        columns[6].emplace_back(std::int64_t{queue.per_user});
        plain.queues.push_back(queue);
    }
    constexpr std::array names = {
        "priority",
        "smallest_size",
        "largest_size",
        "longest_request",
        "most_processors",
        "most_running",
        "most_running_per_user"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        parameters.set(names[i], columns[i]);
    }
    parameters.set("assignment", plain.by_number ? "number" : "rules");
    const char* inner = plain.backfills ? "easy" : "fcfs";
    parameters.set(
        "inner",
        Value::List{Value(Choice{inner, with_defaults(policy_named(inner).alternative.parameters)})}
    );
    return plain;
}

}  // namespace schedfarm::tests
