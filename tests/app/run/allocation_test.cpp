#include "app/run/allocation.hpp"

#include <doctest/doctest.h>

#include "tests/app/run/made_up_campaign.hpp"

using schedfarm::app::Allocation;
using schedfarm::app::AllocationVerdict;

// One hour from second 1000 on: 10 s are kept for the results, so 3590 s are usable, until 4590.

TEST_CASE("a replication is begun as long as it ends within what is left") {
    const Allocation hour(1000, 3600);
    CHECK(hour.usable_s() == 3590);
    CHECK(hour.judge(1000, {60, 600}) == AllocationVerdict::go_on);
    CHECK(hour.judge(3990, {60, 600}) == AllocationVerdict::go_on);  // 600 s are left
    CHECK(hour.judge(3990.5, {60, 600}) == AllocationVerdict::drain);
    CHECK(hour.judge(3990.5, {60}) == AllocationVerdict::go_on);
}

TEST_CASE("with nothing known the run goes on until the time is over") {
    const Allocation hour(1000, 3600);
    CHECK(hour.judge(4589, {0}) == AllocationVerdict::go_on);
    CHECK(hour.judge(4590, {0}) == AllocationVerdict::drain);
    CHECK(hour.judge(4589, {}) == AllocationVerdict::go_on);
}

TEST_CASE("a cell that fits no allocation does not hold up the others") {
    const Allocation hour(1000, 3600);
    CHECK(hour.judge(1000, {60, 3591}) == AllocationVerdict::go_on);
    CHECK(hour.judge(4531, {60, 3591}) == AllocationVerdict::drain);
    CHECK(hour.judge(1000, {3591, 7000}) == AllocationVerdict::never);
    CHECK(hour.judge(1000, {3590}) == AllocationVerdict::go_on);
}

TEST_CASE("a cell of which everything is under way holds up nothing") {
    schedfarm::app::Plan plan;
    plan.cells = {schedfarm::tests::open_cell(0, 2, 2), schedfarm::tests::open_cell(1, 2, 2)};
    schedfarm::app::CampaignProgress progress(plan);
    CHECK(predicted_seconds(progress).size() == 2);
    progress.dispatch({0, 0});
    progress.dispatch({0, 1});
    CHECK(predicted_seconds(progress).size() == 1);
}

TEST_CASE("a short allocation keeps a tenth of itself for the results") {
    const Allocation minute(0, 60);
    CHECK(minute.usable_s() == 54);
    CHECK(minute.judge(49, {5}) == AllocationVerdict::go_on);
    CHECK(minute.judge(49.5, {5}) == AllocationVerdict::drain);
}
