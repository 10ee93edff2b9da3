#include "app/certify/macro_run.hpp"

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/steady_state/mser.hpp"

#include "app/certify/judgement.hpp"
#include "app/run/replication.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/certify/certified_campaigns.hpp"
#include "tests/support/long_form.hpp"

using namespace schedfarm;              // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app::tests;  // NOLINT(google-build-using-namespace)

namespace {

/// The only row of a plan, with the certificate given.
CertificateRow row_of(Plan& plan, const Certificate& certificate) {
    plan.cells[0].certificates = {certificate};
    return certificate_rows(plan).at(0);
}

std::vector<MacroRun> macro_runs(const CertificateRow& row, std::uint32_t n) {
    std::vector<MacroRun> runs;
    for (std::uint32_t number = 0; number < n; ++number) {
        runs.push_back(run_macro_run({&row}, number).at(0));
    }
    return runs;
}

}  // namespace

TEST_CASE("a macro-run is the campaign itself under another seed") {
    Plan plan = one_job_plan("precision: {metric: response_time, relative: 0.2, max: 10000}");
    const CertificateRow row =
        row_of(plan, certificate_of(CertificateSubject::interval, 0.93, 0.97));
    Cell cell = plan.cells[0];
    cell.random.seed = macro_run_seed(plan, 7);
    CellProgress progress(cell);
    while (const auto next = progress.next_replication()) {
        ReplicationOutcome outcome;
        outcome.observations = run_replication(cell, {*next});
        progress.accept(*next, outcome);
    }
    const CellSummary summary = summarize(progress);
    const engine::Estimate estimate =
        estimate_metric(progress, "response_time.mean").estimate.value();
    const MacroRun run = run_macro_run({&row}, 7).at(0);
    CHECK(run.used == summary.used);
    CHECK(run.relative_error == estimate.mean - 1);
    CHECK(run.half_width == estimate.interval.half_width());
    CHECK(run.covers == estimate.interval.contains(1));
    CHECK(run.is_complete);
}

TEST_CASE("seeds of macro-runs differ by number and campaign") {
    Plan plan = one_job_plan("replications: 20");
    Plan other = plan;
    other.name = "another";
    Plan reseeded = plan;
    reseeded.seed = 6;
    std::set<std::uint64_t> seeds;
    for (Plan* each : {&plan, &other, &reseeded}) {
        for (std::uint32_t number = 0; number < 100; ++number) {
            seeds.insert(macro_run_seed(*each, number));
        }
    }
    CHECK(seeds.size() == 300);
    // printf 'schedfarm certificate\none job\n5\n3' | sha256sum
    CHECK(macro_run_seed(plan, 3) == 0xb845b7dc1dc41a3eU);
}

TEST_CASE("the ordered prefix is unbiased and has the same bits for any number of workers") {
    Plan plan = one_job_plan("replications: 128");
    std::vector<MacroRun> alone;
    for (const std::uint32_t workers : {1U, 8U, 64U, 512U}) {
        const CertificateRow row =
            row_of(plan, certificate_of(CertificateSubject::ordered_prefix, 0, 0, workers));
        const std::vector<MacroRun> runs =
            macro_runs(row, schedfarm::tests::short_or_long(60U, 200U));
        const RowResult result = judge(row, runs);
        CHECK(result.is_as_it_should_be);
        CHECK(result.different == 0);
        if (alone.empty()) {
            alone = runs;
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            CHECK(runs[i].relative_error == alone[i].relative_error);
            CHECK(runs[i].half_width == alone[i].half_width);
        }
    }
}

TEST_CASE("a precision target stops at the same index for any number of workers") {
    Plan plan = one_job_plan("precision: {metric: response_time, relative: 0.15, max: 10000}");
    for (const std::uint32_t workers : {1U, 64U}) {
        const CertificateRow row =
            row_of(plan, certificate_of(CertificateSubject::ordered_prefix, -1, 1, workers));
        CHECK(judge(row, macro_runs(row, 50)).different == 0);
    }
}

// P workers whose tasks take exponential times of mean 1 end tasks in a Poisson process of rate P,
// every end that of a worker drawn at random. The N-th end comes after N / P on average, so that
// the finished tasks and the ages of the P − 1 tasks under way sum to N. Going back from there the
// last end of another worker is G ends away, geometric with 1 / P and cut off at N, and the age is
// E[min(G, N)] / P = 1 − (1 − 1/P)^N: the mean of the first N is 1 − (P − 1)/N (1 − (1 − 1/P)^N).
TEST_CASE("averaging what finishes first is biased as theory says") {
    constexpr double n = 32;
    Plan plan = one_job_plan("replications: 32");
    for (const std::uint32_t workers : {1U, 4U, 16U}) {
        const CertificateRow row =
            row_of(plan, certificate_of(CertificateSubject::first_finished, -0.1, 0.1, workers));
        const RowResult result =
            judge(row, macro_runs(row, schedfarm::tests::short_or_long(800U, 2000U)));
        const double p = workers;
        const double bias = -(p - 1) / n * (1 - std::pow(1 - 1 / p, n));
        CHECK(std::abs(result.found - bias) < 4 * result.standard_error);
        CHECK(result.standard_error < 0.008);
    }
}

