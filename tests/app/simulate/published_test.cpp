// What a policy tells of itself reaches the summary of a simulation.
#include <string>

#include <doctest/doctest.h>

#include "app/report/json.hpp"
#include "app/simulate/schedule_summary.hpp"
#include "app/simulate/simulate.hpp"
#include "app/simulate/simulation_text.hpp"

namespace schedfarm::app {

namespace {

/// Job 0 holds all processors on [0, 10); job 1 asks at time 1 for the reservation that is given.
Simulation simulation_with(const std::string& policy, const std::string& reserved_start) {
    SimulationRequest request;
    request.model = "listed";
    request.policy = policy;
    request.clusters = "4";
    request.settings = {
        "workload.submit_times=[0, 1]",
        "workload.service_times=[10, 5]",
        "workload.sizes=[4, 2]",
        "workload.fixed_starts=[-1, " + reserved_start + "]"};
    return simulate(request, SimulatorChoice::verified);
}

}  // namespace

TEST_CASE("every policy that keeps advance reservations tells how many it refused") {
    for (const char* policy : {"easy", "conservative", "k_reservations", "selective"}) {
        CAPTURE(policy);
        const Simulation refused = simulation_with(policy, "9");
        REQUIRE(refused.published.size() == 2);
        CHECK(refused.published[0].name == "reservations_refused");
        CHECK(refused.published[0].value == 1);
        CHECK(refused.published[1].name == "reservations_missed");
        CHECK(refused.published[1].value == 0);
        CHECK(refused.log.start[1] == 10);

        const Simulation kept = simulation_with(policy, "12");
        CHECK(kept.published[0].value == 0);
        CHECK(kept.log.start[1] == 12);
    }
}

TEST_CASE("the summary shows what the policy tells, and says nothing where it tells nothing") {
    const Simulation refused = simulation_with("easy", "9");
    const ScheduleSummary summary = summarise_schedule(refused.log, 4, Occupation::unbroken);
    CHECK(
        simulation_text(refused, summary).find("\nreservations_refused               1 jobs\n")
        != std::string::npos
    );
    CHECK(
        Json::parse(simulation_json(refused, summary))["published"].dump()
        == R"({"reservations_refused":1,"reservations_missed":0})"
    );
    Simulation silent = simulation_with("easy", "9");
    silent.published.clear();
    CHECK(simulation_text(silent, summary).find("policy's own") == std::string::npos);
    CHECK(simulation_json(silent, summary).find("published") == std::string::npos);
}

}  // namespace schedfarm::app
