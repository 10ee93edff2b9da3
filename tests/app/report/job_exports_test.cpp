// Schedules for other programs, worked out by hand.
#include "app/report/schedule/job_exports.hpp"

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"

#include "app/report/schedule/job_sources.hpp"

#include "tests/app/report/six_jobs.hpp"

using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

TEST_CASE("the Evalys table of six jobs is the one worked out by hand") {
    JobSchedule schedule = schedule_of_table(six_jobs_table, "six jobs.csv", std::nullopt);
    schedule.jobs[1].requested_s = 25;
    schedule.jobs[2].outcome = JobOutcome::failed;  // job 3
    // Job 3: wait 11 − 1, turnaround 16 − 1, stretch 15/5; job 6: 17/4; job 5: 44/30.
    CHECK(
        evalys_table(schedule)
        == "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
           "requested_time,success,final_state,starting_time,execution_time,finish_time,"
           "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"
           "1,six_jobs.csv,delay,0,4,-1,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1,0-3,-1,\n"
           "2,six_jobs.csv,delay,0,2,25,1,COMPLETED_SUCCESSFULLY,0,20,20,0,20,1,4-5,-1,\n"
           "4,six_jobs.csv,delay,2,2,-1,1,COMPLETED_SUCCESSFULLY,2,9,11,0,9,1,6-7,-1,\n"
           "3,six_jobs.csv,delay,1,6,-1,0,COMPLETED_FAILED,11,5,16,10,15,3,0-3 6-7,-1,\n"
           "5,six_jobs.csv,delay,2,2,-1,1,COMPLETED_SUCCESSFULLY,16,30,46,14,44,"
           "1.4666666666666666,0-1,-1,\n"
           "6,six_jobs.csv,delay,3,1,-1,1,COMPLETED_SUCCESSFULLY,16,4,20,13,17,4.25,2,-1,\n"
    );
}

TEST_CASE("a job of several segments has no place in an Evalys table") {
    const JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\n1,0,0,1,1\n1,0,2,3,1\n", "t", std::nullopt
    );
    CHECK_THROWS_AS(evalys_table(schedule), schedfarm::models::trace::LogError);
    CHECK(paje_trace(schedule).find("8 3 S p0\n") != std::string::npos);
}

TEST_CASE("the Paje trace of two jobs is the one worked out by hand") {
    // Job 2 waits from 1 to 4 for the processors of job 1; level changes follow the states.
    const std::string trace = paje_trace(schedule_of_table(
        "job,submit,start,finish,processors\n1,0,0,4,2\n2,1,4,6.5,1\n", "two \"jobs\"", std::nullopt
    ));
    const std::size_t begin = trace.find("0 M 0 \"machine\"\n");
    REQUIRE(begin != std::string::npos);
    CHECK(
        trace.substr(begin)
        == "0 M 0 \"machine\"\n"
           "0 P M \"processor\"\n"
           "1 S P \"job\"\n"
           "2 B M \"busy processors\" \"0.267 0.467 0.667\"\n"
           "2 W M \"waiting jobs\" \"0.467 0.467 0.467\"\n"
           "3 j1 S \"1\" \"0.267 0.733 0.600\"\n"
           "3 j2 S \"2\" \"0.933 0.867 0.533\"\n"
           "4 0 m M 0 \"two _jobs_\"\n"
           "4 0 p0 P m \"p0\"\n"
           "4 0 p1 P m \"p1\"\n"
           "7 0 S p0 j1\n"
           "7 0 S p1 j1\n"
           "6 0 B m 2\n"
           "6 0 W m 0\n"
           "6 1 W m 1\n"
           "8 4 S p0\n"
           "8 4 S p1\n"
           "7 4 S p0 j2\n"
           "6 4 B m 1\n"
           "6 4 W m 0\n"
           "8 6.5 S p0\n"
           "6 6.5 B m 0\n"
           "5 6.5 P p0\n"
           "5 6.5 P p1\n"
           "5 6.5 M m\n"
    );
}

TEST_CASE("a Paje trace tells the levels at its begin and nothing of what takes no time") {
    // Job 1 holds its processor for no time; job 2 loads from 5 to 6 and runs until 7.
    const std::string trace = paje_trace(schedule_of_table(
        "job,submit,start,finish,processors,ranges,kind\n"
        "1,0,0,0,1,0,running\n"
        "2,5,5,6,1,0,loading\n"
        "2,5,6,7,1,0,running\n",
        "t",
        std::nullopt
    ));
    const std::size_t begin = trace.find("3 j1 ");
    REQUIRE(begin != std::string::npos);
    CHECK(
        trace.substr(begin)
        == "3 j1 S \"1\" \"0.267 0.733 0.600\"\n"
           "3 j2 S \"2\" \"0.933 0.867 0.533\"\n"
           "3 l2 S \"2 loading\" \"0.886 0.886 0.886\"\n"
           "4 0 m M 0 \"t\"\n"
           "4 0 p0 P m \"p0\"\n"
           "6 0 B m 0\n"
           "6 0 W m 0\n"
           "7 5 S p0 l2\n"
           "6 5 B m 1\n"
           "8 6 S p0\n"
           "7 6 S p0 j2\n"
           "8 7 S p0\n"
           "6 7 B m 0\n"
           "5 7 P p0\n"
           "5 7 M m\n"
    );
}

TEST_CASE("an Evalys table has words without commas and a kill for a failure") {
    JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\n1,0,0,1,1\n", "two, \"three\"", std::nullopt
    );
    schedule.jobs[0].outcome = JobOutcome::killed;
    const std::string table = evalys_table(schedule);
    CHECK(
        table.substr(table.find('\n') + 1)
        == "1,two___three_,delay,0,1,-1,0,COMPLETED_KILLED,0,1,1,0,1,1,0,-1,\n"
    );
}
