// The instants and zones that the header of a log tells.
#include "models/trace/reading/clock.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/reader.hpp"

#include "tests/models/trace/reading/zone_folder.hpp"

namespace schedfarm::models::trace {

namespace {

std::optional<LogClock> clock_from(const std::string& header_lines) {
    return clock_of(read_log_text(header_lines, "a.swf").header);
}

bool has_zone(const std::string& header_lines, ZoneSource source, std::int64_t offset_s) {
    const LogClock clock = clock_from(header_lines).value();
    return clock.zone == source && clock.utc_offset_s == offset_s;
}

const char* const start = "; UnixStartTime: 843480031\n";

using Kinds = std::vector<OddityKind>;

/// What is odd in a log of these lines.
Kinds kinds_of(const std::string& header_lines) {
    Kinds kinds;
    for (const Oddity& oddity : read_log_text("; MaxProcs: 8\n" + header_lines, "a.swf").oddities) {
        kinds.push_back(oddity.kind);
    }
    return kinds;
}

/// Whether a log that begins at this second and this date has its zone from the two.
bool is_told(const std::string& unix_start, const std::string& date, std::int64_t offset_s) {
    return has_zone(
        "; UnixStartTime: " + unix_start + "\n; StartTime: " + date,
        ZoneSource::start_time,
        offset_s
    );
}

}  // namespace

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
    CHECK(!clock_from("; MaxProcs: 3\n"));
    CHECK(!clock_from("; UnixStartTime: 0\n"));
    CHECK(!clock_from("; UnixStartTime: 99999999999999\n"));
    CHECK(clock_from("; UnixStartTime: 77\n; TimeZone: 3600\n")->utc_offset_s == 3600);
    CHECK(clock_from("; UnixStartTime: 77\n; TimeZone: 999999\n")->utc_offset_s == 0);
}

TEST_CASE("a log without TimeZone has the zone that TimeZoneString tells") {
    CHECK(has_zone(std::string(start) + "; TimeZone: 60\n", ZoneSource::time_zone, 60));
    CHECK(has_zone(std::string(start) + "; TimeZoneString: UTC\n", ZoneSource::zone_name, 0));
    CHECK(has_zone(
        std::string(start) + "; TimeZoneString: Etc/GMT+5\n", ZoneSource::zone_name, -18000
    ));
    CHECK(has_zone(std::string(start) + "; TimeZoneString: Etc/GMT-x\n", ZoneSource::none, 0));
    CHECK(has_zone(std::string(start) + "; TimeZoneString: GMT+5\n", ZoneSource::none, 0)
    );  // no such name
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
        CHECK(has_zone(
            std::string(start) + "; TimeZoneString: " + name, ZoneSource::zone_name, offset_s
        ));
        CHECK(has_zone(std::string(start) + "; TimeZoneString: Etc/" + name, ZoneSource::none, 0));
    }
    for (const std::string name : {"IST", "CST", "PST", "MSK", "US/Atlantis", "XYZ"}) {
        CAPTURE(name);
        CHECK(has_zone(std::string(start) + "; TimeZoneString: " + name, ZoneSource::none, 0));
        CHECK(clock_from(std::string(start) + "; TimeZoneString: " + name)->is_zone_unknown());
        CHECK(
            kinds_of(std::string(start) + "; TimeZoneString: " + name)
            == Kinds{OddityKind::unknown_zone}
        );
    }
}

