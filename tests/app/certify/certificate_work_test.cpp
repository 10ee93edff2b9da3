#include "app/certify/certificate_work.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "app/certify/certificate_page.hpp"
#include "app/certify/certify.hpp"

#include "tests/app/certify/certified_campaigns.hpp"

using namespace schedfarm;              // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app::tests;  // NOLINT(google-build-using-namespace)

namespace {

std::vector<engine::Task> all_tasks(CertificateWork& work) {
    std::vector<engine::Task> tasks;
    while (auto task = work.next_task()) {
        tasks.push_back(*task);
    }
    return tasks;
}

engine::TaskResult executed(const engine::Task& task, const engine::TaskFunction& execute) {
    engine::TaskResult result;
    result.id = task.id;
    result.payload = execute(task.payload);
    result.seconds = 0.1;
    return result;
}

/// The certificate's tables when results come in in an order drawn from `seed`.
std::string table_in_order(const std::vector<CertificateRow>& rows, unsigned seed) {
    CertificateWork work(rows, {.macro_runs = 25});
    std::vector<engine::Task> tasks = all_tasks(work);
    std::shuffle(tasks.begin(), tasks.end(), std::mt19937(seed));
    const engine::TaskFunction execute = macro_run_function(rows);
    for (const engine::Task& task : tasks) {
        work.accept(executed(task, execute));
    }
    return certificate_text(rows, work.results());
}

Plan two_row_plan() {
    Plan plan = one_job_plan("replications: 20");
    plan.cells[0].certificates = {certificate_of(CertificateSubject::interval, 0.5, 1)};
    plan.cells.push_back(plan.cells[0]);
    plan.cells[1].index = 1;
    plan.cells[1].certificates = {certificate_of(CertificateSubject::ordered_prefix, 0, 0, 8)};
    return plan;
}

}  // namespace

// 25 macro-runs are blocks of 10, 10 and 5 per row.
TEST_CASE("every macro-run of every row is given out once in blocks") {
    const Plan plan = two_row_plan();
    const auto rows = certificate_rows(plan);
    CertificateWork work(rows, {.macro_runs = 25});
    CHECK(work.tasks_ready() == 6U);
    const auto tasks = all_tasks(work);
    CHECK(tasks.size() == 6);
    CHECK(work.finished());
    CHECK(work.macro_runs_wanted() == 50);
    CHECK(work.macro_runs_done() == 0);
}

TEST_CASE("rows of one campaign share macro-runs, and the short form leaves rows to the long one") {
    Plan plan = two_row_plan();
    plan.cells[1].certificates = plan.cells[0].certificates;
    plan.cells[0].certificates[0].short_macro_runs = 12;
    plan.cells[1].certificates[0].short_macro_runs = 0;
    const auto rows = certificate_rows(plan);
    CertificateWork full(rows, {});
    CHECK(full.macro_runs_wanted() == 4000);
    CHECK(full.tasks_ready() == 400U);
    CertificateWork brief(rows, {.form = Repetition::Form::brief});
    CHECK(brief.tasks_ready() == 2U);
    const engine::TaskFunction execute = macro_run_function(rows);
    for (const engine::Task& task : all_tasks(brief)) {
        brief.accept(executed(task, execute));
    }
    CHECK(brief.results()[0].macro_runs == 12);
    CHECK(brief.results()[1].is_left);
    CHECK(is_passed(brief.results()));
    CHECK(
        certificate_text(rows, brief.results())
            .find("1 of 2 rows are as they should be; 1 are left to the long form")
        != std::string::npos
    );
}

TEST_CASE("the certificate does not depend on the order in which blocks come in") {
    const Plan plan = two_row_plan();
    const auto rows = certificate_rows(plan);
    const std::string table = table_in_order(rows, 1);
    CHECK(table.find("2 of 2 rows are as they should be.") != std::string::npos);
    for (unsigned seed = 2; seed < 6; ++seed) {
        CHECK(table_in_order(rows, seed) == table);
    }
}

TEST_CASE("a row of which a macro-run failed is not measured and says why") {
    Plan plan = two_row_plan();
    // Asks for a series that the cell does not observe: every macro-run throws.
    plan.cells[1].certificates[0].subject = CertificateSubject::mser_per_replication;
    plan.cells[1].experiment.series_bins = 0;
    const auto rows = certificate_rows(plan);
    CertificateWork work(rows, {.macro_runs = 25});
    const engine::TaskFunction execute = macro_run_function(rows);
    for (const engine::Task& task : all_tasks(work)) {
        engine::TaskResult result;
        try {
            result = executed(task, execute);
        } catch (const std::exception& error) {
            result.id = task.id;
            result.status = engine::TaskStatus::failed;
            result.message = error.what();
        }
        work.accept(result);
    }
    const auto results = work.results();
    CHECK(results[0].is_as_it_should_be);
    CHECK_FALSE(results[1].is_as_it_should_be);
    CHECK(results[1].failure.find("needs a series") != std::string::npos);
}
