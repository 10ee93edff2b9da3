// Logs of jobs that go on elsewhere: each piece of a job's time has its own processors, also in the
// chart; and what becomes of a log that fails the check of its writer.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results_schema/job_logs.hpp"
#include "results_schema/result_io.hpp"

#include "app/cli/explain.hpp"
#include "app/report/result_view.hpp"
#include "app/report/schedule_tables.hpp"
#include "app/run/journal/replayed_segments.hpp"
#include "app/run/tables/result_tables.hpp"

#include "tests/app/run/small_campaign.hpp"
#include "tests/engine/farm/journal_support.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/support/dice.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

struct Listed {
    std::vector<int> submits;
    std::vector<int> sizes;
    std::vector<int> services;
};

std::string campaign(const Listed& jobs, int processors, const std::string& policy) {
    return fmt::format(
        R"(campaign_format: 1
name: jobs of a gang
seed: 1
experiment: open
system: {{clusters: [{}]}}
workload: {{model: listed, submit_times: [{}], sizes: [{}], service_times: [{}]}}
horizon: {{jobs: {}, warm_up: none, ensemble_bins: 0, queue_limit: 0}}
policy: {}
replications: 1
job_log: {{replications: 1}}
)",
        processors,
        fmt::join(jobs.submits, ", "),
        fmt::join(jobs.sizes, ", "),
        fmt::join(jobs.services, ", "),
        jobs.submits.size(),
        policy
    );
}

/// Of the only replication, and the results that it is of.
struct Logged {
    results_schema::ResultFile results;
    results_schema::StoredJobLog log;
};

Logged logged(const std::string& text) {
    Plan plan = plan_of(text);
    auto progress = std::make_unique<CampaignProgress>(plan);
    progress->take(done(0, plan));
    Provenance provenance;
    provenance.started = provenance.finished = utc_now();
    const std::vector<CellSummary> cells = summaries_of(*progress);
    Logged made{build_results(plan, progress, cells, provenance), {}};
    REQUIRE(progress != nullptr);
    made.log = *job_logs(plan, *progress).make({0, 0});
    return made;
}

using Segments = std::vector<engine::RunSegment>;

/// As `gantt` draws it: of a job that paused where it was the file does not say when.
Segments chart(const Logged& made) {
    return replayed_schedule(made.results, {0, 0}, "gang.h5").segments;
}

/// What the log says, in the order of the chart: begin, job, end, first, last.
using Stretch = std::tuple<double, std::uint64_t, double, std::uint64_t, std::uint64_t>;
std::vector<Stretch> stretches_of(const results_schema::Table& pieces) {
    std::vector<Stretch> stretches;
    for (const Row& row : rows_of(pieces)) {
        stretches.emplace_back(
            row.real("begin"),
            row.count("job"),
            row.real("end"),
            row.count("first"),
            row.count("last")
        );
    }
    std::ranges::sort(stretches);
    return stretches;
}

std::vector<Stretch> stretches_of(const Segments& segments) {
    std::vector<Stretch> stretches;
    for (const engine::RunSegment& segment : segments) {
        for (const engine::ProcessorRange& range : segment.processors) {
            const std::uint32_t first = range.first.value;
            stretches.emplace_back(
                segment.begin, segment.job, segment.end, first, first + range.count - 1
            );
        }
    }
    std::ranges::sort(stretches);
    return stretches;
}

/// A processor that two jobs hold for some time, in the chart; -1: there is none. Pair by pair.
std::int64_t shared_processor(const Segments& segments) {
    for (const engine::RunSegment& a : segments) {
        for (const engine::RunSegment& b : segments) {
            const bool meet = a.job < b.job && std::max(a.begin, b.begin) < std::min(a.end, b.end);
            for (std::size_t i = 0; meet && i < a.processors.size() * b.processors.size(); ++i) {
                const auto& [first, count] = a.processors[i % a.processors.size()];
                const auto& [other, others] = b.processors[i / a.processors.size()];
                if (std::max(first.value, other.value)
                    < std::min(first.value + count, other.value + others)) {
                    return std::max(first.value, other.value);
                }
            }
        }
    }
    return -1;
}

int drawn(Dice& dice, int low, int high) {
    return low + static_cast<int>(dice.below(static_cast<std::uint64_t>(high - low + 1)));
}

