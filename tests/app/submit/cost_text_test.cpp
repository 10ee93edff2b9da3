#include "app/submit/cost_text.hpp"

#include <doctest/doctest.h>

using namespace schedfarm::app;

namespace {

CampaignCost cost_of(const Range& replications, const Range& core_hours) {
    CampaignCost cost;
    cost.cells.resize(12);
    cost.measured_cells = 12;
    cost.replications = replications;
    cost.core_hours = core_hours;
    return cost;
}

}  // namespace

TEST_CASE("the cost of a campaign is told with its bounds") {
    CHECK(
        cost_text(cost_of({620, 1540.4, 1234567}, {0.94, 24.4, 1349}))
        == "12 cells: about 1,540 replications, between 620 and 1,234,567\n"
           "about 24 core-hours on cores like these, between 0.94 and 1,300\n"
    );
}

TEST_CASE("a number that is known exactly has no bounds and small work has a small unit") {
    // 0.0001 h = 0.36 s; 0.02 h = 72 s, less than two minutes.
    CHECK(
        cost_text(cost_of({400, 400, 400}, {0.0001, 0.001, 0.02}))
        == "12 cells: 400 replications\n"
           "about 3.6 core-seconds on cores like these, between 0.36 and 72\n"
    );
    // 0.1 h = 6 min, 1.9 h = 114 min, in two digits.
    CHECK(
        cost_text(cost_of({400, 400, 400}, {0.1, 0.5, 1.9}))
        == "12 cells: 400 replications\n"
           "about 30 core-minutes on cores like these, between 6 and 110\n"
    );
}

TEST_CASE("cells that were not measured are told of") {
    CampaignCost cost = cost_of({1, 1, 1}, {1, 1, 1});
    cost.measured_cells = 7;
    CHECK(cost_text(cost).find("\n7 cells were measured; the others") != std::string::npos);
}
