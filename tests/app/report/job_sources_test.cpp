// Where schedules come from, and what is refused.
#include "app/report/schedule/job_sources.hpp"

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

#include "app/report/schedule/job_exports.hpp"
#include "app/report/schedule/node_lists.hpp"

#include "tests/app/report/six_jobs.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

std::string error_of(
    const std::string& text, std::optional<std::uint32_t> processors = std::nullopt
) {
    try {
        schedule_of_table(text, "t.csv", processors);
    } catch (const models::trace::LogError& error) {
        return error.what();
    }
    return "no error";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

JobSchedule log_of(const std::string& text, std::optional<std::uint32_t> processors) {
    return schedule_of_log(models::trace::read_log_text(text, "l.swf"), processors);
}

}  // namespace

TEST_CASE("six jobs get the processors worked out by hand") {
    const JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    CHECK(schedule.processors == 8);
    CHECK(
        jobs_table(schedule)
        == "job,submit,start,finish,processors,ranges,kind\n"
           "1,0,0,10,4,0-3,running\n"
           "2,0,0,20,2,4-5,running\n"
           "4,2,2,11,2,6-7,running\n"
           "3,1,11,16,6,0-3 6-7,running\n"
           "5,2,16,46,2,0-1,running\n"
           "6,3,16,20,1,2,running\n"
    );
    CHECK(schedule_of_table(six_jobs_table, "six", 10).processors == 10);
}

TEST_CASE("of what begins at one instant that comes first which takes no time") {
    const std::string table = "job,submit,start,finish,processors\n1,0,0,5,2\n2,0,0,0,3\n";
    const JobSchedule schedule = schedule_of_table(table, "t", std::nullopt);
    CHECK(schedule.processors == 3);
    CHECK(
        jobs_table(schedule)
        == "job,submit,start,finish,processors,ranges,kind\n"
           "2,0,0,0,3,0-2,running\n"
           "1,0,0,5,2,0-1,running\n"
    );
}

TEST_CASE("a table that was written is read as the same schedule") {
    // Job 7 loads, runs, is suspended and goes on elsewhere while 8 holds its place.
    const std::string table =
        "job,submit,start,finish,processors,ranges,kind\n"
        "7,0,0,2,2,0-1,loading\n"
        "7,0,2,5.5,2,0-1,running\n"
        "8,1,5.5,9,2,0-1,running\n"
        "7,0,7,9,2,2 4,running\n";
    const JobSchedule schedule = schedule_of_table(table, "t", std::nullopt);
    CHECK(schedule.processors == 5);
    REQUIRE(schedule.jobs.size() == 2);
    CHECK(schedule.jobs[0].start_s == 0);
    CHECK(schedule.jobs[0].finish_s == 9);
    CHECK(schedule.segments[0].kind == SegmentKind::loading);
    CHECK(jobs_table(schedule) == table);
    CHECK(jobs_table(schedule_of_table(jobs_table(schedule), "t", 5)) == table);
}

TEST_CASE("nodes with names like formulas have an apostrophe in the table alone") {
    const std::string table =
        "job,submit,start,finish,processors,ranges,kind\n"
        "7,0,3,5,2,0-1,running\n"
        "'=1+2,0,0,0,3,0-2,node\n"
        "-4,0,0,0,1,3,node\n"
        "n9,0,0,0,2,4-5,node\n";
    const JobSchedule schedule = schedule_of_table(table, "t", std::nullopt);
    REQUIRE(schedule.nodes.size() == 3);
    CHECK(schedule.nodes[0].name == "=1+2");
    CHECK(schedule.nodes[1].name == "-4");
    CHECK(schedule.nodes[2].name == "n9");
    CHECK(jobs_table(schedule) == table);
}

