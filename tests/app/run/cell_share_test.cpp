#include "app/run/cell_share.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

Plan plan_of_cells(std::uint32_t count) {
    Plan plan;
    for (std::uint32_t i = 0; i < count; ++i) {
        plan.cells.push_back(tests::open_cell(i, 2, 2));
    }
    return plan;
}

using Cells = std::vector<bool>;

}  // namespace

TEST_CASE("cells that decide themselves are dealt out in turn") {
    const Plan plan = plan_of_cells(5);
    CHECK(cells_of_share(plan, {0, 1}) == Cells{true, true, true, true, true});
    CHECK(cells_of_share(plan, {0, 2}) == Cells{true, false, true, false, true});
    CHECK(cells_of_share(plan, {1, 2}) == Cells{false, true, false, true, false});
    CHECK(cells_of_share(plan, {6, 7}) == Cells{false, false, false, false, false});
}

TEST_CASE("cells that are decided together stay together") {
    Plan plan = plan_of_cells(6);
    SelectionPlan selection;
    selection.groups = {{"a", {0, 3}}, {"b", {1, 4}}};
    plan.selection = selection;
    plan.cells[2].placed_load = PlacedLoad{0.5, 5};
    // The sets {0, 3}, {1, 4} and {2, 5}.
    CHECK(cells_of_share(plan, {0, 3}) == Cells{true, false, false, true, false, false});
    CHECK(cells_of_share(plan, {1, 3}) == Cells{false, true, false, false, true, false});
    CHECK(cells_of_share(plan, {2, 3}) == Cells{false, false, true, false, false, true});
    CHECK(cells_of_share(plan, {0, 2}) == Cells{true, false, true, true, false, true});
}

TEST_CASE("a comparison without a precision does not tie its cells") {
    Plan plan = plan_of_cells(2);
    ComparisonPlan comparison;
    comparison.groups = {{"a", {0, 1}}};
    plan.comparison = comparison;
    CHECK(cells_of_share(plan, {0, 2}) == Cells{true, false});
    plan.comparison->target = engine::PrecisionTarget{};
    CHECK(cells_of_share(plan, {0, 2}) == Cells{true, true});
}

TEST_CASE("a share is known by the cells that were begun") {
    Plan plan = plan_of_cells(6);
    const auto text = [&](const std::vector<std::uint64_t>& begun) {
        const auto share = share_begun(plan, begun);
        return share ? std::to_string(share->index + 1) + "/" + std::to_string(share->count) : "";
    };
    CHECK(text({3, 0, 0, 2, 0, 0}) == "1/3");  // cells 0 and 3
    CHECK(text({0, 1, 0, 7, 0, 1}) == "2/2");  // cells 1, 3 and 5
    CHECK(text({0, 0, 0, 0, 0, 2}) == "6/6");
    CHECK(text({1, 2, 1, 1, 1, 1}).empty());  // all
    CHECK(text({1, 0, 1, 0, 1, 0}).empty());  // cell 1 may be next
    CHECK(text({2, 2, 0, 0, 0, 0}).empty());  // none is that of cells 0 and 1
    CHECK(text({0, 0, 0, 0, 0, 0}).empty());
    // Cells 2 and 5 go together and 2 waits for its load: the sets are 0, 1, {2, 5}, 3, 4.
    plan.cells[2].placed_load = PlacedLoad{0.5, 5};
    CHECK(text({0, 0, 0, 0, 0, 4}) == "3/3");
    CHECK(text({3, 0, 0, 0, 2, 4}) == "1/2");
}

TEST_CASE("a progress dispatches the cells of its share only") {
    const Plan plan = plan_of_cells(3);
    CampaignProgress progress(plan, {1, 2});
    const auto tasks = tests::run_made_up(
        progress,
        [](const ReplicationTask&) {
            engine::Observations observations;
            observations.values = {0.0, 1.0};
            return observations;
        },
        1,
        1
    );
    CHECK(progress.finished());
    CHECK(tasks.size() == 2);
    CHECK(std::all_of(tasks.begin(), tasks.end(), [](const ReplicationTask& task) {
        return task.id.cell == 1;
    }));
}
