// The borders of the rules over several cells and of the search for a load, on numbers made up.
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "app/campaign/plan/lengthening.hpp"
#include "app/run/rules/load_search_rule.hpp"
#include "app/run/rules/selection_rule.hpp"

#include "tests/app/measuring.hpp"
#include "tests/app/run/made_up_campaign.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

engine::Observations observed(double drift, double response) {
    engine::Observations observations;
    observations.values = {drift, response};
    return observations;
}

/// A backlog that has changed by so much in so much time.
engine::Observations watched(double change, double time) {
    engine::Observations observations;
    observations.values = {change, time, 1};
    return observations;
}

engine::Observations cut_short(std::size_t columns = 2) {
    engine::Observations observations;
    observations.values.assign(columns, std::nan(""));
    observations.overflow = engine::QueueOverflow{5, 7};
    return observations;
}

/// Two cells that are compared in their response time.
Plan compared(const engine::PrecisionTarget& target, std::uint64_t max) {
    Plan plan;
    plan.cells = {open_cell(0, 16, max), open_cell(1, 16, max)};
    ComparisonPlan comparison;
    comparison.metric = "response_time.mean";
    comparison.target = target;
    comparison.groups = {{"all", {0, 1}}};
    plan.comparison = comparison;
    return plan;
}

using Decision = std::pair<CellEnd, std::uint64_t>;

std::vector<Decision> decided(const Plan& plan, const MadeUpOutcome& outcome) {
    CampaignProgress progress(plan);
    run_made_up(progress, outcome, 3, 1);
    std::vector<Decision> decisions;
    for (const auto& cell : progress.cells()) {
        decisions.emplace_back(cell->decision().end, cell->decision().n);
    }
    return decisions;
}

/// A search with four replications a round; the criterion is 0.1 more or less than `mean` in turn.
Plan searching(LoadSearch search) {
    Plan plan;
    plan.cells = {open_cell(0, 4, 4000)};
    plan.cells[0].utilization.reset();
    plan.cells[0].measures = tests::measuring(
        {{"backlog_change", "time", ""},
         {"backlog_time", "time", ""},
         {"response_time.mean", "time", ""}}
    );
    search.round = 4;
    plan.cells[0].load_search = std::make_shared<const LoadSearch>(search);
    return plan;
}

}  // namespace

TEST_CASE("a difference must be small against the second cell or against the absolute target") {
    const MadeUpOutcome outcome = [](const ReplicationTask& task) {
        const double mean = task.id.cell == 0 ? 1 : 10;
        return observed(0, mean + 0.5 * noise(task.id.cell, task.id.replication));
    };
    // 0.1 / 1.1 · 10 = 0.909; the half-width at 16 is about t(15) · 0.5 · sqrt 2 / 4 = 0.38.
    engine::PrecisionTarget target;
    target.relative = 0.1;
    const std::vector<Decision> at_once(2, Decision{CellEnd::met, 16});
    CHECK(decided(compared(target, 64), outcome) == at_once);
    target.relative = 0.001;
    CHECK(decided(compared(target, 64), outcome)[0].first == CellEnd::cap);
    target.absolute = 2;
    CHECK(decided(compared(target, 64), outcome) == at_once);
}

TEST_CASE("at the cap a compared cell ends with what it has, whatever the others have") {
    engine::PrecisionTarget target;
    target.absolute = 100;
    Plan plan = compared(target, 32);
    plan.cells[0].replications.targets = {response_target(0.05)};
    plan.cells[1].replications.targets = {response_target(0.05)};
    const auto decisions = decided(plan, [](const ReplicationTask& task) {
        const double deviation = task.id.cell == 0 ? 0.01 : 8;
        return observed(0, 10 + deviation * noise(task.id.cell, task.id.replication));
    });
    CHECK(decisions[0] == Decision{CellEnd::met, 32});
    CHECK(decisions[1] == Decision{CellEnd::cap, 32});
}

