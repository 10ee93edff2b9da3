// The metrics of small schedules, by hand.
#include "app/simulate/schedule_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"
#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::app {

namespace {

struct Row {
    double submit;
    double start;
    double service;
    std::uint32_t size;
};

engine::JobLog log_of(const std::vector<Row>& rows) {
    engine::JobLog log;
    log.begin(rows.size());
    for (std::size_t job = 0; job < rows.size(); ++job) {
        engine::JobRecord record;
        record.index = job;
        record.submit_time = rows[job].submit;
        record.start_time = rows[job].start;
        record.service_time = rows[job].service;
        record.finish_time = rows[job].start + rows[job].service;
        record.size = rows[job].size;
        log.add(record);
    }
    return log;
}

/// Jobs with waits of very different lengths, now and then none at all for a while.
std::vector<Row> scattered_rows() {
    const engine::Stream stream(7, engine::Purpose::arrivals, 0);
    std::vector<Row> rows;
    double now = 3;
    for (std::uint64_t job = 0; job < 3000; ++job) {
        const auto draw = [&](std::uint64_t which, std::uint64_t below) {
            return static_cast<double>(stream.draw(8 * job + which) % below);
        };
        now += draw(0, 8) == 0 ? 400 + draw(1, 4000) : draw(1, 4);
        const double wait = draw(2, 2) == 0 ? 0 : draw(3, 1ULL << (1 + job % 9));
        rows.push_back(
            {now, now + wait, 1 + draw(4, 50), static_cast<std::uint32_t>(1 + draw(5, 8))}
        );
    }
    return rows;
}

double sorted_quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values
        [static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
}

/// Second by second until the last submission. REQUIRES: whole seconds, all before 2,000,000.
double idle_while_waiting(const std::vector<Row>& rows, double processors) {
    const auto second = [](double time) {
        return static_cast<std::size_t>(time);
    };
    std::vector<double> busy(2'000'000);
    std::vector<int> waiting(busy.size());
    for (const Row& row : rows) {
        for (std::size_t t = second(row.submit); t < second(row.start); ++t) {
            waiting[t] = 1;
        }
        for (std::size_t t = second(row.start); t < second(row.start + row.service); ++t) {
            busy[t] += row.size;
        }
    }
    double area = 0;
    for (std::size_t t = 0; t < second(rows.back().submit); ++t) {
        area += waiting[t] * (processors - busy[t]);
    }
    return area;
}

}  // namespace

TEST_CASE("a machine without a gap is used in full however short its jobs and late its times") {
    for (const double begin : {0.0, 1e6, 1.7e9, 4e9}) {
        for (double step = 1e-5; step < 100; step *= 3.7) {
            std::vector<Row> rows;
            double now = begin;
            for (int job = 0; job < 500; ++job) {
                rows.push_back({begin, now, step, 4});
                now += step;
            }
            const ScheduleSummary summary =
                summarise_schedule(log_of(rows), 4, Occupation::unbroken);
            CAPTURE(begin);
            CAPTURE(step);
            CHECK(std::abs(summary.utilization - 1) < 1e-12);
        }
    }
}

TEST_CASE("the metrics of six jobs on eight processors") {
    // Busy: 40 + 40 + 30 + 18 + 60 + 4 = 192 of 8 · 46 = 368; until the last submission at 3 it is
    // 12 + 6 + 2 of 24. Somebody waits from 1 on: two processors are idle in [1, 2). Off-line,
    // where the window is all of it, 192 of 368 are busy, and four more are lost in [10, 11). Waits
    // 0 0 0 10 13 14, responses 9 10 15 17 20 44, slowdowns 1 1 1 3 4.25 44/30, bounded 1 1 1.5 1
    // 44/30 1.7.
    const auto log = log_of(
        {{0, 0, 10, 4}, {0, 0, 20, 2}, {1, 11, 5, 6}, {2, 2, 9, 2}, {2, 16, 30, 2}, {3, 16, 4, 1}}
    );
    const ScheduleSummary summary = summarise_schedule(log, 8, Occupation::unbroken);
    CHECK(summary.jobs == 6);
    CHECK(summary.first_submit == 0);
    CHECK(summary.last_submit == 3);
    CHECK(summary.makespan == 46);
    CHECK(summary.utilization == 192.0 / 368);
    CHECK(summary.gross_utilization == 20.0 / 24);
    CHECK(summary.loss_of_capacity == 2.0 / 24);
    const ScheduleSummary offline =
        summarise_schedule(log, 8, Occupation::unbroken, engine::ExperimentKind::offline);
    CHECK(offline.gross_utilization == 192.0 / 368);
    CHECK(offline.loss_of_capacity == 6.0 / 368);
    CHECK(summary.wait.mean == 37.0 / 6);
    CHECK(summary.wait.median == 0);
    CHECK(summary.wait.p95 == 14);
    CHECK(summary.response.mean == 115.0 / 6);
    CHECK(summary.response.median == 15);
    CHECK(summary.response.max == 44);
    CHECK(summary.slowdown.median == 1);
    CHECK(summary.slowdown.max == 4.25);
    CHECK(summary.bounded_slowdown.mean == doctest::Approx((3 + 1.5 + 44.0 / 30 + 1.7) / 6));
    CHECK(
        summarise_schedule(log, 8, Occupation::unbroken, engine::ExperimentKind::trace, 1)
            .bounded_slowdown.max
        == 4.25
    );
    CHECK_FALSE(summarise_schedule(log, 8, Occupation::with_pauses).loss_of_capacity.has_value());
}

