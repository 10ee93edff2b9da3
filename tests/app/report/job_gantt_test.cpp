// Charts of schedules for a terminal, worked out by hand.
#include "app/report/schedule/job_gantt.hpp"

#include <doctest/doctest.h>

#include "app/report/schedule/job_sources.hpp"

#include "tests/app/report/six_jobs.hpp"

using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("times that are no seconds are told in the workload's own unit") {
    JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    CHECK(contains(job_gantt_text(schedule, {}), " 46 s\n"));
    schedule.time_unit = "time units";
    const std::string text = job_gantt_text(schedule, {});
    CHECK(contains(text, "          0 time units "));
    CHECK(contains(text, " 46 time units\n"));
}

TEST_CASE("the text has a row per processor and fits 80 columns") {
    const JobSchedule schedule = schedule_of_table(six_jobs_table, "six", std::nullopt);
    const std::string text = job_gantt_text(schedule, {});
    CHECK(contains(text, "six: 6 jobs on 8 processors\n"));
    // 40 + 40 + 18 + 30 + 60 + 4 = 192 of 8 · 46 = 368 processor seconds.
    CHECK(contains(text, " 52.2 %\n"));
    CHECK(contains(text, "max 3\n"));  // jobs 3, 5 and 6 from 3 to 11
    std::size_t width = 0;
    for (const char character : text) {
        const bool is_continued = (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
        width = character == '\n' ? 0 : width + (is_continued ? 0U : 1U);
        REQUIRE(width <= 80);
    }
}

TEST_CASE("long times are told in hours or days") {
    JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\n1,0,0,9000,1\n", "long", std::nullopt
    );
    CHECK(contains(job_gantt_text(schedule, {.from_s = 0, .to_s = 7200}), " 7200 s\n"));
    CHECK(contains(job_gantt_text(schedule, {}), " 2.5 h\n"));
    CHECK(contains(job_gantt_text(schedule, {.from_s = 0, .to_s = 5 * 86400}), " 5 d\n"));
}

TEST_CASE("a schedule that takes no time has a chart") {
    const JobSchedule schedule = schedule_of_table(
        "job,submit,start,finish,processors\n1,5,5,5,1\n", "instant", std::nullopt
    );
    CHECK(contains(job_gantt_text(schedule, {}), "instant: 1 job on 1 processor\n"));
}
