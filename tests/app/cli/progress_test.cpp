#include "app/cli/progress.hpp"

#include <string>

#include <doctest/doctest.h>

#include "app/cli/arrivals_display.hpp"
#include "app/cli/progress_text.hpp"
#include "app/run/rules/precision_rule.hpp"

#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

/// 3360 of 8000 are 42 %: 4.2 of 10 places.
RunTotals half_way() {
    RunTotals totals;
    totals.computed = 3360;
    totals.predicted = 8000;
    totals.cells = 20;
    totals.decided = 7;
    totals.core_hours_left = 1.26;
    return totals;
}

void fail(CampaignProgress& progress, std::uint32_t cell, std::uint32_t replication) {
    engine::TaskResult result;
    result.id = ReplicationId{cell, replication}.task_id();
    result.status = engine::TaskStatus::failed;
    result.message = "on purpose";
    progress.take(result);
}

/// A replication whose response time is 9, 11, 9, 11, … times the scale; it took so many seconds.
void compute(
    CampaignProgress& progress,
    std::uint32_t cell,
    std::uint32_t replication,
    double seconds = 0,
    double scale = 1
) {
    engine::Observations observations;
    observations.values = {0.0, scale * (replication % 2 == 0 ? 9.0 : 11.0)};
    observations.jobs = 10;
    engine::TaskResult result;
    result.id = ReplicationId{cell, replication}.task_id();
    result.payload = encode(observations);
    result.seconds = seconds;
    progress.take(result);
}

/// One cell of 4 to 100 replications, wanted within `relative`.
Plan plan_within(double relative) {
    Plan plan;
    plan.cells = {open_cell(0, 4, 100)};
    plan.cells[0].replications.targets = {response_target(relative)};
    plan.cells[0].replications.method = engine::IntervalMethod::student_t;
    plan.cells[0].levels = {{"policy", "fcfs", {}}, {"load", "0.5", {}}};
    return plan;
}

}  // namespace

TEST_CASE("a long simulation says after three seconds and then now and then how many jobs have come"
) {
    ArrivalsTimes times(10);
    CHECK(!times.is_due(0));
    CHECK(!times.is_due(2.9));
    CHECK(times.is_due(3.5));
    CHECK(!times.is_due(3.6));
    CHECK(!times.is_due(13.4));
    CHECK(times.is_due(13.5));
    CHECK(arrivals_text(34567, 289123, 4.2) == "34567 of 289123 jobs have come (11 %), 4 s");
    CHECK(arrivals_text(7, 7, 60) == "7 of 7 jobs have come (100 %), 1 min 00 s");
}

TEST_CASE("progress says how much is done and decided and how long the rest takes") {
    CHECK(bar_text(half_way()) == "[####......]");
    CHECK(
        plain_text(half_way(), 7300.0)
        == "  42 %  3360 of 8000 replications, 7 of 20 cells decided, 2 h 01 min left "
           "(1.3 core-hours)"
    );
}

TEST_CASE("nothing is said of cells where none is decided nor of time where it is unknown") {
    RunTotals totals = half_way();
    totals.decided = 0;
    totals.core_hours_left = 0;
    CHECK(plain_text(totals, std::nullopt) == "  42 %  3360 of 8000 replications");
}

TEST_CASE("before the first checkpoint the number expected is a lower bound") {
    const Plan plan = plan_within(0.01);
    CampaignProgress progress(plan);
    const std::uint64_t first = first_decision(plan.cells[0]).next_check;
    for (std::uint32_t i = 0; i + 1 < first; ++i) {
        compute(progress, 0, i);
    }
    const RunTotals early = totals_of(progress);
    CHECK(early.is_lower_bound);
    CHECK(early.predicted == first);
    RunTotals stated = early;
    stated.computed = 372;
    stated.predicted = 384;
    stated.core_hours_left = 5;
    CHECK(plain_text(stated, std::nullopt) == "372 of 384 or more replications");
    CHECK(bar_text(stated) == "[..........]  ");
    CHECK_FALSE(seconds_left(stated, 1.0, 60.0));
    compute(progress, 0, static_cast<std::uint32_t>(first - 1));
    const RunTotals later = totals_of(progress);
    CHECK_FALSE(later.is_lower_bound);
    CHECK(later.predicted > first);
}

