// Comparisons, selections, control variates: groups of cells, and exact messages.
#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

using Cells = std::vector<std::uint32_t>;

/// Two policies times three loads, and what is added.
Lines grid(const std::string& line) {
    return {
        {7, ""},
        {8, ""},
        {10, "factors: {policy: [fcfs, {fpfs: 7}], load.utilization: [0.5, 0.6, 0.7]}"},
        {11, line}};
}

Lines without_replications(Lines lines) {
    lines[9] = "";
    return lines;
}

}  // namespace

TEST_CASE("a comparison groups cells that differ in its factor only") {
    // Cells: fcfs 0 1 2, fpfs 3 4 5; the load varies fastest.
    const Plan plan = plan_of(grid("comparison: {factor: policy, metric: response_time}"));
    REQUIRE(plan.comparison);
    const ComparisonPlan& comparison = *plan.comparison;
    CHECK(comparison.factor == "policy");
    CHECK(comparison.metric == "response_time.mean");
    CHECK(comparison.confidence == 0.95);
    CHECK(!comparison.baseline);
    CHECK(!comparison.target);
    REQUIRE(comparison.groups.size() == 3);
    CHECK(comparison.groups[0].label == "load.utilization=0.5");
    CHECK(comparison.groups[0].cells == Cells{0, 3});
    CHECK(comparison.groups[2].label == "load.utilization=0.7");
    CHECK(comparison.groups[2].cells == Cells{2, 5});
    const Plan loads =
        plan_of(grid("comparison: {factor: load.utilization, metric: response_time}"));
    REQUIRE(loads.comparison->groups.size() == 2);
    CHECK(loads.comparison->groups[1].label == "policy=fpfs(7)");
    CHECK(loads.comparison->groups[1].cells == Cells{3, 4, 5});
}

TEST_CASE("a group of three factors is named by the two others") {
    Lines lines = grid("comparison: {factor: load.utilization, metric: response_time}");
    lines[5] = "";
    lines[10] =
        "factors: {policy: [fcfs, sjf], load.utilization: [0.5, 0.6], system.clusters: [[32], "
        "[64]]}";
    const Plan plan = plan_of(lines);
    REQUIRE(plan.comparison->groups.size() == 4);
    CHECK(plan.comparison->groups[1].label == "policy=fcfs, system.clusters=[64]");
    CHECK(plan.comparison->groups[1].cells == Cells{1, 3});
    CHECK(plan.comparison->groups[2].cells == Cells{4, 6});
}

TEST_CASE("the only factor makes one group without a label") {
    const Plan plan = plan_of(
        {{7, ""},
         {10, "factors: {policy: [fcfs, sjf, ljf]}"},
         {11, "comparison: {factor: policy, metric: response_time, baseline: sjf}"}}
    );
    REQUIRE(plan.comparison->groups.size() == 1);
    CHECK(plan.comparison->groups[0].label.empty());
    CHECK(plan.comparison->groups[0].cells == Cells{0, 1, 2});
    CHECK(plan.comparison->baseline == 1);
}

TEST_CASE("a comparison to a precision shares the confidence among all differences") {
    // 3 groups with one pair each: 1 - .05 / 3 each (Bonferroni).
    Lines lines = grid("comparison: {factor: policy, metric: response_time, relative: 0.1}");
    lines[9] = "precision: {metric: response_time, min: 20, max: 500}";
    const Plan plan = plan_of(lines);
    REQUIRE(plan.comparison->target);
    CHECK(plan.comparison->target->relative == 0.1);
    CHECK(!plan.comparison->target->absolute);
    CHECK(plan.comparison->target->confidence == doctest::Approx(1 - 0.05 / 3));
    // 2 groups with three pairs each, with a baseline two each.
    lines[11] = "comparison: {factor: load.utilization, metric: response_time, absolute: 0.1}";
    CHECK(plan_of(lines).comparison->target->confidence == doctest::Approx(1 - 0.05 / 6));
    lines[11] =
        "comparison: {factor: load.utilization, metric: response_time, absolute: 0.1, baseline: "
        "0.6}";
    CHECK(plan_of(lines).comparison->target->confidence == doctest::Approx(1 - 0.05 / 4));
    CHECK(plan_of(lines).comparison->baseline == 1);
}

