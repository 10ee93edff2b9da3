// Horizons that the program finds, and warnings of those that are given and too short.
#include "app/campaign/plan/steady_state.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/campaign/plan/lengthening.hpp"
#include "app/campaign/plan/plan_warnings.hpp"

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
"a.yaml:9:41: 1000001 replications (where no number of jobs is given, 1000000 are the most). Add 'horizon: {jobs: 20000}'?");
    lines[10] = "horizon: {jobs: 20000}";
    CHECK(errors_of(lines).empty());
}

TEST_CASE("a given horizon of few relaxation times is warned of before anything runs") {
    // c² = 1: 1/(1 − .98)² = 2,500 jobs are a relaxation time, in truth and nearly in the sample.
    const auto warnings = short_run_warnings(plan_of(queue_at("0.98", "{jobs: 20000}")));
    REQUIRE(warnings.size() == 1);
    for (const char* part :
         {"1 cell may have too few jobs for its precision",
          "cell 0 has 20000, which at 0.98 of the maximal load are",
          "are 8 relaxation times, so that its empty start may lower the mean by 5.8 %",
          "leave 'horizon.jobs' out?"}) {
        CHECK_MESSAGE(warnings[0].find(part) != std::string::npos, warnings[0]);
    }
}

TEST_CASE("a search by response time is warned of at the load that its threshold implies") {
    // Jobs of 2 of 4 processors and exponential services of mean 1: a server of the machine's speed
    // has services of 1/2, and waits 14 where rho / (1 - rho) = 14 / (1/2): at 28/29.
    Lines lines = queue_at("0.9", "{jobs: 1000}");
    lines[5] = "system: {clusters: [4]}";
    lines[6] = "workload: {model: coallocation, components: 1, component_size: {uniform: [2, 2]}}";
    lines[8] = "load: {search: {criterion: response_time, threshold: 15, between: [0.5, 0.99]}}";
    lines[9] = "probes: [response_time]";
    const auto warnings = short_run_warnings(plan_of(lines));
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(warnings[0].find("which at 0.96") != std::string::npos, warnings[0]);
    lines[10] = "horizon: {jobs: 400000}";
    CHECK(short_run_warnings(plan_of(lines)).empty());
}

TEST_CASE("who gives the jobs that a warning names is warned no more") {
    // Of both loads the higher needs more jobs: 1/(1 - .9)² = 100 are a relaxation time.
    const auto campaign = [](const std::string& horizon) {
        Lines lines = queue_at("0.9", horizon);
        lines[8] = "factors: {load.utilization: [0.8, 0.9]}";
        return plan_of(lines);
    };
    for (const char* warm_up : {"", ", warm_up: {jobs: 200}", ", warm_up: {jobs: 10}"}) {
        CAPTURE(warm_up);
        const auto warnings =
            short_run_warnings(campaign(std::string("{jobs: 300") + warm_up + "}"));
        REQUIRE(warnings.size() == 1);
        const auto begin = warnings[0].find("Give some ") + 10;
        const std::string jobs = warnings[0].substr(begin, warnings[0].find(" jobs there") - begin);
        CHECK(jobs == "11000");  // 100 relaxation times and a little, rounded up
        CHECK(warnings[0].find(" jobs there, a fifth of them warm-up,") != std::string::npos);
        CHECK(short_run_warnings(campaign("{jobs: " + jobs + "}")).empty());
    }
}

TEST_CASE("long horizons, found ones and those that ask for no steady state are not warned of") {
    for (const Lines& lines : std::vector<Lines>{
             queue_at("0.98", "{jobs: 100000}"),
             queue_at("0.9", "{jobs: 20000}"),
             queue_at("0.98", "{}"),
             queue_at("0.98", "{jobs: 20000, warm_up: none}")}) {
        CHECK(short_run_warnings(plan_of(lines)).empty());
    }
    Lines fixed = queue_at("0.98", "{jobs: 20000}");
    fixed[9] = "replications: 10";
    const auto warnings = short_run_warnings(plan_of(fixed));
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].starts_with("1 cell may have too few jobs for a precision of 5 %: cell 0"));
    fixed[10] = "horizon: {jobs: 250000}";
    CHECK(short_run_warnings(plan_of(fixed)).empty());
}

TEST_CASE("a load that is not below the maximal one is said to be unstable, and of no length") {
    // One job of 2 processors at a time has 2 of 3.
    Lines lines = queue_at("0.66", "{jobs: 200}");
    lines[5] = "system: {clusters: [3]}";
    lines[6] = "workload: {model: coallocation, components: 1, component_size: {uniform: [2, 2]}}";
    CHECK(overload_warnings(plan_of(lines)).empty());
    CHECK(short_run_warnings(plan_of(lines)).size() == 1);
    lines[8] = "allow_unstable: true\nfactors: {load.utilization: [0.66, 0.7, 0.75]}";
    lines[10] = "horizon: {jobs: 2000000}";
    const auto warnings = plan_warnings(plan_of(lines));
    REQUIRE(warnings.size() == 1);
    CHECK(
        warnings[0]
        == "2 cells are unstable: cell 1 has utilization 0.7, not below the maximal 0.666667. The "
           "queue grows without bound, and its means with the number of jobs"
    );
}

TEST_CASE("a placed load is a known part of the maximal one") {
    Lines lines = queue_at("0.98", "{jobs: 20000}");
    lines[5] = "system: {clusters: [32]}";
    lines[6] = "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}";
    lines[7] = "policy: easy";
    lines[8] = "load: {utilization: 0.5}";
    CHECK(short_run_warnings(plan_of(lines)).empty());
    lines[8] = "factors: {load.utilization: {of_saturation: [0.5, 0.99]}}";
    const auto warnings = short_run_warnings(plan_of(lines));
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(
        warnings[0].find("cell 1 has 20000, which at 0.99 of") != std::string::npos, warnings[0]
    );
}

}  // namespace schedfarm::app::tests
