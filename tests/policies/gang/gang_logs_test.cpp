// Gang scheduling on the August 1996 of the CTC SP2 (Wang, Papaefthymiou & Squillante 1997): jobs
// longer than 60 s and of at most 320 processors. The rows were found by two other programs.
#include <array>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/logs/job_log.hpp"

#include "tests/models/trace/real_log.hpp"
#include "tests/policies/gang/gang_runs.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

constexpr std::size_t classes = 10;
constexpr double month_begin = 3048840;  // s of the log; the cycles are counted from it
constexpr double month_end = 5727240;

TestCell ctc_august() {
    CHECK(is_long_form());  // gang_campaigns_test.py has these responses and claims, too
    const auto log = models::trace::tests::real_log("CTC-SP2-1996-3.1-cln.swf.gz");
    TestCell cell;
    cell.system.clusters = {320};
    cell.experiment.kind = ExperimentKind::trace;
    for (std::size_t i = 0; i < log.jobs(); ++i) {
        const double submit = log.submit_time[i];
        const std::int32_t size = log.allocated_processors[i];
        const bool is_in_month = submit >= month_begin && submit < month_end;
        if (is_in_month && log.run_time[i] > 60 && size <= 320) {
            cell.jobs.push_back(
                {.submit_time = submit - month_begin,
                 .service_time = log.run_time[i],
                 .components = {static_cast<std::uint32_t>(size)}}
            );
        }
    }
    cell.experiment.horizon.jobs = cell.jobs.size();
    return cell;
}

using ByClass = std::array<double, classes>;

/// Mean response by mean service of each class.
ByClass normalized_responses(TestCell cell, const PolicyUnderTest& policy) {
    JobLog log;
    cell.probes.job_log = &log;
    run_general(policy, cell);
    ByClass response{};
    ByClass service{};
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        const std::uint32_t job_class = BuddyTrees::class_of(log.size[job]);
        response.at(job_class) += log.finish[job] - log.submit[job];
        service.at(job_class) += log.service[job];
    }
    for (std::size_t i = 0; i < classes; ++i) {
        response.at(i) /= service.at(i);
    }
    return response;
}

std::string three_digits(const ByClass& values) {
    std::string text;
    for (const double value : values) {
        text += fmt::format("{}{:#.3g}", text.empty() ? "" : " ", value);
    }
    return text;
}

// Of the schedule that the log records, EASY-LL, from its wait times.
constexpr ByClass logged_easy = {1.54, 1.74, 2.12, 4.74, 3.81, 8.62, 10.98, 12.87, 267.9, 24.8};

}  // namespace

TEST_CASE("the August of 1996 has the jobs of each class that the paper counts from class 6 on") {
    std::array<int, classes> counts{};
    for (const GivenJob& job : ctc_august().jobs) {
        ++counts.at(BuddyTrees::class_of(job.size()));
    }
    CHECK(counts == std::array{2514, 710, 747, 599, 900, 473, 420, 74, 45, 23});
}

TEST_CASE("migration on the August of 1996 gives the responses of an independent reproduction") {
    const TestCell cell = ctc_august();
    CHECK(
        three_digits(
            normalized_responses(cell, gang_policy("migration_gang", 1000, 1, "order", "leaves"))
        )
        == "1.18 1.22 1.20 1.30 1.38 1.93 8.79 32.9 76.0 64.3"
    );
    CHECK(
        three_digits(
            normalized_responses(cell, gang_policy("migration_gang", 1000, 1, "order", "root"))
        )
        == "4.36 4.90 5.88 5.87 10.1 5.00 3.81 1.57 13.1 64.3"
    );
}

// Section 6: vanilla is worse than the recorded schedule in all classes but 8; push-down is better
// than vanilla in every class.
TEST_CASE("vanilla on the August of 1996 is worse than the log but for class 8") {
    const TestCell cell = ctc_august();
    const ByClass vanilla = normalized_responses(cell, gang_policy("vanilla_gang", 1000, 1));
    const ByClass push_down =
        normalized_responses(cell, gang_policy("push_down_gang", 1000, 1, "assignment", "weight"));
    for (std::size_t i = 0; i < classes; ++i) {
        CAPTURE(i);
        CHECK((vanilla.at(i) > logged_easy.at(i)) == (i != 8));
        CHECK(push_down.at(i) < vanilla.at(i));
    }
}

}  // namespace schedfarm::tests
