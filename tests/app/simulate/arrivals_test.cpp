// The jobs of a single simulation: those that were asked for and no others, and told of as they
// come.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "app/simulate/simulate.hpp"

namespace schedfarm::app {

TEST_CASE("a single simulation has the jobs asked for alone") {
    // In a campaign job 2 would come, uncounted, and start before job 1.
    SimulationRequest request;
    request.model = "listed";
    request.policy = "sjf";
    request.clusters = "1";
    request.first = 2;
    request.settings = {
        "workload.submit_times=[0, 1, 2]",
        "workload.service_times=[4, 5, 1]",
        "workload.sizes=[1, 1, 1]"};
    for (const SimulatorChoice way : {SimulatorChoice::automatic, SimulatorChoice::verified}) {
        CHECK(simulate(request, way).log.start == std::vector<double>{0, 4});
    }
}

TEST_CASE("who watches a simulation is told how many jobs have come") {
    SimulationRequest request;
    request.model = "lublin_feitelson";
    request.policy = "easy";
    request.clusters = "128";
    request.job_count = 1300;
    std::vector<std::uint64_t> told;
    const auto watch = [&told](std::uint64_t jobs, std::uint64_t of) {
        CHECK(of == 1300);
        told.push_back(jobs);
    };
    const Simulation watched = simulate(request, SimulatorChoice::automatic, nullptr, watch);
    CHECK(told == std::vector<std::uint64_t>{0, 512, 1024});
    CHECK(watched.fingerprint == simulate(request, SimulatorChoice::automatic).fingerprint);
}

}  // namespace schedfarm::app
