#include <cmath>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "results_schema/schema.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/certify/macro_run.hpp"

#include "tests/app/certify/certified_campaigns.hpp"

using namespace schedfarm;              // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app::tests;  // NOLINT(google-build-using-namespace)

namespace {

const std::string two_loads = queue_text(
    "queue",
    "horizon: {jobs: 60, warm_up: none}\n"
    "probes: [{response_time: {quantiles: [0.5, 0.99]}}]\n"
    "replications: 10\n"
    "factors: {load.utilization: [0.5, 0.8]}\n"
    "comparison: {factor: load.utilization, metric: response_time}\n"
);

/// The only row of a campaign with this `certificate`, which cell 1 alone has.
CertificateRow row_of(const Plan& plan) {
    return certificate_rows(plan).at(0);
}

Plan certified(const std::string& certificate) {
    return plan_of_text(
        two_loads + "overrides: [{when: {load.utilization: 0.8}, set: {certificate: " + certificate
        + "}}]\n"
    );
}

/// Two cells with two quantiles each, in the columns that a row of a certificate reads.
results_schema::Table quantile_rows() {
    results_schema::Counts cells;
    results_schema::Texts metrics;
    results_schema::Reals probabilities;
    results_schema::Reals values;
    results_schema::Reals lower;
    results_schema::Reals upper;
    for (const std::uint64_t cell : {0U, 1U}) {
        for (const double probability : {0.5, 0.99}) {
            const double value = 10 * static_cast<double>(cell) + probability;
            cells.push_back(cell);
            metrics.push_back("response_time");
            probabilities.push_back(probability);
            values.push_back(value);
            lower.push_back(value - 1);
            upper.push_back(value + 3);
        }
    }
    const auto column = [](std::string name, results_schema::ColumnData data) {
        return results_schema::Column{std::move(name), "", "", true, std::move(data)};
    };
    return {
        "quantiles",
        "",
        {column("cell", cells),
         column("metric", metrics),
         column("probability", probabilities),
         column("value", values),
         column("lower", lower),
         column("upper", upper)}};
}

CampaignConclusions conclusions_of(results_schema::Table table) {
    CampaignConclusions conclusions;
    conclusions.results.tables.push_back(std::move(table));
    conclusions.cells.resize(2);
    for (CellSummary& cell : conclusions.cells) {
        cell.status = "fixed";
        cell.used = 10;
    }
    return conclusions;
}

}  // namespace

// Cell 1, probability .99: 10.99 in [9.99, 13.99].
TEST_CASE("an interval is that of the row whose columns have the values named") {
    for (const auto& [truth, covers] : {std::pair{"9.9", false}, {"10", true}, {"13.9", true}}) {
        const Plan plan = certified(
            std::string("{table: quantiles, metric: response_time, where: {probability: 0.99}, ")
            + "truth: " + truth + ", band: [0.9, 1]}"
        );
        const MacroRun run = measure(row_of(plan), conclusions_of(quantile_rows()));
        CHECK(run.covers == covers);
        CHECK(run.is_complete);
        CHECK(run.used == 10);
        const double expected = std::stod(truth);
        CHECK(run.relative_error == doctest::Approx((10.99 - expected) / expected));
        CHECK(run.half_width == doctest::Approx(2 / expected));
    }
}

TEST_CASE(
    "a cell that ended otherwise, a row that is not there and a number that is none are counted "
    "apart"
) {
    const Plan plan = certified(
        "{table: quantiles, metric: response_time, where: {probability: 0.99}, truth: 10, "
        "band: [0.9, 1]}"
    );
    CampaignConclusions conclusions = conclusions_of(quantile_rows());
    conclusions.cells[0].status = "not_met_cap";  // of another cell: nothing is wrong
    CHECK(measure(row_of(plan), conclusions).is_complete);
    conclusions.cells[1].status = "not_met_cap";
    CHECK(measure(row_of(plan), conclusions).end == "not_met_cap");
    CHECK_FALSE(measure(row_of(plan), conclusions).is_complete);
    CHECK(
        measure(row_of(plan), conclusions_of(results_schema::make_table("quantiles"))).end
        == "no row"
    );
    results_schema::Table table = quantile_rows();
    std::get<std::vector<double>>(table.columns[4].data).at(3) = std::nan("");
    CHECK(measure(row_of(plan), conclusions_of(table)).end == "no number");
}

// M/M/1: 2 at .5 and 5 at .8, so that the first less the second is 3 for cell 1 against cell 0.
TEST_CASE("of a comparison the truth is the difference of what is known of its cells") {
    const Plan plan = certified(
        "{table: comparisons, metric: response_time.mean, scope: campaign, band: [0.9, 1]}"
    );
    const CampaignConclusions conclusions = conclude_under_seed(plan, 7);
    const MacroRun run = measure(row_of(plan), conclusions);
    const results_schema::Table& table = *conclusions.results.find("comparisons");
    REQUIRE(table.rows() == 1);
    const double difference = std::get<std::vector<double>>(table.at("difference").data).at(0);
    CHECK(std::abs(run.relative_error) == doctest::Approx(std::abs(std::abs(difference) - 3) / 3));
}

TEST_CASE("a decision is right when every row meant has one of the words or a number large enough"
) {
    CampaignConclusions conclusions = conclusions_of(quantile_rows());
    conclusions.cells[1].status = "provisional";  // decisions count however a cell ended
    const auto is_right = [&](const std::string& rule) {
        const Plan plan =
            certified("{subject: decision, table: quantiles, " + rule + ", band: [0, 1]}");
        const MacroRun run = measure(row_of(plan), conclusions);
        CHECK(run.is_complete);
        return run.covers;
    };
    CHECK(is_right("column: metric, is: [slowdown, response_time]"));
    CHECK_FALSE(is_right("column: metric, is: [slowdown]"));
    CHECK(is_right("column: value, at_least: 10.5"));
    CHECK_FALSE(is_right("column: value, at_least: 10.6"));
    CHECK(is_right("column: value, at_least: 10.6, where: {probability: 0.99}"));
    CHECK_FALSE(is_right("column: value, at_least: 10.5, scope: campaign"));
}
