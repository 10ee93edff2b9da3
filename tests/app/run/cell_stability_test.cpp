#include "app/run/rules/cell_stability.hpp"

#include <cmath>
#include <memory>

#include <doctest/doctest.h>

#include "app/run/cell_progress.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/measuring.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

Cell fixed_cell(std::uint64_t replications) {
    Cell cell;
    cell.workload = std::make_shared<const engine::Choice>(engine::Choice{"coallocation", {}});
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

/// A cell that observes what stability is judged by; no warm-up, so that a critically loaded queue
/// has twice 0.914 = 1.828 times the wait in its second half.
Cell watched(Cell cell) {
    cell.experiment.horizon.jobs = 1000;
    cell.measures = tests::measuring(
        {{"backlog_growth", "1", ""},
         {"wait.first_half", "time", ""},
         {"wait.second_half", "time", ""},
         {"response_time.mean", "time", ""}}
    );
    return cell;
}

/// Wait 5 in the first half and `ratio` times as much in the second, with some noise.
ReplicationOutcome growing(std::uint32_t replication, double ratio) {
    ReplicationOutcome outcome;
    const double noise = 0.1 * ((replication % 3) - 1.0);
    outcome.observations = engine::Observations{
        {0.01 * (ratio - 1) + 0.0001 * noise, 5.0, 5 * ratio + noise, 10 + noise}, replication, 1};
    return outcome;
}

}  // namespace

TEST_CASE("a queue that grows linearly makes a cell unstable and slower growth does not") {
    const Cell cell = watched(fixed_cell(30));
    for (const double ratio : {3.0, 1.5, 1.0}) {
        CellProgress progress(cell);
        for (std::uint32_t replication = 0; replication < 30; ++replication) {
            progress.accept(replication, growing(replication, ratio));
        }
        const CellSummary summary = summarize(progress);
        CHECK(summary.status == (ratio > 1.828 ? "unstable" : "fixed"));
        const CellStability stability = stability_of(progress, summary.used);
        CHECK(stability.growth.half_ratio == doctest::Approx(ratio).epsilon(1e-9));
        const bool is_rising = stability.verdict == engine::StabilityVerdict::not_stationary;
        CHECK(is_rising == (ratio == 1.5));
    }
}

TEST_CASE("growth is judged from twenty measured jobs on") {
    Cell cell = watched(fixed_cell(30));
    cell.experiment.horizon.warm_up_jobs = 10;
    for (const std::uint64_t measured : {19U, 20U}) {
        cell.experiment.horizon.jobs = 10 + measured;
        CHECK(observes_stability(CellProgress(cell)) == (measured == 20));
    }
}

TEST_CASE("the growth of a cell whose queue passed its limit is that of the replications before") {
    const Cell cell = watched(fixed_cell(30));
    CellProgress progress(cell);
    for (std::uint32_t replication = 0; replication < 20; ++replication) {
        ReplicationOutcome outcome = growing(replication, 1.5);
        if (replication == 19) {
            outcome.observations->values.assign(4, std::nan(""));
            outcome.observations->overflow = engine::QueueOverflow{5, 7};
        }
        progress.accept(replication, outcome);
    }
    const CellSummary summary = summarize(progress);
    CHECK(summary.status == "unstable");
    const CellStability stability = stability_of(progress, summary.used);
    CHECK(stability.growth.half_ratio == doctest::Approx(1.5).epsilon(0.01));
}

TEST_CASE("a cell with a target stops at the first checkpoint that shows it to be unstable") {
    const Cell cell = watched(precise_cell(1e-6, 10, 50));
    CellProgress progress(cell);
    while (const auto next = progress.next_replication()) {
        progress.accept(*next, growing(*next, 3));
    }
    CHECK(progress.finished());
    CHECK(progress.used() == 10);
    CHECK(summarize(progress).status == "unstable");
}

TEST_CASE("theory alone makes a cell unstable whose load is not below the maximal one") {
    Cell cell = watched(precise_cell(0.05, 10, 50));
    cell.experiment.kind = engine::ExperimentKind::open;
    cell.utilization = 0.6;
    for (const double maximal : {0.5, 0.6, 0.7}) {
        for (const bool is_exact : {true, false}) {
            cell.maximal_utilization =
                std::make_shared<const engine::KnownValue>(engine::KnownValue{
                    .metric = "maximal_utilization",
                    .label = "",
                    .value = maximal,
                    .source = "",
                    .is_exact = is_exact});
            CellProgress progress(cell);
            while (const auto next = progress.next_replication()) {
                progress.accept(*next, growing(*next, 1.2));
            }
            CHECK(progress.used() == 10);
            CHECK(summarize(progress).status == (is_exact && maximal < 0.7 ? "unstable" : "met"));
        }
    }
}

TEST_CASE("capacity loss of a saturated cell is a ratio of areas") {
    Cell cell = fixed_cell(2);
    cell.experiment.kind = engine::ExperimentKind::saturated;
    cell.measures = tests::measuring(
        {{"capacity_loss", "1", ""}, {"busy_area", "1", ""}, {"capacity_area", "1", ""}}
    );
    CellProgress progress(cell);
    ReplicationOutcome first;
    first.observations = engine::Observations{{0.5, 5.0, 10.0}, 0, 1};
    ReplicationOutcome second;
    second.observations = engine::Observations{{0.1, 27.0, 30.0}, 0, 1};
    progress.accept(0, first);
    progress.accept(1, second);
    // (5 + 3) / (10 + 30) = 0.2, not the mean 0.3 of the two ratios
    const engine::Estimate loss = *estimates_of(progress)[0].estimate;
    CHECK(loss.mean == doctest::Approx(0.2).epsilon(1e-12));
    CHECK(cell.replications.method == engine::IntervalMethod::skew_adjusted);
    CHECK(loss.method == engine::IntervalMethod::student_t);
}

