// Dates of a log: its second 0 is the header's UnixStartTime, its zone a fixed offset: the header's
// TimeZone, else a TimeZoneString that is no place, else what StartTime tells. (The format calls
// TimeZone deprecated because it knows no summer time; a fixed offset keeps days of 24 hours, so
// that cycles and resampling see no jump. The machine's own table of zones is not asked: results
// must not depend on it.) Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/trace/reading/header.hpp"

namespace schedfarm::models::trace {

inline constexpr double hour_s = 3600;
inline constexpr double day_s = 24 * hour_s;
inline constexpr double week_s = 7 * day_s;

/// What the offset is taken from.
enum class ZoneSource : std::uint8_t { none, time_zone, zone_name, start_time };

struct LogClock {
    std::int64_t unix_start = 0;    ///< s, UTC
    std::int64_t utc_offset_s = 0;  ///< local time − UTC, as in winter
    ZoneSource zone = ZoneSource::none;
};

/// "TimeZone", …; "no zone known"
std::string_view meaning(ZoneSource source);

/// Absent where the header gives no UnixStartTime; UTC where it gives no zone that can be read.
/// StartTime, "Mon Sep 23 14:00:31 CEST 1996", tells the offset beside UnixStartTime, to whole
/// quarters of an hour; an hour less where its zone is one of summer time.
std::optional<LogClock> clock_of(const Header& header);

/// Seconds since Monday 00:00 local time at second `time` of the log, in [0, week_s).
double second_of_week(const LogClock& clock, double time);

/// The second of the log at which the date begins: "1996-08-01", "1996-08-01 12:30",
/// "1996-08-01 12:30:15", local time. Absent for any other text.
std::optional<double> log_time(const LogClock& clock, std::string_view date);

/// "1996-08-01 12:30:15", local time at second `time` of the log, decimals cut off; empty for years
/// that do not have four digits.
std::string date_text(const LogClock& clock, double time);

}  // namespace schedfarm::models::trace