TEST_CASE("periods of waiting that touch or are apart are not counted twice") {
    // P = 2, jobs of one processor, job 0 holds one until 10. Somebody waits in [1, 4), [4, 6) and
    // [8, 9); job 1 holds the second processor in [4, 5), so that 3 + 1 + 1 are lost of 2 · 10.
    const auto log =
        log_of({{0, 0, 10, 1}, {1, 4, 1, 1}, {4, 6, 1, 1}, {8, 9, 1, 1}, {10, 10, 0, 1}});
    const ScheduleSummary summary = summarise_schedule(log, 2, Occupation::unbroken);
    CHECK(summary.loss_of_capacity == 5.0 / 20);
}

TEST_CASE("a job that overtakes does not end the waiting of others") {
    // P = 2. Job 0 holds one processor until 10, so that job 1 waits for both in [1, 10); job 2
    // comes at 2 and runs in [3, 4). Lost: [1, 3) and [4, 9), 7 of 2 · 9 until the last comes at 9.
    const auto log = log_of({{0, 0, 10, 1}, {1, 10, 1, 2}, {2, 3, 1, 1}, {9, 11, 1, 1}});
    CHECK(summarise_schedule(log, 2, Occupation::unbroken).loss_of_capacity == 7.0 / 18);
}

TEST_CASE("jobs without service have the slowdown 1 or an infinite one") {
    const ScheduleSummary at_once =
        summarise_schedule(log_of({{5, 5, 0, 1}}), 1, Occupation::unbroken);
    CHECK(at_once.slowdown.mean == 1);
    CHECK(at_once.utilization == 0);
    CHECK_FALSE(at_once.loss_of_capacity.has_value());
    const ScheduleSummary later =
        summarise_schedule(log_of({{5, 7, 0, 1}}), 1, Occupation::unbroken);
    CHECK(std::isinf(later.slowdown.max));
    CHECK(later.bounded_slowdown.max == 1);
}

TEST_CASE("quantiles are the smallest values that enough jobs do not exceed") {
    std::vector<Row> rows;
    for (int job = 0; job < 100; ++job) {
        rows.push_back({0, static_cast<double>((37 * job) % 100 + 1), 1, 1});  // waits 1 … 100
    }
    const Quantity wait = summarise_schedule(log_of(rows), 200, Occupation::unbroken).wait;
    CHECK(wait.median == 50);
    CHECK(wait.p95 == 95);
    CHECK(wait.max == 100);
    CHECK(wait.mean == 50.5);
    rows.resize(7);  // waits 1, 38, 75, 12, 49, 86, 23: of 7 it takes 4 for a half
    const Quantity few = summarise_schedule(log_of(rows), 200, Occupation::unbroken).wait;
    CHECK(few.median == 38);
    CHECK(few.p95 == 86);
}

TEST_CASE("the metrics of many jobs are those of sorting and of counting seconds") {
    const std::vector<Row> rows = scattered_rows();
    const ScheduleSummary summary = summarise_schedule(log_of(rows), 5000, Occupation::unbroken);
    std::vector<double> waits;
    std::vector<double> slowdowns;
    for (const Row& row : rows) {
        waits.push_back(row.start - row.submit);
        slowdowns.push_back((row.start + row.service - row.submit) / row.service);
    }
    CHECK(summary.wait.median == sorted_quantile(waits, 0.5));
    CHECK(summary.wait.p95 == sorted_quantile(waits, 0.95));
    CHECK(summary.slowdown.median == sorted_quantile(slowdowns, 0.5));
    CHECK(summary.slowdown.p95 == sorted_quantile(slowdowns, 0.95));
    const double window = summary.last_submit - summary.first_submit;
    CHECK(summary.loss_of_capacity == idle_while_waiting(rows, 5000) / (5000 * window));
}

}  // namespace schedfarm::app
