// Horizons that the program finds.
#include "app/campaign/plan/steady_state.hpp"

#include <string>

#include <doctest/doctest.h>

#include "app/campaign/plan/lengthening.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

constexpr const char* one_processor = "system: {clusters: [1]}";
constexpr const char* one_each =
    "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 1]}}";

/// M/M/1 at this load with this horizon, ± 5 %.
Lines queue_at(const std::string& load, const std::string& horizon) {
    return {
        {5, one_processor},
        {6, one_each},
        {8, "load: {utilization: " + load + "}"},
        {9, "precision: {metric: response_time, relative: 0.05}"},
        {10, "horizon: " + horizon}};
}

Cell cell_of(const Lines& lines) {
    return plan_of(lines).cells.front();
}

}  // namespace

TEST_CASE("the program finds the jobs of a steady state where none are given") {
    for (const char* horizon : {"{}", "{jobs: auto}", "{queue_limit: 10}"}) {
        const Cell cell = cell_of(queue_at("0.9", horizon));
        REQUIRE(cell.lengthening);
        CHECK(cell.lengthening->warm_up_grows);
        CHECK(cell.experiment.horizon.jobs == 20000);
        CHECK(cell.experiment.horizon.warm_up_jobs == 4000);
        CHECK(horizon_at(cell, 2).jobs == 80000);
    }
    const Cell fixed_warm_up = cell_of(queue_at("0.9", "{warm_up: {jobs: 500}}"));
    REQUIRE(fixed_warm_up.lengthening);
    CHECK(horizon_at(fixed_warm_up, 2).warm_up_jobs == 500);
}

TEST_CASE("jobs that are given, and runs whose length is part of the question, are kept") {
    for (const char* horizon :
         {"{jobs: 20000}",
          "{jobs: auto, warm_up: none}",
          "{warm_up: {jobs: 60}, start: {backlog: 60}}"}) {
        CAPTURE(horizon);
        CHECK_FALSE(cell_of(queue_at("0.9", horizon)).lengthening);
    }
    const Lines saturated{{4, "experiment: saturated"}, {8, ""}};
    CHECK_FALSE(cell_of(saturated).lengthening);
    CHECK(cell_of(saturated).experiment.horizon.jobs == 20000);
}

TEST_CASE("replications of found and given horizons are told apart, and nothing else tells them") {
    const std::string found = cell_of(queue_at("0.9", "{}")).replication_key;
    CHECK(cell_of(queue_at("0.9", "{jobs: auto}")).replication_key == found);
    CHECK(cell_of(queue_at("0.9", "{jobs: 20000}")).replication_key != found);
    CHECK(cell_of(queue_at("0.9", "{warm_up: {jobs: 4000}}")).replication_key != found);
    Lines fixed = queue_at("0.9", "{}");
    fixed[9] = "replications: 10";
    CHECK(cell_of(fixed).replication_key == found);
}

TEST_CASE("the effective configuration leaves the jobs to the program too") {
    const Plan plan = plan_of(queue_at("0.9", "{}"));
    CHECK(plan.effective.find(R"("horizon": {"jobs": "auto",)") != std::string::npos);
}

TEST_CASE("the index of a replication has room for a million of each horizon") {
    Lines lines = queue_at("0.9", "{}");
    lines[9] = "precision: {metric: response_time, max: 1000001}";
    CHECK(errors_of(lines) ==
"a.yaml:9:41: 1000001 replications (where no number of jobs is given, 1000000 are the most). Add 'horizon: {jobs: 20000}'.");
    lines[10] = "horizon: {jobs: 20000}";
    CHECK(errors_of(lines).empty());
}

}  // namespace schedfarm::app::tests
