// Resampled logs as a whole, which the program draws week by week.
#pragma once

#include <cstdint>

#include "models/trace/resampling.hpp"

namespace schedfarm::models::trace::tests {

template <typename Resampled>
JobList all_weeks(const Resampled& resampled, std::uint32_t weeks) {
    JobList result;
    for (std::uint32_t week = 0; week < weeks; ++week) {
        append(result, resampled.week(week));
    }
    return result;
}

inline JobList resample_users(
    const JobList& jobs,
    std::uint32_t weeks,
    const engine::Stream& stream,
    UserDraw draw = UserDraw::free
) {
    const UserSequences users = user_sequences(jobs);
    return all_weeks(ResampledUsers(jobs, users, draw, weeks, stream), weeks);
}

inline JobList resample_weeks(
    const JobList& jobs, double week_start, std::uint32_t weeks, const engine::Stream& stream
) {
    return all_weeks(ResampledWeeks(jobs, whole_weeks(jobs, week_start), weeks, stream), weeks);
}

}  // namespace schedfarm::models::trace::tests
