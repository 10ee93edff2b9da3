// A machine of one cluster simulated as plainly as possible, event by event over lists, for second
// implementations of policies: they differ in the pass alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

struct PlainJob {
    std::size_t index = 0;
    GivenJob given;
    double start = -1;
    int counter = 0;        // of a pass that ages jobs
    std::size_t place = 0;  // where the pass put it
    double planned = 0;     // start by a plan
    double latest = 0;      // latest start by a plan

    std::uint32_t size() const { return given.size(); }
    double request() const { return given.estimate.value_or(given.service_time); }
    double finish() const { return start + given.service_time; }
};

class PlainLoop {
  public:
    PlainLoop(std::uint32_t processors, const Jobs& jobs)
        : free(processors), starts_(jobs.size(), -1) {
        for (const GivenJob& job : jobs) {
            coming_.push_back({.index = coming_.size(), .given = job});
        }
        std::reverse(coming_.begin(), coming_.end());
    }

    /// pass(loop) looks at what waits, in order of arrival, and starts jobs; it is called once per
    /// instant, or with finish_first and submit_first after each event, and again when jobs without
    /// service have ended. Returns the start times.
    template <typename Pass>
    Times run(Pass pass, const std::string& simultaneous = "batch") {
        while (!coming_.empty() || !running.empty()) {
            now = coming_.empty() ? std::numeric_limits<double>::infinity()
                                  : coming_.back().given.submit_time;
            for (const PlainJob& job : running) {
                now = std::min(now, job.finish());
            }
            finished.clear();
            std::copy_if(
                running.begin(),
                running.end(),
                std::back_inserter(finished),
                [this](auto& job) { return job.finish() <= now; }
            );
            std::erase_if(running, [this](const PlainJob& job) { return job.finish() <= now; });
            take_instant(pass, simultaneous);
        }
        return starts_;
    }

    /// Starts waiting[i].
    void start(std::size_t i) {
        PlainJob job = waiting[i];
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
        free -= job.size();
        job.start = now;
        starts_[job.index] = now;
        running.push_back(job);
    }

    double now = 0;
    std::uint32_t free = 0;
    std::vector<PlainJob> waiting;
    std::vector<PlainJob> running;   // in order of start
    std::vector<PlainJob> finished;  // at this instant

  private:
    template <typename Pass>
    void take_instant(Pass pass, const std::string& simultaneous) {
        const auto look_at = [&](const char* order) {
            if (simultaneous == order) {
                pass(*this);
            }
        };
        const auto submissions = [&](const char* order) {
            for (; !coming_.empty() && coming_.back().given.submit_time <= now;
                 coming_.pop_back()) {
                waiting.push_back(coming_.back());
                look_at(order);
            }
        };
        if (simultaneous == "submit_first") {
            submissions("submit_first");
        }
        for (const PlainJob& job : finished) {
            free += job.size();
            look_at("finish_first");
            look_at("submit_first");
        }
        submissions("finish_first");
        look_at("batch");
    }

    std::vector<PlainJob> coming_;  // the next is the last
    Times starts_;
};

/// Up to `count` jobs of a few users and queues with many ties; estimates may be wrong either way.
inline Jobs random_queue_jobs(Dice& dice, std::uint32_t count, std::uint32_t processors) {
    Jobs jobs;
    const std::uint32_t spread = 1 + dice.below(6);
    const std::uint32_t errors = dice.below(3);  // none, too long, any
    double submit = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        submit += dice.below(3) == 0 ? dice.below(spread) : 0;
        GivenJob job;
        job.submit_time = submit;
        const std::uint32_t most = dice.below(4) == 0 ? processors : (processors + 2) / 3;
        job.components = {1 + dice.below(most)};
        job.service_time = dice.below(10) == 0 ? 0 : 1 + dice.below(9);
        job.estimate = job.service_time + (errors > 0 && dice.below(3) > 0 ? dice.below(8) : 0);
        if (errors == 2 && dice.below(4) == 0) {
            job.estimate = job.service_time * dice.below(4) / 4;
        }
        job.user = dice.below(3);
        job.queue = dice.below(3);
        job.priority = static_cast<std::int32_t>(dice.below(3));
        jobs.push_back(job);
    }
    return jobs;
}

struct RandomQueue {
    Dice dice;  ///< that made the rest, for what else a test chooses
    std::uint32_t processors = 0;
    Jobs jobs;
};

/// A machine of 2 to 21 processors and 2 to 51 such jobs.
inline RandomQueue random_queue(std::uint64_t seed) {
    Dice dice(seed);
    const std::uint32_t processors = 2 + dice.below(20);
    Jobs jobs = random_queue_jobs(dice, 2 + dice.below(50), processors);
    return {dice, processors, std::move(jobs)};
}

}  // namespace schedfarm::tests
