// Whole replications of cells: a start from a backlog, the series of the first replications, early
// ends, and the same bits from every kernel.
#include "app/run/replication.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/catalogue.hpp"
#include "policies/catalogue.hpp"

namespace schedfarm::app {

namespace {

using engine::Choice;
using engine::ExperimentKind;
using engine::Metric;
using engine::Observations;

/// 200 jobs of total requests, sizes 2 … 8 on 16 processors, at utilization 0.8.
Cell cell_of(const char* policy) {
    Choice sizes{.name = "uniform"};
    sizes.parameters.set("low", 1);
    sizes.parameters.set("high", 4);
    engine::Parameters workload;
    workload.set("components", 2);
    workload.set("component_size", sizes);
    Cell cell;
    cell.system.clusters = {16};
    cell.experiment.kind = ExperimentKind::open;
    cell.experiment.horizon.jobs = 200;
    cell.experiment.horizon.warm_up_jobs = 40;
    cell.probes.requests.emplace_back();
    cell.workload = {
        "coallocation",
        with_defaults(models::find_model("coallocation")->alternative.parameters, workload)};
    cell.policy = {policy, with_defaults(policies::find_policy(policy)->alternative.parameters)};
    cell.random.seed = 2001;
    cell.utilization = 0.8;
    return cell;
}

/// Of the chosen kernel; the others give the same.
Observations run_all_ways(const Cell& cell, std::uint32_t index) {
    Observations fast = run_replication(cell, {index});
    for (const SimulatorChoice kernel : {SimulatorChoice::general, SimulatorChoice::verified}) {
        const Observations other = run_replication(cell, {index}, kernel);
        CHECK(other.fingerprint == fast.fingerprint);
        CHECK(other.events == fast.events);
        CHECK(other.overflow == fast.overflow);
        CHECK(other.series == fast.series);
    }
    return fast;
}

}  // namespace

TEST_CASE("an open system that begins with all its jobs is the off-line one") {
    for (const char* policy : {"fcfs", "fpfs"}) {
        Cell open = cell_of(policy);
        open.experiment.horizon.start_backlog = 200;
        Cell offline = cell_of(policy);
        offline.experiment.kind = ExperimentKind::offline;
        CHECK(run_all_ways(open, 3).fingerprint != run_all_ways(cell_of(policy), 3).fingerprint);
        const bool is_same =
            run_all_ways(open, 3).fingerprint == run_all_ways(offline, 3).fingerprint;
        // Jobs that follow, uncounted, may overtake under one of them.
        CHECK(is_same == (policy == std::string("fcfs")));
    }
}

TEST_CASE("replications side by side are those of each alone") {
    for (const std::uint64_t start_backlog : {0U, 150U}) {
        Cell cell = cell_of("fcfs");
        cell.experiment.horizon.start_backlog = start_backlog;
        cell.experiment.series_bins = 10;
        cell.probes.requests.emplace_back().metric = Metric::gross_utilization;
        std::vector<ReplicationRequest> requests;
        for (std::uint32_t i = 60; i < 71; ++i) {  // some beyond those with a series
            requests.push_back({i, 0.5 + 0.04 * (i - 60)});
        }
        const std::vector<Observations> together = run_side_by_side(cell, requests);
        REQUIRE(together.size() == requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            CHECK(together[i] == run_replication(cell, requests[i]));
        }
        CHECK(run_side_by_side(cell, std::span(requests).first(1)).empty());
    }
    CHECK(run_side_by_side(cell_of("fpfs"), std::vector<ReplicationRequest>(8)).empty());
}

TEST_CASE("the window of time averages is that of the shifted submissions") {
    Cell cell = cell_of("fcfs");
    cell.probes.requests.push_back({.metric = Metric::queue_length, .quantiles = {}});
    cell.experiment.horizon.start_backlog = 199;
    // Jobs 40 … 198 come at 0 and job 199 a moment later, while nearly all of them wait.
    const Observations observed = run_replication(cell, {0});
    CHECK(observed.values.back() > 150);
    CHECK(observed.values.back() < 199);
    // No time passes when the last job is there from the beginning.
    cell.experiment.horizon.start_backlog = 200;
    CHECK(std::isnan(run_replication(cell, {0}).values.back()));
}

TEST_CASE("the first replications alone carry the series and nothing else changes") {
    Cell cell = cell_of("fpfs");
    const std::uint32_t last = ensemble_replications - 1;
    const Observations without = run_all_ways(cell, last);
    CHECK(without.series.empty());
    cell.experiment.series_bins = 25;
    Observations with = run_all_ways(cell, last);
    CHECK(with.series.size() == 25);
    // 40 warm-up jobs are 5 parts of 8: the mean of the other 20 is the mean response time.
    double sum = 0;
    for (std::size_t part = 5; part < with.series.size(); ++part) {
        sum += with.series[part];
    }
    CHECK(sum / 20 == doctest::Approx(with.values.at(4)).epsilon(1e-13));
    with.series.clear();
    CHECK(with == without);
    CHECK(run_all_ways(cell, last + 1).series.empty());
}

TEST_CASE("an overloaded cell with a bounded queue ends early in every way") {
    for (const char* policy : {"fcfs", "fpfs", "sjf"}) {
        Cell cell = cell_of(policy);
        cell.experiment.horizon.jobs = 100'000'000'000;
        cell.experiment.horizon.queue_limit = 300;
        cell.utilization = 1.5;
        const Observations observed = run_all_ways(cell, 7);
        REQUIRE(observed.overflow);
        CHECK(observed.overflow->jobs_submitted == observed.jobs);
        CHECK(observed.jobs > 300);
        CHECK(observed.jobs < 30'000);
    }
}

TEST_CASE("the load of the request takes the place of the cell's") {
    Cell cell = cell_of("fcfs");
    cell.utilization.reset();
    const Observations asked = run_replication(cell, {.index = 2, .utilization = 0.8});
    CHECK(asked == run_replication(cell_of("fcfs"), {2}));
    CHECK(asked.fingerprint != run_replication(cell_of("fcfs"), {3}).fingerprint);
}

}  // namespace schedfarm::app
