#include "models/trace/reading/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

namespace {

std::uint64_t jobs_before(const JobList& jobs, double time) {
    const auto found = std::lower_bound(jobs.submit.begin(), jobs.submit.end(), time);
    return static_cast<std::uint64_t>(found - jobs.submit.begin());
}

void add_weights(const std::vector<double>& work, Blocks& blocks) {
    double sum = 0;
    double squares = 0;
    for (const double own : work) {
        sum += own;
        squares += own * own;
        blocks.largest_share = std::max(blocks.largest_share, own);
    }
    blocks.effective = squares > 0 ? sum * sum / squares : 0;
    blocks.largest_share /= sum > 0 ? sum : 1;
}

struct WeeklyWork {
    std::vector<double> sums;  ///< by week
    double squares = 0;        ///< of the work of the jobs of all these weeks
};

WeeklyWork work_by_week(const JobList& jobs, const WholeWeeks& whole) {
    std::vector<double> of_all(whole.count, 0.0);
    std::vector<double> squares(whole.count, 0.0);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const double week = std::floor((jobs.submit[i] - whole.start) / week_s);
        if (week >= 0 && week < whole.count) {
            const double own = jobs.processors[i] * jobs.run[i];
            of_all[static_cast<std::size_t>(week)] += own;
            squares[static_cast<std::size_t>(week)] += own * own;
        }
    }
    WeeklyWork work;
    for (const std::uint32_t week : whole.drawn) {
        work.sums.push_back(of_all[week]);
        work.squares += squares[week];
    }
    return work;
}

double beyond_normal(double z) {
    return std::erfc(z / std::sqrt(2.0)) / 2;
}

/// Kendall (1938), by the normal distribution with the correction for continuity.
double trend_p_value(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            sum += (values[i] > values[k] ? 1 : 0) - (values[i] < values[k] ? 1 : 0);
        }
    }
    const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
    return std::abs(sum) <= 1 ? 1 : 2 * beyond_normal((std::abs(sum) - 1) / deviation);
}

/// The work of a week to which jobs come by a Poisson process has the variance of the sum of their
/// squares (Fisher's index of dispersion); chi-square as Wilson and Hilferty (1931).
double scatter_p_value(const WeeklyWork& work) {
    const auto weeks = static_cast<double>(work.sums.size());
    if (weeks < 2 || !(work.squares > 0)) {
        return 1;
    }
    const double mean = std::accumulate(work.sums.begin(), work.sums.end(), 0.0) / weeks;
    double squares = 0;
    for (const double own : work.sums) {
        squares += (own - mean) * (own - mean);
    }
    const double ratio = squares / (weeks - 1) / (work.squares / weeks);
    const double variance = 2 / (9 * (weeks - 1));
    return beyond_normal((std::cbrt(ratio) - 1 + variance) / std::sqrt(variance));
}

}  // namespace

Blocks blocks_of(const PreparedLog& log, Resampling resampling) {
    const auto& submits = log.jobs.submit;
    Blocks whole_log{
        .count = 1,
        .jobs = submits.size(),
        .span_s = submits.empty() ? 0 : submits.back() - submits.front()};
    if (draws_users(resampling) && weeks_spanned(log.jobs) > 1) {
        whole_log.count = log.users.users();
        add_weights(log.users.work, whole_log);
    }
    if (resampling == Resampling::weeks) {
        const WholeWeeks& whole = log.weeks;
        const WeeklyWork work = work_by_week(log.jobs, whole);
        Blocks weeks{
            .count = work.sums.size(),
            .span_s = static_cast<double>(work.sums.size()) * week_s,
            .trend_p_value = trend_p_value(work.sums),
            .scatter_p_value = scatter_p_value(work)};
        for (const std::uint32_t week : whole.drawn) {
            const double begin = whole.start + week * week_s;
            weeks.jobs += jobs_before(log.jobs, begin + week_s) - jobs_before(log.jobs, begin);
        }
        add_weights(work.sums, weeks);
        return weeks;
    }
    return whole_log;
}

bool repeats(const engine::WorkloadFacts& workload) {
    const auto has_one_block = [](const engine::Parameters& log) {
        const TraceSettings settings(log);
        return settings.resampling == Resampling::none
               || blocks_of(*prepared_log(settings), settings.resampling).count < 2;
    };
    try {
        return !workload.draws && std::ranges::all_of(workload.logs, has_one_block);
    } catch (const LogError&) {
        return false;
    }
}

std::optional<double> effective_users(const JobList& jobs) {
    const UserSequences users = user_sequences(jobs);
    Blocks blocks;
    add_weights(users.work, blocks);
    return users.users() < 2 ? std::nullopt : std::optional(blocks.effective);
}

std::string_view why_one_block(const PreparedLog& log, Resampling resampling) {
    if (resampling == Resampling::none || blocks_of(log, resampling).count > 1) {
        return "";
    }
    return resampling == Resampling::weeks ? "the log has one whole week"
           : weeks_spanned(log.jobs) == 1
               ? "the log lies within one week, and users are moved by weeks"
               : "the log has one user";
}

}  // namespace schedfarm::models::trace