TEST_CASE("a log without either has the zone that StartTime tells beside UnixStartTime") {
    // The heads of four logs of the archive; the offsets are their TimeZone.
    CHECK(has_zone(
        std::string(start) + "; StartTime: Mon Sep 23 14:00:31 CEST 1996\n",
        ZoneSource::start_time,
        3600
    ));
    CHECK(is_told("835823160", "Wed Jun 26 17:06:00 EDT 1996\n", -18000));
    CHECK(is_told("781275672", "Tue Oct 04 07:01:12 MDT 1994\n", -25200));
    CHECK(is_told("956700003", "Tue Apr 25 15:00:03 PDT 2000\n", -28800));
    // Summer times everywhere, and what is called like one.
    CHECK(is_told("851007600", "Fri Dec 20 01:30:00 ACDT 1996\n", 34200));
    CHECK(is_told("851007600", "Fri Dec 20 02:00:00 AEDT 1996\n", 36000));
    CHECK(is_told("851007600", "Fri Dec 20 04:00:00 NZDT 1996\n", 43200));
    CHECK(is_told("851007600", "Thu Dec 19 13:00:00 BRST 1996\n", -10800));
    CHECK(is_told("851007600", "Thu Dec 19 12:00:00 BRT 1996\n", -10800));
    CHECK(is_told("835823160", "Thu Jun 27 01:06:00 MSD 1996\n", 10800));
    CHECK(is_told("851007600", "Thu Dec 19 18:00:00 MSK 1996\n", 10800));
    CHECK(is_told("851007600", "Fri Dec 20 00:00:00 JST 1996\n", 32400));
    CHECK(is_told("835823160", "Wed Jun 26 22:06:00 BST 1996\n", 0));
    CHECK(is_told("835823160", "Wed Jun 26 22:06:00 IST 1996\n", 0));
    CHECK(is_told("835823160", "Thu Jun 27 02:36:00 IST 1996\n", 19800));
    CHECK(is_told("835823160", "Wed Jun 26 23:06:00 IST 1996\n", 7200));
    CHECK(is_told("835823160", "Thu Jun 27 05:06:00 CST 1996\n", 28800));
    // Winter; one second off; no zone; no date.
    CHECK(is_told("851007600", "Thu Dec 19 16:00:00 CET 1996\n", 3600));
    CHECK(!is_told("851007601", "Thu Dec 19 16:00:00 CET 1996\n", 3600));
    CHECK(!is_told("851007600", "Thu Dec 19 16:00:00 1996\n", 3600));
    CHECK(!is_told("851007600", "Thu Abc 19 16:00:00 CET 1996\n", 3600));
    CHECK(kinds_of(start) == Kinds{OddityKind::no_time_zone});
}

TEST_CASE("dates are those of the zone in TimeZoneString, with its summer time") {
    const tests::ZoneFolder folder;
    // 1027839845 is Sunday, 2002-07-28, 07:04:05 UTC.
    const std::string head =
        "; UnixStartTime: 1027839845\n; TimeZone: 3600\n; TimeZoneString: Europe/Stockholm\n";
    for (const std::string& text :
         {head,
          head + "; StartTime: Sun Jul 28 09:04:05 CEST 2002\n",
          std::string("; UnixStartTime: 1027839845\n; TimeZoneString: Europe/Stockholm\n")}) {
        const LogClock clock = clock_from(text).value();
        CHECK(date_text(clock, 0) == "2002-07-28 09:04:05");
        CHECK(log_time(clock, "2002-07-28 09:04:05") == 0);
        CHECK(second_of_week(clock, 0) == 6 * day_s + 9 * hour_s + 4 * 60 + 5);
        const double winter = 120 * day_s;
        CHECK(date_text(clock, winter) == "2002-11-25 08:04:05");
        CHECK(log_time(clock, "2002-11-25 08:04:05") == winter);
        // Weeks are drawn by the offset of the winter.
        CHECK(date_text(clock.without_summer_time(), 0) == "2002-07-28 08:04:05");
        CHECK(kinds_of(text).empty());
    }
    // Every hour of two years is told and found again, but for the second one of each autumn.
    const LogClock clock = clock_from(head).value();
    std::size_t others = 0;
    for (double time = 0; time < 730 * day_s; time += hour_s) {
        others += log_time(clock, date_text(clock, time)) == time ? 0U : 1U;
    }
    CHECK(others == 2);
}

