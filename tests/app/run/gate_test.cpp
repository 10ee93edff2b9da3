// The gate before every number: who makes an interval or decides by means has asked it, and says
// its answer.
#include "app/run/rules/gate.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "results_schema/schema.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/run/replication.hpp"
#include "app/run/tables/result_tables.hpp"

#include "tests/app/run/made_up_campaign.hpp"
#include "tests/app/run/small_campaign.hpp"

namespace schedfarm::app {
namespace {

using results_schema::ColumnSchema;
using results_schema::ResultFile;
using results_schema::TableSchema;

/// A queue under two policies of which every consumer makes something.
std::string asked_by_all(const std::string& workload, const std::string& rest) {
    return R"(campaign_format: 1
name: asked by all
seed: 5
experiment: open
system: {clusters: [1]}
workload: {model: coallocation, components: 1, )"
           + workload + R"(}
probes: [{response_time: {quantiles: [0.9]}}, wait, service_time]
factors: {policy: [fcfs, sjf]}
control_variates: {metric: response_time, controls: [service_time]}
report: {metrics: [response_time / service_time]}
)" + rest;
}

ResultFile results_of(const Plan& plan) {
    auto progress = std::make_unique<CampaignProgress>(plan);
    tests::run_made_up(
        *progress,
        [&plan](const ReplicationTask& task) {
            return run_replication(
                plan.cells[task.id.cell], {task.id.replication, task.utilization}
            );
        },
        1,
        1
    );
    const std::vector<CellSummary> summaries = summaries_of(*progress);
    return build_results(plan, progress, summaries, {});
}

/// Tables in which some row about the queue has this answer, of those that have the column.
std::set<std::string> tables_that_say(const ResultFile& results, const std::string& answer) {
    std::set<std::string> found;
    for (const results_schema::Table& table : results.tables) {
        for (const results_schema::Row& row : results_schema::rows_of(table)) {
            if (table.find("gate") != nullptr && row.text("gate") == answer) {
                found.insert(table.name);
            }
        }
    }
    return found;
}

bool has_column(const TableSchema& table, const std::string& name) {
    return std::ranges::find(table.columns, name, &ColumnSchema::name) != table.columns.end();
}

TEST_CASE("every table with an interval or a decision by means has the answer of the gate") {
    // Densities of a search and buckets of a sketch are no intervals of numbers.
    const std::set<std::string> others{"search_steps", "sketches"};
    for (const TableSchema& table : results_schema::schema_tables()) {
        CAPTURE(table.name);
        const bool is_number = has_column(table, "lower") || has_column(table, "standing");
        CHECK(has_column(table, "gate") == (is_number && !others.contains(table.name)));
    }
}

TEST_CASE("a no of the gate is in every table that was asked for") {
    const std::string compared = "comparison: {factor: policy, metric: response_time}\n";
    const std::string selected =
        "selection: {factor: policy, metric: response_time, best: smallest, indifference: 9, "
        "first_stage: 20}\n";
    const std::string short_run = "horizon: {jobs: 200, warm_up: {jobs: 40}}\n";
    const std::string no_warm_up = "horizon: {jobs: 200, warm_up: {jobs: 0}}\n";
    struct Case {
        const char* answer;
        std::string workload;
        std::string rest;
    };
    const Case cases[] = {
        {"moments",
         "component_size: {constant: 1}, service: {pareto: {shape: 2.5}}",
         "load: {utilization: 0.3}\n" + no_warm_up},
        {"start", "component_size: {constant: 1}", "load: {utilization: 0.97}\n" + short_run},
        {"tail",
         "component_size: {constant: 1}, service: {lognormal: {squared_variation: 3000}}",
         "load: {utilization: 0.3}\n" + no_warm_up},
    };
    for (const Case& own : cases) {
        CAPTURE(own.answer);
        const std::string text = asked_by_all(own.workload, own.rest);
        const bool is_of_quantiles = std::string(own.answer) == "start";
        std::set<std::string> expected{
            "comparisons", "controlled_estimates", "estimates", "made_metrics"};
        if (is_of_quantiles) {
            expected.insert("quantiles");
        }
        CHECK(
            tables_that_say(
                results_of(tests::plan_of(text + compared + "replications: 20\n")), own.answer
            )
            == expected
        );
        expected.erase("comparisons");
        expected.insert("selections");
        const std::set<std::string> found =
            tables_that_say(results_of(tests::plan_of(text + selected)), own.answer);
        for (const std::string& table : expected) {
            CHECK_MESSAGE(found.contains(table), table);
        }
    }
}

TEST_CASE("a comparison says the no of either cell") {
    for (const char* const laws :
         {"exponential, {lognormal: {squared_variation: 3000}}",
          "{lognormal: {squared_variation: 3000}}, exponential"}) {
        const ResultFile results = results_of(tests::plan_of(
            "campaign_format: 1\nname: either\nseed: 5\nexperiment: open\npolicy: fcfs\n"
            "system: {clusters: [1]}\nload: {utilization: 0.3}\nreplications: 9\n"
            "workload: {model: coallocation, components: 1, component_size: {constant: 1}}\n"
            "horizon: {jobs: 50, warm_up: {jobs: 0}}\nprobes: [service_time]\n"
            "factors: {workload.service: ["
            + std::string(laws)
            + "]}\ncomparison: {factor: workload.service, metric: service_time}\n"
        ));
        CHECK(tables_that_say(results, "tail").contains("comparisons"));
    }
}

TEST_CASE("a target is met, of a mean and of a difference, only where the gate says so") {
    const auto status_of = [](const std::string& service, const std::string& rest) {
        const ResultFile results = results_of(tests::plan_of(
            "campaign_format: 1\nname: targets\nseed: 5\nexperiment: open\n"
            "system: {clusters: [1]}\nload: {utilization: 0.3}\n"
            "workload: {model: coallocation, components: 1, component_size: {constant: 1}, "
            "service: "
            + service + "}\nhorizon: {jobs: 50, warm_up: {jobs: 0}}\n"
            + "probes: [response_time, service_time]\n" + rest
        ));
        return results_schema::value_text(results.find("cells")->at("status"), 0);
    };
    const std::string mean = "policy: fcfs\nprecision: {metric: service_time, relative: 0.9}\n";
    const std::string difference =
        "factors: {policy: [fcfs, sjf]}\n"
        "precision: {metric: service_time, relative: 0.9}\n"
        "comparison: {factor: policy, metric: response_time, absolute: 1000}\n";
    CHECK(status_of("exponential", mean) == "met");
    CHECK(status_of("{lognormal: {squared_variation: 3000}}", mean) == "met_heavy_tail");
    CHECK(status_of("exponential", difference) == "met");
    CHECK(status_of("{pareto: {shape: 2.5}}", difference) == "not_met_variance");
}

TEST_CASE("a no of the gate is beside loads, of a search and of a pilot") {
    const std::string head =
        "campaign_format: 1\nname: loads\nseed: 5\nexperiment: open\npolicy: fcfs\n"
        "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, ";
    const Plan searched = tests::plan_of(head + R"(request: total}
system: {clusters: [4]}
horizon: {jobs: 200, warm_up: {jobs: 40}}
probes: [response_time]
load: {search: {criterion: response_time, threshold: 10, between: [0.3, 0.7], width: 0.1}}
)");
    CHECK(tables_that_say(results_of(searched), "start") == std::set<std::string>{"saturation"});
    const std::string infinite = head + R"(service: {pareto: {shape: 1.8}}}
system: {clusters: [4]}
horizon: {jobs: 100, warm_up: {jobs: 0}}
probes: [service_time, gross_utilization]
replications: 4
)";
    const auto placed = results_of(
        tests::plan_of(infinite + "factors: {load.utilization: {of_saturation: [0.5]}}\n")
    );
    CHECK(tables_that_say(placed, "moments").contains("placements"));
    CHECK(tables_that_say(placed, "moments").contains("saturation"));
}

