#include "models/trace/replayed_log.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

namespace {

/// Jobs of a part of a log that is not resampled: few, so that they stay in a fast cache.
constexpr std::size_t slice_jobs = 2048;

std::uint32_t lap_weeks(const PreparedLog& log, Resampling resampling) {
    return resampling == Resampling::weeks ? static_cast<std::uint32_t>(log.weeks.drawn.size())
                                           : weeks_spanned(log.jobs);
}

}  // namespace

ReplayedLog::ReplayedLog(
    std::shared_ptr<const PreparedLog> log,
    const TraceSettings& settings,
    double load_factor,
    const engine::Stream& stream,
    LapParts parts
)
    : log_(std::move(log))
    , resampling_(settings.resampling)
    , shake_s_(settings.shake_s)
    , load_factor_(load_factor)
    , stream_(stream)
    , parts_(shake_s_ > 0 ? LapParts::whole : parts)
    , weeks_(lap_weeks(*log_, resampling_))
    , next_week_(weeks_) {}

bool ReplayedLog::is_over() const {
    return resampling_ == Resampling::none && next_job_ == log_->jobs.size();
}

/// Lap l draws its jobs from the words l · 2^32 on and shakes them from 2^63 + l · 2^32 on.
void ReplayedLog::begin_lap() {
    const std::uint64_t first_word = laps_ << 32;
    if (draws_users(resampling_)) {
        const UserDraw draw = resampling_ == Resampling::users ? UserDraw::at_load : UserDraw::free;
        lap_.emplace<ResampledUsers>(log_->jobs, log_->users, draw, weeks_, stream_, first_word);
    } else if (resampling_ == Resampling::weeks) {
        lap_.emplace<ResampledWeeks>(log_->jobs, log_->weeks, weeks_, stream_, first_word);
    }
    ++laps_;
    next_week_ = 0;
}

JobList ReplayedLog::drawn_part() {
    if (resampling_ == Resampling::none) {
        const std::size_t first = next_job_;
        const std::size_t rest = log_->jobs.size() - first;
        const std::size_t count = parts_ == LapParts::whole ? rest : std::min(rest, slice_jobs);
        next_job_ += count;
        if (is_over()) {
            add_left(-engine::infinity, engine::infinity, 0);
        }
        return slice(log_->jobs, first, count);
    }
    const auto week = [this](std::uint32_t number) {
        const auto* users = std::get_if<ResampledUsers>(&lap_);
        return users != nullptr ? users->week(number) : std::get<ResampledWeeks>(lap_).week(number);
    };
    JobList jobs;
    do {
        if (const auto* drawn = std::get_if<ResampledWeeks>(&lap_)) {
            const double from = drawn->drawn_from(next_week_);
            add_left(from, from + week_s, drawn->begin(next_week_) - from);
        }
        append(jobs, week(next_week_++));
    } while (parts_ == LapParts::whole && next_week_ < weeks_);
    return jobs;
}

/// Those that came in a part of the log, moved to where the lap has it.
void ReplayedLog::add_left(double from, double until, double shift) {
    const JobList& left = log_->left;
    const auto at = [&left](double time) {
        const auto found = std::lower_bound(left.submit.begin(), left.submit.end(), time);
        return static_cast<std::size_t>(found - left.submit.begin());
    };
    const double lap = laps_ > 0 ? static_cast<double>(laps_ - 1) * weeks_ * week_s : 0;
    JobList part = slice(left, at(from), at(until) - at(from));
    for (double& submit : part.submit) {
        submit = scaled(submit + shift + lap);
    }
    append(left_, part);
}

double ReplayedLog::scaled(double submit) const {
    const double first = log_->jobs.submit.front();
    return load_factor_ == 1 ? submit : first + (submit - first) / load_factor_;
}

/// Neither scaling nor shaking may take a job before the last one of the part before.
void ReplayedLog::move_to_lap(JobList& jobs) const {
    const double begin = static_cast<double>(laps_ - 1) * weeks_ * week_s;
    for (double& submit : jobs.submit) {
        submit += begin;
    }
    if (shake_s_ > 0) {
        const std::uint64_t first_word = (laps_ - 1) << 32 | std::uint64_t{1} << 63;
        jobs = shake(jobs, shake_s_, stream_, first_word);
    }
    for (double& submit : jobs.submit) {
        submit = std::max(scaled(submit), last_submit_);
    }
}

JobList ReplayedLog::next_part() {
    SCHEDFARM_EXPECT(!is_over(), "a log without resampling has one lap");
    if (next_week_ == weeks_) {
        begin_lap();
    }
    JobList jobs = drawn_part();
    move_to_lap(jobs);
    last_submit_ = jobs.size() == 0 ? last_submit_ : jobs.submit.back();
    return jobs;
}

}  // namespace schedfarm::models::trace