TEST_CASE("the default rule covers the mean of a skewed distribution as it says") {
    Plan plan = one_job_plan("precision: {metric: response_time, relative: 0.1, max: 10000}");
    const CertificateRow row =
        row_of(plan, certificate_of(CertificateSubject::interval, 0.93, 0.97));
    const RowResult result =
        judge(row, macro_runs(row, schedfarm::tests::short_or_long(150U, 400U)));
    CHECK(result.is_as_it_should_be);
    CHECK(result.other_ends.empty());
    CHECK(result.mean_half_width < 0.1);
}

// Two exponential observations of sum S, which is Gamma(2), and difference U S, U uniform: their
// mean is S / 2, its standard error U S / 2, and v = 12.7062 U. Student's interval covers 1 when
// |S - 2| <= v S; where it crosses zero, v > 1, the one on the log scale does when |ln(S / 2)| <=
// v. The integral over U of both probabilities is .94972 (.91094 if the first were never replaced).
TEST_CASE("two replications of a positive quantity cover as often as theory says") {
    Plan plan = one_job_plan("replications: 2");
    plan.cells[0].replications.method = engine::IntervalMethod::student_t;
    const CertificateRow row =
        row_of(plan, certificate_of(CertificateSubject::interval, 0.93, 0.97));
    const RowResult result = judge(row, macro_runs(row, 6000));
    CHECK(std::abs(result.found - 0.94972) < 4 * result.standard_error);
    CHECK(result.standard_error < 0.005);
    CHECK(result.is_as_it_should_be);
}

// M/M/1 at load .8: E[T] = 1 / (1 − .8) = 5.
TEST_CASE("replications cut each by its own MSER-5 cover too seldom and the certificate sees it") {
    Plan plan = plan_of_text(queue_text(
        "queue",
        "load: {utilization: 0.8}\n"
        "horizon: {jobs: 1000, warm_up: none, ensemble_bins: 250}\n"
        "replications: 30\n"
    ));
    Certificate certificate = certificate_of(CertificateSubject::mser_per_replication, 0.85, 1);
    certificate.truth = "exact";
    certificate.is_negative_control = true;
    const CertificateRow row = row_of(plan, certificate);

    Cell cell = plan.cells[0];
    cell.random.seed = macro_run_seed(plan, 4);
    engine::Accumulator means;
    for (std::uint32_t replication = 0; replication < 30; ++replication) {
        const std::vector<double> series = run_replication(cell, {replication}).series;
        REQUIRE(series.size() == 250);
        const auto cut = static_cast<std::ptrdiff_t>(engine::mser5(series).cut);
        const double sum = std::accumulate(series.begin() + cut, series.end(), 0.0);
        means.add(sum / static_cast<double>(series.end() - series.begin() - cut));
    }
    CHECK(run_macro_run({&row}, 4).at(0).relative_error == doctest::Approx(*means.mean() / 5 - 1));

    const RowResult result =
        judge(row, macro_runs(row, schedfarm::tests::short_or_long(60U, 200U)));
    CHECK(result.is_as_it_should_be);
    CHECK(result.found < 0.85);
}

TEST_CASE("the strict rule's intervals are looked at together, as many as there were looks") {
    Plan plan = one_job_plan(
        "precision: {metric: response_time, relative: 0.2, rule: strict, min: 64, max: 10000}"
    );
    const CertificateRow row =
        row_of(plan, certificate_of(CertificateSubject::every_look, 0.93, 1));
    const std::vector<MacroRun> runs = macro_runs(row, 40);
    std::size_t covering = 0;
    for (const MacroRun& run : runs) {
        covering += run.covers ? 1U : 0U;
    }
    CHECK(covering >= 34);  // of 40 at .95: less once in ten thousand
    // Another truth than theirs is held by no look of any.
    CertificateRow wrong = row;
    wrong.truth = 3;
    for (const MacroRun& run : macro_runs(wrong, 5)) {
        CHECK_FALSE(run.covers);
    }
}

TEST_CASE("a generated log is another one in every macro-run") {
    Plan plan = plan_of_text(
        "campaign_format: 1\nname: log\nseed: 5\nexperiment: trace\nsystem: {clusters: [1]}\n"
        "workload: {model: trace, file: mm1_weeks.1, resampling: none, shake: 1}\npolicy: fcfs\n"
        "horizon: {jobs: 500, warm_up: none}\nreplications: 4\nprobes: [response_time]\n"
    );
    Certificate certificate = certificate_of(CertificateSubject::interval, 0, 1);
    certificate.truth = "4032";
    const CertificateRow row = row_of(plan, certificate);
    // Shaken by a second the log hardly changes: what differs is the log.
    CHECK(
        std::abs(macro_runs(row, 2)[0].relative_error - macro_runs(row, 2)[1].relative_error) > 0.05
    );
}