TEST_CASE("a mean of which two replications have a job has no interval, and says why") {
    // One job of 50 is of the second class: of 20 replications of one job hardly two have one.
    const Plan plan = tests::plan_of(R"(campaign_format: 1
name: rare
seed: 1
experiment: open
system: {clusters: [4]}
workload: {model: coallocation, components: 1, component_size: {values: {sizes: [3, 4], weights: [0.98, 0.02]}}, size_classes: [3]}
policy: fcfs
load: {utilization: 0.3}
horizon: {jobs: 5, warm_up: {jobs: 0}}
probes: [{response_time: {per_class: true}}]
replications: 20
)");
    CampaignProgress progress(plan);
    tests::run_made_up(
        progress,
        [&plan](const ReplicationTask& task) {
            return run_replication(plan.cells[0], {task.id.replication});
        },
        1,
        1
    );
    const CellProgress& cell = *progress.cells()[0];
    const std::string rare = "response_time.mean[class=1]";
    std::uint64_t n = 2;
    while (n < 20 && cell.metric_sample(rare, n).carriers() < 2) {
        ++n;
    }
    const MetricSample two = cell.metric_sample(rare, n);
    REQUIRE(two.carriers() == 2);
    const auto estimate = two.estimate(0.95, engine::IntervalMethod::skew_adjusted);
    CHECK(Gate(cell, n).ask(rare) == GateAnswer::carriers);
    CHECK(estimate->mean > 0);
    CHECK(std::isnan(estimate->interval.lower));
    CHECK(Gate(cell, n).ask("response_time.mean[class=0]") == GateAnswer::passed);
    const MetricEstimate all = estimate_metric(cell, rare);
    CHECK(all.estimate->carriers.value() >= 3);
    CHECK(all.gate == GateAnswer::passed);
    CHECK(all.estimate->interval.lower > 0);
}