Listed random_jobs(Dice& dice, int processors) {
    Listed jobs;
    int submit = 0;
    for (int i = drawn(dice, 3, 25); i > 0; --i) {
        jobs.submits.push_back(submit += drawn(dice, 0, 8));
        jobs.sizes.push_back(drawn(dice, 1, drawn(dice, 1, processors)));
        jobs.services.push_back(drawn(dice, 0, 40));
    }
    return jobs;
}

}  // namespace

// Slices of 10 of classes 2, 1, 0, 2, … from 0. From 10 on job 0 has processor 0, alone; from 20
// on, in its own slice, too, beside job 1 on the only free pair, 2 and 3. It ends at 30, where both
// jobs of 2 get pairs in order: job 1 goes on without a pause, on 0 and 1, until 40; job 2 has 2
// and 3, and from 40 on the first pair.
TEST_CASE("three jobs of a migration gang, by hand") {
    const Logged made = logged(campaign(
        {{3, 13, 13}, {1, 2, 2}, {20, 20, 20}},
        4,
        "{migration_gang: {order: leaves, timeplexing_cycle_s: 30, switch_cost_s: 0}}"
    ));
    CHECK(
        segments_table(
            chart(made),
            {4},
            [](const engine::RunSegment& segment) {
                return NamedJob{static_cast<std::int64_t>(segment.job), segment.job == 0 ? 3. : 13.};
            }
        )
        == "job,submit,start,finish,processors,ranges,kind\n"
           "0,3,10,30,1,0,running\n"
           "1,13,20,30,2,2-3,running\n"
           "1,13,30,40,2,0-1,running\n"
           "2,13,30,40,2,2-3,running\n"
           "2,13,40,50,2,0-1,running\n"
    );
    CHECK(made.log.processors.rows() == 0);
}

TEST_CASE("no two jobs share a processor in the chart of 600 gangs that move them") {
    Dice dice(20261129);
    int moved = 0;
    for (int cell = 0; cell < 600; ++cell) {
        const int processors = drawn(dice, 2, 40);
        const std::vector<std::string> orders = {"leaves", "root", "adaptive"};
        const std::string policy = fmt::format(
            "{{migration_gang: {{order: {}, timeplexing_cycle_s: {}, switch_cost_s: {}, mid_slice: "
            "{}}}}}",
            orders[dice.below(3)],
            drawn(dice, 20, 60),
            cell % 2,
            dice.below(2) == 0 ? "idle" : "refill"
        );
        const std::string text = campaign(random_jobs(dice, processors), processors, policy);
        CAPTURE(text);
        const Logged made = logged(text);
        const Segments drawn_as = chart(made);
        CHECK(shared_processor(drawn_as) == -1);
        if (made.log.pieces.rows() > 0) {
            CHECK(stretches_of(made.log.pieces) == stretches_of(drawn_as));
            ++moved;
        }
    }
    CHECK(moved > 300);
}

TEST_CASE("a log that cannot be made is left out, the rest is written, marked and told") {
    const Plan plan =
        plan_of(small_campaign("small", 5, 2) + "job_log: {replications: 2, users: 3}\n");
    const TemporaryFolder folder;
    const std::filesystem::path output = folder / "small.h5";
    {
        const auto opened = open_journal(journal_path(output), plan, ExistingJournal::refuse);
        engine::TaskResult other = done(1, plan);  // with the schedule of another replication
        other.payload = done(7, plan).payload;
        opened.journal->append_result(done(0, plan));
        opened.journal->append_result(other);
    }
    const RunSummary summary = rebuild(journal_path(output), output);
    REQUIRE(summary.defects.size() == 2);
    CHECK(summary.defects[0].cell == -1);
    CHECK(summary.defects[0].problem.starts_with(
        "tables of job logs are left out (the log of replication 1 of cell 0 cannot be written"
    ));
    CHECK(summary.defects[1].cell == 0);
    CHECK(summary.defects[1].problem.starts_with("the job log of replication 1 is left out"));
    CHECK(explain_defects(summary, ExitCode::done) == ExitCode::internal);
    CHECK(explain_defects(RunSummary(), ExitCode::finished_short) == ExitCode::finished_short);
    // The other log is there, and readers take the file.
    CHECK(logs_in(output) == "0/0");
    const results_schema::ResultFile read = results_schema::read_results(output);
    CHECK(defects_text(read).starts_with(
        "This file fails the check of its writer (tables of job logs"
    ));
    CHECK(defects_text(read).ends_with(
        "; 2 problems in all, table defects). This is an error of schedfarm: report it."
    ));
    CHECK(results_schema::payload_hash(read) == summary.payload_hash);
}