TEST_CASE("a StartTime and a TimeZone that contradict the rest of the header are odd") {
    const tests::ZoneFolder folder;
    const std::string unix_start = "; UnixStartTime: 1027839845\n";
    const std::string place = unix_start + "; TimeZoneString: Europe/Stockholm\n";
    const std::string offset = unix_start + "; TimeZone: 3600\n";
    for (const std::string& head : {place, place + "; TimeZone: 3600\n", offset}) {
        for (const char* date :
             {"Sun Jul 28 09:04:05 CEST 2002",
              "Sun Jul 28 09:04:05 2002",
              "2002-07-28 09:04:05",
              "2002-07-28T09:04:05",
              "Sun Jul 28 07:04:05 UTC 2002",
              "Sun Jul 28 08:04:05 CET 2002",
              "then"}) {
            CAPTURE(date);
            CHECK(kinds_of(head + "; StartTime: " + date).empty());
        }
        for (const char* date :
             {"Sun Jul 28 10:04:05 CEST 2002",
              "Sun Jul 28 09:04:06 CEST 2002",
              "Sun Jul 27 09:04:05 CEST 2002",
              "2003-07-28 09:04:05",
              "Sun Jul 28 09:04:05 UTC 2002",
              "Sun Jul 28 09:04:05 CET 2002"}) {
            CAPTURE(date);
            CHECK(
                kinds_of(head + "; StartTime: " + date) == Kinds{OddityKind::contradictory_start}
            );
        }
    }
    CHECK(
        kinds_of(place + "; StartTime: 2002-07-28 08:04:05")
        == Kinds{OddityKind::contradictory_start}
    );
    const Kinds none_and_other{OddityKind::no_time_zone, OddityKind::contradictory_start};
    CHECK(kinds_of(unix_start + "; StartTime: 2002-07-29 09:04:05") == none_and_other);
    CHECK(kinds_of(unix_start + "; StartTime: 2002-07-28 09:04:06") == none_and_other);
    CHECK(kinds_of(place + "; TimeZone: 7200\n").empty());
    CHECK(kinds_of(place + "; TimeZone: 10800\n") == Kinds{OddityKind::contradictory_zone});
    // So small a number is one of hours.
    CHECK(kinds_of(place + "; TimeZone: +1\n; StartTime: 2002-07-28 09:04:05").empty());
    CHECK(
        kinds_of(place + "; TimeZone: +3\n; StartTime: 2002-07-28 09:04:05")
        == Kinds{OddityKind::contradictory_zone}
    );
    CHECK(kinds_of(place + "; TimeZone: 1:00\n") == Kinds{OddityKind::unreadable_time_zone});
    CHECK(
        kinds_of(place + "; TimeZone: 360000\n")
        == Kinds{OddityKind::unreadable_time_zone, OddityKind::contradictory_zone}
    );
}

TEST_CASE("starts that cannot be and submits counted from 1970 are odd") {
    const auto kinds_from = [](const std::string& start, const std::string& submit) {
        return kinds_of(
            "; TimeZone: 3600\n; UnixStartTime: " + start + "\n1 " + submit
            + " 0 5 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1\n"
        );
    };
    CHECK(kinds_from("843480031", "843480031") == Kinds{});
    CHECK(kinds_from("843480031", "843480032") == Kinds{OddityKind::submits_in_unix_time});
    CHECK(kinds_from("0", "843480032") == Kinds{});  // as is usual where nothing is known
    CHECK(
        kinds_from("0\n; StartTime: Mon Sep 23 14:00:31 CEST 1996", "0")
        == Kinds{OddityKind::unreadable_start}
    );
    for (const char* unix_start :
         {"yesterday",
          "-5",
          "2002-07-28",
          "1996",
          "Mon Sep 23 14:00:31 CEST 1996",
          "843480031 s",
          "8.4e8",
          "0x32"}) {
        CAPTURE(unix_start);
        const bool is_year = std::string(unix_start) == "1996";  // half an hour after 1970 began
        CHECK(
            kinds_from(unix_start, "0") == (is_year ? Kinds{} : Kinds{OddityKind::unreadable_start})
        );
    }
}

}  // namespace schedfarm::models::trace
