#include "app/run/campaign_progress.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/statistics/selection/comparison.hpp"

#include "app/run/rules/cell_stability.hpp"
#include "app/run/rules/load_search_rule.hpp"
#include "app/run/rules/selection_rule.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/measuring.hpp"
#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

/// What ended every cell, and where: all that a run decides.
std::vector<std::pair<CellEnd, std::uint64_t>> decisions(const CampaignProgress& progress) {
    std::vector<std::pair<CellEnd, std::uint64_t>> all;
    for (const auto& cell : progress.cells()) {
        all.emplace_back(cell->decision().end, cell->decision().n);
    }
    return all;
}

/// The decisions of one worker, after checking that no other number and order decides otherwise.
std::vector<std::pair<CellEnd, std::uint64_t>> same_decisions(
    const Plan& plan, const MadeUpOutcome& outcome
) {
    CampaignProgress alone(plan);
    run_made_up(alone, outcome, 1, 1);
    REQUIRE(alone.finished());
    for (const std::size_t workers : {2U, 7U, 64U}) {
        for (unsigned seed = 0; seed < 4; ++seed) {
            CampaignProgress progress(plan);
            run_made_up(progress, outcome, workers, seed);
            CHECK(progress.finished());
            CHECK(decisions(progress) == decisions(alone));
        }
    }
    return decisions(alone);
}

CellGroup group_of(std::vector<std::uint32_t> cells) {
    return {"all", std::move(cells)};
}

engine::Observations response(double value) {
    engine::Observations observations;
    observations.values = {0.0, value};
    observations.jobs = 10;
    observations.events = 20;
    return observations;
}

}  // namespace

TEST_CASE("cells that are compared with a precision stop together when their difference is met") {
    Plan plan;
    plan.cells = {open_cell(0, 16, 100000), open_cell(1, 16, 100000)};
    ComparisonPlan comparison;
    comparison.metric = "response_time.mean";
    comparison.target = engine::PrecisionTarget{};
    comparison.target->absolute = 0.02;
    comparison.groups = {group_of({0, 1})};
    plan.comparison = comparison;
    // Common noise of deviation 1 and own noise of deviation 0.1: the difference has variance 0.02.
    const MadeUpOutcome outcome = [](const ReplicationTask& task) {
        const double common = noise(9, task.id.replication);
        const double own = noise(task.id.cell, task.id.replication);
        return response(10 + task.id.cell + common + 0.1 * own);
    };
    const auto decided = same_decisions(plan, outcome);
    CHECK(decided[0] == decided[1]);
    CHECK(decided[0].first == CellEnd::met);
    // (1.96 · sqrt 0.02 / 0.02)² is 192: the first checkpoint at which the half-width is below.
    const std::uint64_t n = decided[0].second;
    CHECK(n >= 150);
    CHECK(n <= 300);
    const auto half_width = [&](std::uint64_t count) {
        std::vector<double> a;
        std::vector<double> b;
        for (std::uint32_t i = 0; i < count; ++i) {
            a.push_back(outcome({{0, i}, {}}).values[1]);
            b.push_back(outcome({{1, i}, {}}).values[1]);
        }
        return engine::paired_difference(a, b, 0.95)->interval.half_width();
    };
    CHECK(half_width(n) <= 0.02);
    std::uint64_t before = 0;
    const engine::ReplicationLimits limits{16, 100000};
    for (std::uint64_t next = 16; next < n; next = engine::next_checkpoint(next, limits)) {
        before = next;
    }
    CHECK(half_width(before) > 0.02);
}

TEST_CASE("a compared cell waits for the targets of the others of its group") {
    Plan plan;
    plan.cells = {open_cell(0, 16, 5000), open_cell(1, 16, 5000)};
    plan.cells[0].replications.targets = {response_target(0.05)};
    plan.cells[1].replications.targets = {response_target(0.05)};
    ComparisonPlan comparison;
    comparison.metric = "response_time.mean";
    comparison.target = engine::PrecisionTarget{};
    comparison.target->absolute = 100;
    comparison.groups = {group_of({0, 1})};
    plan.comparison = comparison;
    const auto decided = same_decisions(plan, [](const ReplicationTask& task) {
        const double deviation = task.id.cell == 0 ? 0.01 : 8;
        return response(10 + deviation * noise(task.id.cell, task.id.replication));
    });
    CHECK(decided[0] == decided[1]);
    CHECK(decided[0].second > 500);  // (1.96 · 8 / (10 · .05 / 1.05))² = 1084
}