TEST_CASE("a cell whose queue passed its limit leaves the comparison and the other goes on") {
    engine::PrecisionTarget target;
    target.absolute = 1e-9;  // never met, but there is nothing to compare with any more
    Plan plan = compared(target, 64);
    plan.cells[0].replications.targets = {response_target(0.5)};
    const auto decisions = decided(plan, [](const ReplicationTask& task) {
        return task.id.cell == 1 && task.id.replication == 5
                   ? cut_short()
                   : observed(0, 10 + noise(task.id.cell, task.id.replication));
    });
    CHECK(decisions[0] == Decision{CellEnd::met, 16});
    CHECK(decisions[1] == Decision{CellEnd::unstable, 6});
}

TEST_CASE("a load that cannot be told from the root gives no answer") {
    LoadSearch search;
    search.most_rounds = 13;
    const Plan plan = searching(search);
    CampaignProgress progress(plan);
    run_made_up(
        progress,
        [](const ReplicationTask& task) {
            return watched(0.02 + (task.id.replication % 2 == 0 ? 0.1 : -0.1), 2);
        },
        1,
        1
    );
    // Six rounds of four: 24 changes 0.12 and −0.08, of which the mean has a t of 0.959. Then the
    // patience is at an end, and the 13th round is the last.
    const std::vector<SearchStep>& steps = progress.search(0)->steps();
    REQUIRE(steps.size() == 3);
    CHECK(steps[0].replications == 24);
    CHECK(steps[0].observed == doctest::Approx(0.01));  // per unit of time
    CHECK_FALSE(steps[0].side);
    CHECK(steps[0].reliability == 0.5);
    CHECK(steps[0].median == steps[0].utilization);  // the density is as it was
    CHECK(steps[1].first_replication == 24);
    CHECK(std::abs(steps[1].utilization - steps[0].utilization) == doctest::Approx(0.0045));
    CHECK(steps[2].replications == 4);
    CHECK(progress.cells()[0]->decision().end == CellEnd::cap);
    CHECK(progress.cells()[0]->decision().n == 13 * 4);
    // No line through so little: the density is what is known.
    const LoadSearchRule::Found found = progress.search(0)->found();
    CHECK(found.load == steps[2].median);
    CHECK(found.interval == steps[2].interval);
    CHECK_FALSE(found.standard_error);
}

TEST_CASE("patience doubles on both sides of the root") {
    LoadSearch search;
    search.most_rounds = 6 + 6 + 12 + 24;
    const Plan plan = searching(search);
    CampaignProgress progress(plan);
    run_made_up(
        progress,
        [](const ReplicationTask& task) {
            return watched(task.id.replication % 2 == 0 ? 1 : -1, 1);
        },
        1,
        1
    );
    std::vector<std::uint64_t> rounds;
    for (const SearchStep& step : progress.search(0)->steps()) {
        rounds.push_back(step.replications / 4);
    }
    CHECK(rounds == std::vector<std::uint64_t>{6, 6, 12, 24});
}

TEST_CASE("a search that reads its results in any order answers as it did") {
    const Plan plan = searching({});
    CampaignProgress first(plan);
    const MadeUpOutcome outcome = [](const ReplicationTask& task) {
        return watched(*task.utilization - 0.7 + 0.01 * noise(0, task.id.replication), 1);
    };
    const std::vector<ReplicationTask> tasks = run_made_up(first, outcome, 1, 1);
    REQUIRE(first.search(0)->steps().size() > 2);
    CampaignProgress again(plan);
    for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) {
        engine::TaskResult result;
        result.id = task->id.task_id();
        result.payload = encode(outcome(*task));
        again.take(result);
    }
    REQUIRE(again.search(0)->steps().size() == first.search(0)->steps().size());
    for (std::size_t i = 0; i < first.search(0)->steps().size(); ++i) {
        const SearchStep& expected = first.search(0)->steps()[i];
        const SearchStep& step = again.search(0)->steps()[i];
        CHECK(step.first_replication == expected.first_replication);
        CHECK(step.observed == expected.observed);
        CHECK(step.median == expected.median);
    }
    CHECK(again.cells()[0]->decision().n == first.cells()[0]->decision().n);
}

