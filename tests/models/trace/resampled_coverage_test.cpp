// How often intervals from resampled logs hold the truth. The logs are ten weeks of M/M/1 at load
// .8 (or half a year of weeks as short), by users of equal weight, whose mean response time is
// known: that of the queue, not of the log. Intervals of the mean over all draws, which shrink with
// the number of replications, hold it in a sixth of the cases.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/estimate.hpp"
#include "engine/statistics/log_interval.hpp"

#include "models/trace/reading/clock.hpp"

#include "tests/models/trace/whole_resampling.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::models::trace {

namespace {

using engine::Purpose;
using engine::Stream;

constexpr double load = 0.8;
constexpr double confidence = 0.95;
constexpr std::uint32_t replications = 64;

struct Shape {
    std::uint32_t weeks = 10;
    double jobs_per_week = 600;
    std::uint32_t users = 50;

    /// Of a unit of service.
    double mean_service() const { return load * week_s / jobs_per_week; }
    double mean_response(double speed = 1) const {
        return mean_service() / speed / (1 - load / speed);
    }
};

/// Exponential, mean 1.
double exponential(std::uint32_t word) {
    return -std::log((word + 0.5) / 4294967296.0);
}

JobList mm1_log(const Shape& shape, std::uint32_t number) {
    std::vector<std::uint32_t> words(3 * 4096);
    const Stream stream(7, Purpose::arrivals, number);
    JobList log;
    double time = 0;
    for (std::uint64_t first = 0;; first += words.size()) {
        stream.fill_words(first, words);
        for (std::size_t i = 0; i < words.size(); i += 3) {
            time += exponential(words[i]) * week_s / shape.jobs_per_week;
            // The whole weeks of the log are to be as many as are generated.
            const bool is_last = time >= shape.weeks * week_s;
            log.submit.push_back(is_last ? shape.weeks * week_s : time);
            log.run.push_back(exponential(words[i + 1]) * shape.mean_service());
            log.request.push_back(log.run.back());
            log.processors.push_back(1);
            log.user.push_back(std::int64_t{engine::scaled_word(words[i + 2], shape.users)});
            log.row.push_back(static_cast<std::uint32_t>(log.row.size()));
            if (is_last) {
                return log;
            }
        }
    }
}

/// By Lindley's recursion; service is `speed` times as fast.
double mean_response(const JobList& jobs, double speed = 1) {
    double work = 0;
    double last = 0;
    double sum = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        work = std::max(0.0, work - (jobs.submit[i] - last)) + jobs.run[i] / speed;
        last = jobs.submit[i];
        sum += work;
    }
    return sum / static_cast<double>(jobs.size());
}

enum class Unit : std::uint8_t { users, weeks };

struct Coverage {
    engine::Accumulator of_draws;
    engine::Accumulator of_logs;
    engine::Accumulator of_differences;
    engine::Accumulator means;  ///< over the truth
};

double is_inside(const engine::Interval& interval, double truth) {
    return interval.contains(truth) ? 1 : 0;
}

Coverage coverage(const Shape& shape, Unit unit, std::uint32_t logs) {
    constexpr double faster = 4. / 3;  // a load of .6
    Coverage result;
    for (std::uint32_t number = 0; number < logs; ++number) {
        const JobList log = mm1_log(shape, number);
        std::vector<double> responses;
        std::vector<double> differences;
        for (std::uint32_t r = 0; r < replications; ++r) {
            const Stream stream(number, Purpose::resampling, r);
            const JobList jobs = unit == Unit::users
                                     ? tests::resample_users(log, shape.weeks, stream)
                                     : tests::resample_weeks(log, 0, shape.weeks, stream);
            responses.push_back(mean_response(jobs));
            differences.push_back(responses.back() - mean_response(jobs, faster));
        }
        const engine::LogBlocks blocks{unit == Unit::users ? shape.users : shape.weeks, 1};
        const auto estimate = [](const std::vector<double>& values) {
            return *engine::estimate_mean(values, confidence, engine::IntervalMethod::student_t);
        };
        const engine::Estimate draws = estimate(responses);
        const double truth = shape.mean_response();
        const double difference = truth - shape.mean_response(faster);
        result.of_draws.add(is_inside(draws.interval, truth));
        result.of_logs.add(is_inside(engine::of_logs_like_it(draws, blocks).interval, truth));
        result.of_differences.add(
            is_inside(engine::of_logs_like_it(estimate(differences), blocks).interval, difference)
        );
        result.means.add(draws.mean / truth);
    }
    return result;
}

/// Three standard errors of a share that is .95.
double margin(const engine::Accumulator& shares) {
    return 3 * std::sqrt(0.95 * 0.05 / static_cast<double>(shares.n()));
}

}  // namespace

TEST_CASE("ten weeks resampled by weeks: the interval of logs like this one holds the truth") {
    const Coverage measured = coverage({}, Unit::weeks, schedfarm::tests::short_or_long(80U, 250U));
    MESSAGE("of the draws: ", *measured.of_draws.mean());
    MESSAGE("of logs like this one: ", *measured.of_logs.mean());
    MESSAGE("of differences: ", *measured.of_differences.mean());
    CHECK(*measured.of_draws.mean() < 0.3);
    for (const engine::Accumulator& shares : {measured.of_logs, measured.of_differences}) {
        CHECK(*shares.mean() > 0.93 - margin(shares));
        CHECK(*shares.mean() < 0.97 + margin(shares));
    }
}

TEST_CASE("half a year of weeks") {
    const Coverage measured = coverage(
        {.weeks = 26, .jobs_per_week = 400}, Unit::weeks, schedfarm::tests::short_or_long(60U, 150U)
    );
    MESSAGE("of logs like this one: ", *measured.of_logs.mean());
    CHECK(*measured.of_logs.mean() > 0.93 - margin(measured.of_logs));
}

TEST_CASE("ten weeks resampled by users: the interval holds the truth, and there are no twins") {
    const Coverage measured = coverage({}, Unit::users, schedfarm::tests::short_or_long(40U, 100U));
    MESSAGE("of the draws: ", *measured.of_draws.mean());
    MESSAGE("of logs like this one: ", *measured.of_logs.mean());
    MESSAGE("of differences: ", *measured.of_differences.mean());
    MESSAGE(
        "mean over the truth: ", *measured.means.mean(), " ± ", *measured.means.standard_error()
    );
    // What a user does within his log is drawn anew beside the users: the interval is too long.
    CHECK(*measured.of_logs.mean() > 0.93 - margin(measured.of_logs));
    CHECK(*measured.of_differences.mean() > 0.93 - margin(measured.of_differences));
    CHECK(std::fabs(*measured.means.mean() - 1) < 4 * *measured.means.standard_error());
}

}  // namespace schedfarm::models::trace