/// As noise around 10, but that replication 3 of cell 0 has no value.
engine::Observations lacking_one(const ReplicationTask& task) {
    const bool lacks = task.id.cell == 0 && task.id.replication == 3;
    return response(
        lacks ? std::nan("") : 10 + task.id.cell + noise(task.id.cell, task.id.replication)
    );
}

TEST_CASE("a compared cell that lacks a value ends and the others are compared without it") {
    Plan plan;
    plan.cells = {open_cell(0, 16, 5000), open_cell(1, 16, 5000), open_cell(2, 16, 5000)};
    for (Cell& cell : plan.cells) {
        cell.replications.targets = {response_target(0.05)};
    }
    ComparisonPlan comparison;
    comparison.metric = "response_time.mean";
    comparison.target = engine::PrecisionTarget{};
    comparison.target->absolute = 0.1;
    comparison.groups = {group_of({0, 1, 2})};
    plan.comparison = comparison;
    const auto decided = same_decisions(plan, lacking_one);
    CHECK(decided[0] == std::pair{CellEnd::missing, std::uint64_t{16}});
    CHECK(decided[1].first == CellEnd::met);
    CHECK(decided[1] == decided[2]);
    CHECK(decided[1].second > 500);  // (1.96 · sqrt(2) / .1)² = 768
}

TEST_CASE("among cells of which one lacks a value nothing is selected") {
    Plan plan;
    plan.cells = {open_cell(0, 20, 100000), open_cell(1, 20, 100000)};
    SelectionPlan selection;
    selection.metric = "response_time.mean";
    selection.settings.indifference = 0.2;
    selection.settings.first_stage = 20;
    selection.settings.round = 8;
    selection.groups = {group_of({0, 1})};
    plan.selection = selection;
    const auto decided = same_decisions(plan, lacking_one);
    CHECK(decided[0] == std::pair{CellEnd::missing, std::uint64_t{20}});
    CHECK(decided[1].first == CellEnd::missing);
}

TEST_CASE("a selection eliminates the worse and selects the best with any number of workers") {
    Plan plan;
    plan.cells = {open_cell(0, 2, 2), open_cell(1, 2, 2), open_cell(2, 2, 2)};
    SelectionPlan selection;
    selection.metric = "response_time.mean";
    selection.settings.indifference = 0.2;
    selection.settings.first_stage = 20;
    selection.settings.round = 8;
    selection.groups = {group_of({0, 1, 2})};
    plan.selection = selection;
    for (Cell& cell : plan.cells) {
        cell.replications.limits = {20, 100000};
    }
    const auto decided = same_decisions(plan, [](const ReplicationTask& task) {
        constexpr std::array<double, 3> means = {5, 4, 8};
        return response(means[task.id.cell] + noise(task.id.cell, task.id.replication));
    });
    CHECK(decided[0].first == CellEnd::eliminated);
    CHECK(decided[1].first == CellEnd::selected);
    CHECK(decided[2].first == CellEnd::eliminated);
    CHECK(decided[2].second <= decided[0].second);
}

TEST_CASE("cells that equal the best to the bit are selected with it") {
    Plan plan;
    plan.cells = {open_cell(0, 2, 2), open_cell(1, 2, 2), open_cell(2, 2, 2)};
    SelectionPlan selection;
    selection.metric = "response_time.mean";
    selection.settings.indifference = 0.2;
    selection.settings.first_stage = 20;
    selection.settings.round = 8;
    selection.groups = {group_of({0, 1, 2})};
    plan.selection = selection;
    for (Cell& cell : plan.cells) {
        cell.replications.limits = {20, 100000};
    }
    const auto decided = same_decisions(plan, [](const ReplicationTask& task) {
        return response((task.id.cell == 1 ? 8 : 4) + noise(0, task.id.replication));
    });
    CHECK(decided[0].first == CellEnd::selected);
    CHECK(decided[1].first == CellEnd::eliminated);
    CHECK(decided[2].first == CellEnd::selected);
}

