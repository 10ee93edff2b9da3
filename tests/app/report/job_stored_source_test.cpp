// Logs of replications in result files as schedules.
#include <limits>

#include <doctest/doctest.h>

#include "results_schema/job_pauses.hpp"
#include "results_schema/result_io.hpp"

#include "app/report/schedule/job_exports.hpp"
#include "app/report/schedule/job_sources.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/example_job_log.hpp"

using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using schedfarm::tests::add_logged_job;
using schedfarm::tests::add_range;
using schedfarm::tests::two_by_two;

namespace {

/// Jobs 0 and 3; the second has no submit time.
StoredJobLog two_jobs() {
    StoredJobLog log = make_job_log({2, 1});
    add_logged_job(log, {0, 0.5, 1, 4, 3, 2});
    add_logged_job(log, {3, std::numeric_limits<double>::quiet_NaN(), 2, 6, 4, 3});
    return log;
}

std::string error_of(const StoredJobLog& log, std::optional<std::uint32_t> processors) {
    try {
        schedule_of_job_log(log, {}, two_by_two(), processors);
    } catch (const ResultError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a stored log is drawn on the processors that it names") {
    StoredJobLog log = two_jobs();
    add_range(log, 0, 1, 1);
    add_range(log, 0, 7, 7);
    add_range(log, 3, 2, 4);
    const JobSchedule schedule = schedule_of_job_log(log, {}, two_by_two(), std::nullopt);
    CHECK(schedule.name == "cell 2 (fpfs, 0.6), replication 1");
    CHECK(schedule.processors == 32);
    CHECK(schedule.notes.empty());
    CHECK(schedule.jobs.at(1).user == 42);
    CHECK(
        jobs_table(schedule)
        == "job,submit,start,finish,processors,ranges,kind,user\n"
           "0,0.5,1,4,2,1 7,running,42\n"
           "3,2,2,6,3,2-4,running,42\n"
    );
    CHECK(schedule_of_job_log(log, {}, two_by_two(), 8).processors == 8);
    CHECK(error_of(log, 7).find("on 7 processors (its jobs need 8") != std::string::npos);
}

// Nodes of 4, 4 and 24 CPUs.
TEST_CASE("nodes of slurm.conf have their names in the table, which is read again") {
    ResultFile results = two_by_two();
    for (Table& table : results.tables) {
        for (Column& column : table.columns) {
            if (table.name == "cells" && column.name == "policy") {
                column.data = Texts(
                    table.rows(),
                    R"({slurm: {conf: "NodeName=n[1-2] CPUs=4\nNodeName=big CPUs=24\n"}})"
                );
            }
        }
    }
    StoredJobLog log = two_jobs();
    add_range(log, 0, 1, 2);
    add_range(log, 3, 8, 10);
    const std::string text = jobs_table(schedule_of_job_log(log, {}, results, std::nullopt));
    CHECK(
        text
        == "job,submit,start,finish,processors,ranges,kind,user\n"
           "0,0.5,1,4,2,1-2,running,42\n"
           "3,2,2,6,3,8-10,running,42\n"
           "n1,0,0,0,4,0-3,node,\n"
           "n2,0,0,0,4,4-7,node,\n"
           "big,0,0,0,24,8-31,node,\n"
    );
    CHECK(jobs_table(schedule_of_table(text, "a.csv", 32)) == text);
}

TEST_CASE("a stored log without processors gets the lowest free ones and says so") {
    const JobSchedule schedule = schedule_of_job_log(two_jobs(), {}, two_by_two(), std::nullopt);
    CHECK(ranges_text(schedule.segments.at(1).ranges) == "2-4");
    CHECK(schedule.notes.size() == 1);
    CHECK(error_of(two_jobs(), 4).find("its jobs need 5") != std::string::npos);
}

TEST_CASE("a stored log tells whether a job paused") {
    StoredJobLog log = two_jobs();
    CHECK(!has_pauses(log.jobs));
    add_logged_job(log, {4, 6, 6, 10, 3.5, 1});
    CHECK(has_pauses(log.jobs));
    // The finish is a sum: 0.1 + 0.2 is a little more than 0.3.
    StoredJobLog rounded = two_jobs();
    add_logged_job(rounded, {4, 0.1, 0.1, 0.1 + 0.2, 0.2, 1});
    CHECK(!has_pauses(rounded.jobs));
    CHECK(error_of(make_job_log({0, 0}), std::nullopt).find("none started") != std::string::npos);
}

TEST_CASE("jobs of a stored log run in the segments that are told") {
    // Job 3 runs from 2 to 3 and from 4 to 6; job 1 is not logged.
    const std::vector<schedfarm::engine::RunSegment> segments{
        {3, 2, 3, {{{4}, 3}}, 3}, {1, 3, 4, {{{0}, 1}}, 1}, {3, 4, 6, {{{7}, 3}}, 3}};
    StoredJobLog log = make_job_log({2, 1});
    add_logged_job(log, {3, 2, 2, 6, 3, 3});
    const JobSchedule schedule = schedule_of_job_log(log, segments, two_by_two(), std::nullopt);
    CHECK(schedule.notes.empty());
    CHECK(
        jobs_table(schedule)
        == "job,submit,start,finish,processors,ranges,kind,user\n"
           "3,2,2,3,3,4-6,running,42\n"
           "3,2,4,6,3,7-9,running,42\n"
    );
    CHECK_THROWS_AS(schedule_of_job_log(log, segments, two_by_two(), 9), ResultError);
    CHECK(schedule.time_unit == "time units");
}

// Clusters of 4 and 2: job 0 of cluster 2 holds 2 of cluster 1 and 1 of cluster 2 until 4; job 3
// has 2 of cluster 1 beside it.
TEST_CASE("jobs on several clusters have the lowest free processors of each") {
    ResultFile results = two_by_two();
    for (Table& table : results.tables) {
        for (Column& column : table.columns) {
            if (table.name == "cells" && column.name == "clusters") {
                column.data = Texts(table.rows(), "[4, 2]");
            }
        }
    }
    StoredJobLog log = make_job_log({2, 1});
    add_logged_job(log, {0, 0, 1, 4, 3, 3});
    add_logged_job(log, {3, 2, 2, 6, 4, 2});
    const std::vector<schedfarm::engine::RunSegment> segments{
        {0, 1, 4, {}, 3, {{{0}, 2}, {{1}, 1}}, 1}, {3, 2, 6, {}, 2, {{{0}, 2}}, 0}};
    const JobSchedule schedule = schedule_of_job_log(log, segments, results, std::nullopt);
    CHECK(schedule.processors == 6);
    CHECK(schedule.clusters == std::vector<std::uint32_t>{4, 2});
    CHECK(
        jobs_table(schedule)
        == "job,submit,start,finish,processors,ranges,kind,user,home\n"
           "0,0,1,4,3,0-1 4,running,42,2\n"
           "3,2,2,6,2,2-3,running,42,1\n"
    );
    const JobSchedule read = schedule_of_table(jobs_table(schedule), "table", 6);
    CHECK(read.jobs.at(0).home == 1);
    CHECK(jobs_table(read) == jobs_table(schedule));
}