TEST_CASE("a table tells users where a job has one") {
    const std::string table =
        "job,submit,start,finish,processors,ranges,kind,user\n"
        "1,0,0,2,1,0,running,7\n"
        "2,0,0,2,1,1,running,\n";
    const JobSchedule schedule = schedule_of_table(table, "t", std::nullopt);
    CHECK(schedule.jobs[0].user == 7);
    CHECK_FALSE(schedule.jobs[1].user);
    CHECK(jobs_table(schedule) == table);
    CHECK(contains(
        error_of("job,submit,start,finish,processors,ranges,kind,user\n1,0,0,1,1,0,running,x\n"),
        "'x' is no number (of column 'user')"
    ));
}

TEST_CASE("jobs.csv of Batsim and Evalys are the schedule of their columns") {
    const std::string ours =
        "job,submit,start,finish,processors,ranges,kind\n"
        "1,0,0,10,4,0-3,running\n"
        "2,0.5,0.5,20,2,4 6,running\n"
        "4,1,10,12.25,1,0,running\n";
    // Batsim 4: with metadata; job 3 was rejected, job 4 got less than it asked for.
    const std::string batsim =
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
        "requested_time,success,final_state,starting_time,execution_time,finish_time,"
        "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"
        "1,w0,d1,0.000000,4,60,1,COMPLETED_SUCCESSFULLY,0.000000,10.000000,10.000000,0.000000,"
        "10.000000,1.000000,0-3,-1,\"a, b\"\n"
        "2,w0,d2,0.500000,2,60,0,COMPLETED_WALLTIME_REACHED,0.500000,19.500000,20.000000,0,19.5,1,"
        "4 6,-1,\"\"\n"
        "3,w0,d2,0.750000,9,60,0,REJECTED,-1.000000,-1.000000,-1.000000,-1,-1,-1,,-1,\"\"\n"
        "4,w0,d2,1.000000,2,60,1,COMPLETED_SUCCESSFULLY,10.000000,2.25,12.250000,9,11.25,5,"
        "0,-1,\"c\"\n";
    const JobSchedule schedule = schedule_of_table(batsim, "jobs.csv", std::nullopt);
    CHECK(jobs_table(schedule) == ours);
    CHECK(schedule.notes == std::vector<std::string>{"left out: 1 job, never started"});
    // Of before 2018, as Evalys writes it: another order, other names, no metadata.
    const std::string older =
        "workload_name,jobID,submission_time,requested_number_of_processors,starting_time,"
        "finish_time,allocated_processors\n"
        "w0,1,0.0,4,0.0,10.0,0-3\nw0,2,0.5,2,0.5,20.0,4 "
        "6\nw0,3,0.75,9,,,\nw0,4,1.0,1,10.0,12.25,0\n";
    CHECK(jobs_table(schedule_of_table(older, "jobs.csv", std::nullopt)) == ours);
    // Two workloads with a job 1, and a name that is no number.
    for (const std::string id : {"1", "first", "1.5", "99999999999999999"}) {
        std::string others = batsim;
        others.replace(others.find("\n4,w0") + 1, 4, id + ",w1");
        const JobSchedule numbered = schedule_of_table(others, "jobs.csv", std::nullopt);
        std::string by_row = ours;
        by_row.replace(by_row.find("\n4,") + 1, 1, "3");
        CHECK(jobs_table(numbered) == by_row);
        REQUIRE(numbered.notes.size() == 2);
        CHECK(contains(numbered.notes[1], "jobs are numbered by their rows"));
    }
    CHECK(contains(
        error_of("job_id,submission_time,starting_time,finish_time\n1,0,0,1\n"),
        "t.csv:1: this is no table of jobs"
    ));
    std::string torn = batsim;
    torn.replace(torn.find("4 6"), 3, "6 4");
    CHECK(contains(error_of(torn), "t.csv:3: '6 4' are no ranges"));
    torn.replace(torn.find("6 4"), 3, "3-4");
    CHECK(contains(error_of(torn), "t.csv:3: processor 3 is held twice"));
}

TEST_CASE("line ends of Windows and blank lines are no matter") {
    const JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\r\n1,0,0,1,1\r\n\n2,0,1e0,2.5,1\r\n", "t", std::nullopt
    );
    CHECK(schedule.jobs.size() == 2);
    CHECK(schedule.end_s() == 2.5);
}