TEST_CASE("cells that are compared run ahead as far as the most demanding of them needs") {
    engine::PrecisionTarget target;
    target.absolute = 100;
    Plan plan = compared(target, 100000);
    plan.cells[0].replications.targets = {response_target(0.001)};
    plan.cells[1].replications.targets = {response_target(0.5)};
    CampaignProgress progress(plan);
    for (int i = 0; i < 2 * 16; ++i) {
        const auto task = progress.next();
        REQUIRE(task);
        engine::TaskResult result;
        result.id = task->id.task_id();
        result.payload = encode(observed(0, 10 + noise(task->id.cell, task->id.replication)));
        progress.take(result);
    }
    CHECK(progress.cells()[0]->predicted() > 1000);
    CHECK(progress.cells()[1]->predicted() == progress.cells()[0]->predicted());
}

TEST_CASE("a queue that passes its limit counts as a response time of twice the threshold") {
    LoadSearch search;
    search.criterion = SearchCriterion::response_time;
    search.threshold = 30;
    search.most_rounds = 6;
    const Plan plan = searching(search);
    CampaignProgress progress(plan);
    run_made_up(
        progress, [](const ReplicationTask&) { return cut_short(3); }, 1, 1
    );
    REQUIRE_FALSE(progress.search(0)->steps().empty());
    CHECK(progress.search(0)->steps()[0].observed == 0.5);  // 30 more of 60
    CHECK(progress.search(0)->steps()[0].side == engine::RootSide::below);
}

/// A queue of mean response time 1 / (1 − load) that is searched for by it, with 1,000 jobs, of
/// which an empty start takes a tenth at the first horizon and nothing later.
engine::Observations from_empty(const ReplicationTask& task, bool is_longer) {
    const double mean = 1 / (1 - *task.utilization);
    const double shown = mean * (is_longer ? 1 : 0.9) * (1 + 0.1 * noise(0, task.id.replication));
    engine::Observations observations;
    observations.values = {0, 0, shown, is_longer ? shown : shown / 2, shown, shown};
    return observations;
}

Plan searching_from_empty(double high = 0.98) {
    LoadSearch search;
    search.criterion = SearchCriterion::response_time;
    search.threshold = 10;
    search.low = 0.5;
    search.high = high;
    search.width = 0.02;
    Plan plan = searching(search);
    plan.cells[0].experiment.horizon = {.jobs = 1000, .warm_up_jobs = 200};
    plan.cells[0].measures = tests::measuring(
        {{"backlog_change", "time", ""},
         {"backlog_time", "time", ""},
         {"response_time.mean", "time", ""},
         {"wait.warm_up", "time", ""},
         {"wait.first_half", "time", ""},
         {"wait.second_half", "time", ""}}
    );
    return plan;
}

TEST_CASE("a search whose start may move the load ends as not stationary at a given horizon") {
    const Plan plan = searching_from_empty();
    CampaignProgress progress(plan);
    run_made_up(
        progress, [](const auto& task) { return from_empty(task, false); }, 3, 1
    );
    CHECK(progress.cells()[0]->decision().end == CellEnd::not_stationary);
    const LoadSearchRule& search = *progress.search(0);
    CHECK(search.gate() == GateAnswer::start);
    CHECK(search.found().load.value() > 0.905);  // 0.9 / (1 − load) = 10 at 0.91
    CampaignProgress warm(plan);
    run_made_up(
        warm, [](const auto& task) { return from_empty(task, true); }, 3, 1
    );
    CHECK(warm.cells()[0]->decision().end == CellEnd::met);
    CHECK(warm.search(0)->gate() == GateAnswer::passed);
}

