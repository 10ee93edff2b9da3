// Quantiles of all jobs as targets and estimates, against each replication's own.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <doctest/doctest.h>

#include "engine/statistics/pooled_quantile.hpp"

#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/yaml/config_error.hpp"
#include "app/run/replication.hpp"
#include "app/run/tables/analysis_tables.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/run/made_up_campaign.hpp"
#include "tests/app/run/small_campaign.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::app {
namespace {

std::string campaign(const std::string& precision, const std::string& service = "exponential") {
    return R"(campaign_format: 1
name: quantiles
seed: 11
experiment: open
system: {clusters: [1]}
workload: {model: coallocation, components: 1, component_size: {constant: 1}, service: )"
           + service + R"(}
horizon: {jobs: 250, warm_up: {jobs: 50}}
policy: fcfs
load: {utilization: 0.5}
probes: [{response_time: {quantiles: [0.9, 0.999]}}, {queue_length: {quantiles: [0.9]}}]
)" + precision
           + "\n";
}

tests::MadeUpOutcome simulated(const Plan& plan) {
    return [&plan](const ReplicationTask& task) {
        return run_replication(plan.cells[task.id.cell], {task.id.replication});
    };
}

TEST_CASE("of times of infinite variance a quantile is met, and a mean never") {
    const auto status_of = [](const std::string& precision, const std::string& service) {
        const Plan plan = tests::plan_of(campaign(precision, service));
        CampaignProgress progress(plan);
        tests::run_made_up(progress, simulated(plan), 3, 7);
        return std::string(summarize(*progress.cells()[0]).status);
    };
    const std::string mean = "precision: {metric: response_time, relative: 0.9}";
    const std::string quantile = "precision: {metric: response_time.p90, relative: 0.9}";
    CHECK(status_of(mean, "{pareto: {shape: 1.9}}") == "not_met_variance");
    CHECK(status_of(quantile, "{pareto: {shape: 1.9}}").starts_with("met"));
    // The wait of one server needs a third moment of the service.
    CHECK(status_of(mean, "{pareto: {shape: 2.9}}") == "not_met_variance");
    CHECK(status_of(mean, "{pareto: {shape: 30}}") == "met");
    // Of times between jobs it needs two.
    CHECK(status_of(mean, "exponential, interarrival: {pareto: {shape: 2.8}}").starts_with("met"));
    CHECK(status_of(mean, "{bounded_pareto: {shape: 1.9, ratio: 100}}").starts_with("met"));
}

TEST_CASE(
    "of times of infinite variance no horizon is sought, which no run would be long enough for"
) {
    const auto level_of = [](const std::string& service) {
        std::string text = campaign("replications: 8", service);
        const std::string horizon = "horizon: {jobs: 250, warm_up: {jobs: 50}}\n";
        text.erase(text.find(horizon), horizon.size());
        text.replace(text.find("0.5}"), 4, "0.95}");
        const Plan plan = tests::plan_of(text);
        CampaignProgress progress(plan);
        tests::run_made_up(progress, simulated(plan), 1, 7);
        CHECK(progress.finished());
        return progress.cells()[0]->level();
    };
    CHECK(level_of("{pareto: {shape: 1.5}}") == 0);
    CHECK(level_of("exponential") > 0);
}

TEST_CASE("a target on a quantile is met by the interval of the quantile of all jobs") {
    const Plan plan =
        tests::plan_of(campaign("precision: {metric: response_time.p90, relative: 0.06}"));
    const tests::MadeUpOutcome outcome = simulated(plan);
    std::uint64_t decided = 0;
    for (const std::size_t workers : {1U, 5U, 64U}) {
        CampaignProgress progress(plan);
        tests::run_made_up(progress, outcome, workers, 7);
        const CellProgress& cell = *progress.cells()[0];
        REQUIRE(cell.decision().end == CellEnd::met);
        CHECK(cell.decision().most_demanding == "response_time.p90");
        CHECK((decided == 0 || cell.used() == decided));
        decided = cell.used();
        CHECK(decided > 64);
        const MetricSample sample = cell.metric_sample("response_time.p90", cell.used());
        REQUIRE(sample.sketches.size() == decided);
        CHECK(sample.probability == 0.9);
        const MetricEstimate metric = estimate_metric(cell, "response_time.p90");
        CHECK(metric.kind == EstimateKind::quantile);
        const engine::Estimate estimate = metric.estimate.value();
        CHECK(estimate.interval == engine::estimate_quantile(sample.sketches, 0.9, 0.95)->interval);
        CHECK(estimate.longer_side() <= 0.06 / 1.06 * estimate.mean);
        // M/M/1 at .5: −log 0.1 / 0.5 = 4.605.
        CHECK(estimate.interval.contains(4.605170185988091));
        // One checkpoint earlier it was not short enough.
        const std::uint64_t before = decided * 5 / 6;
        const MetricSample shorter = cell.metric_sample("response_time.p90", before);
        const auto then = engine::estimate_quantile(shorter.sketches, 0.9, 0.95);
        CHECK(then->longer_side() > 0.06 / 1.06 * then->mean);
    }
}

