#include "app/submit/cost.hpp"

#include <doctest/doctest.h>

#include "tests/app/measuring.hpp"

using namespace schedfarm;
using namespace schedfarm::app;

namespace {

Cell cell_with(std::uint32_t index, std::uint64_t min, std::uint64_t max) {
    Cell cell;
    cell.index = index;
    cell.experiment.kind = engine::ExperimentKind::open;
    cell.experiment.horizon.jobs = 10;
    cell.utilization = 0.5;
    cell.measures = tests::measuring({{"response_time.mean", "time", ""}});
    cell.replications.limits = {min, max};
    return cell;
}

MetricTarget absolute_target(double absolute) {
    engine::PrecisionTarget target;
    target.absolute = absolute;
    target.method = engine::IntervalMethod::student_t;
    return {"response_time.mean", target};
}

MeasuredCell measured_as(std::uint32_t cell, const std::vector<double>& values, double seconds) {
    MeasuredCell measured;
    measured.cell = cell;
    for (const double value : values) {
        MeasuredReplication replication;
        replication.observations.values = {value};
        replication.observations.jobs = 10;
        replication.seconds = seconds;
        measured.replications.push_back(replication);
    }
    return measured;
}

Plan plan_with(std::vector<Cell> cells) {
    Plan plan;
    plan.cells = std::move(cells);
    return plan;
}

}  // namespace

TEST_CASE("a fixed number of replications is known exactly") {
    const Plan plan = plan_with({cell_with(0, 1, 40)});
    const Range needed = replications_needed(plan, plan.cells[0], nullptr);
    CHECK(needed.low == 40);
    CHECK(needed.expected == 40);
    CHECK(needed.high == 40);
}

TEST_CASE("a precision target needs replications in proportion to the variance") {
    // 1 … 8: mean 4.5, s² = 6. The allowed half-width 0.1 needs (t / 0.1)² · 6 = 2307.3
    // with t = 1.9610 of so many. 95 % of chi-squared with 7 degrees of freedom lies between 1.690
    // and 16.013, so the number is between 1009.9, t = 1.9623, and 9549, t = 1.9602; Wilson and
    // Hilferty's approximation is within 2 % of both.
    Cell cell = cell_with(0, 10, 100000);
    cell.replications.targets = {absolute_target(0.1)};
    const Plan plan = plan_with({cell});
    const MeasuredCell measured = measured_as(0, {1, 2, 3, 4, 5, 6, 7, 8}, 1);
    const Range needed = replications_needed(plan, plan.cells[0], &measured);
    CHECK(needed.expected == doctest::Approx(2307.3).epsilon(0.0001));
    CHECK(needed.low == doctest::Approx(1009.9).epsilon(0.02));
    CHECK(needed.high == doctest::Approx(9549).epsilon(0.02));
}

TEST_CASE("a confidence sequence needs what it needs at the expected number, not the pilot's") {
    // At .95, v = n / 2048 · 7.936 and the factor is √(2 (v + 1) / v · log(√(v + 1) / 0.05)).
    // s² = 6, half-width 0.1: n = 600 · factor², so n = 5728.2 with 3.08983.
    Cell cell = cell_with(0, 10, 100000);
    cell.replications.targets = {absolute_target(0.1)};
    cell.replications.targets[0].target.method = engine::IntervalMethod::confidence_sequence;
    const Plan plan = plan_with({cell});
    const MeasuredCell measured = measured_as(0, {1, 2, 3, 4, 5, 6, 7, 8}, 1);
    const Range needed = replications_needed(plan, plan.cells[0], &measured);
    CHECK(needed.expected == doctest::Approx(5728.2).epsilon(0.0001));
}

TEST_CASE("the campaign's own limits bound what is expected") {
    Cell cell = cell_with(0, 1500, 3000);
    cell.replications.targets = {absolute_target(0.1)};
    const Plan plan = plan_with({cell});
    const MeasuredCell measured = measured_as(0, {1, 2, 3, 4, 5, 6, 7, 8}, 1);
    const Range needed = replications_needed(plan, plan.cells[0], &measured);
    CHECK(needed.low == 1500);
    CHECK(needed.high == 3000);
    const Range unknown = replications_needed(plan, plan.cells[0], nullptr);
    CHECK(unknown.low == 1500);
    CHECK(unknown.expected == doctest::Approx(2121.3).epsilon(0.001));
    CHECK(unknown.high == 3000);
}

TEST_CASE("seconds have the interval of Student") {
    // 2 and 4: mean 3, s² = 2, s / √2 = 1, t(0.975; 1) = 12.706: from below 0 to 15.706.
    MeasuredCell two = measured_as(0, {1, 1}, 2);
    two.replications[1].seconds = 4;
    const Range seconds = seconds_per_replication(two.replications);
    CHECK(seconds.low == 0);
    CHECK(seconds.expected == 3);
    CHECK(seconds.high == doctest::Approx(15.706).epsilon(0.001));
}

TEST_CASE("core hours add up over cells and unmeasured cells are like the others") {
    // 40 replications of 9 s, and 80 of a cell that was not measured: 120 · 9 / 3600 = 0.3 h.
    const Plan plan = plan_with({cell_with(0, 1, 40), cell_with(1, 1, 80)});
    const auto cost = estimate_cost(plan, {measured_as(0, {1, 2, 3}, 9)});
    REQUIRE(cost.has_value());
    CHECK(cost->measured_cells == 1);
    CHECK(cost->replications.expected == 120);
    CHECK(cost->core_hours.expected == doctest::Approx(0.3));
    CHECK(cost->core_hours.high == doctest::Approx(0.3));
    CHECK(cost->longest_s == 9);
    CHECK_FALSE(estimate_cost(plan, {}).has_value());
}

TEST_CASE("a replication that did not end is the longest and is named") {
    const Plan plan = plan_with({cell_with(0, 1, 40), cell_with(1, 1, 80)});
    MeasuredCell unending;
    unending.cell = 1;
    unending.cut_after_s = 30;
    const auto cost = estimate_cost(plan, {measured_as(0, {1, 2, 3}, 9), unending});
    REQUIRE(cost.has_value());
    CHECK(cost->longest_s == 30);
    CHECK(cost->longest_cell == 1);
    CHECK(cost->unending == std::vector<std::uint32_t>{1});
}

TEST_CASE("the time proposed is the upper bound and some more in whole five minutes") {
    CampaignCost cost;
    cost.core_hours = {1, 2, 4};
    cost.longest_s = 10;
    CHECK(proposed_time_s(cost, 4) == 4800);   // 1.25 · 3600 + 300
    CHECK(proposed_time_s(cost, 16) == 1500);  // 1.25 · 900 + 300 = 1425
    CHECK(proposed_time_s(cost, 1000) == 600);
    cost.core_hours.high = 1e6;
    CHECK(proposed_time_s(cost, 4) == 86400);
    cost.longest_s = 40000;  // 3 · 40000 + 300 = 120300
    CHECK(proposed_time_s(cost, 4) == 120300);
}