TEST_CASE("a search finds the load at which the drift changes its sign") {
    Plan plan;
    plan.cells = {open_cell(0, 16, 6400)};
    plan.cells[0].utilization.reset();
    LoadSearch search;
    search.low = 0.3;
    search.high = 1;
    search.width = 0.02;
    plan.cells[0].load_search = std::make_shared<const LoadSearch>(search);
    plan.cells[0].measures =
        tests::measuring({{"backlog_change", "time", ""}, {"backlog_time", "time", ""}});
    const MadeUpOutcome outcome = [](const ReplicationTask& task) {
        engine::Observations observations;
        const double drift = *task.utilization - 0.7;
        observations.values = {drift + 0.05 * noise(0, task.id.replication), 1.0};
        return observations;
    };
    const auto decided = same_decisions(plan, outcome);
    CHECK(decided[0].first == CellEnd::met);
    CampaignProgress progress(plan);
    const auto tasks = run_made_up(progress, outcome, 5, 3);
    const LoadSearchRule& rule = *progress.search(0);
    const LoadSearchRule::Found found = rule.found();
    REQUIRE(found.load);
    CHECK(std::abs(*found.load - 0.7) < 4 * *found.standard_error);
    CHECK(found.interval.upper - found.interval.lower <= 0.02);
    REQUIRE(rule.steps().size() >= 3);
    CHECK(rule.steps()[0].utilization == doctest::Approx(0.65));
    CHECK(rule.steps()[0].side == engine::RootSide::above);
    for (const ReplicationTask& task : tasks) {  // every task runs at the load of its round
        CHECK(task.utilization == rule.utilization(task.id.replication));
    }
}

TEST_CASE("a load is placed when the pilot has estimated the saturation point") {
    Plan plan;
    plan.cells = {open_cell(0, 8, 8), open_cell(1, 8, 8), open_cell(2, 16, 16)};
    plan.cells[0].placed_load = PlacedLoad{0.5, 2};
    plan.cells[1].placed_load = PlacedLoad{0.9, 2};
    plan.cells[0].utilization.reset();
    plan.cells[1].utilization.reset();
    Cell& pilot = plan.cells[2];
    pilot.is_pilot = true;
    pilot.utilization.reset();
    pilot.experiment.kind = engine::ExperimentKind::saturated;
    pilot.measures = tests::measuring({{"busy_area", "", ""}, {"capacity_area", "", ""}});
    const MadeUpOutcome outcome = [](const ReplicationTask& task) {
        engine::Observations observations = response(1);
        if (task.id.cell == 2) {
            observations.values = {task.id.replication % 2 == 0 ? 7.0 : 8.0, 10.0};
        }
        return observations;
    };
    for (const std::size_t workers : {1U, 5U}) {
        CampaignProgress progress(plan);
        const auto tasks = run_made_up(progress, outcome, workers, 4);
        CHECK(progress.finished());
        CHECK(tasks.size() == 32);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            CHECK((i < 16) == (tasks[i].id.cell == 2));  // nothing before the pilot is decided
        }
        CHECK(tasks[16].utilization.has_value());
        CHECK(progress.cells()[0]->utilization() == 0.375);  // 0.5 · 0.75
        CHECK(progress.cells()[1]->utilization() == 0.675);
    }
}

TEST_CASE("a failed pilot ends the campaign with its cells waiting") {
    Plan plan;
    plan.cells = {open_cell(0, 8, 8), open_cell(1, 4, 4)};
    plan.cells[0].placed_load = PlacedLoad{0.5, 1};
    plan.cells[0].utilization.reset();
    plan.cells[1].is_pilot = true;
    CampaignProgress progress(plan);
    while (const auto task = progress.next()) {
        CHECK_FALSE(progress.finished());
        engine::TaskResult result;
        result.id = task->id.task_id();
        result.status = engine::TaskStatus::failed;
        result.message = "deliberate";
        progress.take(result);
    }
    CHECK(progress.finished());
    CHECK(summarize(*progress.cells()[0]).status == "provisional");
    CHECK(summarize(*progress.cells()[1]).status == "incomplete");
}