TEST_CASE("a fixed number of replications is no bound") {
    Plan plan;
    plan.cells = {open_cell(0, 5, 5)};
    CampaignProgress progress(plan);
    compute(progress, 0, 0);
    const RunTotals totals = totals_of(progress);
    CHECK_FALSE(totals.is_lower_bound);
    CHECK(totals.computed == 1);
    CHECK(totals.predicted == 5);
    CHECK(totals.decided == 0);
}

TEST_CASE("cells without results cost what the others cost on average") {
    // Cell 0: 2 of 5 replications of 36 s; cell 1: 1 of 5 of 108 s; cell 2: 0 of 5, at 72 s.
    Plan plan;
    plan.cells = {open_cell(0, 5, 5), open_cell(1, 5, 5), open_cell(2, 5, 5)};
    CampaignProgress progress(plan);
    CHECK(totals_of(progress).core_hours_left == 0);
    compute(progress, 0, 0, 36);
    compute(progress, 0, 1, 36);
    compute(progress, 1, 0, 108);
    const RunTotals totals = totals_of(progress);
    CHECK(totals.core_hours_spent == doctest::Approx((2 * 36 + 108) / 3600.0));
    CHECK(totals.core_hours_left == doctest::Approx((3 * 36 + 4 * 108 + 5 * 72) / 3600.0));
    // 180 s of work took 60 s: the other 900 s take 300 s.
    CHECK(seconds_left(totals, 0.05, 60).value() == doctest::Approx(300));
}

TEST_CASE("what failed is counted apart and a cell that waits for it computes no more") {
    Plan plan;
    plan.cells = {open_cell(0, 5, 5), open_cell(1, 5, 5)};
    CampaignProgress progress(plan);
    compute(progress, 0, 0, 36);
    fail(progress, 0, 1);
    for (std::uint32_t i = 2; i < 5; ++i) {
        compute(progress, 0, i, 36);
    }
    compute(progress, 1, 0, 36);
    const RunTotals totals = totals_of(progress);
    CHECK(totals.computed == 5);
    CHECK(totals.failed == 1);
    CHECK(totals.predicted == 10);
    CHECK(totals.core_hours_left == doctest::Approx(4 * 36 / 3600.0));  // cell 1 alone
    CHECK(plain_text(totals, std::nullopt) == "  50 %  5 of 10 replications, 1 failed");
    compute(progress, 0, 1, 36);  // tried again
    CHECK(totals_of(progress).failed == 0);
    CHECK(totals_of(progress).computed == 6);
}

TEST_CASE("nothing is expected behind a failed replication") {
    const Plan plan = plan_within(0.01);
    CampaignProgress progress(plan);
    for (std::uint32_t i = 0; i < 4; ++i) {
        compute(progress, 0, i, 36);
    }
    CHECK(totals_of(progress).predicted > 50);
    fail(progress, 0, 4);
    CHECK(totals_of(progress).predicted == 5 + progress.cells()[0]->ready());
}

TEST_CASE("a share of the cells is the whole of its run") {
    Plan plan;
    plan.cells = {open_cell(0, 5, 5), open_cell(1, 5, 5), open_cell(2, 5, 5)};
    const CampaignProgress progress(plan, CellShare{1, 2});
    CHECK(totals_of(progress).cells == 1);
    CHECK(totals_of(progress).predicted == 5);
}