TEST_CASE("of a log whose weeks differ in load the gate says so") {
    // Ten weeks of a job a day, of 300 s and 30 s in turn; the users are alike.
    for (const bool is_even : {true, false}) {
        const auto path =
            std::filesystem::temp_directory_path()
            / ("schedfarm-gate-" + std::to_string(getpid()) + (is_even ? "-even.swf" : "-odd.swf"));
        std::ofstream file(path);
        file << "; MaxProcs: 4\n";
        for (int job = 0; job < 71; ++job) {
            file << job + 1 << ' ' << 86400 * job << " 0 "
                 << (is_even || job / 7 % 2 == 0 ? 300 : 30) << " 4 -1 -1 4 20000 -1 1 "
                 << 1 + job % 10 << " -1 -1 -1 -1 -1 -1\n";
        }
        file.close();
        const Plan plan = tests::plan_of(
            "campaign_format: 1\nname: weeks\nseed: 1\nexperiment: trace\n"
            "system: {clusters: [4]}\nworkload: {model: trace, file: "
            + path.string()
            + ", resampling: weeks}\npolicy: fcfs\nhorizon: {jobs: 70, warm_up: none}\n"
              "probes: [response_time]\nreplications: 4\n"
        );
        CampaignProgress progress(plan);
        tests::run_made_up(
            progress,
            [&plan](const ReplicationTask& task) {
                return run_replication(plan.cells[0], {task.id.replication});
            },
            1,
            1
        );
        const MetricEstimate metric = estimate_metric(*progress.cells()[0], "response_time.mean");
        CHECK(metric.gate == (is_even ? GateAnswer::passed : GateAnswer::blocks));
        std::filesystem::remove(path);
    }
}

TEST_CASE("of two answers the first that is not passed counts, and words are read as they stand") {
    CHECK(worse_of(GateAnswer::passed, GateAnswer::tail) == GateAnswer::tail);
    CHECK(worse_of(GateAnswer::start, GateAnswer::carriers) == GateAnswer::carriers);
    CHECK(worse_of(GateAnswer::passed, GateAnswer::passed) == GateAnswer::passed);
    for (const char* const word : {"passed", "moments", "carriers", "start", "tail", "blocks"}) {
        CHECK(word_of(answer_called(word)) == word);
    }
}

}  // namespace
}  // namespace schedfarm::app
