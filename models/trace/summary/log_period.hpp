// The part of a log in which it is dense. `sacct -S` brings jobs that were submitted long before
// the first day and were still there, jobs that had not ended when the log was written are missing
// at its end, and weeks in between may be empty. Pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "models/trace/reading/clock.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

struct LogPeriod {
    double from = -std::numeric_limits<double>::infinity();   ///< s of the log, included
    double before = std::numeric_limits<double>::infinity();  ///< s of the log, excluded
    std::uint64_t jobs_before = 0;                            ///< submitted before `from`
    std::uint64_t jobs_after = 0;
    std::vector<double> empty_weeks;  ///< their begins: with fewer jobs than a dense day

    bool contains(double submit) const { return submit >= from && submit < before; }
    friend bool operator==(const LogPeriod&, const LogPeriod&) = default;
};

/// A dense day has a quarter of the jobs of a busy one: the upper quartile of the days with jobs.
/// The period is from the first to the last dense day of which four of the seven days from it on,
/// and up to it, are dense; jobs that had not ended request at most a quarter of the last one's
/// work. The log's own end is that of the period where at most three days, a weekend and more, lie
/// beyond it, or more than a tenth of the jobs, and of logs of less than two weeks. Days and weeks
/// begin as `week_start` does, at most a week before the first submit. Cost: O(jobs + days log
/// days).
LogPeriod dense_period(const SelectedJobs& selected, double week_start);

/// "30 jobs came before 1996-06-25 00:00:00, when the log begins to be dense"; empty for the whole
/// of a log without empty weeks. Without a clock: "before second 1234".
std::string period_text(const LogPeriod& period, const std::optional<LogClock>& clock);

/// The work of the period's jobs, by the time from their first submit to the last; 0: not known.
double area_per_s(const JobList& jobs, const LogPeriod& period);

}  // namespace schedfarm::models::trace
