// EASY backfilling once more, as plainly as it can be said: no event queue, no memory between
// passes but the running jobs and a kept shadow, every number found by a loop over all jobs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

/// The words of easy's parameters.
struct EasyWords {
    std::string simultaneous = "batch";
    std::string candidate_time = "requested";
    std::string running_time = "requested";
    std::string extra_rule = "on";
    std::string shadow = "recomputed";
    std::string order = "fcfs";
};

class PlainEasy {
  public:
    PlainEasy(EasyWords words, std::int64_t processors, const Jobs& jobs)
        : words_(std::move(words)), processors_(processors), jobs_(jobs), ways_(jobs.size()) {}

    /// The start times of all jobs.
    Times run() {
        while (true) {
            const double next = next_event();
            if (next == infinity) {
                break;
            }
            now_ = next;
            take_instant();
        }
        Times starts;
        for (const Way& way : ways_) {
            starts.push_back(way.start);
        }
        return starts;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    struct Way {
        bool submitted = false;
        bool finished = false;  // and taken notice of
        double start = -1;
        std::size_t rank = 0;  // in order of start

        bool waits() const { return submitted && start < 0; }
        bool runs() const { return start >= 0 && !finished; }
    };

    double requested(std::size_t j) const {
        return jobs_[j].estimate.value_or(jobs_[j].service_time);
    }
    double judged(std::size_t j, const std::string& word) const {
        return word == "actual" ? jobs_[j].service_time : requested(j);
    }
    double end(std::size_t j) const { return ways_[j].start + jobs_[j].service_time; }
    double plan(std::size_t j) const {
        const double planned = ways_[j].start + judged(j, words_.running_time);
        return std::max(planned, std::nextafter(ways_[j].start, infinity));
    }

    double next_event() const {
        double next = infinity;
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            if (!ways_[j].submitted) {
                next = std::min(next, jobs_[j].submit_time);
            } else if (ways_[j].runs()) {
                next = std::min(next, end(j));
            }
        }
        return next;
    }

    void take_instant() {
        std::vector<std::size_t> finishes;
        std::vector<std::size_t> submissions;
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            if (!ways_[j].submitted && jobs_[j].submit_time == now_) {
                submissions.push_back(j);
            } else if (ways_[j].runs() && end(j) == now_) {
                finishes.push_back(j);
            }
        }
        std::sort(finishes.begin(), finishes.end(), [this](std::size_t a, std::size_t b) {
            return ways_[a].rank < ways_[b].rank;
        });
        const bool each = words_.simultaneous != "batch";
        const auto take_finishes = [&] {
            for (const std::size_t j : finishes) {
                ways_[j].finished = true;
                if (each) {
                    pass();
                }
            }
        };
        if (words_.simultaneous != "submit_first") {
            take_finishes();
        }
        for (const std::size_t j : submissions) {
            ways_[j].submitted = true;
            if (each) {
                pass();
            }
        }
        if (words_.simultaneous == "submit_first") {
            take_finishes();
        }
        if (!each) {
            pass();
        }
    }

    // A job about to finish at this instant is out of the way if it was planned to, but for
    // finish_by_finish.
    bool is_gone(std::size_t j) const {
        return !ways_[j].runs()
               || (words_.simultaneous != "finish_by_finish" && end(j) == now_ && plan(j) <= now_);
    }

    std::int64_t free() const {
        std::int64_t result = processors_;
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            result -= is_gone(j) ? 0 : jobs_[j].size();
        }
        return result;
    }

    double key(std::size_t j) const {
        const double wait = now_ - jobs_[j].submit_time;
        const double relative = requested(j) > 0 ? wait / requested(j) : infinity;
        if (words_.order == "sjf") {
            return requested(j);
        }
        if (words_.order == "smallest_area") {
            return requested(j) * jobs_[j].size();
        }
        if (words_.order == "lxf") {
            return -relative;
        }
        return words_.order == "wfp" ? -(relative * relative * relative * jobs_[j].size()) : 0.0;
    }

    std::vector<std::size_t> queue() const {
        std::vector<std::size_t> result;
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            if (ways_[j].waits()) {
                result.push_back(j);
            }
        }
        std::stable_sort(result.begin(), result.end(), [this](std::size_t a, std::size_t b) {
            return key(a) < key(b);
        });
        return result;
    }

    void start(std::size_t j) {
        ways_[j].start = now_;
        ways_[j].rank = started_++;
    }

    // The first planned end by which enough are free, and what is left over then.
    void reserve(std::size_t head) {
        if (words_.shadow == "kept" && reserved_for_ == head) {
            return;
        }
        reserved_for_ = head;
        shadow_ = infinity;
        extra_ = 0;
        for (std::size_t j = 0; j < jobs_.size(); ++j) {
            if (!is_gone(j)) {
                const double time = std::max(plan(j), now_);
                std::int64_t then = processors_;
                for (std::size_t i = 0; i < jobs_.size(); ++i) {
                    then -= is_gone(i) || plan(i) <= time ? 0 : jobs_[i].size();
                }
                if (then >= jobs_[head].size() && time < shadow_) {
                    shadow_ = time;
                    extra_ = then - jobs_[head].size();
                }
            }
        }
        extra_ = words_.extra_rule == "off" ? 0 : extra_;
    }

    void pass() {
        std::vector<std::size_t> waiting = queue();
        while (!waiting.empty() && jobs_[waiting.front()].size() <= free()) {
            start(waiting.front());
            waiting.erase(waiting.begin());
            reserved_for_.reset();
        }
        if (waiting.empty()) {
            return;
        }
        reserve(waiting.front());
        for (std::size_t i = 1; i < waiting.size(); ++i) {
            const std::size_t j = waiting[i];
            const std::int64_t size = jobs_[j].size();
            const bool in_time =
                now_ < shadow_ && now_ + judged(j, words_.candidate_time) <= shadow_;
            if (size <= free() && (in_time || size <= extra_)) {
                extra_ -= in_time ? 0 : size;
                start(j);
            }
        }
    }

    EasyWords words_;
    std::int64_t processors_;
    const Jobs& jobs_;
    std::vector<Way> ways_;
    double now_ = 0;
    std::size_t started_ = 0;
    std::optional<std::size_t> reserved_for_;
    double shadow_ = infinity;
    std::int64_t extra_ = 0;
};

}  // namespace schedfarm::tests