TEST_CASE("a cell whose queue passes its limit ends as unstable at that replication") {
    Plan plan;
    plan.cells = {open_cell(0, 50, 5000)};
    plan.cells[0].replications.targets = {response_target(0.0001)};
    const auto outcome = [](const ReplicationTask& task) {
        engine::Observations observations = response(10 + noise(0, task.id.replication));
        if (task.id.replication == 23 || task.id.replication == 31) {
            observations.overflow = engine::QueueOverflow{5, 7};
            observations.values = {std::nan(""), std::nan("")};
        }
        return observations;
    };
    CHECK(same_decisions(plan, outcome)[0] == std::pair{CellEnd::unstable, std::uint64_t{24}});
    CampaignProgress progress(plan);
    run_made_up(progress, outcome, 3, 5);
    const CellSummary summary = summarize(*progress.cells()[0]);
    CHECK(summary.status == "unstable");
    const CellStability stability = stability_of(*progress.cells()[0], summary.used);
    CHECK(stability.overflow_replication == 23);
    CHECK(stability.overflow->jobs_submitted == 7);
}

TEST_CASE("a budget that comes before the target ends a cell as not met") {
    const auto end_of = [](const Budget& budget) {
        Plan plan;
        plan.cells = {open_cell(0, 10, 5000)};
        plan.cells[0].replications.targets = {response_target(0.0001)};
        plan.cells[0].replications.budget = budget;
        const auto decided = same_decisions(plan, [](const ReplicationTask& task) {
            return response(10 + noise(0, task.id.replication));
        });
        CampaignProgress progress(plan);
        run_made_up(
            progress,
            [](const ReplicationTask& task) {
                return response(10 + noise(0, task.id.replication));
            },
            1,
            1
        );
        CHECK(summarize(*progress.cells()[0]).status == "not_met_budget");
        CHECK(summarize(*progress.cells()[0]).most_demanding == "response_time.mean");
        return decided[0];
    };
    Budget replications;
    replications.replications = 37;
    CHECK(end_of(replications) == std::pair{CellEnd::budget, std::uint64_t{37}});
    Budget jobs;
    jobs.jobs = 405;  // 10 jobs each: 40 replications
    CHECK(end_of(jobs) == std::pair{CellEnd::budget, std::uint64_t{40}});
    Budget events;
    events.events = 300;  // 20 each; checkpoints 10, 12, 15, 18: at 15 the next would cost 360
    CHECK(end_of(events) == std::pair{CellEnd::budget, std::uint64_t{15}});
}

TEST_CASE("a budget in core-hours makes the cell provisional") {
    Plan plan;
    plan.cells = {open_cell(0, 10, 5000)};
    plan.cells[0].replications.targets = {response_target(0.0001)};
    plan.cells[0].replications.budget.core_hours = 1.0 / 3600;  // a second
    CampaignProgress progress(plan);
    while (const auto task = progress.next()) {
        engine::TaskResult result;
        result.id = task->id.task_id();
        result.seconds = 0.06;  // 15 · 0.06 = 0.9 s; 18 · 0.06 = 1.08 s
        result.payload = encode(response(10 + noise(0, task->id.replication)));
        progress.take(result);
    }
    CHECK(progress.finished());
    CHECK(progress.cells()[0]->decision().n == 18);
    CHECK(summarize(*progress.cells()[0]).status == "provisional");
}

TEST_CASE("a task and an outcome survive the way through bytes") {
    const ReplicationTask task{{3, 17}, 0.125};
    const ReplicationTask read = decode_task(encode(task));
    CHECK(read.id.cell == 3);
    CHECK(read.id.replication == 17);
    CHECK(read.utilization == 0.125);
    CHECK_FALSE(decode_task(encode(ReplicationTask{{3, 17}, {}})).utilization.has_value());
    engine::Observations observations = response(2.5);
    observations.fingerprint = 77;
    observations.overflow = engine::QueueOverflow{1.5, 12};
    observations.series = {1, 2, 3};
    observations.sketches = {{{-3, 5}, {7, 1}}, {}};
    CHECK(decode_observations(encode(observations)) == observations);
    engine::Bytes cut = encode(observations);
    cut.pop_back();
    CHECK_THROWS(decode_observations(cut));
    cut = encode(observations);
    cut.push_back(std::byte{0});
    CHECK_THROWS(decode_observations(cut));
}