namespace {

/// A cell that asks for a steady state: a fifth of 1000 jobs is warm-up.
Cell warmed_up(Cell cell) {
    cell.experiment.horizon = {.jobs = 1000, .warm_up_jobs = 200};
    cell.measures = tests::measuring(
        {{"backlog_growth", "1", ""},
         {"wait.warm_up", "time", ""},
         {"wait.first_half", "time", ""},
         {"wait.second_half", "time", ""},
         {"response_time.mean", "time", ""}}
    );
    return cell;
}

/// Jobs wait 5 on average, those of the warm-up `ratio` times as long, and are served for 5.
ReplicationOutcome starting(std::uint32_t replication, double ratio) {
    ReplicationOutcome outcome;
    const double noise = 0.5 * ((replication % 3) - 1.0);
    outcome.observations = engine::Observations{
        {0, ratio * (5 + noise), 5 + noise, 5 + noise, 10 + noise}, replication, 1};
    return outcome;
}

std::unique_ptr<CellProgress> run_of(const Cell& cell, double ratio) {
    auto progress = std::make_unique<CellProgress>(cell);
    while (const auto next = progress->next_replication()) {
        progress->accept(*next, starting(*next, ratio));
    }
    REQUIRE(progress->finished());
    return progress;
}

CellSummary summary_of(const Cell& cell, double ratio) {
    return summarize(*run_of(cell, ratio));
}

CellStability stability_of_run(const Cell& cell, double ratio) {
    const auto progress = run_of(cell, ratio);
    return stability_of(*progress, progress->used());
}

}  // namespace

TEST_CASE("a cell whose empty start may bias its mean by a tenth of the ± is met, not stationary") {
    const Cell cell = warmed_up(precise_cell(0.05, 30, 1000));
    // A warm-up that waits .6 times as long: some 8 relaxation times, a bias of 6 %.
    CHECK(summary_of(cell, 0.6).status == "met_not_stationary");
    const CellStability biased = stability_of_run(cell, 0.6);
    CHECK(biased.verdict == engine::StabilityVerdict::not_stationary);
    REQUIRE(biased.start);
    CHECK(biased.start->bias.bias == doctest::Approx(0.06).epsilon(0.1));
    CHECK(summary_of(cell, 1).status == "met");
}

TEST_CASE("the bias of a response time counts by the share of its queueing") {
    const Cell cell = warmed_up(precise_cell(0.05, 30, 1000));
    const auto progress = run_of(cell, 0.6);
    const CellStability stability = stability_of(*progress, progress->used());
    // The ± is a share h of the response time, twice the wait: 2 h of that, a tenth of it.
    const engine::Estimate response = estimates_of(*progress)[4].estimate.value();
    CHECK(
        stability.start->allowed
        == doctest::Approx(0.1 * 2 * response.longer_side() / response.mean).epsilon(1e-9)
    );
    CHECK(
        stability.start->allowed_at_target == doctest::Approx(0.1 * 2 * 0.05 / 1.05).epsilon(1e-9)
    );
}

TEST_CASE("the start of a fixed number of replications is judged by the ± of what is printed") {
    const Cell cell = warmed_up(fixed_cell(30));
    CHECK(summary_of(cell, 0.6).status == "fixed");
    const CellStability biased = stability_of_run(cell, 0.6);
    CHECK(biased.verdict == engine::StabilityVerdict::not_stationary);
    CHECK(std::isinf(biased.start.value().allowed_at_target));
    CHECK(stability_of_run(cell, 1).verdict == engine::StabilityVerdict::stable);
    CHECK_FALSE(stability_of_run(warmed_up(fixed_cell(7)), 0.6).start);  // too few to be judged
}

TEST_CASE("where the length of a run is part of the question its start is not judged") {
    const Cell cell = warmed_up(precise_cell(0.05, 30, 1000));
    Cell no_warm_up = cell;
    no_warm_up.experiment.horizon.warm_up_jobs = 0;
    Cell backlog = cell;
    backlog.experiment.horizon.start_backlog = 100;
    Cell log = cell;
    log.experiment.kind = engine::ExperimentKind::trace;
    Cell other_target = cell;
    other_target.replications.targets[0].metric = "service_time.mean";
    std::vector<engine::ObservationColumn> columns = cell.measures->columns;
    columns.push_back({"service_time.mean", "time", ""});
    other_target.measures = tests::measuring(columns);
    for (const Cell& free : {no_warm_up, backlog, log}) {
        const CellSummary summary = summary_of(free, 0.6);
        CHECK_FALSE(stability_of_run(free, 0.6).start);
        CHECK(summary.status != "met_not_stationary");
    }
    CellProgress progress(other_target);
    while (const auto next = progress.next_replication()) {
        ReplicationOutcome outcome = starting(*next, 0.6);
        outcome.observations->values.push_back(1 + 0.01 * (*next % 2));
        progress.accept(*next, outcome);
    }
    CHECK(summarize(progress).status == "met");
}