TEST_CASE("a selection decides how many replications there are") {
    const Plan plan = plan_of(without_replications(
        grid("selection: {factor: policy, metric: response_time, best: smallest, indifference: "
             "0.1, max: 5000, first_stage: 20}")
    ));
    REQUIRE(plan.selection);
    const engine::SelectionSettings& rule = plan.selection->settings;
    CHECK(plan.selection->metric == "response_time.mean");
    CHECK(rule.best == engine::Best::smallest);
    CHECK(rule.indifference == 0.1);
    CHECK(rule.first_stage == 20);
    CHECK(rule.round == 16);
    CHECK(plan.selection->groups[1].cells == Cells{1, 4});
    for (const Cell& cell : plan.cells) {
        CHECK(cell.replications.limits.max == 5000);
        CHECK(cell.replications.targets.empty());
    }
}

TEST_CASE("an own selection replaces included replications") {
    const Plan plan = plan_of(
        {{7, ""},
         {9, ""},
         {10, "factors: {policy: [fcfs, sjf]}"},
         {11,
          "selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.1}"},
         {12, "include: [b.yaml]"}},
        {{"b.yaml", "replications: 100\n"}}
    );
    CHECK(plan.cells[0].replications.limits.max == 100000);
}

TEST_CASE("control variates have the means that the model knows") {
    // U[1,4] has mean 2.5; service has mean 4; at utilization 0.5 of 32 processors jobs come every
    // 2.5 * 4 / (0.5 * 32) = 0.625.
    const Plan plan = plan_of(
        {{6,
          "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
          "service: {exponential: 4}}"},
         {10, "probes: [response_time, service_time, job_size, interarrival_time]"},
         {11,
          "control_variates: {metric: response_time, controls: [service_time, job_size, "
          "interarrival_time]}"}}
    );
    CHECK(plan.control_metric == "response_time.mean");
    const std::vector<ControlMean>& controls = plan.cells[0].controls;
    REQUIRE(controls.size() == 3);
    CHECK(controls[0].column == "service_time.mean");
    CHECK(controls[0].mean == 4);
    CHECK(controls[1].column == "job_size.mean");
    CHECK(controls[1].mean == 2.5);
    CHECK(controls[2].column == "interarrival_time.mean");
    CHECK(controls[2].mean == doctest::Approx(0.625).epsilon(1e-14));
}

TEST_CASE("the mean of a control is known where a load is placed, and none is asked of its pilot") {
    const std::string all = "[response_time, service_time, job_size, interarrival_time]";
    Lines placed{
        {7, "policy: sjf"},
        {8, ""},
        {10, "control_variates: {metric: response_time, controls: [interarrival_time]}"},
        {11, "probes: " + all},
        {12, "factors: {load.utilization: {of_saturation: [0.5]}}"}};
    placed[10] = "control_variates: {metric: response_time, controls: [service_time]}";
    CHECK(plan_of(placed).cells[0].controls.size() == 1);
    CHECK(plan_of(placed).cells[1].controls.empty());  // the pilot
}

TEST_CASE("the plan hash changes with everything that is made of the replications") {
    const Lines base = grid("comparison: {factor: policy, metric: response_time}");
    const std::string hash = plan_of(base).plan_hash;
    for (const char* line :
         {"",
          "comparison: {factor: policy, metric: response_time, confidence: 0.9}",
          "comparison: {factor: policy, metric: response_time, baseline: fcfs}",
          "comparison: {factor: load.utilization, metric: response_time}"}) {
        CAPTURE(line);
        CHECK(plan_of(grid(line)).plan_hash != hash);
        CHECK(
            plan_of(grid(line)).cells[0].replication_key == plan_of(base).cells[0].replication_key
        );
    }
}

}  // namespace schedfarm::app::tests
