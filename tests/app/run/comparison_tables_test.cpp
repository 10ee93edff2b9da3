// What the tables of comparisons say, on numbers made up.
#include <cmath>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "results_schema/tables/typed_columns.hpp"

#include "app/run/tables/analysis_tables.hpp"

#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;                  // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

/// Cells of a fixed number of replications, compared in their response time.
Plan compared(std::uint32_t cells, std::uint64_t replications) {
    Plan plan;
    ComparisonPlan comparison;
    comparison.metric = "response_time.mean";
    comparison.groups = {{"all", {}}};
    for (std::uint32_t i = 0; i < cells; ++i) {
        plan.cells.push_back(open_cell(i, replications, replications));
        comparison.groups[0].cells.push_back(i);
    }
    plan.comparison = comparison;
    return plan;
}

Table comparisons_of(const Plan& plan, const std::function<double(const ReplicationTask&)>& value) {
    CampaignProgress progress(plan);
    const auto outcome = [&](const ReplicationTask& task) {
        engine::Observations observations;
        observations.values = {0, value(task)};
        return observations;
    };
    run_made_up(progress, outcome, 2, 1);
    return comparisons_table(plan, progress);
}

}  // namespace

TEST_CASE("cells that differ by many standard errors have p values that the checker accepts") {
    const Table table = comparisons_of(compared(4, 400), [](const ReplicationTask& task) {
        return task.id.cell + noise(task.id.cell, task.id.replication);
    });
    REQUIRE(table.rows() == 6);
    for (const double p : column_of<Reals>(table, "p_value")) {
        CHECK(p > 0);
        CHECK(p < 1e-15);  // |t| from 14 to 42
    }
}

TEST_CASE("a difference is told as a share of the second cell's mean, by hand") {
    const std::vector<std::vector<double>> values{{1, 2, 3}, {4, 6, 5}};
    const auto told = [&](double factor) {
        return comparisons_of(compared(2, 3), [&, factor](const ReplicationTask& task) {
            return factor * values[task.id.cell][task.id.replication];
        });
    };
    const Table table = told(1);
    // (1 - 4 + 2 - 6 + 3 - 5) / (4 + 6 + 5)
    CHECK(column_of<Reals>(table, "relative").at(0) == doctest::Approx(-0.6));
    CHECK(column_of<Reals>(table, "relative_lower").at(0) < -0.7);
    CHECK(column_of<Reals>(table, "relative_upper").at(0) > -0.5);
    CHECK(column_of<Reals>(told(7), "relative").at(0) == doctest::Approx(-0.6));
    CHECK(std::isnan(column_of<Reals>(told(0), "relative").at(0)));
}
