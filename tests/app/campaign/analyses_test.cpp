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

TEST_CASE("a metric that is missing is told with one that is observed") {
    const auto errors = [](const std::string& section) {
        Lines lines = without_replications(grid(section));
        lines[9] = section.starts_with("selection") ? "" : "replications: 10";
        lines[12] = "probes: [slowdown, service_time]";
        return errors_of(lines);
    };
    const std::string end = "; a bare probe stands for its mean). Add 'metric: slowdown'?";
    CHECK(
        errors("comparison: {factor: policy}")
        == "a.yaml:11:13: 'comparison.metric' is missing (what is compared" + end
    );
    CHECK(
        errors("selection: {factor: policy, best: smallest, indifference: 0.1}")
        == "a.yaml:11:12: 'selection.metric' is missing (by what it is judged" + end
    );
    CHECK(
        errors("control_variates: {controls: [service_time]}")
        == "a.yaml:11:19: 'control_variates.metric' is missing (what is estimated" + end
    );
    CHECK(
        errors("certificate: {band: [0.9, 0.97]}")
        == "a.yaml:11:14: 'certificate.metric' is missing (of what the true value is known" + end
    );
    Lines saturated = grid("comparison: {factor: policy}");
    saturated[4] = "experiment: saturated";
    saturated[10] = "factors: {policy: [fcfs, {fpfs: 7}]}";
    CHECK(
        errors_of(saturated)
        == "a.yaml:11:13: 'comparison.metric' is missing (what is compared; a bare probe stands "
           "for its mean). Add 'metric: throughput'?"
    );
    saturated[11] = "comparison: {factor: policy, metric: throughput}";
    CHECK(errors_of(saturated).empty());
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

TEST_CASE("wrong comparisons are refused where they are written") {
    CHECK(
        errors_of(grid("comparison: {factor: polcy, metric: response_time}"))
        == "a.yaml:11:22: 'polcy' is no factor of the campaign. Did you mean 'policy'?"
    );
    CHECK(
        errors_of({{10, "comparison: {factor: policy, metric: response_time}"}})
        == "a.yaml:10:22: 'policy' is no factor of the campaign"
    );
    CHECK(
        errors_of(
            {{7, ""},
             {10, "factors: {policy: [fcfs]}"},
             {11, "comparison: {factor: policy, metric: response_time}"}}
        )
        == "a.yaml:11:22: factor 'policy' has one level (nothing is beside it). Give it another?"
    );
    CHECK(
        errors_of(grid("comparison: {factor: policy, metric: slowdown}"))
        == "a.yaml:11:38: metric 'slowdown' is not observed in cell 0. Add it to 'probes'?"
    );
    CHECK(
        errors_of(grid("comparison: {factor: policy, metric: response_time, baseline: sjf}"))
        == "a.yaml:11:63: factor 'policy' has no level 'sjf'. Known: fcfs, fpfs(7)"
    );
    CHECK(errors_of(grid("comparison: {factor: policy, metric: response_time, base: sjf}")) ==
"a.yaml:11:53: unknown key 'base' in 'comparison' (it would be ignored). Did you mean 'baseline'?");
    CHECK(errors_of(grid("comparison: {factor: policy, metric: response_time, relative: 0.1}")) ==
"a.yaml:11:13: a difference is to be precise but cell 0 has no 'precision' (which says how far its group may go). Write 'precision: {metric: response_time, relative: 0.05}' in place of 'replications'?");
    CHECK(errors_of({{4, "experiment: saturated"}, {7, ""}, {8, ""}, {10, "factors: {policy: [fcfs, sjf]}"}, {11, "comparison: {factor: policy, metric: gross_utilization}"}}) ==
"a.yaml:11:38: 'gross_utilization' in cell 0 is a ratio of sums over all replications (single ones have no value to compare)");
}

TEST_CASE("cells that are compared have several replications") {
    Lines lines = grid("comparison: {factor: policy, metric: response_time}");
    lines[9] = "replications: 1";
    CHECK(errors_of(lines) ==
"a.yaml:11:13: cell 0 is compared but has one replication (its differences would have no interval). Give it more 'replications', or remove 'comparison'?");
    lines[9] = "replications: 2";
    CHECK(errors_of(lines).empty());
    lines[12] = "overrides: [{when: {policy: fpfs}, set: {replications: 1}}]";
    CHECK(errors_of(lines).find("cell 3 is compared but has one") != std::string::npos);
}

TEST_CASE("cells that stop together have equal limits") {
    Lines lines = grid("comparison: {factor: policy, metric: response_time, relative: 0.1}");
    lines[9] = "precision: {metric: response_time}";
    lines[12] = "overrides: [{when: {policy: fpfs}, set: {precision.max: 500}}]";
    CHECK(errors_of(lines) ==
"a.yaml:11:13: cells 0 and 3 are compared but have different limits or budgets (they stop together). Give them the same 'precision.min', 'max' and 'budget'?");
    lines[12] = "overrides: [{when: {policy: fpfs}, set: {precision.relative: 0.2}}]";
    CHECK(errors_of(lines).empty());
    lines[12] = "overrides: [{when: {policy: fpfs}, set: {precision.budget.jobs: 1e8}}]";
    CHECK(!errors_of(lines).empty());
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

TEST_CASE("wrong selections are refused where they are written") {
    const std::string right =
        "selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.1";
    CHECK(errors_of(grid(right + "}")) ==
"a.yaml:9:1: 'replications' beside 'selection' (which decides how many there are). Remove one?");
    Lines precise = grid(right + "}");
    precise[9] = "precision: {metric: response_time}";
    CHECK(errors_of(precise) ==
"a.yaml:9:1: 'precision' beside 'selection' (which decides how many there are). Remove one?");
    CHECK(errors_of(without_replications(grid(right + ", max: 10}"))) ==
"a.yaml:11:92: 'selection.first_stage' is 64 but 'selection.max' is 10 (nothing could be selected). Exchange them?");
    CHECK(errors_of(without_replications(grid("selection: {factor: policy, metric: response_time, best: least, indifference: 0}"))) ==
"a.yaml:11:58: 'least' is not a value of 'selection.best'. Known: smallest, largest\n"
"a.yaml:11:79: 'selection.indifference' is 0 (it must be > 0)");
}

TEST_CASE("a comparison to a precision and a selection do not go together") {
    Lines lines = without_replications(grid(
        "selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.1}"
    ));
    lines[12] = "comparison: {factor: policy, metric: response_time}";
    CHECK(errors_of(lines).empty());
    lines[12] = "comparison: {factor: policy, metric: response_time, absolute: 0.1}";
    CHECK(errors_of(lines) ==
"a.yaml:12:13: a comparison to a precision beside 'selection' (both would decide how many replications there are). Remove its 'relative' and 'absolute'?");
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

TEST_CASE("wrong control variates are refused where they are written") {
    const auto errors = [](const std::string& section, const std::string& probes) {
        return errors_of({{10, "control_variates: " + section}, {11, "probes: " + probes}});
    };
    const std::string all = "[response_time, service_time, job_size, interarrival_time]";
    CHECK(
        errors("{metric: response_time, controls: [service_time]}", "[response_time]")
        == "a.yaml:10:54: control 'service_time' is not observed. Add it to 'probes'?"
    );
    CHECK(errors("{metric: response_time, controls: [servce_time]}", all) ==
"a.yaml:10:54: 'servce_time' is no control variate (its mean is not known). Did you mean 'service_time'?");
    CHECK(
        errors("{metric: response_time, controls: [job_size, job_size]}", all)
        == "a.yaml:10:64: control 'job_size' is given twice. Remove one?"
    );
    CHECK(
        errors("{metric: slowdown, controls: [job_size]}", all)
        == "a.yaml:10:28: metric 'slowdown' is not observed. Add it to 'probes'?"
    );
    CHECK(errors("{metric: response_time}", all) ==
"a.yaml:10:19: 'control_variates.controls' is missing (probes whose means the workload model knows). Write [service_time]?");
    CHECK(
        errors("{metric: response_time, controls: job_size}", all)
        == "a.yaml:10:53: 'control_variates.controls' must be a list of names. Write [name, name]?"
    );
    Lines placed{
        {7, "policy: sjf"},
        {8, ""},
        {10, "control_variates: {metric: response_time, controls: [interarrival_time]}"},
        {11, "probes: " + all},
        {12, "factors: {load.utilization: {of_saturation: [0.5]}}"}};
    CHECK(errors_of(placed) ==
"a.yaml:10:54: the mean of control 'interarrival_time' is not known (its load is placed by an estimated saturation point). Leave it out?");
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
