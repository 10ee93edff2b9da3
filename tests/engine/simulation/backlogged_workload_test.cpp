#include "engine/simulation/kernel/backlogged_workload.hpp"

#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/measurement/measurement_window.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

std::vector<GivenJob> given_jobs() {
    return {{1, 1, 5}, {3, 2, 6}, {7, 3, 7}, {8, 4, 8}, {20, 5, 9}, {20.5, 6, 10}};
}

std::unique_ptr<WorkloadModel> given(std::size_t block_size) {
    return std::make_unique<GivenWorkload>(given_jobs(), block_size);
}

std::vector<double> submit_times(std::uint64_t backlog, std::size_t block_size) {
    BackloggedWorkload workload(given(block_size), backlog);
    std::vector<double> times;
    JobBlock block;
    for (workload.next(block); block.count > 0; workload.next(block)) {
        times.insert(times.end(), block.submit_time.begin(), block.submit_time.end());
    }
    return times;
}

}  // namespace

TEST_CASE("the backlog is there at time 0 and the others come as much earlier") {
    using Times = std::vector<double>;
    for (const std::size_t block_size : {1U, 2U, 3U, 6U}) {
        CAPTURE(block_size);
        // Job 2, the last of the backlog, would have come at 7.
        CHECK(submit_times(3, block_size) == Times{0, 0, 0, 1, 13, 13.5});
        CHECK(submit_times(1, block_size) == Times{0, 2, 6, 7, 19, 19.5});
        CHECK(submit_times(6, block_size) == Times{0, 0, 0, 0, 0, 0});
        CHECK(submit_times(100, block_size) == Times{0, 0, 0, 0, 0, 0});
    }
}

TEST_CASE("jobs of a backlogged workload keep their sizes and service times") {
    BackloggedWorkload workload(given(6), 3);
    JobBlock block;
    workload.next(block);
    CHECK(block.size == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
    CHECK(block.service_time == std::vector<double>{5, 6, 7, 8, 9, 10});
}

TEST_CASE("a backlogged workload has the traits of the one within") {
    BackloggedWorkload workload(given(3), 2);
    CHECK(workload.traits().max_size == 6);
    CHECK_THROWS_AS(BackloggedWorkload(given(3), 0), ContractViolation);
}

TEST_CASE("windows and schedules follow the shifted submissions") {
    // 6 processors, backlog 2: submissions 0, 0, 4, 5, 17, 17.5. Jobs 0 and 1 run from 0 to 5 and
    // 6; job 2 (3 processors) 4–11; job 3 (4) 11–19; job 4 (5) 19–28; job 5 (6) 28–38.
    BackloggedWorkload first(given(4), 2);
    const Horizon horizon{.jobs = 6, .warm_up_jobs = 1};
    const MeasurementWindow window = measurement_window(first, horizon);
    CHECK(window.begin == 0);
    CHECK(window.end == 17.5);
    BackloggedWorkload second(given(4), 2);
    SimulationSetup setup = setup_of(6, 6);
    setup.experiment.horizon = horizon;
    setup.probes.requests.push_back({.metric = Metric::response_time, .quantiles = {}});
    setup.probes.requests.push_back({.metric = Metric::interarrival_time, .quantiles = {}});
    FirstComeFirstServed policy;
    const Observations observed = simulate(setup, second, policy);
    // Responses of jobs 1 … 5: 6, 7, 14, 11, 20.5.
    CHECK(observed.values[4] == 58.5 / 5);
    CHECK(observed.values[5] == 3.5);
}

}  // namespace schedfarm::tests
