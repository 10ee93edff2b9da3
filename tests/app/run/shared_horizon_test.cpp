// Cells that are compared, or among which the best is selected, at the horizon that the program
// finds.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/run/cell_share.hpp"
#include "app/run/rules/cell_stability.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/measuring.hpp"
#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

/// 30 replications of 1000 jobs, of which 200 are warm-up.
Cell growing(std::uint32_t index) {
    Cell cell = open_cell(index, 30, 30);
    cell.experiment.horizon = {.jobs = 1000, .warm_up_jobs = 200};
    cell.lengthening =
        std::make_shared<const Lengthening>(Lengthening{cell.experiment.horizon, true});
    cell.measures = tests::measuring(
        {{"backlog_growth", "1", ""},
         {"wait.warm_up", "time", ""},
         {"wait.first_half", "time", ""},
         {"wait.second_half", "time", ""},
         {"response_time.mean", "time", ""}}
    );
    return cell;
}

/// The start of cell 2 alone shows, in replications of fewer than 16,000 jobs; it is the worst, but
/// its short replications look best.
engine::Observations outcome(const ReplicationTask& task) {
    const std::uint32_t level = task.id.replication / 1'000'000;
    const bool is_short = task.id.cell == 2 && level < 4;
    const double scatter = 0.05 * noise(0, task.id.replication);
    const double mean = is_short ? 1 : 5 + 0.5 * task.id.cell;
    engine::Observations observations;
    observations.values = {
        0, (is_short ? 0.4 : 1) * (mean + scatter), mean + scatter, mean + scatter, mean + scatter};
    observations.events = 1;
    observations.jobs = std::uint64_t{1000} << level;
    return observations;
}

/// The start of cell 1 shows a little, in the shortest replications alone: it wants fewer levels.
engine::Observations two_short_ones(const ReplicationTask& task) {
    engine::Observations observations = outcome(task);
    if (task.id.cell == 1 && task.id.replication < 1'000'000) {
        observations.values[1] *= 0.8;
    }
    return observations;
}

Plan of_three(std::vector<CellGroup>& groups) {
    Plan plan;
    plan.cells = {growing(0), growing(1), growing(2)};
    groups = {{"all", {0, 1, 2}}};
    return plan;
}

Plan compared(bool is_precise) {
    ComparisonPlan comparison;
    comparison.metric = "response_time.mean";
    if (is_precise) {
        comparison.target.emplace();
        comparison.target->absolute = 0.5;
    }
    Plan plan = of_three(comparison.groups);
    for (Cell& cell : plan.cells) {
        cell.replications.limits.max = is_precise ? 1000 : 30;
    }
    plan.comparison = comparison;
    return plan;
}

Plan selecting() {
    SelectionPlan selection;
    selection.metric = "response_time.mean";
    selection.settings.indifference = 0.5;
    selection.settings.first_stage = 10;
    selection.settings.max = 1000;
    Plan plan = of_three(selection.groups);
    for (Cell& cell : plan.cells) {
        cell.replications.limits.max = 1000;
    }
    plan.selection = selection;
    return plan;
}

std::vector<Plan> all_plans() {
    return {compared(false), compared(true), selecting()};
}

/// By cell: level, replications used, status.
std::vector<std::string> ends(const CampaignProgress& progress) {
    std::vector<std::string> found;
    for (const auto& cell : progress.cells()) {
        const CellSummary summary = summarize(*cell);
        found.push_back(
            std::to_string(cell->level()) + " " + std::to_string(summary.used) + " "
            + std::string(summary.status)
        );
    }
    return found;
}

}  // namespace

TEST_CASE("cells that are compared share the longest horizon that any of them needs") {
    for (const Plan& plan : all_plans()) {
        CampaignProgress progress(plan);
        run_made_up(progress, outcome, 1, 1);
        CHECK(progress.finished());
        for (const auto& cell : progress.cells()) {
            CHECK(cell->level() == 4);
            CHECK(cell->cell().experiment.horizon.jobs == 16'000);
            CHECK(stability_of(*cell, cell->used()).verdict == engine::StabilityVerdict::stable);
        }
    }
}

TEST_CASE("without a comparison each cell keeps the horizon that it needs itself") {
    Plan plan = compared(false);
    plan.comparison.reset();
    CampaignProgress progress(plan);
    run_made_up(progress, outcome, 2, 1);
    CHECK(ends(progress) == std::vector<std::string>{"0 30 fixed", "0 30 fixed", "4 30 fixed"});
}

TEST_CASE("the best is selected among replications that are long enough") {
    const Plan plan = selecting();
    CampaignProgress progress(plan);
    run_made_up(progress, outcome, 3, 1);
    CHECK(summarize(*progress.cells()[0]).status == "selected");
}

TEST_CASE("a shared horizon depends on neither workers nor order nor resumption") {
    for (const Plan& plan : all_plans()) {
        CampaignProgress alone(plan);
        const std::vector<ReplicationTask> tasks = run_made_up(alone, outcome, 1, 1);
        for (const std::size_t workers : {2U, 7U, 64U}) {
            CampaignProgress progress(plan);
            run_made_up(progress, outcome, workers, static_cast<unsigned>(workers));
            CHECK(progress.finished());
            CHECK(ends(progress) == ends(alone));
        }
        CampaignProgress resumed(plan);
        for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) {
            engine::TaskResult result;
            result.id = task->id.task_id();
            result.payload = encode(outcome(*task));
            resumed.take(result);
        }
        CHECK(resumed.finished());
        CHECK(resumed.ready() == 0);
        CHECK(ends(resumed) == ends(alone));
    }
}

TEST_CASE("the longest horizon is that of the cell that wants most, whichever is computed first") {
    const Plan plan = compared(false);
    for (unsigned seed = 1; seed < 20; ++seed) {
        CampaignProgress progress(plan);
        run_made_up(progress, two_short_ones, 8, seed);
        CHECK(ends(progress) == std::vector<std::string>(3, "4 30 fixed"));
    }
}

TEST_CASE("a given horizon that is too short is not stationary, whatever decides the cells") {
    for (Plan plan : all_plans()) {
        for (Cell& cell : plan.cells) {
            cell.lengthening = {};
        }
        CampaignProgress progress(plan);
        run_made_up(progress, outcome, 2, 1);
        CHECK(progress.finished());
        const auto verdict = [&](std::size_t cell) {
            const CellProgress& own = *progress.cells()[cell];
            return stability_of(own, own.used()).verdict;
        };
        CHECK(verdict(0) == engine::StabilityVerdict::stable);
        CHECK(verdict(2) == engine::StabilityVerdict::not_stationary);
    }
}

TEST_CASE("cells that share a horizon stay in one share of the campaign") {
    const Plan plan = compared(false);
    const std::vector<bool> ours = cells_of_share(plan, {0, 2});
    CHECK(std::count(ours.begin(), ours.end(), true) == 3);
}
