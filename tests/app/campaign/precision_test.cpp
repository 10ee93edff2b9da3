// Precision, budgets, horizons and random numbers: what becomes of them in a cell, and exact
// messages where they are wrong.
#include <doctest/doctest.h>

#include "app/campaign/plan/identity/keys.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

using engine::IntervalMethod;

ReplicationPlan precision_of(const std::string& section) {
    return plan_of({{9, "precision: " + section}}).cells.front().replications;
}

}  // namespace

TEST_CASE("a budget limits what is given and nothing else") {
    const ReplicationPlan plan =
        precision_of("{metric: response_time, budget: {jobs: 1e9, core_hours: 0.5}}");
    CHECK(!plan.budget.replications);
    CHECK(plan.budget.jobs == 1000000000);
    CHECK(!plan.budget.events);
    CHECK(plan.budget.core_hours == 0.5);
    const ReplicationPlan other =
        precision_of("{metric: response_time, budget: {replications: 500, events: 7}}");
    CHECK(other.budget.replications == 500);
    CHECK(other.budget.events == 7);
    CHECK(!other.budget.jobs);
    CHECK(!precision_of("{metric: response_time}").budget.jobs);
}

TEST_CASE("the strict rule decides and reports by confidence sequences") {
    const ReplicationPlan strict = precision_of("{metric: response_time, rule: strict}");
    CHECK(strict.targets[0].target.method == IntervalMethod::confidence_sequence);
    CHECK(strict.method == IntervalMethod::confidence_sequence);
    const ReplicationPlan shown =
        precision_of("{metric: response_time, rule: strict, interval: student_t}");
    CHECK(shown.targets[0].target.method == IntervalMethod::confidence_sequence);
    CHECK(shown.method == IntervalMethod::student_t);
    const ReplicationPlan plain = precision_of("{metric: response_time, rule: default}");
    CHECK(plain.targets[0].target.method == IntervalMethod::skew_adjusted);
    const ReplicationPlan sequence =
        precision_of("{metric: response_time, interval: confidence_sequence}");
    CHECK(sequence.targets[0].target.method == IntervalMethod::confidence_sequence);
    CHECK(
        plan_of({{9, "replications: {count: 9, interval: confidence_sequence}"}})
            .cells[0]
            .replications.method
        == IntervalMethod::confidence_sequence
    );
}

TEST_CASE("twins have the mean waits of M/M/1 at the cell's load and in parts of its room") {
    const Cell cell =
        plan_of(
            {{5, "system: {clusters: [1]}"},
             {6, "workload: {model: coallocation, components: 1, component_size: {constant: 1}}"},
             {8, "load: {utilization: 0.6}"},
             {9, "replications: {count: 10, method: auto}"}}
        ).cells.front();
    REQUIRE(cell.controls.size() == 4);
    // Loads .6, .8, .9, .95, in mean service times: load / (1 − load).
    CHECK(cell.controls[0].mean == doctest::Approx(1.5));
    CHECK(cell.controls[1].mean == doctest::Approx(4));
    CHECK(cell.controls[2].mean == doctest::Approx(9));
    CHECK(cell.controls[3].mean == doctest::Approx(19));
}

TEST_CASE("a start from the saturated state is part of the warm-up") {
    const Plan plan = plan_of(
        {{10, "horizon: {jobs: 1000, warm_up: {jobs: 60}, start: {backlog: 60}, queue_limit: 0}"}}
    );
    const engine::Horizon& horizon = plan.cells[0].experiment.horizon;
    CHECK(horizon.start_backlog == 60);
    CHECK(horizon.queue_limit == 0);
}

TEST_CASE("queue limit and ensemble bins belong to experiments with arrivals") {
    const engine::Experiment open = plan_of({}).cells[0].experiment;
    CHECK(open.horizon.queue_limit == 100000);
    CHECK(open.horizon.start_backlog == 0);
    CHECK(open.series_bins == 200);
    CHECK(plan_of({{10, "horizon: {jobs: 70}"}}).cells[0].experiment.series_bins == 70);
    CHECK(plan_of({{10, "horizon: {ensemble_bins: 0}"}}).cells[0].experiment.series_bins == 0);
    for (const char* kind : {"saturated", "bin_filling", "offline"}) {
        const Plan plan = plan_of({{4, std::string("experiment: ") + kind}, {8, ""}});
        CHECK(plan.cells[0].experiment.horizon.queue_limit == 0);
        CHECK(plan.cells[0].experiment.series_bins == 0);
    }
}

TEST_CASE("cells share the campaign's seed unless their streams are independent") {
    const Lines two{{7, ""}, {10, "factors: {policy: [fcfs, sjf]}"}};
    const Plan common = plan_of(two);
    CHECK(common.cells[0].random.seed == 1);
    CHECK(common.cells[1].random.seed == 1);
    CHECK(common.cells[0].random.generator == engine::Generator::philox);
    Lines lines = two;
    lines[11] = "random_numbers: {streams: independent, generator: mrg32k3a}";
    const Plan independent = plan_of(lines);
    CHECK(independent.cells[0].random.seed != independent.cells[1].random.seed);
    for (const Cell& cell : independent.cells) {
        const std::string key = simulation_key(cell, nullptr, 1).substr(0, 16);
        CHECK(cell.random.seed == std::stoull(key, nullptr, 16));
        CHECK(cell.random.generator == engine::Generator::mrg32k3a);
        CHECK(cell.replication_key != common.cells[0].replication_key);
    }
}

TEST_CASE("what replications depend on is in the key and what ends them is not") {
    const std::string key = plan_of({}).cells[0].replication_key;
    const std::string hash = plan_of({}).plan_hash;
    for (const Lines& changed : std::vector<Lines>{
             {{10, "horizon: {queue_limit: 99999}"}},
             {{10, "horizon: {ensemble_bins: 199}"}},
             {{10, "horizon: {start: {backlog: 5}}"}},
             {{10, "random_numbers: {generator: mrg32k3a}"}},
             {{10, "random_numbers: {streams: independent}"}}}) {
        CAPTURE(campaign_text(changed));
        CHECK(plan_of(changed).cells[0].replication_key != key);
    }
    const Plan plain = plan_of({{9, "precision: {metric: response_time}"}});
    for (const char* section :
         {"{metric: response_time, rule: strict}",
          "{metric: response_time, rule: strict, interval: skew_adjusted}",
          "{metric: response_time, budget: {jobs: 1e9}}",
          "{metric: response_time, budget: {events: 1e9}}"}) {
        const Plan plan = plan_of({{9, std::string("precision: ") + section}});
        CHECK(plan.cells[0].replication_key == key);
        CHECK(plan.plan_hash != plain.plan_hash);
        CHECK(plan.plan_hash != hash);
    }
}

TEST_CASE("times have the campaign's words for their unit where the workload's are not seconds") {
    const std::string words = "time_unit: minutes";
    CHECK(plan_of({{11, ""}}).time_unit == "time units");
    CHECK(plan_of({{11, words}}).time_unit == "minutes");
    CHECK(plan_of({{11, words}}).plan_hash == plan_of({{11, ""}}).plan_hash);
    const std::string large = "system: {clusters: [128]}";
    const std::string seconds = "workload: {model: lublin_feitelson}";
    CHECK(plan_of({{5, large}, {6, seconds}}).time_unit == "s");
}

}  // namespace schedfarm::app::tests
