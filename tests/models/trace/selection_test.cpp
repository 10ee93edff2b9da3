// Which jobs are kept and what they become, by hand; dates.
#include "models/trace/selection.hpp"

#include <string>

#include <doctest/doctest.h>

#include "models/trace/clock.hpp"
#include "models/trace/reader.hpp"

namespace schedfarm::models::trace {

namespace {

/// Fields: number submit wait run allocated cpu memory requested request memory status user …
Log example() {
    return read_log_text(
        "; MaxProcs: 64\n"
        "1 100 0  50  4 40.5 -1  8 100 -1 1 7 -1 -1 -1 -1 -1 -1\n"   // faultless
        "2  90 0 200 -1   -1 -1 16 150 -1 0 8 -1 -1 -1 -1 -1 -1\n"   // early; overrun; requested
                                                                     // only
        "3 110 0   0  2    1 -1  2 100 -1 1 7 -1 -1 -1 -1 -1 -1\n"   // run 0
        "4 120 0  -1  2    1 -1  2 100 -1 5 7 -1 -1 -1 -1 -1 -1\n"   // cancelled
        "5 130 0  30 -1    1 -1  0 100 -1 1 7 -1 -1 -1 -1 -1 -1\n"   // no processors
        "6 140 0  30  1    1 -1 -1  -1 -1 1 9 -1 -1 -1 -1 -1 -1\n"   // no request
        "7  -1 0  30  1    1 -1 -1  60 -1 1 9 -1 -1 -1 -1 -1 -1\n"   // no submit
        "8 160 0  70 32    0 -1 32  60 -1 0 9 -1 -1 -1 -1 -1 -1\n",  // overrun
        "example.swf"
    );
}

/// "row: submit run request processors; " of every job.
std::string text(const JobList& jobs) {
    std::string result;
    const auto integer = [](double value) {
        CHECK(value == static_cast<double>(static_cast<long>(value)));
        return std::to_string(static_cast<long>(value));
    };
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        result += std::to_string(jobs.row[i]) + ": " + integer(jobs.submit[i]) + " "
                  + integer(jobs.run[i]) + " " + integer(jobs.request[i]) + " "
                  + std::to_string(jobs.processors[i]) + "; ";
    }
    return result;
}

std::uint64_t dropped_for(Dropped reason, const SelectedJobs& selected) {
    return selected.dropped[static_cast<std::size_t>(reason)];
}

std::string selected(const Selection& selection, const Filling& filling = {}) {
    return text(select(example(), selection, filling).jobs);
}

}  // namespace

TEST_CASE("the usual normalisation sorts and kills and drops what cannot run") {
    // Row 1 comes first, at 90; it ran 200 s but asked for 150. Row 7 asked for 60.
    const SelectedJobs usual = select(example());
    CHECK(text(usual.jobs) == "1: 90 150 150 16; 0: 100 50 100 4; 7: 160 60 60 32; ");
    CHECK(usual.jobs.user == std::vector<std::int32_t>{8, 7, 9});
    CHECK(dropped_for(Dropped::no_submit_time, usual) == 1);
    CHECK(dropped_for(Dropped::no_processors, usual) == 1);
    CHECK(dropped_for(Dropped::no_run_time, usual) == 1);
    CHECK(dropped_for(Dropped::zero_run_time, usual) == 1);
    CHECK(dropped_for(Dropped::no_requested_time, usual) == 1);
    // 16 · 150 + 4 · 50 + 32 · 60
    CHECK(area(usual.jobs) == 4520);
}

TEST_CASE("jobs that outlive their request run on or raise it") {
    CHECK(
        selected({}, {.overrun = OverrunRule::runs_on})
        == "1: 90 200 150 16; 0: 100 50 100 4; 7: 160 70 60 32; "
    );
    CHECK(
        selected({}, {.overrun = OverrunRule::request_raised})
        == "1: 90 200 200 16; 0: 100 50 100 4; 7: 160 70 70 32; "
    );
}

