#include "app/run/cell_progress.hpp"

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "app/run/rules/precision_rule.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/measuring.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

Cell fixed_cell(std::uint64_t replications) {
    Cell cell;
    cell.measures =
        tests::measuring({{"backlog_growth", "1", ""}, {"response_time.mean", "time", ""}});
    cell.replications.limits = {replications, replications};
    return cell;
}

Cell precise_cell(double relative, std::uint64_t min, std::uint64_t max) {
    Cell cell = fixed_cell(max);
    cell.replications.limits = {min, max};
    engine::PrecisionTarget target;
    target.relative = relative;
    cell.replications.targets = {{"response_time.mean", target}};
    return cell;
}

/// A replication's value is a function of its index alone.
double value_of(std::uint32_t replication) {
    return 10 + std::fmod(replication * 7.31, 5.0);
}

ReplicationOutcome observed(std::uint32_t replication) {
    ReplicationOutcome outcome;
    outcome.observations = engine::Observations{{0.0, value_of(replication)}, replication, 1};
    return outcome;
}

ReplicationOutcome failed() {
    ReplicationOutcome outcome;
    outcome.failure = "deliberate";
    outcome.failure_status = "failed";
    return outcome;
}

/// Runs a cell with `workers` in flight, answers in an order drawn from `seed`.
void run_shuffled(CellProgress& progress, std::size_t workers, unsigned seed) {
    std::mt19937 order(seed);
    std::vector<std::uint32_t> under_way;
    for (;;) {
        while (under_way.size() < workers) {
            const auto next = progress.next_replication();
            if (!next) {
                break;
            }
            under_way.push_back(*next);
        }
        if (under_way.empty()) {
            return;
        }
        std::swap(under_way[order() % under_way.size()], under_way.back());
        progress.accept(under_way.back(), observed(under_way.back()));
        under_way.pop_back();
    }
}

}  // namespace

TEST_CASE("a fixed number of replications is dispatched once each and then the cell is finished") {
    const Cell cell = fixed_cell(5);
    CellProgress progress(cell);
    std::vector<std::uint32_t> dispatched;
    while (const auto next = progress.next_replication()) {
        dispatched.push_back(*next);
    }
    CHECK(dispatched == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    for (const std::uint32_t replication : {3U, 1U, 0U, 4U}) {
        progress.accept(replication, observed(replication));
        CHECK_FALSE(progress.finished());
    }
    CHECK(progress.used() == 2);  // 0 and 1; 3 and 4 lie beyond the hole at 2
    progress.accept(2, observed(2));
    CHECK(progress.finished());
    CHECK(progress.used() == 5);
}

TEST_CASE("the stopping index does not depend on workers or on the order of arrival") {
    const Cell cell = precise_cell(0.01, 10, 10000);
    CellProgress alone(cell);
    run_shuffled(alone, 1, 1);
    REQUIRE(alone.finished());
    CHECK(alone.used() > 10);
    CHECK(summarize(alone).status == "met");
    for (const std::size_t workers : {2U, 5U, 64U}) {
        for (unsigned seed = 0; seed < 5; ++seed) {
            CellProgress progress(cell);
            run_shuffled(progress, workers, seed);
            CHECK(progress.finished());
            CHECK(progress.used() == alone.used());
            const auto estimate = estimates_of(progress)[1].estimate;
            CHECK(estimate->interval == estimates_of(alone)[1].estimate->interval);
        }
    }
}

TEST_CASE("a cap that comes before the target is reported as not met") {
    const Cell cell = precise_cell(1e-6, 10, 50);
    CellProgress progress(cell);
    run_shuffled(progress, 3, 7);
    CHECK(progress.finished());
    CHECK(progress.used() == 50);
    CHECK(summarize(progress).status == "not_met_cap");
}

TEST_CASE("a target that some replication lacks ends the cell at the next checkpoint") {
    const Cell cell = precise_cell(1e-6, 10, 100000);
    for (const std::uint32_t lacking : {0U, 11U}) {
        CellProgress progress(cell);
        while (const auto next = progress.next_replication()) {
            ReplicationOutcome outcome = observed(*next);
            if (*next == lacking) {
                outcome.observations->values[1] = std::nan("");
            }
            progress.accept(*next, outcome);
        }
        CHECK(progress.finished());
        CHECK(progress.used() == (lacking == 0 ? 10 : 12));
        CHECK(summarize(progress).status == "not_met_missing");
        CHECK(progress.decision().most_demanding == "response_time.mean");
    }
}

TEST_CASE("a failed replication inside the prefix makes the cell incomplete and is never skipped") {
    const Cell cell = fixed_cell(4);
    CellProgress progress(cell);
    while (progress.next_replication()) {
    }
    progress.accept(0, observed(0));
    progress.accept(1, failed());
    progress.accept(2, observed(2));
    CHECK_FALSE(progress.finished());  // replication 3 is still under way
    progress.accept(3, observed(3));
    CHECK(progress.finished());
    CHECK(summarize(progress).status == "incomplete");
    CHECK(progress.used() == 1);
    CHECK(progress.failed() == 1);
    progress.accept(1, observed(1));  // replayed
    CHECK(progress.failed() == 0);
    CHECK(progress.computed() == 4);
    CHECK(summarize(progress).status == "fixed");
    CHECK(progress.used() == 4);
}

TEST_CASE("behind a failed replication nothing is given out ahead until it is filled") {
    const Cell cell = precise_cell(1e-6, 10, 1000);
    CellProgress progress(cell);
    const auto dispatch_all = [&progress] {
        std::uint64_t count = 0;
        for (; progress.next_replication(); ++count) {
        }
        return count;
    };
    CHECK(dispatch_all() == 10);
    for (const std::uint32_t replication : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U}) {
        progress.accept(replication, observed(replication));
    }
    CHECK(progress.predicted() == 1000);  // many more are needed than the cap allows
    progress.accept(10, failed());
    CHECK(progress.has_hole());
    CHECK(dispatch_all() == 1);  // 11, up to the next checkpoint at 12
    progress.accept(10, observed(10));
    CHECK_FALSE(progress.has_hole());
    CHECK(dispatch_all() > 100);
}

