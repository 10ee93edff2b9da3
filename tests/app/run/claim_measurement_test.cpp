// Claims measured on made-up replications, against numbers worked out by hand.
#include "app/run/rules/claim_measurement.hpp"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "results_schema/tables/table.hpp"

#include "app/run/tables/analysis_tables.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/run/made_up_campaign.hpp"

namespace schedfarm::tests {

namespace {

using namespace app;  // NOLINT(google-build-using-namespace)

/// Response times by cell and replication; the second cell has one replication more.
const std::vector<std::vector<double>> responses{{2, 4}, {1, 3, 100}};

Plan two_cells() {
    Plan plan;
    for (std::uint32_t cell = 0; cell < 2; ++cell) {
        const std::uint64_t count = responses[cell].size();
        plan.cells.push_back(open_cell(cell, count, count));
    }
    plan.claims.confidence = 0.5;
    plan.claims.quantities = {
        {"doubled", "2 * response_time.mean", Expression::parse("2 * response_time.mean"), false}};
    plan.claims.names = {Expression::parse("b")};
    ClaimPlan claim;
    claim.id = "ratio";
    claim.value = Expression::parse("a / base + c");
    claim.region = {ClaimRegion::Kind::above, 1, 0};
    claim.expected = "holds";
    claim.instances = {
        {"",
         {{"a", QuantityTerm{0, 0, 0}},
          {"b", QuantityTerm{1, 0, 0}},
          {"base", NameIndex{0}},
          {"c", 10.0}}}};
    plan.claims.list = {claim};
    return plan;
}

engine::Observations outcome(const ReplicationTask& task) {
    engine::Observations observations;
    observations.values = {0.0, responses[task.id.cell][task.id.replication]};
    observations.jobs = 10;
    return observations;
}

}  // namespace

TEST_CASE("a claim is a function of means over the replications that its cells share") {
    // The doubles cancel: (2 + 4) / (1 + 3) + 10 from the first two replications; the standard
    // error of the ratio is 1 / 3 (tests/engine/statistics/jackknife_test.cpp).
    const Plan plan = two_cells();
    CampaignProgress progress(plan);
    run_made_up(progress, outcome, 2, 7);
    ClaimMeasurement measurement(plan, progress);
    CHECK(measurement.values({0, 0, 0}) == std::vector<double>{4, 8});
    const auto estimate =
        measurement.estimate(plan.claims.list[0], plan.claims.list[0].instances[0]);
    CHECK(estimate.n == 2);
    CHECK(estimate.mean == 11.5);
    CHECK(estimate.standard_error == doctest::Approx(1.0 / 3));
    const ClaimTables tables = claim_tables(plan, progress);
    CHECK(
        std::get<results_schema::Texts>(tables.claims.at("verdict").data)
        == results_schema::Texts{"holds"}
    );
    CHECK(std::get<std::vector<double>>(tables.values.at("value").data)[0] == 11.5);
    const auto quantities = quantities_table(plan, progress);
    CHECK(
        std::get<std::vector<double>>(quantities.at("mean").data)
        == std::vector<double>{6, 2 * 104.0 / 3}
    );
}

TEST_CASE("a quantity of means over the jobs of a class is one of all jobs of all replications") {
    Plan plan;
    plan.cells.push_back(open_cell(0, 3, 3));
    plan.cells[0].columns = {
        {"backlog_growth", "1", ""},
        {"response_time.mean[class=0]", "time", "", false, "response_time.count[class=0]"},
        {"response_time.count[class=0]", "1", ""}};
    plan.claims.quantities = {
        {"response",
         "response_time.mean[class]",
         Expression::parse("response_time.mean[class]"),
         true},
        {"inverse",
         "1 / response_time.mean[class]",
         Expression::parse("1 / response_time.mean[class]"),
         true}};
    CampaignProgress progress(plan);
    const auto absent = std::numeric_limits<double>::quiet_NaN();
    run_made_up(
        progress,
        [&](const ReplicationTask& task) {
            const std::vector<std::vector<double>> values{{0, 4, 1}, {0, absent, 0}, {0, 7, 2}};
            engine::Observations observations;
            observations.values = values[task.id.replication];
            observations.jobs = 10;
            return observations;
        },
        2,
        7
    );
    // (4 + 0 + 14) / (1 + 0 + 2) = 6; residuals 4 − 6, 0 and 14 − 2 · 6 over a mean count of 1: the
    // linearized ratio is 4, 6, 8, and its mean without each of them 7, 6, 5.
    ClaimMeasurement measurement(plan, progress);
    const std::vector<double> values = measurement.values({0, 0, 0});
    const std::vector<double> inverses = measurement.values({0, 1, 0});
    REQUIRE(values.size() == 3);
    REQUIRE(inverses.size() == 3);
    for (std::size_t r = 0; r < 3; ++r) {
        CHECK(values[r] == doctest::Approx(4.0 + 2 * static_cast<double>(r)));
        CHECK(inverses[r] == doctest::Approx(3.0 / 6 - 2.0 / (7 - static_cast<double>(r))));
    }
    // One quantity, one interval.
    const auto of_class =
        estimate_metric(*progress.cells()[0], "response_time.mean[class=0]").estimate;
    const auto quantities = quantities_table(plan, progress);
    const auto quantity = [&](const char* column) {
        return std::get<std::vector<double>>(quantities.at(column).data)[0];
    };
    CHECK(of_class->method == engine::IntervalMethod::skew_adjusted);
    CHECK(quantity("mean") == doctest::Approx(of_class->mean).epsilon(1e-12));
    CHECK(quantity("lower") == doctest::Approx(of_class->interval.lower).epsilon(1e-12));
    CHECK(quantity("upper") == doctest::Approx(of_class->interval.upper).epsilon(1e-12));
    const CellProgress& cell = *progress.cells()[0];
    const MetricSample sample = cell.metric_sample("response_time.mean[class=0]", 3);
    CHECK(sample.values == std::vector<double>{4, 0, 14});
    CHECK(sample.denominators == std::vector<double>{1, 0, 2});
    CHECK(sample.by_replication()[1] == doctest::Approx(6));
}

}  // namespace schedfarm::tests