TEST_CASE("missing requests and run times of 0 are filled as asked") {
    CHECK(
        selected({}, {.missing_request = RequestRule::run_time})
        == "1: 90 150 150 16; 0: 100 50 100 4; 5: 140 30 30 1; 7: 160 60 60 32; "
    );
    CHECK(
        selected({}, {.missing_request = RequestRule::given, .request_s = 20})
        == "1: 90 150 150 16; 0: 100 50 100 4; 5: 140 20 20 1; 7: 160 60 60 32; "
    );
    CHECK(  // of a run time of 0 the filled one is requested
        select(
            read_log_text("1 0 0 0 2 1 -1 2 -1 -1 1 7 -1 -1 -1 -1 -1 -1\n", "zero.swf"),
            {},
            {.zero_run_s = 3, .missing_request = RequestRule::run_time}
        )
            .jobs.request
        == std::vector<double>{3}
    );
    CHECK(
        selected({}, {.zero_run_s = 1})
        == "1: 90 150 150 16; 0: 100 50 100 4; 2: 110 1 100 2; 7: 160 60 60 32; "
    );
}

TEST_CASE("processors are taken as the rule says") {
    // Row 0 was given 4 and asked for 8; row 1 says only what it asked for.
    CHECK(
        selected({}, {.processors = ProcessorsRule::requested_else_allocated})
        == "1: 90 150 150 16; 0: 100 50 100 8; 7: 160 60 60 32; "
    );
    // A number of 0 says nothing.
    const Log zeros = read_log_text(
        "1 0 0 9 0 1 -1 2 9 -1 1 7 -1 -1 -1 -1 -1 -1\n"
        "2 0 0 9 3 1 -1 0 9 -1 1 7 -1 -1 -1 -1 -1 -1\n",
        "zeros.swf"
    );
    for (const ProcessorsRule rule :
         {ProcessorsRule::allocated_else_requested, ProcessorsRule::requested_else_allocated}) {
        CHECK(
            select(zeros, {}, {.processors = rule}).jobs.processors
            == std::vector<std::uint32_t>{2, 3}
        );
    }
    CHECK(
        selected({}, {.processors = ProcessorsRule::allocated})
        == "0: 100 50 100 4; 7: 160 60 60 32; "
    );
    CHECK(
        selected({}, {.processors = ProcessorsRule::requested})
        == "1: 90 150 150 16; 0: 100 50 100 8; 7: 160 60 60 32; "
    );
}

TEST_CASE("dates and status and size and times choose jobs") {
    // The first instant belongs to the dates, the last does not.
    CHECK(selected({.submit_from = 100, .submit_before = 160}) == "0: 100 50 100 4; ");
    CHECK(selected({.size = {4, 16}}) == "1: 90 150 150 16; 0: 100 50 100 4; ");
    // Row 1 ran 200 s before it was cut to 150.
    CHECK(selected({.run_time = {160, 300}}) == "1: 90 150 150 16; ");
    // Row 1 has no CPU time.
    CHECK(selected({.cpu_time = {0, 1e9}}) == "0: 100 50 100 4; 7: 160 60 60 32; ");
    // Nor does it come in where the times begin below what means unknown.
    CHECK(selected({.cpu_time = {-10, 30}}) == "7: 160 60 60 32; ");
    // Row 2 ran 0 s, whatever it is given.
    CHECK(selected({.run_time = {1, 40}}, {.zero_run_s = 20}).empty());
    CHECK(selected({.statuses = {Status::failed}}) == "1: 90 150 150 16; 7: 160 60 60 32; ");
    CHECK(selected({.statuses = {Status::failed, Status::completed}}) == selected({}));
    const SelectedJobs none = select(example(), {.statuses = {Status::partial}});
    CHECK(none.jobs.size() == 0);
    CHECK(dropped_for(Dropped::status, none) == 7);
}

