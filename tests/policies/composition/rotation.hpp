// The rotation of time slices by queue against its rules, and the own time of each slice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// Follows the rotation: the first slice that has jobs begins; one is over when its quantum is or
/// it has no jobs, once another one has; the next that has follows after the switch. Notes when
/// each was on, and starts and ends.
class Rotation final : public ScheduleVerifier {
  public:
    struct Way {
        std::size_t slice = 0;
        double submit = 0;
        double start = -1;
        double end = -1;
    };

    Rotation(std::vector<double> quanta, double cost)
        : quanta_(std::move(quanta)), cost_(cost), jobs_(quanta_.size()), spans_(quanta_.size()) {}

    void observe(const ScheduleStep& step) override {
        using Kind = ScheduleStep::Kind;
        if (step.kind == Kind::slice && step.timer.owner == 0) {
            change(step.time, step.timer.tag);
        } else if (step.kind == Kind::arrival) {
            ways[step.job->index] = {.slice = step.job->queue, .submit = step.time};
            ++jobs_[step.job->queue];
        } else if (step.kind == Kind::start) {
            ways[step.job->index].start = step.time;
        } else if (step.kind == Kind::completion) {
            ways[step.job->index].end = step.time;
            --jobs_[step.job->queue];
        }
    }
    void end_of_instant(double time) override {
        const bool is_left =
            on_ == quanta_.size() ? time >= off_ + cost_ : next() != on_ && is_over(time);
        CHECK_MESSAGE(!is_left, "a switch was due at ", time);
    }
    void finish() override {}

    /// How long a slice was on until then; all clocks show the time at which the first begins.
    double own_time(std::size_t slice, double time) const {
        double sum = begin_;
        for (const Span& span : spans_[slice]) {
            sum += std::max(0.0, std::min(time, span.off) - span.on);
        }
        return sum;
    }

    std::map<std::uint64_t, Way> ways;
    std::uint64_t switches = 0;

  private:
    struct Span {
        double on = 0;
        double off = std::numeric_limits<double>::infinity();
    };

    bool is_over(double time) const {
        return jobs_[on_] == 0 || time >= spans_[on_].back().on + quanta_[on_];
    }
    std::size_t next() const {
        std::size_t found = on_;
        do {
            found = (found + 1) % quanta_.size();
        } while (found != on_ && jobs_[found] == 0);
        return found;
    }
    std::size_t first() const {
        std::size_t found = 0;
        while (found < quanta_.size() && jobs_[found] == 0) {
            ++found;
        }
        return found;
    }
    void change(double time, std::size_t to) {
        if (!has_begun_) {
            CHECK(to == first());
            has_begun_ = true;
            begin_ = time;
            spans_[to].push_back({.on = time});
        } else if (to == quanta_.size()) {
            CHECK(is_over(time));
            spans_[on_].back().off = time;
            due_ = next();
            off_ = time;
            ++switches;
        } else if (to != on_) {
            CHECK(to == due_);
            CHECK(time == off_ + cost_);
            spans_[to].push_back({.on = time});
        }
        on_ = to;
    }

    std::vector<double> quanta_;
    double cost_;
    std::vector<std::uint64_t> jobs_;  // in the system
    std::vector<std::vector<Span>> spans_;
    bool has_begun_ = false;
    double begin_ = 0;
    double off_ = 0;
    std::size_t on_ = 0;
    std::size_t due_ = 0;
};

}  // namespace schedfarm::tests