TEST_CASE("speculation goes as far as the last checkpoint that is needed") {
    // Checkpoints 10, 12, 15, 18, 22 of at most 20.
    const engine::ReplicationLimits limits{10, 20};
    CHECK(speculation_limit(10, 11, limits) == 10);
    CHECK(speculation_limit(10, 12, limits) == 12);
    CHECK(speculation_limit(10, 17, limits) == 15);
    CHECK(speculation_limit(10, 20, limits) == 18);  // one more decides before the cap
}

TEST_CASE("limits follow the budget in replications and bins have none in jobs") {
    Cell cell = precise_cell(0.01, 10, 100);
    cell.experiment.horizon.jobs = 10;
    cell.replications.budget.jobs = 50;
    CHECK(effective_limits(cell).max == 5);
    CHECK(effective_limits(cell).min == 5);
    cell.experiment.kind = engine::ExperimentKind::bin_filling;
    CHECK(effective_limits(cell).max == 100);
    CHECK(effective_limits(cell).min == 10);
}

TEST_CASE("a cell that a rule governs uses no more than the rule has looked at") {
    const Cell cell = precise_cell(0.01, 10, 100);
    CellProgress progress(cell, Governance::group);
    for (std::uint32_t replication = 0; replication < 14; ++replication) {
        progress.accept(replication, observed(replication));
    }
    CHECK(progress.used() == 10);
}

TEST_CASE("a replication that is wanted is dispatched once") {
    const Cell cell = fixed_cell(4);
    CellProgress progress(cell);
    CHECK(progress.dispatch(2));
    CHECK_FALSE(progress.dispatch(2));
    CHECK_FALSE(progress.dispatch(4));
}

TEST_CASE("a queue that passes its limit counts among the replications in use only") {
    ReplicationOutcome overflowed;
    overflowed.observations = engine::Observations{{std::nan(""), std::nan("")}, 0, 1};
    overflowed.observations->overflow = engine::QueueOverflow{5, 7};
    for (const std::uint32_t position : {9U, 10U}) {
        const Cell cell = fixed_cell(10);
        CellProgress progress(cell);
        progress.accept(position, overflowed);
        for (std::uint32_t replication = 0; replication < 10; ++replication) {
            if (replication != position) {
                progress.accept(replication, observed(replication));
            }
        }
        CHECK(progress.used() == 10);
        CHECK(summarize(progress).status == (position == 9 ? "unstable" : "fixed"));
    }
}

TEST_CASE("a prefix taken from a journal is not dispatched again") {
    const Cell cell = fixed_cell(4);
    CellProgress progress(cell);
    progress.accept(0, observed(0));
    progress.accept(2, observed(2));
    CHECK(progress.next_replication() == 1U);
    CHECK(progress.next_replication() == 3U);
    CHECK_FALSE(progress.next_replication().has_value());
}

TEST_CASE("as many replications are ready as are given out, whatever a journal knows already") {
    using Known = std::vector<std::uint32_t>;
    for (const Known& known : {Known{}, Known{0, 2}, Known{3, 12}, Known{9, 10, 11}, Known{14}}) {
        const Cell cell = fixed_cell(10);
        CellProgress progress(cell);
        for (const std::uint32_t replication : known) {
            progress.accept(replication, observed(replication));
        }
        const std::uint64_t ready = progress.ready();
        std::uint64_t given = 0;
        for (; progress.next_replication(); ++given) {
        }
        CAPTURE(known.size());
        CHECK(ready == given);
        CHECK(progress.ready() == 0);
    }
}
