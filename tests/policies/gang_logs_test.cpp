// Gang scheduling on the August 1996 of the CTC SP2 (Wang, Papaefthymiou & Squillante 1997): jobs
// longer than 60 s and of at most 320 processors. The rows were found by two other programs.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/job_log.hpp"

#include "tests/models/trace/real_log.hpp"
#include "tests/policies/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

constexpr std::size_t classes = 10;
constexpr double month_begin = 3048840;  // s of the log; the cycles are counted from it
constexpr double month_end = 5727240;

TestCell ctc_august() {
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

/// Mean response by mean service of each class, to three digits.
std::string normalized_responses(TestCell cell, const PolicyUnderTest& policy) {
    JobLog log;
    cell.probes.job_log = &log;
    run_general(policy, cell);
    std::array<double, classes> response{};
    std::array<double, classes> service{};
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        const std::uint32_t job_class = BuddyTrees::class_of(log.size[job]);
        response.at(job_class) += log.finish[job] - log.submit[job];
        service.at(job_class) += log.service[job];
    }
    std::string text;
    for (std::size_t i = 0; i < classes; ++i) {
        text += fmt::format("{}{:#.3g}", i == 0 ? "" : " ", response.at(i) / service.at(i));
    }
    return text;
}

}  // namespace

TEST_CASE("the August of 1996 has the jobs of each class that the paper counts from class 7 on") {
    std::array<int, classes> counts{};
    for (const GivenJob& job : ctc_august().jobs) {
        ++counts.at(BuddyTrees::class_of(job.size()));
    }
    CHECK(counts == std::array{2514, 710, 747, 599, 900, 473, 420, 74, 45, 23});
}

TEST_CASE("migration on the August of 1996 gives the responses of an independent reproduction") {
    const TestCell cell = ctc_august();
    CHECK(
        normalized_responses(cell, gang_policy("migration_gang", 1000, 1, "order", "leaves"))
        == "1.18 1.22 1.20 1.30 1.38 1.93 8.79 32.9 76.0 64.3"
    );
    CHECK(
        normalized_responses(cell, gang_policy("migration_gang", 1000, 1, "order", "root"))
        == "4.36 4.90 5.88 5.87 10.1 5.00 3.81 1.57 13.1 64.3"
    );
}

}  // namespace schedfarm::tests
