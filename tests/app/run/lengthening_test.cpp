// Cells whose horizon the program finds.
#include "app/campaign/plan/lengthening.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "app/run/cell_progress.hpp"
#include "app/run/rules/lengthening_rule.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/measuring.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

/// Begins with 1000 jobs, of which 200 are warm-up; ± 5 % of the response time.
Cell growing_cell() {
    Cell cell;
    cell.workload = std::make_shared<const engine::Choice>(engine::Choice{"coallocation", {}});
    cell.experiment.kind = engine::ExperimentKind::open;
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
    cell.replications.limits = {30, 100000};
    engine::PrecisionTarget target;
    target.relative = 0.05;
    cell.replications.targets = {{"response_time.mean", target}};
    return cell;
}

/// A function of the index alone: at 1000 jobs the warm-up waits .4 times as long as the rest (some
/// 2 relaxation times), from `long_enough` on as long.
ReplicationOutcome outcome_at(std::uint32_t index, std::uint32_t long_enough) {
    const std::uint32_t level = index / 1'000'000;
    const double noise = 0.5 * ((index % 3) - 1.0);
    const double ratio = level >= long_enough ? 1 : 0.4;
    ReplicationOutcome outcome;
    outcome.observations = engine::Observations{
        {0, ratio * (5 + noise), 5 + noise, 5 + noise, 10 + level + noise},
        index,
        std::uint64_t{1000} << level};
    return outcome;
}

/// With `workers` in flight, answers in an order drawn from `seed`; the indices computed.
std::vector<std::uint32_t> run(
    CellProgress& progress, std::uint32_t long_enough, std::size_t workers = 1, unsigned seed = 1
) {
    std::mt19937 order(seed);
    std::vector<std::uint32_t> under_way;
    std::vector<std::uint32_t> computed;
    for (;;) {
        while (under_way.size() < workers) {
            const auto next = progress.next_replication();
            if (!next) {
                break;
            }
            under_way.push_back(*next);
        }
        if (under_way.empty()) {
            return computed;
        }
        std::swap(under_way[order() % under_way.size()], under_way.back());
        computed.push_back(under_way.back());
        under_way.pop_back();
        progress.accept(computed.back(), outcome_at(computed.back(), long_enough));
    }
}

}  // namespace

