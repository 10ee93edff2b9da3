#include "app/submit/pilot.hpp"

#include <doctest/doctest.h>

#include "app/run/replication.hpp"

using namespace schedfarm;
using namespace schedfarm::app;

namespace {

Plan plan_of(const std::string& lines, const std::string& policy = "fcfs") {
    CampaignSource source;
    source.main_file = "pilot";
    source.files["pilot"] =
        "campaign_format: 1\nname: pilot\nseed: 5\nexperiment: open\n"
        "system: {clusters: [32]}\nprobes: [response_time]\npolicy: " + policy + "\n"
        "workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}\n"
        + lines;
    return make_plan(source);
}

}  // namespace

TEST_CASE("a pilot measures the replications that the run will begin with") {
    const Plan plan = plan_of(
        "horizon: {jobs: 500, warm_up: {fraction: 0.2}}\nload: {utilization: 0.5}\n"
        "replications: 40\n"
    );
    const auto measured = run_pilot(plan, {.seconds = 60, .replications = 3});
    REQUIRE(measured.size() == 1);
    REQUIRE(measured[0].replications.size() == 3);
    CHECK(measured[0].cut_after_s == 0);
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(
            measured[0].replications[i].observations.fingerprint
            == run_replication(plan.cells[0], {i, std::nullopt}).fingerprint
        );
        CHECK(measured[0].replications[i].seconds > 0);
    }
}

TEST_CASE("a replication that does not end is cut off in time") {
    const Plan plan = plan_of(
        "horizon: {jobs: 2000000000, warm_up: {fraction: 0.2}}\nload: {utilization: 0.5}\n"
        "replications: 2\n"
    );
    const auto measured = run_pilot(plan, {.seconds = 0.3, .replications = 2});
    REQUIRE(measured.size() == 1);
    CHECK(measured[0].replications.empty());
    CHECK(measured[0].cut_after_s >= 0.29);
    CHECK(measured[0].failure.empty());
}

TEST_CASE("pilots are measured first and the grid is visited from far to near") {
    // Eight loads: positions by reversed bits are 0 4 2 6 1 5 3 7.
    const Plan plan = plan_of(
        "horizon: {jobs: 500, warm_up: {fraction: 0.2}}\nreplications: 4\n"
        "factors:\n  load.utilization: [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45]\n"
    );
    CHECK(measuring_order(plan) == std::vector<std::uint32_t>{0, 4, 2, 6, 1, 5, 3, 7});
    const Plan placed = plan_of(
        "horizon: {jobs: 500, warm_up: {fraction: 0.2}}\nreplications: 4\n"
        "pilot: {jobs: 500, warm_up: {fraction: 0.2}, backlog: 16, replications: 8}\n"
        "factors:\n  load.utilization: {below_saturation: 3}\n",
        "{fpfs: {max_jumps: 7}}"
    );
    REQUIRE(placed.cells.size() == 4);
    CHECK(measuring_order(placed) == std::vector<std::uint32_t>{3, 0, 2, 1});
    const auto measured = run_pilot(placed, {.seconds = 60, .replications = 3});
    REQUIRE(measured.size() == 4);
    CHECK(measured[3].utilization.value() > 0.5);
    CHECK(measured[0].utilization.value() < measured[1].utilization.value());
    CHECK(measured[2].utilization.value() < measured[3].utilization.value());
}
