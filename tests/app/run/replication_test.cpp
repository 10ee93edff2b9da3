// Whole replications of cells: a start from a backlog, the series of the first replications, early
// ends, and the same bits from every kernel.
#include "app/run/replication.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "tests/app/run/short_cell.hpp"

namespace schedfarm::app {

namespace {

using engine::ExperimentKind;
using engine::Metric;
using engine::Observations;

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
