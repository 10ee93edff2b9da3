#include "app/simulate/schedule_summary.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/logs/by_submission.hpp"
#include "engine/simulation/measurement/probe_meters.hpp"

#include "app/simulate/job_quantities.hpp"

namespace schedfarm::app {

namespace {

using engine::JobLog;

/// The periods before `end` in which somebody waits, disjoint and in order.
class WaitingPeriods {
  public:
    WaitingPeriods(const JobLog& log, double end) {
        for (std::size_t job = 0; job < log.jobs(); ++job) {
            const double start = std::min(log.start[job], end);
            if (start <= log.submit[job]) {
                continue;
            }
            if (begin_.empty() || log.submit[job] > end_.back()) {
                before_.push_back(total());
                begin_.push_back(log.submit[job]);
                end_.push_back(start);
            } else {
                end_.back() = std::max(end_.back(), start);
            }
        }
        divide_into_slots();
    }

    bool empty() const { return begin_.empty(); }

    /// The length of all periods.
    double total() const {
        return begin_.empty() ? 0 : before_.back() + (end_.back() - begin_.back());
    }

    // The periods that have begun by `time`, so many. REQUIRES: not empty.
    std::size_t begun_by(double time) const {
        if (time < begin_.front()) {
            return 0;
        }
        const std::size_t slot = slot_of(time);
        const auto next = std::upper_bound(
            begin_.begin() + first_in_slot_[slot], begin_.begin() + first_in_slot_[slot + 1], time
        );
        return static_cast<std::size_t>(next - begin_.begin());
    }
    /// `known` of them are known to have.
    std::size_t begun_by(double time, std::size_t known) const {
        while (known < begin_.size() && begin_[known] <= time) {
            ++known;
        }
        return known;
    }

    /// The length of the periods, and parts of them, before `time`, by which `begun` have begun.
    double until(double time, std::size_t begun) const {
        return begun == 0
                   ? 0
                   : before_[begun - 1] + (std::min(time, end_[begun - 1]) - begin_[begun - 1]);
    }

  private:
    /// Never smaller for a later time. REQUIRES: time >= begin_.front().
    std::size_t slot_of(double time) const {
        const auto slots = static_cast<double>(first_in_slot_.size() - 2);
        return static_cast<std::size_t>(std::min(slots, (time - begin_.front()) * slots_per_s_));
    }

    void divide_into_slots() {
        if (begin_.empty()) {
            return;
        }
        const std::size_t slots = slots_per_period * begin_.size();
        first_in_slot_.assign(slots + 1, 0);
        const double length = begin_.back() - begin_.front();
        slots_per_s_ = length > 0 ? static_cast<double>(slots) / length : 0;
        for (const double begin : begin_) {
            ++first_in_slot_[slot_of(begin) + 1];
        }
        std::partial_sum(first_in_slot_.begin(), first_in_slot_.end(), first_in_slot_.begin());
    }

    static constexpr std::size_t slots_per_period = 4;

    std::vector<double> begin_;
    std::vector<double> end_;
    std::vector<double> before_;  // the length of all periods before
    // Equal slots of time, some per period: one tells among which periods a time is to be sought.
    double slots_per_s_ = 0;
    std::vector<std::uint32_t> first_in_slot_;
};

/// Processor time that is idle while a job waits, before `end`.
double idle_area_while_waiting(const JobLog& log, std::uint32_t processors, double end) {
    const WaitingPeriods periods(log, end);
    if (periods.empty()) {
        return 0;
    }
    double busy = 0;
    std::size_t begun = 0;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        begun = periods.begun_by(log.submit[job], begun);
        // Who waits does so in one period, and what begins while nobody waits has no length yet.
        const double until_start = periods.until(log.start[job], begun);
        const double finish = log.finish[job];
        busy += log.size[job] * (periods.until(finish, periods.begun_by(finish)) - until_start);
    }
    return engine::idle_area(processors, periods.total(), busy);
}

void add_times(const JobLog& log, ScheduleSummary& summary) {
    summary.first_submit = log.submit.front();
    summary.last_submit = log.submit.back();
    summary.last_finish = *std::max_element(log.finish.begin(), log.finish.end());
    summary.makespan = summary.last_finish - summary.first_submit;
}

engine::MeasurementWindow window_of(
    const ScheduleSummary& summary, engine::ExperimentKind experiment
) {
    return experiment.starts_with_all()
               ? engine::MeasurementWindow{0, summary.last_finish}
               : engine::MeasurementWindow{summary.first_submit, summary.last_submit};
}

/// REQUIRES: jobs hold their processors from start to finish.
void add_time_averages(
    const JobLog& log,
    std::uint32_t processors,
    const engine::MeasurementWindow& window,
    ScheduleSummary& summary
) {
    const double capacity = processors * (window.end - window.begin);
    if (capacity <= 0) {
        return;
    }
    double busy = 0;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        busy +=
            log.size[job] * std::max(0.0, std::min(log.finish[job], window.end) - log.start[job]);
    }
    summary.gross_utilization = busy / capacity;
    summary.loss_of_capacity = idle_area_while_waiting(log, processors, window.end) / capacity;
}

void add_utilization(
    const JobLog& log, std::uint32_t processors, Occupation occupation, ScheduleSummary& summary
) {
    double area = 0;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        // The times of the log, where short runs at large times are rounded, as makespan is of
        // them.
        area += log.size[job]
                * (occupation == Occupation::unbroken ? log.finish[job] - log.start[job]
                                                      : log.service[job]);
    }
    const double capacity = processors * summary.makespan;
    if (capacity > 0) {
        summary.utilization = area / capacity;
    }
}

}  // namespace

ScheduleSummary summarise_schedule(
    const JobLog& log,
    std::uint32_t processors,
    Occupation occupation,
    engine::ExperimentKind experiment,
    double threshold
) {
    SCHEDFARM_EXPECT(log.jobs() > 0, "a schedule without jobs has no summary");
    if (!std::is_sorted(log.submit.begin(), log.submit.end())) {
        const JobLog sorted = picked(log, rows_by_submission(log));
        return summarise_schedule(sorted, processors, occupation, experiment, threshold);
    }
    ScheduleSummary summary;
    summary.jobs = log.jobs();
    add_times(log, summary);
    add_utilization(log, processors, occupation, summary);
    if (occupation == Occupation::unbroken) {
        add_time_averages(log, processors, window_of(summary, experiment), summary);
    }
    const auto [wait, response, slowdown, bounded_slowdown] = quantities_of(log, threshold);
    summary.wait = wait;
    summary.response = response;
    summary.slowdown = slowdown;
    summary.bounded_slowdown = bounded_slowdown;
    return summary;
}

}  // namespace schedfarm::app