TEST_CASE("the index of a replication says its horizon") {
    const Cell cell = growing_cell();
    CHECK(level_of(cell, 999'999) == 0);
    CHECK(level_of(cell, 3'000'007) == 3);
    CHECK(position_in_level(cell, 3'000'007) == 7);
    CHECK(horizon_at(cell, 3).jobs == 8000);
    CHECK(horizon_at(cell, 3).warm_up_jobs == 1600);
    Cell one_warm_up = cell;
    one_warm_up.lengthening =
        std::make_shared<const Lengthening>(Lengthening{one_warm_up.lengthening->first, false});
    CHECK(horizon_at(one_warm_up, 3).warm_up_jobs == 200);
    Cell given = cell;
    given.lengthening = {};
    CHECK(level_of(given, 3'000'007) == 0);
    CHECK(position_in_level(given, 3'000'007) == 3'000'007);
    CHECK(horizon_at(given, 0).jobs == 1000);
}

TEST_CASE("a run too short begins anew with a longer horizon and keeps nothing in its estimate") {
    const Cell cell = growing_cell();
    CellProgress progress(cell);
    const std::vector<std::uint32_t> computed = run(progress, 4);
    REQUIRE(progress.finished());
    // The start surely shows at the first checkpoint; 2 relaxation times ask for 16 times as many.
    CHECK(progress.level() == 4);
    CHECK(progress.cell().experiment.horizon.jobs == 16'000);
    CHECK(
        std::count_if(computed.begin(), computed.end(), [](auto i) { return i < 1'000'000; }) == 30
    );
    const CellSummary summary = summarize(progress);
    CHECK(summary.status == "met");
    CHECK(estimates_of(progress)[4].estimate->mean == doctest::Approx(14).epsilon(0.01));
    CHECK(summary.used == progress.decision().n);
    CHECK(summary.computed == computed.size());
    CHECK(progress.index_of(3) == 4'000'003);
    CHECK(progress.all_outcomes().size() == computed.size());
    CHECK(progress.all_outcomes().back().replication == computed.back());
}

TEST_CASE("a start that surely shows is not waited out until the targets are met") {
    const Cell cell = growing_cell();
    CellProgress progress(cell);
    std::uint64_t at_first = 0;
    while (const auto next = progress.next_replication()) {
        // Replications differ by .2, 1 and 1.8 in scale: 30 are far from 5 %, at every level.
        ReplicationOutcome outcome = outcome_at(*next, 4);
        for (std::size_t i = 1; i < 5; ++i) {
            outcome.observations->values[i] *= 1 + 0.8 * ((*next % 3) - 1.0);
        }
        at_first += *next < 1'000'000 ? 1U : 0U;
        progress.accept(*next, outcome);
    }
    CHECK(at_first == 30);
    CHECK(progress.level() == 4);
    CHECK(progress.used() > 300);
}

TEST_CASE("how often a horizon is lengthened depends on neither workers nor order nor resumption") {
    const Cell cell = growing_cell();
    for (const std::uint32_t long_enough : {4U, 8U}) {
        CellProgress alone(cell);
        const std::vector<std::uint32_t> computed = run(alone, long_enough);
        const CellSummary expected = summarize(alone);
        for (const std::size_t workers : {2U, 7U, 64U}) {
            CellProgress progress(cell);
            run(progress, long_enough, workers, static_cast<unsigned>(workers));
            CHECK(progress.finished());
            CHECK(progress.in_flight() == 0);
            CHECK(progress.level() == alone.level());
            CHECK(
                estimates_of(progress)[4].estimate->interval
                == estimates_of(alone)[4].estimate->interval
            );
        }
        // From a journal whose last results come first.
        CellProgress resumed(cell);
        for (auto index = computed.rbegin(); index != computed.rend(); ++index) {
            resumed.accept(*index, outcome_at(*index, long_enough));
        }
        CHECK(resumed.finished());
        CHECK(resumed.ready() == 0);
        CHECK(resumed.level() == alone.level());
        CHECK(resumed.used() == alone.used());
    }
}

TEST_CASE("a longer horizon is dispatched by its own indices only") {
    const Cell cell = growing_cell();
    CellProgress progress(cell);
    CHECK_FALSE(progress.dispatch(4'000'000));
    for (std::uint32_t i = 0; i < 30; ++i) {
        CHECK(progress.dispatch(i));
        progress.accept(i, outcome_at(i, 4));
    }
    CHECK(progress.level() == 4);
    CHECK_FALSE(progress.dispatch(30));
    CHECK(progress.dispatch(4'000'002));
    CHECK_FALSE(progress.dispatch(4'000'002));
    CHECK(progress.next_replication() == 4'000'000);
    // A late answer at the shorter horizon changes nothing.
    progress.accept(30, outcome_at(30, 4));
    CHECK(progress.prefix() == 0);
    CHECK(progress.computed() == 31);
}

TEST_CASE("the last horizon, a given one, and a budget without room end a cell as not stationary") {
    const std::uint32_t never = 100;
    const Cell cell = growing_cell();
    CellProgress last(cell);
    run(last, never);
    CHECK(last.level() == last_level);
    CHECK(summarize(last).status == "met_not_stationary");

    Cell given = cell;
    given.lengthening = {};
    CellProgress fixed(given);
    run(fixed, never);
    CHECK(fixed.level() == 0);
    CHECK(summarize(fixed).status == "met_not_stationary");

    // 30 · 1,000 jobs are spent at the first checkpoint; 30 · 16,000 must be left.
    for (const std::uint64_t jobs : {509'999U, 510'000U}) {
        Cell limited = cell;
        limited.replications.budget.jobs = jobs;
        CellProgress progress(limited);
        run(progress, never);
        CHECK(progress.level() == (jobs == 510'000 ? 4 : 0));
        if (jobs == 510'000) {
            CHECK(progress.cell().replications.budget.jobs == 480'000);
        }
    }
}

TEST_CASE("a cell whose start does not show keeps its horizon") {
    const Cell cell = growing_cell();
    CellProgress progress(cell);
    run(progress, 0);
    CHECK(progress.level() == 0);
    CHECK(summarize(progress).status == "met");
}
