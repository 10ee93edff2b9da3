#include "models/trace/reading/clock.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/trace/reading/letters.hpp"
#include "models/trace/tables/cells.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::int64_t largest_start = 100'000'000'000;  // in the year 5138
constexpr std::int64_t quarter_s = 900;

/// No place is further from UTC.
bool is_offset(std::int64_t utc_offset_s) {
    constexpr std::int64_t largest = 15 * 3600;
    return utc_offset_s >= -largest && utc_offset_s <= largest;
}

/// Seconds east of UTC; as many hours where the header's number is so small.
std::optional<std::int64_t> time_zone_of(const Header& header) {
    constexpr std::int64_t most_hours = 14;
    const auto number = header.number("TimeZone");
    return number && *number >= -most_hours && *number <= most_hours ? std::optional(3600 * *number)
                                                                     : number;
}

/// The text with every digit as 0: its form.
std::string form_of(std::string_view text) {
    std::string form(text);
    for (char& c : form) {
        c = is_digit(c) ? '0' : c;
    }
    return form;
}

/// Of a zone that is called like its standard time: a name of the tz database, or an abbreviation
/// that one zone alone has used since 1990. Others mean several: CST, IST, PST, MSK (which moved).
std::optional<std::int64_t> offset_of_abbreviation(std::string_view name) {
    struct Zone {
        std::string_view name;
        double hours;
    };
    constexpr std::array zones{
        Zone{"HST", -10},    Zone{"AKST", -9},    Zone{"PST8PDT", -8}, Zone{"MST", -7},
        Zone{"MST7MDT", -7}, Zone{"CST6CDT", -6}, Zone{"EST", -5},     Zone{"EST5EDT", -5},
        Zone{"NST", -3.5},   Zone{"BRT", -3},     Zone{"WET", 0},      Zone{"CET", 1},
        Zone{"MET", 1},      Zone{"EET", 2},      Zone{"SGT", 8},      Zone{"HKT", 8},
        Zone{"AWST", 8},     Zone{"JST", 9},      Zone{"KST", 9},      Zone{"ACST", 9.5},
        Zone{"AEST", 10},    Zone{"NZST", 12}};
    const auto* const zone = std::find_if(zones.begin(), zones.end(), [&](const Zone& known) {
        return known.name == name;
    });
    return zone == zones.end() ? std::nullopt
                               : std::optional(static_cast<std::int64_t>(zone->hours * hour_s));
}

/// Of a name that means the same all year, or its winter: "UTC", "Etc/GMT+5" (west), "CET".
std::optional<std::int64_t> offset_of_name(std::string_view name) {
    const bool is_of_etc = name.starts_with("Etc/");
    if (is_of_etc) {
        name.remove_prefix(4);
    }
    if (name == "UTC" || name == "GMT" || name == "UCT" || name == "Zulu") {
        return 0;
    }
    if (!is_of_etc || !name.starts_with("GMT") || name.size() < 5
        || (name[3] != '+' && name[3] != '-')) {
        return is_of_etc ? std::nullopt : offset_of_abbreviation(name);
    }
    int hours = 0;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + 4, last, hours);
    if (error != std::errc() || end != last || hours < 0 || hours > 14) {
        return std::nullopt;
    }
    return std::int64_t{3600} * (name[3] == '+' ? -hours : hours);
}

/// Daylight times end in DT. British and Irish summer time are called like standard times of other
/// countries (Bangladesh; India, Israel), but are alone one hour ahead of UTC.
bool is_summer_time(std::string_view zone, std::int64_t utc_offset_s) {
    if (zone == "BST" || zone == "IST") {
        return utc_offset_s == 3600;
    }
    constexpr std::string_view zones =
        " CEST WEST EEST MEST MESZ MSD BRST AMST ARST CLST PYST UYST WAST AZST GEST OMSST NOVST "
        "KRAST ";
    return (zone.size() > 2 && zone.ends_with("DT"))
           || zones.find(fmt::format(" {} ", zone)) != std::string_view::npos;
}

/// Seconds since 1970 of that date as if it were UTC.
std::optional<std::int64_t> seconds_of(const std::string& date) {
    const auto seconds = log_time(LogClock{}, date);
    return seconds ? std::optional(static_cast<std::int64_t>(*seconds)) : std::nullopt;
}

/// StartTime of a header.
struct Start {
    std::int64_t local = 0;  ///< s since 1970 as if local time were UTC
    std::string zone;        ///< "CEST"; empty: none is said
};

/// "Mon Sep 23 14:00:31 CEST 1996", or without the zone, or "1996-09-23 14:00:31".
std::optional<Start> start_of(std::string_view text) {
    constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    std::istringstream in{std::string(text)};
    const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    const bool has_zone = words.size() == 6;
    if (!has_zone && words.size() != 5) {
        std::string date(text);
        std::replace(date.begin(), date.end(), 'T', ' ');
        const auto local = seconds_of(date);
        return local ? std::optional(Start{*local, ""}) : std::nullopt;
    }
    const std::size_t place = words[1].size() == 3 ? months.find(words[1]) : std::string::npos;
    const std::string zone = has_zone ? words[4] : "";
    const bool is_zone = zone.empty() || (zone.front() >= 'A' && zone.front() <= 'Z');
    if (place == std::string_view::npos || place % 3 != 0 || !is_zone) {
        return std::nullopt;
    }
    const auto local = seconds_of(
        fmt::format("{}-{:02}-{:0>2} {}", words.back(), place / 3 + 1, words[2], words[3])
    );
    return local ? std::optional(Start{*local, zone}) : std::nullopt;
}

