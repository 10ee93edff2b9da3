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

TEST_CASE("a share is written from 1, and nothing stands for all cells") {
    CHECK(share_of_text("2/4") == CellShare{1, 4});
    CHECK(share_of_text("1/1") == CellShare{});
    for (const char* text : {"", "2", "0/4", "5/4", "1/x", "/2", "1/", "1/4294967296"}) {
        CAPTURE(text);
        CHECK(share_of_text(text) == std::nullopt);
    }
    CHECK(text_of({1, 4}) == "2/4");
    CHECK(text_of({}).empty());
}

TEST_CASE("a journal says of which cells it is") {
    engine::JournalContent content;
    CHECK(share_in(content) == CellShare{});
    content.share = "3/3";
    CHECK(share_in(content) == CellShare{2, 3});
    content.share = "4/3";
    CHECK_THROWS_AS(share_in(content), engine::JournalError);
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