TEST_CASE("own quantiles stay what comparisons see, and what the queue length has") {
    const Plan plan = tests::plan_of(campaign("replications: 40"));
    CampaignProgress progress(plan);
    tests::run_made_up(progress, simulated(plan), 1, 1);
    const CellProgress& cell = *progress.cells()[0];
    const auto column = column_index(cell.cell(), "response_time.p90").value();
    const MetricSample sample = cell.metric_sample("response_time.p90", 40);
    CHECK(sample.values == cell.column(column, 40));
    CHECK(estimate_metric(cell, "queue_length.p90").kind == EstimateKind::mean);
    CHECK(cell.metric_sample("queue_length.p90", 40).sketches.empty());

    // 250 jobs have 0.2 beyond their own P99.9: their mean is far too small, and the table says so.
    const results_schema::Table table = quantiles_table(progress);
    const auto& probabilities =
        results_schema::column_of<results_schema::Reals>(table, "probability");
    const auto row = static_cast<std::size_t>(
        std::find(probabilities.begin(), probabilities.end(), 0.999) - probabilities.begin()
    );
    REQUIRE(row < table.rows());
    const auto real = [&](const char* name) {
        return results_schema::column_of<results_schema::Reals>(table, name)[row];
    };
    CHECK(real("own_mean") < real("lower"));
    const std::vector<double> own = cell.column(column + 1, 40);
    CHECK(
        real("own_mean") == tests::within(1e-12, std::accumulate(own.begin(), own.end(), 0.0) / 40)
    );
    // No column has the median: nothing goes by it.
    CHECK(std::isnan(results_schema::column_of<results_schema::Reals>(table, "own_mean")[0]));
    CHECK(real("value") == estimate_metric(cell, "response_time.p99.9").estimate->mean);
    CHECK(real("upper") == estimate_metric(cell, "response_time.p99.9").estimate->interval.upper);
    CHECK(table.rows() == 5);  // 0.5, 0.9, 0.95, 0.99 and the 0.999 asked for
}

TEST_CASE("a quantile of one replication has its exact value and no interval") {
    const Plan plan = tests::plan_of(campaign("replications: 1"));
    CampaignProgress progress(plan);
    tests::run_made_up(progress, simulated(plan), 1, 1);
    const CellProgress& cell = *progress.cells()[0];
    const MetricEstimate metric = estimate_metric(cell, "response_time.p90");
    CHECK_FALSE(metric.estimate);
    const auto column = column_index(cell.cell(), "response_time.p90");
    CHECK(metric.only_value == cell.observed(0).values[column.value()]);
    CHECK(metric.only_value != engine::sketch_quantile(cell.observed(0).sketches[0], 0.9));
}

TEST_CASE("a relative precision below what a sketch knows is refused") {
    std::string message;
    try {
        tests::plan_of(campaign("precision: {metric: response_time.p90, relative: 0.005}"));
    } catch (const ConfigErrors& errors) {
        message = errors.what();
    }
    CHECK(
        message
        == "small.yaml:11:21: relative precision 0.005 of response_time.p90 (quantiles of all jobs "
           "are known to 0.25 %). Take 0.01 or more."
    );
    CHECK_NOTHROW(tests::plan_of(campaign("precision: {metric: response_time.p90, relative: 0.01}"))
    );
    CHECK_NOTHROW(tests::plan_of(campaign("precision: {metric: response_time.mean, relative: 0.005}"
    )));
}

}  // namespace
}  // namespace schedfarm::app