TEST_CASE("a search whose horizon grows begins anew, and knows the loads of all horizons") {
    Plan plan = searching_from_empty();
    plan.cells[0].lengthening =
        std::make_shared<const Lengthening>(Lengthening{plan.cells[0].experiment.horizon, true});
    CampaignProgress progress(plan);
    std::vector<ReplicationTask> tasks;
    run_made_up(
        progress,
        [&tasks](const ReplicationTask& task) {
            tasks.push_back(task);
            return from_empty(task, task.id.replication >= 1'000'000);
        },
        3,
        1
    );
    const CellProgress& cell = *progress.cells()[0];
    const LoadSearchRule& search = *progress.search(0);
    CHECK(cell.decision().end == CellEnd::met);
    CHECK(cell.level() > 0);
    CHECK(search.found().interval.contains(0.9));
    CHECK(search.steps().front().first_replication == 0);
    for (const ReplicationTask& task : tasks) {
        CHECK(search.utilization(task.id.replication) == *task.utilization);
    }
    CHECK(tasks.front().id.replication < 1'000'000);
}

TEST_CASE("runs that stay below the threshold for their start alone are not beyond the bounds") {
    const Plan plan = searching_from_empty(0.88);  // 0.9 / (1 − 0.9) = 9 at the end that is visited
    CampaignProgress progress(plan);
    run_made_up(
        progress, [](const auto& task) { return from_empty(task, false); }, 3, 1
    );
    CHECK(progress.cells()[0]->decision().end == CellEnd::not_stationary);
    CampaignProgress warm(plan);
    run_made_up(
        warm,
        [](const ReplicationTask& task) {
            engine::Observations observations = from_empty(task, true);
            observations.values[2] *= 0.8;
            return observations;
        },
        3,
        1
    );
    CHECK(warm.cells()[0]->decision().end == CellEnd::not_bracketed);
}

TEST_CASE("a system that passes its queue limit is eliminated, and the rest is decided") {
    // Means 5 and 3, and 2.8 in a system whose queue passes its limit in replication 20.
    Plan plan;
    plan.cells = {open_cell(0, 16, 400), open_cell(1, 16, 400), open_cell(2, 16, 400)};
    SelectionPlan selection;
    selection.metric = "response_time.mean";
    selection.settings = {.indifference = 0.1, .first_stage = 16, .round = 16, .max = 400};
    selection.groups = {{"all", {0, 1, 2}}};
    plan.selection = selection;
    for (const std::uint32_t overflow : {3U, 20U}) {
        for (const std::size_t workers : {1U, 7U}) {
            CampaignProgress progress(plan);
            run_made_up(
                progress,
                [overflow](const ReplicationTask& task) {
                    const double mean[] = {5, 3, 2.8};
                    if (task.id.cell == 2 && task.id.replication == overflow) {
                        return cut_short();
                    }
                    const double shown = mean[task.id.cell] + 2 * noise(0, task.id.replication)
                                         + 2 * noise(task.id.cell, task.id.replication);
                    return observed(0, shown);
                },
                workers,
                1
            );
            const auto end_of = [&progress](std::size_t i) {
                return progress.cells()[i]->decision().end;
            };
            CHECK(end_of(0) == CellEnd::eliminated);
            CHECK(end_of(1) == CellEnd::selected);
            CHECK(end_of(2) == CellEnd::unstable);
            CHECK(progress.cells()[2]->decision().n == overflow + 1);
            CHECK(progress.selections()[0]->decision().selected == 1);
        }
    }
}

TEST_CASE("a queue that passes its limit has grown to it from its start") {
    Plan plan = searching({});
    LoadSearch search = *plan.cells[0].load_search;
    search.low = 0.4;
    search.high = 1;
    search.most_rounds = 1;
    plan.cells[0].load_search = std::make_shared<const LoadSearch>(search);
    plan.cells[0].experiment.horizon.start_backlog = 3;
    plan.cells[0].experiment.horizon.queue_limit = 4;
    CampaignProgress progress(plan);
    run_made_up(
        progress, [](const ReplicationTask&) { return cut_short(3); }, 1, 1
    );
    // 4 jobs have come at a load of 0.7 in 5 units of time, of which 1 more waits.
    REQUIRE(progress.search(0)->steps().size() == 1);
    CHECK(progress.search(0)->steps()[0].observed == doctest::Approx(0.7 / 4));
    CHECK(progress.search(0)->steps()[0].side == engine::RootSide::below);
}