TEST_CASE("a table that is none is refused with line and reason") {
    const std::string head = "job,submit,start,finish,processors\n";
    const std::string ranged = "job,submit,start,finish,processors,ranges\n";
    CHECK(contains(error_of(""), "t.csv:1: this is no table of jobs"));
    CHECK(contains(error_of("job,submit,start\n"), "t.csv:1: this is no table of jobs"));
    CHECK(contains(error_of("job,submit,start,finish,process\n"), "t.csv:1: this is no table"));
    CHECK(contains(error_of(head), "t.csv: there is no job to draw"));
    CHECK(contains(error_of(head + "1,0,0,1\n"), "t.csv:2: this line has 4 values (the first has"));
    CHECK(contains(error_of(head + "1,0,0,1,1\n1,0,x,1,1\n"), "t.csv:3: 'x' is no number (of col"));
    CHECK(contains(error_of(head + "1,0,nan,1,1\n"), "t.csv:2: 'nan' is no number"));
    CHECK(contains(error_of(head + "1.5,0,0,1,1\n"), "t.csv:2: '1.5' cannot be in column 'job'"));
    CHECK(contains(error_of(head + "1,0,0,1,0\n"), "'0' cannot be in column 'processors'"));
    CHECK(contains(error_of(head + "1,0,0,1,1e9\n"), "'1e9' cannot be in column 'processors'"));
    CHECK(contains(error_of(head + "1,5,0,6,1\n"), "t.csv:2: job 1 goes back in time"));
    CHECK(contains(error_of(head + "1,0,7,6,1\n"), "t.csv:2: job 1 goes back in time"));
    CHECK(contains(error_of(head + "1,0,0,1,1\n1,1,1,2,1\n"), "t.csv:3: job 1 was submitted at 1"));
    CHECK(contains(error_of(ranged + "1,0,0,1,2,1-0\n"), "t.csv:2: '1-0' are no ranges"));
    CHECK(contains(error_of(ranged + "1,0,0,1,2,3 1\n"), "'3 1' are no ranges"));
    CHECK(contains(error_of(ranged + "1,0,0,1,2,\n"), "'' are 0 processors (column 'processors'"));
    CHECK(contains(error_of(ranged + "1,0,0,1,2,0-2\n"), "'0-2' are 3 processors"));
    CHECK(contains(
        error_of("job,submit,start,finish,processors,ranges,kind\n1,0,0,1,1,0,waits\n"),
        "'waits' is nothing that a job does"
    ));
}

TEST_CASE("a processor that is held twice is named with both lines") {
    const std::string table =
        "job,submit,start,finish,processors,ranges\n"
        "1,0,0,10,4,0-3\n"
        "2,0,10,12,2,2-3\n"  // begins where 1 ends: allowed
        "3,0,11,12,2,3-4\n";
    CHECK(contains(
        error_of(table),
        "t.csv:4: processor 3 is held twice (job 3 begins at 11, and line 3 gives it to job 2 until"
    ));
}

TEST_CASE("a machine that is too small is refused") {
    CHECK(contains(error_of(six_jobs_table, 7), "7 processors are too few (the jobs hold up to 8)")
    );
    const std::string ranged = "job,submit,start,finish,processors,ranges\n1,0,0,1,1,7\n";
    CHECK(contains(error_of(ranged, 7), "7 processors are too few"));
    CHECK(error_of(ranged, 8) == "no error");
}