std::optional<std::int64_t> offset_of_start(std::string_view start_time, std::int64_t unix_start) {
    const auto start = start_of(start_time);
    if (!start || start->zone.empty() || (start->local - unix_start) % quarter_s != 0) {
        return std::nullopt;
    }
    const std::int64_t offset = start->local - unix_start;
    return offset - (is_summer_time(start->zone, offset) ? 3600 : 0);
}

}  // namespace

std::string_view meaning(ZoneSource source) {
    switch (source) {
        case ZoneSource::time_zone:
            return "TimeZone";
        case ZoneSource::zone_name:
            return "TimeZoneString";
        case ZoneSource::start_time:
            return "StartTime, without summer time";
        case ZoneSource::none:
            break;
    }
    return "no zone known";
}

bool LogClock::is_zone_unknown() const {
    return !zone_name.empty() && rules == nullptr && !offset_of_name(zone_name);
}

std::int64_t LogClock::utc_offset_at(double time) const {
    constexpr double furthest = 1e15;  // as far as the times of a log go
    return rules == nullptr
               ? utc_offset_s
               : rules->utc_offset_s(
                   unix_start
                   + static_cast<std::int64_t>(std::floor(std::clamp(time, -furthest, furthest)))
               );
}

LogClock LogClock::without_summer_time() const {
    LogClock clock = *this;
    clock.rules = nullptr;
    return clock;
}

std::optional<LogClock> clock_of(const Header& header) {
    const auto start = header.number("UnixStartTime");
    if (!start || *start <= 0 || *start > largest_start) {
        return std::nullopt;
    }
    LogClock clock{
        .unix_start = *start, .zone_name = printable(header.find("TimeZoneString").value_or(""))};
    clock.rules = zone_rules(clock.zone_name);
    const auto of_rules =
        clock.rules == nullptr ? std::nullopt : std::optional(clock.rules->winter_offset_s(*start));
    const std::pair<ZoneSource, std::optional<std::int64_t>> offsets[]{
        {ZoneSource::time_zone, time_zone_of(header)},
        {ZoneSource::zone_name, offset_of_name(clock.zone_name)},
        {ZoneSource::start_time, offset_of_start(header.find("StartTime").value_or(""), *start)},
        {ZoneSource::zone_name, of_rules}};
    for (const auto& [source, offset] : offsets) {
        if (offset && is_offset(*offset)) {
            clock.utc_offset_s = *offset;
            clock.zone = source;
            break;
        }
    }
    return clock;
}

bool contradicts_start(const Header& header, const LogClock& clock) {
    const auto start = start_of(header.find("StartTime").value_or(""));
    if (!start) {
        return false;
    }
    const std::int64_t offset = start->local - clock.unix_start;
    if (const auto own = offset_of_name(start->zone)) {
        return offset != *own;
    }
    if (clock.rules != nullptr) {
        return offset != clock.utc_offset_at(0);
    }
    if (clock.zone == ZoneSource::none) {
        return !is_offset(offset) || offset % quarter_s != 0;
    }
    return offset != clock.utc_offset_s && offset != clock.utc_offset_s + 3600;
}

bool contradicts_zone(const Header& header, const LogClock& clock) {
    const auto offset = time_zone_of(header);
    return offset && clock.rules != nullptr && *offset != clock.utc_offset_at(0)
           && *offset != clock.rules->winter_offset_s(clock.unix_start);
}

double second_of_week(const LogClock& clock, double time) {
    // 1970-01-01 was a Thursday: Monday 00:00 was three days earlier.
    const double since_monday =
        static_cast<double>(clock.unix_start + clock.utc_offset_at(time)) + time + 3 * day_s;
    return since_monday - std::floor(since_monday / week_s) * week_s;
}

std::optional<double> log_time(const LogClock& clock, std::string_view date) {
    const std::string form = form_of(date);
    if (form != "0000-00-00" && form != "0000-00-00 00:00" && form != "0000-00-00 00:00:00") {
        return std::nullopt;
    }
    const auto time = time_of(form.size() > 10 ? date : fmt::format("{} 00:00", date), 1);
    if (!time) {
        return std::nullopt;
    }
    const auto local = static_cast<std::int64_t>(time->seconds);
    const std::int64_t instant =
        clock.rules == nullptr ? local - clock.utc_offset_s : clock.rules->unix_time(local);
    return static_cast<double>(instant - clock.unix_start);
}

std::string date_text(const LogClock& clock, double time) {
    constexpr double end = 253402300800;  // 10000-01-01
    const double local = static_cast<double>(clock.unix_start + clock.utc_offset_at(time)) + time;
    if (!(local >= 0 && local < end)) {
        return "";
    }
    const std::chrono::sys_seconds instant(std::chrono::seconds(static_cast<std::int64_t>(local)));
    const auto midnight = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date(midnight);
    const std::chrono::hh_mm_ss day_time(instant - midnight);
    return fmt::format(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        day_time.hours().count(),
        day_time.minutes().count(),
        day_time.seconds().count()
    );
}

}  // namespace schedfarm::models::trace
