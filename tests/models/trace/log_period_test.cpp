// The days in which a log is dense, by hand: an early job, a ramp at the end, weeks without jobs.
#include "models/trace/summary/log_period.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"

#include "models/trace/reading/blocks.hpp"
#include "models/trace/resampling.hpp"

namespace schedfarm::models::trace {

namespace {

/// So many jobs on each day from `start` on, at 1 s, 2 s and so on: of 3 processors for 100 s,
/// which ask for 200 s.
SelectedJobs log_of(const std::vector<int>& days, double start = 0) {
    SelectedJobs selected;
    JobList& jobs = selected.jobs;
    for (std::size_t day = 0; day < days.size(); ++day) {
        for (int i = 1; i <= days[day]; ++i) {
            jobs.submit.push_back(start + static_cast<double>(day) * day_s + i);
            jobs.run.push_back(100);
            jobs.request.push_back(200);
            jobs.processors.push_back(3);
            jobs.user.push_back(7);
            jobs.row.push_back(static_cast<std::uint32_t>(jobs.row.size()));
        }
    }
    return selected;
}

/// 8 jobs on each of so many days, 2 on Saturdays and Sundays.
std::vector<int> weeks(int count) {
    std::vector<int> days;
    for (int day = 0; day < 7 * count; ++day) {
        days.push_back(day % 7 < 5 ? 8 : 2);
    }
    return days;
}

std::vector<int> operator+(std::vector<int> a, const std::vector<int>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

TEST_CASE("a log of whole weeks with thin weekends is dense everywhere") {
    CHECK(dense_period(log_of(weeks(4)), 0) == LogPeriod{});
    CHECK(dense_period(log_of(std::vector<int>{1, 0} + weeks(4)), 0) == LogPeriod{});  // two days
    CHECK(
        dense_period(log_of({8, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0, 0, 1}), 0) == LogPeriod{}
    );  // short
    CHECK(dense_period({}, 0) == LogPeriod{});
    CHECK(period_text({}, std::nullopt).empty());
}

TEST_CASE("jobs of before the log's first day are told from it") {
    // Three jobs on 21 days, one of these days as full as others, but alone.
    std::vector<int> early(21);
    early[0] = 1;
    early[9] = 2;
    const SelectedJobs log = log_of(early + weeks(3), 1000);
    const LogPeriod period = dense_period(log, 1000);
    CHECK(period.from == 1000 + 21 * day_s);
    CHECK(period.before == LogPeriod{}.before);
    CHECK(period.jobs_before == 3);
    CHECK(period.jobs_after == 0);
    CHECK(period.empty_weeks.empty());
    CHECK_FALSE(period.contains(1000 + 21 * day_s - 1));
    CHECK(period.contains(1000 + 21 * day_s));
    CHECK(
        period_text(period, std::nullopt)
        == "3 jobs came before second 1815400, when the log begins to be dense"
    );
    // 132 jobs of 300 processor seconds from second 1 of day 21 to second 2 of day 41.
    CHECK(area_per_s(log.jobs, period) == doctest::Approx(132 * 300 / (20 * day_s + 1)));
    CHECK(area_per_s(log.jobs, {}) == doctest::Approx(135 * 300 / (41 * day_s + 1)));
    // More than a tenth of the jobs are a change of load, and no leavings.
    std::vector<int> slow(21, 1);
    CHECK(dense_period(log_of(slow + weeks(3)), 0) == LogPeriod{});
}

TEST_CASE("days whose jobs had not ended are the log's end") {
    SelectedJobs log = log_of(weeks(8));
    // Jobs ask for 600 processor seconds: 8 on each of the days 49 to 53, 2 on each of the next
    // two. More than a quarter of the work of days 52 to 54 had not ended, just a quarter of that
    // of day 51, most of that of the last; what waits since long ago does not matter.
    log.unfinished = {
        {.submit = 54 * day_s + 5, .requested = 401},
        {.submit = 53 * day_s + 5, .requested = 1601},
        {.submit = 52 * day_s + 5, .requested = 1602},
        {.submit = 51 * day_s + 9, .requested = 1600},
        {.submit = 55 * day_s + 9, .requested = 5000},
        {.submit = 3 * day_s, .requested = 90000}};
    log.jobs.submit.back() = 55 * day_s + 3600;
    LogPeriod period = dense_period(log, 0);
    CHECK(period.before == 52 * day_s);
    CHECK(period.jobs_after == 20);
    CHECK(period.jobs_before == 0);
    const LogClock clock{.unix_start = 1'000'000'800};
    CHECK(
        period_text(period, clock)
        == "20 jobs came after 2001-10-31 02:00:00, when it ceases to be dense"
    );
    log.unfinished[3].requested = 1601;
    CHECK(dense_period(log, 0).before == 51 * day_s);
}

TEST_CASE("a week with few jobs is drawn, one with fewer than a dense day is not") {
    // Busy days have 8 jobs, dense ones 2.
    const std::vector<int> few{0, 1, 0, 0, 0, 1, 0};
    const std::vector<int> fewer{0, 0, 1, 0, 0, 0, 0};
    const SelectedJobs log = log_of(weeks(2) + few + weeks(2) + fewer + weeks(2));
    CHECK(dense_period(log, 0).empty_weeks == std::vector<double>{5 * week_s});
}

TEST_CASE("weeks with hardly a job are not drawn where the log is to be dense") {
    std::vector<int> down(14);
    down[12] = 1;
    const SelectedJobs log = log_of(weeks(3) + down + weeks(2) + std::vector<int>{8});
    const LogPeriod period = dense_period(log, 0);
    CHECK(period.empty_weeks == std::vector<double>{21 * day_s, 28 * day_s});
    CHECK(period.jobs_before + period.jobs_after == 0);
    CHECK(
        period_text(period, std::nullopt)
        == "hardly a job came in 2 weeks, the first from second 1814400 on"
    );
    const WholeWeeks all = whole_weeks(log.jobs, 0);
    const WholeWeeks dense = whole_weeks(log.jobs, 0, period.empty_weeks);
    CHECK(all.drawn == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
    CHECK(dense.drawn == std::vector<std::uint32_t>{0, 1, 4, 5});
    PreparedLog prepared;
    prepared.jobs = log.jobs;
    prepared.weeks = dense;
    const Blocks blocks = blocks_of(prepared, Resampling::weeks);
    CHECK(blocks.count == 4);
    CHECK(blocks.jobs == 4 * 44);
    CHECK(blocks.span_s == 4 * week_s);
    const engine::Stream stream(7, engine::Purpose::resampling, 0);
    const ResampledWeeks drawn(log.jobs, dense, 60, stream);
    for (std::uint32_t week = 0; week < 60; ++week) {
        CHECK(drawn.week(week).size() == 44);
    }
}

}  // namespace schedfarm::models::trace
