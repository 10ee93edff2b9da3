#include "campaigns/simulate/schedule_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::JobLog;

/// The place of the quantile in order.
std::size_t rank_of(double share, std::size_t count) {
    const double at_least = std::ceil(share * static_cast<double>(count));
    return static_cast<std::size_t>(std::max(at_least, 1.0)) - 1;
}

/// Rearranges the values.
Quantity quantity_of(std::vector<double>& values) {
    Quantity result;
    double sum = 0;
    result.max = -std::numeric_limits<double>::infinity();
    for (const double value : values) {
        sum += value;
        result.max = std::max(result.max, value);
    }
    result.mean = sum / static_cast<double>(values.size());
    const auto place = [&values](double share) {
        return values.begin() + static_cast<std::ptrdiff_t>(rank_of(share, values.size()));
    };
    const auto middle = place(0.5);
    std::nth_element(values.begin(), middle, values.end());
    result.median = *middle;
    const auto upper = place(0.95);
    std::nth_element(middle, upper, values.end());
    result.p95 = *upper;
    return result;
}

template <typename Value>
Quantity quantity_over(const JobLog& log, std::vector<double>& scratch, Value value_of) {
    scratch.resize(log.jobs());
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        scratch[job] = value_of(job);
    }
    return quantity_of(scratch);
}

/// The periods in which somebody waits, disjoint and in order.
class WaitingPeriods {
  public:
    explicit WaitingPeriods(const JobLog& log) {
        for (std::size_t job = 0; job < log.jobs(); ++job) {
            if (log.start[job] <= log.submit[job]) {
                continue;
            }
            if (begin_.empty() || log.submit[job] > end_.back()) {
                before_.push_back(total());
                begin_.push_back(log.submit[job]);
                end_.push_back(log.start[job]);
            } else {
                end_.back() = std::max(end_.back(), log.start[job]);
            }
        }
    }

    /// The length of all periods.
    double total() const {
        return begin_.empty() ? 0 : before_.back() + (end_.back() - begin_.back());
    }

    /// The length of the periods, and parts of them, before `time`.
    double until(double time) const {
        const auto next = std::upper_bound(begin_.begin(), begin_.end(), time);
        if (next == begin_.begin()) {
            return 0;
        }
        const auto i = static_cast<std::size_t>(next - begin_.begin()) - 1;
        return before_[i] + (std::min(time, end_[i]) - begin_[i]);
    }

  private:
    std::vector<double> begin_;
    std::vector<double> end_;
    std::vector<double> before_;  // the length of all periods before
};

/// Processor time that is idle while a job waits.
double idle_area_while_waiting(const JobLog& log, std::uint32_t processors) {
    const WaitingPeriods periods(log);
    double busy = 0;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        busy += log.size[job] * (periods.until(log.finish[job]) - periods.until(log.start[job]));
    }
    return processors * periods.total() - busy;
}

void add_times(const JobLog& log, ScheduleSummary& summary) {
    summary.first_submit = log.submit.front();
    summary.last_submit = log.submit.back();
    summary.last_finish = *std::max_element(log.finish.begin(), log.finish.end());
    summary.makespan = summary.last_finish - summary.first_submit;
}

void add_capacity(
    const JobLog& log, std::uint32_t processors, Occupation occupation, ScheduleSummary& summary
) {
    double area = 0;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        area += log.size[job] * log.service[job];
    }
    const double capacity = processors * summary.makespan;
    if (capacity > 0) {
        summary.utilization = area / capacity;
    }
    if (occupation == Occupation::unbroken) {
        summary.loss_of_capacity =
            capacity > 0 ? idle_area_while_waiting(log, processors) / capacity : 0;
    }
}

}  // namespace

ScheduleSummary summarise_schedule(
    const JobLog& log, std::uint32_t processors, Occupation occupation, double threshold
) {
    SCHEDFARM_EXPECT(log.jobs() > 0, "a schedule without jobs has no summary");
    ScheduleSummary summary;
    summary.jobs = log.jobs();
    add_times(log, summary);
    add_capacity(log, processors, occupation, summary);
    std::vector<double> scratch;
    const auto response = [&log](std::size_t job) {
        return log.finish[job] - log.submit[job];
    };
    summary.wait = quantity_over(log, scratch, [&log](std::size_t job) {
        return log.start[job] - log.submit[job];
    });
    summary.response = quantity_over(log, scratch, response);
    summary.slowdown = quantity_over(log, scratch, [&](std::size_t job) {
        const double time = response(job);
        return time == 0 ? 1 : time / log.service[job];
    });
    summary.bounded_slowdown = quantity_over(log, scratch, [&](std::size_t job) {
        return std::max(1.0, response(job) / std::max(log.service[job], threshold));
    });
    return summary;
}

}  // namespace schedfarm::campaigns