TEST_CASE("dates become seconds of the log") {
    // 2001-09-09 01:46:40 UTC is second 1,000,000,000 (a Sunday).
    const LogClock utc{.unix_start = 1'000'000'000, .utc_offset_s = 0};
    CHECK(log_time(utc, "2001-09-09 01:46:40") == 0);
    CHECK(log_time(utc, "2001-09-09 01:47") == 20);
    CHECK(log_time(utc, "2001-09-09") == -6400);
    CHECK(log_time(utc, "2001-09-10") == 80000);
    CHECK(second_of_week(utc, 0) == 6 * day_s + 6400);
    CHECK(second_of_week(utc, 80000) == 0);
    CHECK(second_of_week(utc, 79999.5) == week_s - 0.5);
    const LogClock west{.unix_start = 1'000'000'000, .utc_offset_s = -18000};
    CHECK(log_time(west, "2001-09-08 20:46:40") == 0);
    CHECK(second_of_week(west, 0) == 5 * day_s + 20 * hour_s + 46 * 60 + 40);
    // A leap day.
    CHECK(*log_time(utc, "2004-03-01") - *log_time(utc, "2004-02-29") == day_s);
    for (const char* wrong :
         {"",
          "2001",
          "2001-02-29",
          "2001-13-01",
          "2001-00-10",
          "2001-09-09 24:00",
          "2001-9-9",
          "2001-09-09 10:60",
          "2001-09-09T10:00",
          "2001-09-09 10:00:00Z"}) {
        CAPTURE(wrong);
        CHECK(!log_time(utc, wrong));
    }
}

TEST_CASE("the clock comes from the header") {
    const auto clock_from = [](const char* text) {
        return clock_of(read_log_text(text, "a.swf").header);
    };
    CHECK(!clock_from("; MaxProcs: 3\n"));
    CHECK(!clock_from("; UnixStartTime: 0\n"));
    CHECK(!clock_from("; UnixStartTime: 99999999999999\n"));
    CHECK(clock_from("; UnixStartTime: 77\n; TimeZone: 3600\n")->utc_offset_s == 3600);
    CHECK(clock_from("; UnixStartTime: 77\n; TimeZone: 999999\n")->utc_offset_s == 0);
}

TEST_CASE("a log without TimeZone has the zone that TimeZoneString or StartTime tells") {
    const auto clock_from = [](const std::string& lines) {
        return *clock_of(read_log_text(lines, "a.swf").header);
    };
    const auto is = [](const LogClock& clock, ZoneSource source, std::int64_t offset_s) {
        return clock.zone == source && clock.utc_offset_s == offset_s;
    };
    const std::string start = "; UnixStartTime: 843480031\n";
    CHECK(is(clock_from(start + "; TimeZone: 60\n"), ZoneSource::time_zone, 60));
    CHECK(is(clock_from(start + "; TimeZoneString: UTC\n"), ZoneSource::zone_name, 0));
    CHECK(is(clock_from(start + "; TimeZoneString: Etc/GMT+5\n"), ZoneSource::zone_name, -18000));
    CHECK(is(clock_from(start + "; TimeZoneString: Etc/GMT-x\n"), ZoneSource::none, 0));
    CHECK(is(clock_from(start + "; TimeZoneString: GMT+5\n"), ZoneSource::none, 0)
    );  // no such name
    // The heads of four logs of the archive; the offsets are their TimeZone.
    const std::string stockholm = start + "; TimeZoneString: Europe/Stockholm\n";
    CHECK(is(clock_from(stockholm), ZoneSource::none, 0));
    CHECK(
        is(clock_from(stockholm + "; StartTime: Mon Sep 23 14:00:31 CEST 1996\n"),
           ZoneSource::start_time,
           3600)
    );
    const auto told = [&](const char* unix_start, const char* date, std::int64_t offset_s) {
        const std::string lines = std::string("; UnixStartTime: ") + unix_start;
        return is(clock_from(lines + "\n; StartTime: " + date), ZoneSource::start_time, offset_s);
    };
    CHECK(told("835823160", "Wed Jun 26 17:06:00 EDT 1996\n", -18000));
    CHECK(told("781275672", "Tue Oct 04 07:01:12 MDT 1994\n", -25200));
    CHECK(told("956700003", "Tue Apr 25 15:00:03 PDT 2000\n", -28800));
    // Summer times everywhere, and what is called like one.
    CHECK(told("851007600", "Fri Dec 20 01:30:00 ACDT 1996\n", 34200));
    CHECK(told("851007600", "Fri Dec 20 02:00:00 AEDT 1996\n", 36000));
    CHECK(told("851007600", "Fri Dec 20 04:00:00 NZDT 1996\n", 43200));
    CHECK(told("851007600", "Thu Dec 19 13:00:00 BRST 1996\n", -10800));
    CHECK(told("851007600", "Thu Dec 19 12:00:00 BRT 1996\n", -10800));
    CHECK(told("835823160", "Thu Jun 27 01:06:00 MSD 1996\n", 10800));
    CHECK(told("851007600", "Thu Dec 19 18:00:00 MSK 1996\n", 10800));
    CHECK(told("851007600", "Fri Dec 20 00:00:00 JST 1996\n", 32400));
    CHECK(told("835823160", "Wed Jun 26 22:06:00 BST 1996\n", 0));
    CHECK(told("835823160", "Wed Jun 26 22:06:00 IST 1996\n", 0));
    CHECK(told("835823160", "Thu Jun 27 02:36:00 IST 1996\n", 19800));
    CHECK(told("835823160", "Wed Jun 26 23:06:00 IST 1996\n", 7200));
    CHECK(told("835823160", "Thu Jun 27 05:06:00 CST 1996\n", 28800));
    for (const auto& [name, offset_s] : std::vector<std::pair<std::string, std::int64_t>>{
             {"JST", 32400},
             {"SGT", 28800},
             {"NZST", 43200},
             {"ACST", 34200},
             {"BRT", -10800},
             {"CET", 3600},
             {"EST", -18000},
             {"EST5EDT", -18000},
             {"NST", -12600}}) {
        CAPTURE(name);
        CHECK(is(clock_from(start + "; TimeZoneString: " + name), ZoneSource::zone_name, offset_s));
        CHECK(is(clock_from(start + "; TimeZoneString: Etc/" + name), ZoneSource::none, 0));
    }
    for (const std::string name : {"IST", "CST", "PST", "MSK", "US/Pacific", "XYZ"}) {
        CAPTURE(name);
        CHECK(is(clock_from(start + "; TimeZoneString: " + name), ZoneSource::none, 0));
    }
    // Winter; one second off; no zone; no date.
    CHECK(told("851007600", "Thu Dec 19 16:00:00 CET 1996\n", 3600));
    CHECK(!told("851007601", "Thu Dec 19 16:00:00 CET 1996\n", 3600));
    CHECK(!told("851007600", "Thu Dec 19 16:00:00 1996\n", 3600));
    CHECK(!told("851007600", "Thu Abc 19 16:00:00 CET 1996\n", 3600));
    const auto oddities = read_log_text(stockholm + "; MaxProcs: 8\n", "a.swf").oddities;
    REQUIRE(oddities.size() == 1);
    CHECK(oddities[0].kind == OddityKind::no_time_zone);
}

TEST_CASE("partial executions are left out unless statuses ask for them") {
    // A job that was swapped out once: its line as a whole, and its two partial executions.
    const Log log = read_log_text(
        "; MaxProcs: 8\n"
        "1  0  0 50 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "1  0  0 20 4 -1 -1 4 60 -1 2 3 -1 -1 -1 -1 -1 -1\n"
        "1 20 10 30 4 -1 -1 4 60 -1 3 3 -1 -1 -1 -1 -1 -1\n"
        "2 30  0  9 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n",
        "a.swf"
    );
    const SelectedJobs usual = select(log);
    CHECK(usual.jobs.run == std::vector<double>{50, 9});
    CHECK(dropped_for(Dropped::partial_execution, usual) == 2);
    const Selection partial{.statuses = {static_cast<Status>(2), static_cast<Status>(3)}};
    CHECK(select(log, partial).jobs.run == std::vector<double>{20, 30});
}

}  // namespace schedfarm::models::trace
