// Jobs that are given and not drawn: they are the same in every replication and take no load.
#include <string>

#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("listed jobs take no load") {
    const std::string listed = "workload: {model: listed, service_times: [1], sizes: [1]}";
    const std::string one = "replications: 1\nhorizon: {jobs: 1, warm_up: none}";
    CHECK(!plan_of({{6, listed}, {8, ""}, {9, one}}).cells.at(0).utilization);
    // The other cells need it.
    const std::string both =
        "factors: {workload: [{model: listed, service_times: [1], sizes: [1]}, "
        "{model: coallocation, component_size: {uniform: [1, 4]}}]}";
    const Plan plan = plan_of({{6, ""}, {9, one}, {10, both}});
    CHECK(!plan.cells.at(0).utilization);
    CHECK(plan.cells.at(1).utilization);
}

}  // namespace schedfarm::app::tests