TEST_CASE("an open cell's interval may be looked at any time") {
    // Of 9, 11 the mean is 10 and the standard error 1. Student's half width with one degree of
    // freedom is 12.7, 127.1 % of the mean. That of the confidence sequence: v = 2 / 2048 ·
    // (5.9915 + log(6.9915)) = 0.0077500, sqrt(2 · 1.00775 / 0.00775 · (log(1.00775) / 2
    // + 2.99573)) = 27.93. Both would reach below 0, which a time cannot: on a log scale they are
    // 10 exp(±2.793) and 10 exp(±1.271).
    const Plan plan = plan_within(0.05);
    CampaignProgress progress(plan);
    CHECK(cell_text(progress, *progress.cells()[0]).empty());
    compute(progress, 0, 0);
    compute(progress, 0, 1);
    CHECK(
        cell_text(progress, *progress.cells()[0])
        == "cell 0 (fcfs, 0.5): response_time.mean 10.0 [0.61, 160] (stop rule: ±260 %, wanted "
           "5.0 %)"
    );
}

TEST_CASE("a decided cell's interval is that of its results") {
    const Plan plan = plan_within(0.9);  // four of 9, 11: 3.182 · 1.1547 / 2 = 1.84, 18.4 %
    CampaignProgress progress(plan);
    for (std::uint32_t i = 0; i < 4; ++i) {
        compute(progress, 0, i);
    }
    CHECK_FALSE(progress.cells()[0]->decision().is_open());
    CHECK(
        cell_text(progress, *progress.cells()[0])
        == "cell 0 (fcfs, 0.5): response_time.mean 10.0 ±1.8 (stop rule: ±18 %, wanted 90 %)"
    );
}

// The same in seconds, 7,200 times as long: 20 hours, to the 3.68 that 18.4 % of them are.
TEST_CASE("times of seconds are hours where they are long, beside what was asked for them") {
    Plan plan = plan_within(0.9);
    plan.time_unit = "s";
    plan.cells[0].replications.targets[0].target.relative.reset();
    plan.cells[0].replications.targets[0].target.absolute = 54000;
    CampaignProgress progress(plan);
    for (std::uint32_t i = 0; i < 4; ++i) {
        compute(progress, 0, i, 0, 7200);
    }
    CHECK(
        cell_text(progress, *progress.cells()[0])
        == "cell 0 (fcfs, 0.5): response_time.mean 20.0 ±3.7 h (stop rule: ±3.7, wanted 15)"
    );
}

TEST_CASE("long times of the program are minutes, hours and days") {
    CHECK(measured_text(0.306) == "0.31 s");
    CHECK(measured_text(47.8) == "48 s");
    CHECK(duration_text(83) == "1 min 23 s");
    CHECK(duration_text(7 * 3600 + 9 * 60) == "7 h 09 min");
    CHECK(duration_text(5 * 86400 + 11 * 3600) == "5 d 11 h");
}

TEST_CASE("time left rests on what this run has computed and on more than its first seconds") {
    TimeLeft time_left;
    RunTotals totals;
    totals.core_hours_spent = 80;  // from the journal
    totals.core_hours_left = 20;
    CHECK_FALSE(time_left.seconds(totals, 1.0));
    totals.core_hours_spent = 82;
    totals.core_hours_left = 18;
    CHECK_FALSE(time_left.seconds(totals, 5.0));
    CHECK(time_left.seconds(totals, 11.0).value() == doctest::Approx(90.0));  // 18 at 2 in 10 s
    totals.is_lower_bound = true;
    CHECK_FALSE(time_left.seconds(totals, 11.0));
    totals.is_lower_bound = false;
    totals.core_hours_left = 0;
    CHECK_FALSE(time_left.seconds(totals, 12.0));
}

TEST_CASE("a silence is told with what is not back yet") {
    CHECK(patience_s(1) == 10);
    CHECK(patience_s(20) == 60);
    CHECK(
        quiet_text(80, {2, 3}, 1) == "no result for 1 min 20 s; not back yet: cell 2, replication 3"
    );
    CHECK(
        quiet_text(40, {2, 3}, 52)
        == "no result for 40 s; 52 not back yet, the oldest: cell 2, replication 3"
    );
}
