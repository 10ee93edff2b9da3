#include "models/trace/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/foundation/expect.hpp"

#include "models/trace/clock.hpp"

namespace schedfarm::models::trace {

namespace {

using Numbers = std::vector<std::uint32_t>;

std::vector<std::uint32_t> words(
    const engine::Stream& stream, std::size_t count, std::uint64_t first = 0
) {
    std::vector<std::uint32_t> result(count);
    stream.fill_words(first, result);
    return result;
}

/// The job numbers of every user in submit order, users by increasing number.
std::vector<Numbers> jobs_by_user(const JobList& jobs) {
    Numbers order(jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return jobs.user[a] < jobs.user[b];
    });
    std::vector<Numbers> result;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || jobs.user[order[i]] != jobs.user[order[i - 1]]) {
            result.emplace_back();
        }
        result.back().push_back(order[i]);
    }
    return result;
}

/// How many of `users` users keep the load of `duration` seconds on `weeks` weeks.
std::size_t users_to_draw(std::size_t users, double duration, std::uint32_t weeks) {
    if (duration <= 0) {
        return users;
    }
    const double share = weeks * week_s / duration;
    return static_cast<std::size_t>(
        std::max(1.0, std::floor(static_cast<double>(users) * share + 0.5))
    );
}

/// The number of the first job submitted at `time` or later.
std::size_t first_at_or_after(const JobList& jobs, double time) {
    const auto found = std::lower_bound(jobs.submit.begin(), jobs.submit.end(), time);
    return static_cast<std::size_t>(found - jobs.submit.begin());
}

}  // namespace

std::uint32_t weeks_spanned(const JobList& jobs) {
    if (jobs.size() == 0) {
        return 1;
    }
    const double weeks = std::ceil((jobs.submit.back() - jobs.submit.front()) / week_s);
    return static_cast<std::uint32_t>(std::max(1.0, weeks));
}

JobList resample_users(
    const JobList& jobs, std::uint32_t weeks, const engine::Stream& stream, std::uint64_t first_word
) {
    SCHEDFARM_EXPECT(weeks >= 1, "a resampled log has a week");
    if (jobs.size() == 0) {
        return {};
    }
    const double first = jobs.submit.front();
    const double circle = weeks * week_s;
    const std::vector<Numbers> users = jobs_by_user(jobs);
    const std::size_t draws = users_to_draw(users.size(), jobs.submit.back() - first, weeks);
    const auto drawn = words(stream, 2 * draws, first_word);
    Numbers numbers;
    std::vector<double> submits;
    std::vector<std::int32_t> owners;
    for (std::size_t k = 0; k < draws; ++k) {
        const auto user =
            engine::scaled_word(drawn[2 * k], static_cast<std::uint32_t>(users.size()));
        const double shift = engine::scaled_word(drawn[2 * k + 1], weeks) * week_s;
        for (const std::uint32_t number : users[user]) {
            const double place = jobs.submit[number] - first + shift;
            numbers.push_back(number);
            submits.push_back(first + (place - std::floor(place / circle) * circle));
            owners.push_back(static_cast<std::int32_t>(k));
        }
    }
    JobList result = picked(jobs, numbers);
    result.submit = std::move(submits);
    result.user = std::move(owners);
    sort_by_submit(result);
    return result;
}

WholeWeeks whole_weeks(const JobList& jobs, double week_start) {
    if (jobs.size() == 0) {
        return {};
    }
    const double first = std::ceil((jobs.submit.front() - week_start) / week_s);
    const double end = std::floor((jobs.submit.back() - week_start) / week_s);
    return {
        .start = week_start + first * week_s,
        .count = end > first ? static_cast<std::uint32_t>(end - first) : 0};
}

JobList resample_weeks(
    const JobList& jobs,
    double week_start,
    std::uint32_t weeks,
    const engine::Stream& stream,
    std::uint64_t first_word
) {
    const WholeWeeks whole = whole_weeks(jobs, week_start);
    SCHEDFARM_EXPECT(whole.count > 0, "the log has a whole week");
    const auto drawn = words(stream, weeks, first_word);
    Numbers numbers;
    std::vector<double> submits;
    for (std::uint32_t k = 0; k < weeks; ++k) {
        const double from = whole.start + engine::scaled_word(drawn[k], whole.count) * week_s;
        const double to = whole.start + k * week_s;
        const std::size_t end = first_at_or_after(jobs, from + week_s);
        for (std::size_t i = first_at_or_after(jobs, from); i < end; ++i) {
            numbers.push_back(static_cast<std::uint32_t>(i));
            submits.push_back(to + (jobs.submit[i] - from));
        }
    }
    JobList result = picked(jobs, numbers);
    result.submit = std::move(submits);
    return result;
}

JobList shake(
    const JobList& jobs,
    std::uint32_t largest_s,
    const engine::Stream& stream,
    std::uint64_t first_word
) {
    SCHEDFARM_EXPECT(largest_s < (std::uint32_t{1} << 31), "the largest shift is below 2^31");
    JobList result = jobs;
    const auto drawn = words(stream, jobs.size(), first_word);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const double shift = 1.0 * engine::scaled_word(drawn[i], 2 * largest_s + 1) - largest_s;
        result.submit[i] = std::max(jobs.submit.front(), jobs.submit[i] + shift);
    }
    sort_by_submit(result);
    return result;
}

}  // namespace schedfarm::models::trace
