// Right campaigns: what becomes of them, cell by cell.

#include <doctest/doctest.h>

#include "app/campaign/grid/factors.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

std::vector<std::string> labels_of(const Plan& plan) {
    std::vector<std::string> labels;
    for (const Cell& cell : plan.cells) {
        std::string text;
        for (const FactorLevel& level : cell.levels) {
            text += (text.empty() ? "" : " | ") + level.label;
        }
        labels.push_back(text);
    }
    return labels;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("a campaign without factors is one cell with every default filled in") {
    const Plan plan = plan_of({{10, "horizon: {jobs: 1000}"}});
    REQUIRE(plan.cells.size() == 1);
    const Cell& cell = plan.cells.front();
    CHECK(plan.name == "test");
    CHECK(plan.seed == 1);
    CHECK(cell.levels.empty());
    CHECK(cell.system.clusters == std::vector<std::uint32_t>{32});
    CHECK(cell.experiment.kind == engine::ExperimentKind::open);
    CHECK(cell.experiment.horizon.jobs == 1000);
    CHECK(cell.experiment.horizon.warm_up_jobs == 200);
    CHECK(cell.experiment.horizon.backlog == 0);
    CHECK(cell.utilization == 0.5);
    CHECK(cell.workload->name == "coallocation");
    CHECK(cell.workload->parameters.text("request") == "total");
    CHECK(cell.workload->parameters.choice("service").text() == "{exponential: {mean: 1.0}}");
    CHECK(cell.policy->name == "fcfs");
    CHECK(cell.replications.targets.empty());
    CHECK(cell.replications.limits.max == 10);
    CHECK(cell.measures->columns.back().name == "response_time.mean");
    REQUIRE(cell.maximal_utilization);
    CHECK(cell.maximal_utilization->value == doctest::Approx(1 - .03227894).epsilon(1e-7));
    CHECK(cell.replication_key.size() == 64);
}

TEST_CASE("cells are in row-major order and the last factor varies fastest") {
    const Plan plan = plan_of(
        {{7, ""},
         {8, ""},
         {10,
          "factors: {policy: [fcfs, {fpfs: {max_jumps: 7}}], load.utilization: [0.5, 0.60, 7e-1]}"}}
    );
    CHECK(
        labels_of(plan)
        == Labels{"fcfs | 0.5", "fcfs | 0.6", "fcfs | 0.7", "fpfs(max_jumps=7) | 0.5",
                  "fpfs(max_jumps=7) | 0.6", "fpfs(max_jumps=7) | 0.7"}
    );
    CHECK(plan.cells[4].policy->parameters.integer("max_jumps") == 7);
    CHECK(plan.cells[4].utilization == 0.6);
    CHECK(plan.cells[4].levels[1].number == 0.6);
    CHECK(plan.cells[4].index == 4);
}

TEST_CASE("labels are short where that is unambiguous") {
    const Lines common{{6, "workload: {model: coallocation, components: 1}"}};
    const auto labels = [&](const char* levels) {
        Lines lines = common;
        lines[10] = std::string("factors: {workload.component_size: ") + levels + "}";
        return labels_of(plan_of(lines));
    };
    CHECK(labels("[{uniform: [1, 4]}, {uniform: [1, 05]}]") == Labels{"[1, 4]", "[1, 5]"});
    CHECK(labels("[{uniform: [1, 4]}, {constant: 3}]") == Labels{"uniform(1, 4)", "constant(3)"});
    CHECK(labels("[{uniform: {low: 1, high: 4}}]") == Labels{"uniform(low=1, high=4)"});
}

TEST_CASE("a zip varies paths together and may name its levels") {
    const char* zip =
        "factors:\n  structure:\n    zip: {workload.request: [total, ordered], system.clusters: "
        "[[32], [8, 8]]}";
    const Lines lines{
        {5, ""},
        {6, "workload: {model: coallocation, component_size: {uniform: [1, 4]}}"},
        {10, zip}};
    const Plan plan = plan_of(lines);
    CHECK(labels_of(plan) == Labels{"total, [32]", "ordered, [8, 8]"});
    CHECK(plan.cells[1].system.clusters == std::vector<std::uint32_t>{8, 8});
    Lines labelled = lines;
    labelled[11] = "    labels: [one, \"2\"]";
    CHECK(labels_of(plan_of(labelled)) == Labels{"one", "2"});
    CHECK(plan_of(labelled).cells[1].levels[0].number == 2);
}

TEST_CASE("the levels of any factor may be called otherwise, which changes no replication") {
    const auto with = [](const char* spec) {
        return plan_of({{7, ""}, {10, std::string("factors: {policy: ") + spec + "}"}});
    };
    const Plan plain = with("[fcfs, {fpfs: 7}]");
    const Plan plan = with("{levels: [fcfs, {fpfs: 7}], labels: [in order, \"7\"]}");
    CHECK(labels_of(plan) == Labels{"in order", "7"});
    CHECK(plan.cells[1].levels[0].number == 7);
    CHECK(plan.plan_hash == plain.plan_hash);
    CHECK(labels_of(with("{levels: [fcfs, {fpfs: 7}]}")) == labels_of(plain));
}

TEST_CASE("linear levels are equally spaced without rounding noise") {
    const Plan plan = plan_of(
        {{8, ""}, {10, "factors: {load.utilization: {linear: {from: 0.1, to: 0.7, count: 7}}}"}}
    );
    CHECK(labels_of(plan) == Labels{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"});
    CHECK(plan.cells[2].utilization == 0.3);
}

TEST_CASE("loads below saturation are geometric in the distance from saturation") {
    // 1 - f = 0.8 (1/16)^(i/2): 0.8, 0.2, 0.05.
    const std::vector<double> fractions = saturation_fractions(3);
    CHECK(fractions[0] == doctest::Approx(0.2));
    CHECK(fractions[1] == doctest::Approx(0.8));
    CHECK(fractions[2] == doctest::Approx(0.95));
    CHECK(saturation_fractions(1)[0] == doctest::Approx(0.8));
    // The maximal utilization of U[1,4] on 32 is 1 - .03227894: times 0.2, 0.8, 0.95, four digits.
    const Plan plan =
        plan_of({{8, ""}, {10, "factors: {load.utilization: {below_saturation: 3}}"}});
    CHECK(labels_of(plan) == Labels{"0.1935", "0.7742", "0.9193"});
    CHECK(plan.cells[1].utilization == 0.7742);
    const Plan half =
        plan_of({{8, ""}, {10, "factors: {load.utilization: {of_saturation: [0.5]}}"}});
    CHECK(labels_of(half) == Labels{"0.4839"});
}

TEST_CASE("placed loads follow the cell they are in") {
    // [1,16] saturates at 1 - .16852113; 0.8 of it is 0.6652.
    const Plan plan = plan_of(
        {{6, "workload: {model: coallocation, components: 1}"},
         {8, ""},
         {10,
          "factors: {load.utilization: {below_saturation: 1}, workload.component_size: [{uniform: "
          "[1, 4]}, {uniform: [1, 16]}]}"}}
    );
    CHECK(labels_of(plan) == Labels{"0.7742 | [1, 4]", "0.6652 | [1, 16]"});
}

TEST_CASE("derived values are computed in every cell") {
    const Plan plan = plan_of(
        {{8, ""},
         {10, "factors: {load.utilization: [0.5, 0.62]}"},
         {11, "derived: {horizon.jobs: \"20000 * (1 + load.utilization)\"}"}}
    );
    CHECK(plan.cells[0].experiment.horizon.jobs == 30000);
    CHECK(plan.cells[1].experiment.horizon.jobs == 32400);  // 32400.000000000004 in doubles
}

TEST_CASE("overrides change the cells they ask for and win over derived values") {
    const Plan plan = plan_of(
        {{7, ""},
         {10, "factors: {policy: [fcfs, {fpfs: 7}, {fpfs: 3}]}"},
         {11, "derived: {horizon.jobs: 1000 * load.utilization}"},
         {12,
          "overrides:\n  - {when: {policy: fpfs}, set: {horizon.jobs: 70}}\n"
          "  - {when: {policy: {fpfs: 3}}, set: {horizon.jobs: 30, replications: 5}}"}}
    );
    CHECK(plan.cells[0].experiment.horizon.jobs == 500);
    CHECK(plan.cells[1].experiment.horizon.jobs == 70);
    CHECK(plan.cells[2].experiment.horizon.jobs == 30);
    CHECK(plan.cells[2].replications.limits.max == 5);
    CHECK(plan.cells[1].replications.limits.max == 10);
}

TEST_CASE("a path may lead into the parameters of an alternative") {
    const Plan plan =
        plan_of({{7, "policy: fpfs"}, {10, "factors: {policy.fpfs.max_jumps: [0, 3]}"}});
    CHECK(plan.cells[1].policy->parameters.integer("max_jumps") == 3);
}

TEST_CASE("every probe is planned by its name alone") {
    for (const engine::Alternative& probe : engine::probe_alternatives()) {
        CAPTURE(probe.name);
        CHECK(errors_of({{10, "probes: [" + probe.name + "]"}}) == "");
    }
}

TEST_CASE("precision targets are resolved to columns") {
    const Plan plan = plan_of(
        {{9,
          "precision: {targets: [{metric: response_time, relative: 0.1}, {metric: slowdown.p95, "
          "absolute: 0.2}], min: 20, max: 1e3, interval: student_t, confidence: 0.9}"},
         {10, "probes: [response_time, {slowdown: {quantiles: [0.95]}}]"}}
    );
    const ReplicationPlan& replications = plan.cells[0].replications;
    REQUIRE(replications.targets.size() == 2);
    CHECK(replications.targets[0].metric == "response_time.mean");
    CHECK(replications.targets[0].target.relative == 0.1);
    CHECK(!replications.targets[0].target.absolute);
    CHECK(replications.targets[1].metric == "slowdown.p95");
    CHECK(replications.targets[1].target.absolute == 0.2);
    CHECK(!replications.targets[1].target.relative);
    CHECK(replications.targets[1].target.confidence == 0.9);
    CHECK(replications.targets[1].target.method == engine::IntervalMethod::student_t);
    CHECK(replications.limits.min == 20);
    CHECK(replications.limits.max == 1000);
}

TEST_CASE("included files lie below the including one and the later of two wins") {
    const Plan plan = plan_of(
        {{2, "include: [b.yaml, sub/c.yaml]"},
         {3, ""},
         {5, ""},
         {10, "horizon: {jobs: 70}"},
         {9, ""}},
        {{"b.yaml", "name: b\nseed: 5\nreplications: 3\nhorizon: {jobs: 9, warm_up: none}\n"},
         {"sub/c.yaml", "seed: 6\ninclude: d.yaml\n"},
         {"sub/d.yaml", "seed: 7\nsystem: {clusters: [16, 16]}\n"}}
    );
    CHECK(plan.name == "b");
    CHECK(plan.seed == 6);
    CHECK(plan.cells[0].system.clusters.size() == 2);
    CHECK(plan.cells[0].experiment.horizon.jobs == 70);
    CHECK(plan.cells[0].experiment.horizon.warm_up_jobs == 0);
    CHECK(plan.cells[0].replications.limits.max == 3);
}

TEST_CASE("own replications replace an included precision") {
    const Plan plan =
        plan_of({{10, "include: [b.yaml]"}}, {{"b.yaml", "precision: {metric: response_time}\n"}});
    CHECK(plan.cells[0].replications.targets.empty());
}

TEST_CASE("a factor replaces what an included file says at its path") {
    const Plan plan = plan_of(
        {{7, ""}, {10, "include: [b.yaml]\nfactors: {policy: [sjf, ljf]}"}},
        {{"b.yaml", "policy: fcfs\n"}}
    );
    CHECK(labels_of(plan) == Labels{"sjf", "ljf"});
}

TEST_CASE("aliases stand for what they name") {
    const Plan plan = plan_of(
        {{6,
          "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
          "service: &s {exponential: 2}, interarrival: *s}"}}
    );
    CHECK(plan.cells[0].workload->parameters.choice("interarrival").parameters.real("mean") == 2);
}

TEST_CASE("the replication key changes with everything a replication depends on") {
    const Lines base{};
    const std::string key = plan_of(base).cells[0].replication_key;
    for (const Lines& changed : std::vector<Lines>{
             {{3, "seed: 2"}},
             {{4, "experiment: offline"}, {8, ""}},
             {{5, "system: {clusters: [33]}"}},
             {{6,
               "workload: {model: coallocation, components: 1, component_size: {uniform: [1, "
               "5]}}"}},
             {{7, "policy: sjf"}},
             {{8, "load: {utilization: 0.51}"}},
             {{10, "horizon: {jobs: 19999}"}},
             {{10, "probes: [slowdown]"}},
             {{10, "probes: [{response_time: {quantiles: [0.5]}}]"}}}) {
        CAPTURE(campaign_text(changed));
        CHECK(plan_of(changed).cells[0].replication_key != key);
    }
}

TEST_CASE("the replication key of a time average does not tell of defaults") {
    const Cell bare = plan_of({{10, "probes: [queue_length, gross_utilization]"}}).cells[0];
    const auto key_of = [](const std::string& first) {
        return plan_of({{10, "probes: [" + first + ", gross_utilization]"}})
            .cells[0]
            .replication_key;
    };
    CHECK(key_of("{queue_length: {quantiles: [], per_class: false}}") == bare.replication_key);
    CHECK(key_of("{queue_length: {per_class: true}}") != bare.replication_key);
    CHECK(key_of("{queue_length: {quantiles: [0.5]}}") != bare.replication_key);
}

TEST_CASE("the replication key does not change with names or targets or unused values") {
    const Plan plan = plan_of({});
    for (const Lines& changed : std::vector<Lines>{
             {{2, "name: other"}},
             {{9, "replications: 11"}},
             {{9, "precision: {metric: response_time}"}},
             {{10, "horizon: {backlog: 64, fills: 10000}"}},
             {{10, "probes: [response_time]"}},
             {{10, "allow_unstable: true"}}}) {
        CAPTURE(campaign_text(changed));
        CHECK(plan_of(changed).cells[0].replication_key == plan.cells[0].replication_key);
    }
    const auto key_of = [](const char* horizon) {
        return plan_of({{10, horizon}}).cells[0].replication_key;
    };
    CHECK(
        key_of("horizon: {jobs: 20000}") == key_of("horizon: {jobs: 20000, warm_up: {jobs: 4000}}")
    );
    CHECK(plan_of({{9, "replications: 11"}}).plan_hash != plan.plan_hash);
    CHECK(plan_of({{2, "name: other"}}).plan_hash == plan.plan_hash);
}

}  // namespace schedfarm::app::tests
