#include "models/trace/summary/log_period.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
namespace schedfarm::models::trace {

namespace {

constexpr double fewest_days = 14;
constexpr double most_days = 1e6;
constexpr double days_beyond = 3;
constexpr std::uint64_t share_beyond = 10;

struct Day {
    std::uint64_t jobs = 0;
    double requested = 0;   ///< processor seconds
    double unfinished = 0;  ///< likewise
    bool is_dense = false;
};

struct Days {
    std::vector<Day> days;
    std::uint64_t busy = 0;  ///< jobs of a busy day
};

Days days_of(const SelectedJobs& selected, double week_start, std::size_t count) {
    Days result{.days = std::vector<Day>(count)};
    std::vector<Day>& days = result.days;
    const auto day_of = [&](double submit) {
        return static_cast<std::size_t>((submit - week_start) / day_s);
    };
    const JobList& jobs = selected.jobs;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        Day& day = days[day_of(jobs.submit[i])];
        ++day.jobs;
        day.requested += jobs.processors[i] * jobs.request[i];
    }
    for (const UnfinishedJob& job : selected.unfinished) {
        if (job.submit >= week_start && day_of(job.submit) < count) {
            days[day_of(job.submit)].unfinished += job.requested;
        }
    }
    std::vector<std::uint64_t> with_jobs;
    for (const Day& day : days) {
        if (day.jobs > 0) {
            with_jobs.push_back(day.jobs);
        }
    }
    std::sort(with_jobs.begin(), with_jobs.end());
    result.busy = with_jobs[with_jobs.size() * 3 / 4];
    for (Day& day : days) {
        day.is_dense = 4 * day.jobs >= result.busy;
    }
    return result;
}

/// Of `count` days from that one on, or of those that are there.
std::ptrdiff_t dense_days(const std::vector<Day>& days, std::size_t first, std::size_t count) {
    const auto begin = days.begin() + static_cast<std::ptrdiff_t>(first);
    const auto length = static_cast<std::ptrdiff_t>(std::min(count, days.size() - first));
    return std::count_if(begin, begin + length, [](const Day& day) { return day.is_dense; });
}

std::size_t jobs_until(const JobList& jobs, double time) {
    const auto found = std::lower_bound(jobs.submit.begin(), jobs.submit.end(), time);
    return static_cast<std::size_t>(found - jobs.submit.begin());
}

}  // namespace

LogPeriod dense_period(const SelectedJobs& selected, double week_start) {
    const JobList& jobs = selected.jobs;
    LogPeriod period;
    const double length = jobs.size() == 0 ? 0 : (jobs.submit.back() - week_start) / day_s;
    if (!(length >= fewest_days && length < most_days)) {
        return period;
    }
    const Days found = days_of(selected, week_start, static_cast<std::size_t>(length) + 1);
    const std::vector<Day>& days = found.days;
    std::size_t first = 0;
    while (first < days.size() && !(days[first].is_dense && dense_days(days, first, 7) >= 4)) {
        ++first;
    }
    std::size_t end = days.size();
    const auto is_last = [&days](std::size_t day) {
        return days[day].is_dense && 3 * days[day].unfinished <= days[day].requested
               && dense_days(days, day - std::min<std::size_t>(day, 6), 7) >= 4;
    };
    while (end > first && !is_last(end - 1)) {
        --end;
    }
    if (first == end) {
        return period;
    }
    const double from = week_start + static_cast<double>(first) * day_s;
    const double before = week_start + static_cast<double>(end) * day_s;
    const std::size_t earlier = jobs_until(jobs, from);
    const std::size_t later = jobs.size() - jobs_until(jobs, before);
    if (from - jobs.submit.front() > days_beyond * day_s && earlier * share_beyond <= jobs.size()) {
        period.from = from;
        period.jobs_before = earlier;
    }
    if (jobs.submit.back() - before > days_beyond * day_s && later * share_beyond <= jobs.size()) {
        period.before = before;
        period.jobs_after = later;
    }
    for (std::size_t day = (first + 6) / 7 * 7; day + 7 <= end; day += 7) {
        const double begin = week_start + static_cast<double>(day) * day_s;
        if (4 * (jobs_until(jobs, begin + 7 * day_s) - jobs_until(jobs, begin)) < found.busy) {
            period.empty_weeks.push_back(begin);
        }
    }
    return period;
}

std::string period_text(const LogPeriod& period, const std::optional<LogClock>& clock) {
    const auto date = [&clock](double time) {
        return clock ? date_text(*clock, time) : fmt::format("second {:.0f}", time);
    };
    std::vector<std::string> parts;
    if (period.jobs_before > 0) {
        parts.push_back(fmt::format(
            "{} came before {}, when the log begins to be dense",
            engine::counted(period.jobs_before, "job"),
            date(period.from)
        ));
    }
    if (period.jobs_after > 0) {
        parts.push_back(fmt::format(
            "{} came after {}, when it ceases to be dense",
            engine::counted(period.jobs_after, "job"),
            date(period.before)
        ));
    }
    if (!period.empty_weeks.empty()) {
        parts.push_back(fmt::format(
            "hardly a job came in {}, the first from {} on",
            engine::counted(period.empty_weeks.size(), "week"),
            date(period.empty_weeks.front())
        ));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

double area_per_s(const JobList& jobs, const LogPeriod& period) {
    const std::size_t first = jobs_until(jobs, period.from);
    const JobList own = slice(jobs, first, jobs_until(jobs, period.before) - first);
    const double span = own.size() == 0 ? 0 : own.submit.back() - own.submit.front();
    return span > 0 ? area(own) / span : 0;
}

}  // namespace schedfarm::models::trace
