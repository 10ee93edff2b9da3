#include "models/trace/reading/blocks.hpp"

#include <algorithm>

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

namespace {

std::uint64_t jobs_before(const JobList& jobs, double time) {
    const auto found = std::lower_bound(jobs.submit.begin(), jobs.submit.end(), time);
    return static_cast<std::uint64_t>(found - jobs.submit.begin());
}

}  // namespace

Blocks blocks_of(const PreparedLog& log, Resampling resampling) {
    const auto& submits = log.jobs.submit;
    Blocks whole_log{
        .count = 1,
        .jobs = submits.size(),
        .span_s = submits.empty() ? 0 : submits.back() - submits.front()};
    if (resampling == Resampling::users && weeks_spanned(log.jobs) > 1) {
        whole_log.count = log.users.users();
    }
    if (resampling == Resampling::weeks) {
        const WholeWeeks whole = whole_weeks(log.jobs, log.week_start);
        const double end = whole.start + whole.count * week_s;
        return {
            .count = whole.count,
            .jobs = jobs_before(log.jobs, end) - jobs_before(log.jobs, whole.start),
            .span_s = end - whole.start};
    }
    return whole_log;
}

}  // namespace schedfarm::models::trace
