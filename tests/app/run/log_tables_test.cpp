// The tables that are made of job logs, by hand: what comes before the warm-up is over counts in
// neither, but for the processors that it still holds.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "app/run/tables/result_tables.hpp"

#include "tests/app/run/small_campaign.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

TEST_CASE("tables of logs leave the warm-up out") {
    // First come, first served on 4 processors. Job 0 has 0-20 and is not counted; jobs 1 and 2, of
    // 2 each, start at 20 and end at 40 and 30; job 3 has 50-55.
    const Plan plan = tests::plan_of(R"(campaign_format: 1
name: a log by hand
seed: 1
experiment: open
system: {clusters: [4]}
workload:
  model: listed
  submit_times: [0, 10, 20, 50]
  service_times: [20, 20, 10, 5]
  sizes: [4, 2, 2, 4]
  users: [7, 7, 8, 9]
  requested_times: [20, 50, 10, 25]
horizon: {jobs: 4, warm_up: {jobs: 1}, ensemble_bins: 0}
policy: fcfs
replications: 1
job_log: {replications: 1, utilization_parts: 2, users: 1}
)");
    CampaignProgress progress(plan);
    progress.take(tests::done(0, plan));
    const std::vector<results_schema::Table> tables = log_tables(plan, progress);
    REQUIRE(tables.size() == 2);
    // The window is 10 to 50, from the first submission that counts to the last. Up to 30 jobs 0, 1
    // and 2 use 4 · 10 + 2 · 10 + 2 · 10 of 4 · 20; then job 1 uses 2 · 10.
    CHECK(tests::column_in<double>(tables[0], "begin") == std::vector<double>{10, 30});
    CHECK(tests::column_in<double>(tables[0], "end") == std::vector<double>{30, 50});
    CHECK(tests::column_in<double>(tables[0], "gross_utilization") == std::vector<double>{1, 0.25});
    // User 7 has job 1: it waits 10 and takes 20. The others have jobs 2 and 3, which do not wait;
    // job 3 is shorter than the threshold of 10.
    CHECK(tests::column_in<std::int64_t>(tables[1], "user") == std::vector<std::int64_t>{7, -1});
    CHECK(tests::column_in<std::uint64_t>(tables[1], "users") == std::vector<std::uint64_t>{1, 2});
    CHECK(tests::column_in<std::uint64_t>(tables[1], "jobs") == std::vector<std::uint64_t>{1, 2});
    CHECK(tests::column_in<double>(tables[1], "processor_time") == std::vector<double>{40, 40});
    CHECK(tests::column_in<double>(tables[1], "response_time") == std::vector<double>{30, 7.5});
    CHECK(tests::column_in<double>(tables[1], "wait") == std::vector<double>{10, 0});
    CHECK(tests::column_in<double>(tables[1], "bounded_slowdown") == std::vector<double>{1.5, 1});
    // Requested are 2 · 50, and by the others 2 · 10 + 4 · 25.
    CHECK(
        tests::column_in<double>(tables[1], "requested_processor_time")
        == std::vector<double>{100, 120}
    );
}
