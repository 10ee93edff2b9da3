// Warnings before anything runs; those of short runs are in steady_state_test.cpp.
#include "campaigns/plan/plan_warnings.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/campaigns/plan/campaign_text.hpp"

namespace schedfarm::campaigns::tests {

namespace {

std::vector<std::string> warnings_of(const std::string& service, const std::string& rest) {
    return plan_warnings(plan_of(
        {{6,
          "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 1]}, "
          "service: "
              + service + "}"},
         {8, "load: {utilization: 0.5}"},
         {9, "replications: 20"},
         {11, rest}}
    ));
}

}  // namespace

TEST_CASE("slowdown without a finite mean is warned of, once") {
    const std::string probes = "probes: [slowdown]";
    const auto warnings = warnings_of("exponential", probes);
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(warnings[0].find("slowdown has no finite mean in 1 cell") == 0, warnings[0]);
    CHECK(warnings[0].find("bounded_slowdown?") != std::string::npos);
    CHECK(warnings_of("{erlang: {shape: 2}}", probes).empty());
    CHECK(warnings_of("exponential", "probes: [bounded_slowdown]").empty());
}

TEST_CASE("control variates of too few replications are warned of") {
    const std::string controls =
        "probes: [response_time, service_time]\n"
        "control_variates: {metric: response_time, controls: [service_time]}";
    CHECK(warnings_of("exponential", controls).empty());
    const auto warnings = warnings_of(
        "exponential",
        "probes: [response_time, service_time, interarrival_time]\n"
        "control_variates: {metric: response_time, controls: [service_time, interarrival_time]}"
    );
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(
        warnings[0].find("20 replications, too few for its control variates") != std::string::npos,
        warnings[0]
    );
    CHECK(warnings[0].find("below 30.") != std::string::npos);
}

}  // namespace schedfarm::campaigns::tests
