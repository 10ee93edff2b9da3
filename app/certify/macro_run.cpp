#include "app/certify/macro_run.hpp"

#include <cmath>
#include <ctime>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/steady_state/mser.hpp"

#include "app/certify/campaign_conclusions.hpp"
#include "app/certify/virtual_farm.hpp"
#include "app/plan/identity/keys.hpp"
#include "app/run/replication.hpp"
#include "app/run/tables/cell_summary.hpp"

namespace schedfarm::app {

namespace {

double cpu_now() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// What the product never does: a replication's mean over its own series, cut by its own MSER-5.
double mean_after_own_cut(const engine::Observations& observations) {
    const std::vector<double>& series = observations.series;
    SCHEDFARM_EXPECT(!series.empty(), "MSER-5 per replication needs a series of every replication");
    engine::Accumulator rest;
    for (std::size_t i = engine::mser5(series).cut; i < series.size(); ++i) {
        rest.add(series[i]);
    }
    return *rest.mean();
}

/// Absent is the same as absent.
bool is_same(const std::optional<engine::Estimate>& a, const std::optional<engine::Estimate>& b) {
    if (!a || !b) {
        return a.has_value() == b.has_value();
    }
    return a->n == b->n && a->mean == b->mean && a->interval == b->interval;
}

/// Whether the strict rule's interval of every look up to the end contains the truth.
bool covers_at_every_look(const CellProgress& progress, const std::string& metric, double truth) {
    const ReplicationPlan& plan = progress.cell().replications;
    std::uint64_t n = 0;
    while (n < progress.used()) {
        n = engine::next_checkpoint(n, plan.limits);
        const MetricSample sample = progress.metric_sample(metric, n);
        const auto estimate = engine::estimate_mean(
            sample.values, plan.confidence, engine::IntervalMethod::confidence_sequence
        );
        if (!estimate || !estimate->interval.contains(truth)) {
            return false;
        }
    }
    return true;
}

/// The same replications computed once more, one by one in the order of their indices: what the
/// farm has made of them does not enter.
std::optional<engine::Estimate> estimate_in_order(const Cell& cell, const std::string& metric) {
    CellProgress in_order(cell);
    while (const auto next = in_order.next_replication()) {
        ReplicationOutcome outcome;
        outcome.observations = run_replication(cell, {*next});
        in_order.accept(*next, std::move(outcome));
    }
    return estimate_metric(in_order, metric).estimate;
}

MacroRun macro_run_of(const CertificateRow& row, const CellProgress& progress) {
    const CellSummary summary = summarize(progress);
    const auto estimate = estimate_metric(progress, row.certificate.metric).estimate;
    MacroRun result;
    result.used = summary.used;
    result.is_complete = is_planned_end(summary.status) && estimate.has_value();
    if (estimate) {
        result.relative_error = (estimate->mean - row.truth) / row.truth;
        result.half_width = estimate->interval.half_width() / std::abs(row.truth);
        result.covers = estimate->interval.contains(row.truth);
    }
    if (!result.is_complete) {
        result.end = summary.status;
    }
    if (row.certificate.subject == CertificateSubject::every_look) {
        result.covers = covers_at_every_look(progress, row.certificate.metric, row.truth);
    }
    if (row.certificate.subject == CertificateSubject::ordered_prefix) {
        result.is_same_in_order =
            is_same(estimate, estimate_in_order(progress.cell(), row.certificate.metric));
    }
    return result;
}

MacroRun run_cell_alone(const CertificateRow& row, std::uint64_t seed) {
    Cell cell = *row.cell;
    cell.random.seed = seed;
    const std::size_t column = column_index(cell, row.certificate.metric).value();
    const bool cuts = row.certificate.subject == CertificateSubject::mser_per_replication;
    const VirtualFarm farm{
        row.certificate.virtual_workers,
        row.certificate.subject == CertificateSubject::first_finished ? Numbering::by_finish
                                                                      : Numbering::by_index};
    CellProgress progress(cell);
    run_on_virtual_workers(
        farm,
        [&](std::uint32_t replication) {
            engine::Observations observations = run_replication(cell, {replication});
            if (cuts) {
                observations.values[column] = mean_after_own_cut(observations);
            }
            return observations;
        },
        [&](const engine::Observations& observations) { return observations.values[column]; },
        progress
    );
    return macro_run_of(row, progress);
}

}  // namespace

bool is_run_alone(CertificateSubject subject) {
    return subject == CertificateSubject::ordered_prefix
           || subject == CertificateSubject::first_finished
           || subject == CertificateSubject::every_look
           || subject == CertificateSubject::mser_per_replication;
}

std::uint64_t macro_run_seed(const Plan& plan, std::uint32_t number) {
    return seed_of(engine::sha256_hex(
        fmt::format("schedfarm certificate\n{}\n{}\n{}", plan.name, plan.seed, number)
    ));
}

std::vector<MacroRun> run_macro_run(
    const std::vector<const CertificateRow*>& rows, std::uint32_t number
) {
    const double start = cpu_now();
    const Plan& plan = *rows.at(0)->plan;
    const std::uint64_t seed = macro_run_seed(plan, number);
    std::vector<MacroRun> results;
    if (is_run_alone(rows[0]->certificate.subject)) {
        SCHEDFARM_EXPECT(rows.size() == 1, "a row that is run alone has no company");
        results.push_back(run_cell_alone(*rows[0], seed));
    } else {
        const CampaignConclusions conclusions = conclude_under_seed(plan, seed);
        for (const CertificateRow* row : rows) {
            results.push_back(measure(*row, conclusions));
        }
    }
    const double seconds = (cpu_now() - start) / static_cast<double>(rows.size());
    for (MacroRun& result : results) {
        result.cpu_seconds = seconds;
    }
    return results;
}

}  // namespace schedfarm::app