TEST_CASE("a log is drawn as it was and what cannot be drawn is noted") {
    // number submit wait run allocated cpu memory requested time memory status user …
    const std::string log =
        "; MaxProcs: 4\n"
        "1 0 0 10 3 -1 -1 -1 20 -1 1 5 1 1 1 1 -1 -1\n"
        "2 5 5 10 -1 -1 -1 4 -1 -1 0 6 1 1 1 1 -1 -1\n"
        "3 6 -1 10 4 -1 -1 4 -1 -1 5 6 1 1 1 1 -1 -1\n"
        "4 7 1 -1 4 -1 -1 4 -1 -1 5 6 1 1 1 1 -1 -1\n"
        "5 8 1 1 -1 -1 -1 -1 -1 -1 1 6 1 1 1 1 -1 -1\n"
        "6 8 1 1 1 -1 -1 1 -1 -1 3 6 1 1 1 1 -1 -1\n";
    const JobSchedule schedule = log_of(log, std::nullopt);
    REQUIRE(schedule.jobs.size() == 2);
    CHECK(schedule.processors == 4);
    CHECK(schedule.jobs[0].user == 5);
    CHECK(schedule.jobs[1].start_s == 10);
    CHECK(schedule.jobs[1].finish_s == 20);
    REQUIRE(schedule.notes.size() == 1);
    CHECK(
        schedule.notes[0]
        == "4 lines of the log left out (1 no processors, 1 no wait time, 1 no run time, 1 part of "
           "a job)"
    );
}

TEST_CASE("a log that holds more than its machine is drawn on as many as it holds") {
    const std::string log =
        "; MaxProcs: 4\n"
        "1 0 0 10 3 -1 -1 -1 20 -1 1 5 1 1 1 1 -1 -1\n"
        "2 0 9 10 3 -1 -1 -1 20 -1 1 5 1 1 1 1 -1 -1\n";
    const JobSchedule schedule = log_of(log, std::nullopt);
    CHECK(schedule.processors == 6);
    REQUIRE(schedule.notes.size() == 1);
    CHECK(
        schedule.notes[0] == "the log holds up to 6 processors at once; those above 4 are not drawn"
    );
    // Job 1 has 0–2 and job 2 has 3–5, of which the machine has only 3.
    CHECK(schedule.segments[1].processors == 3);
    const JobSchedule drawn = on_machine(schedule);
    CHECK(drawn.processors == 4);
    CHECK(ranges_text(drawn.segments[0].ranges) == "0-2");
    CHECK(ranges_text(drawn.segments[1].ranges) == "3");
    CHECK(drawn.segments[1].processors == 1);
    CHECK(log_of(log, 9).processors == 9);
    const std::string unstarted = "1 0 -1 10 3 -1 -1 -1 20 -1 1 5 1 1 1 1 -1 -1\n";
    CHECK_THROWS_AS(log_of(unstarted, std::nullopt), models::trace::LogError);
}

TEST_CASE("lists of nodes are as many names as they say") {
    using Names = std::vector<std::string>;
    CHECK(nodes_of("n1") == Names{"n1"});
    CHECK(nodes_of("n[1-3,8]") == Names{"n1", "n2", "n3", "n8"});
    CHECK(nodes_of("n[099-101],x,y[07]") == Names{"n099", "n100", "n101", "x", "y07"});
    for (const char* wrong : {"", "n[", "n[1-", "n[3-1]", "n[a-b]", ",", "n[1-9999999]"}) {
        CAPTURE(wrong);
        CHECK(nodes_of(wrong).empty());
    }
}

TEST_CASE("a log that names nodes is drawn on them unless jobs share some") {
    const std::string header = "JobIDRaw|Submit|Start|End|AllocCPUS|NodeList\n";
    const auto schedule = [&header](const std::string& rows) {
        return schedule_of_log(models::trace::read_log_text(header + rows, "a.txt"), std::nullopt);
    };
    const JobSchedule named = schedule("1|0|0|10|8|n[2,10]\n2|0|0|5|4|n1\n3|1|5|9|4|n1\n");
    CHECK(named.processors == 3);
    CHECK(ranges_text(named.segments[0].ranges) == "1-2");
    CHECK(ranges_text(named.segments[1].ranges) == "0");
    CHECK(named.notes.back() == "rows are the nodes that the log names, n1 to n10");
    CHECK(schedule("1|0|0|10|8|n1\n2|0|0|5|4|n1\n").processors == 12);
    CHECK(schedule("1|0|0|10|8|n1\n2|0|0|5|4|None assigned\n").processors == 12);
}
