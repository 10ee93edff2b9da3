// Dates of a log: its second 0 is the header's UnixStartTime. Dates and hours are those of its
// TimeZoneString, a name of the machine's table of zones, with summer time. Without one, and where
// weeks are drawn, which are 168 hours long, the zone is a fixed offset as in winter: the header's
// TimeZone (which the format calls deprecated), else a TimeZoneString that is no place, else what
// StartTime tells, else the zone's. A pure function of the header and that table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "models/trace/reading/header.hpp"
#include "models/trace/reading/zone_rules.hpp"

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
    std::shared_ptr<const ZoneRules> rules = {};  ///< of TimeZoneString; null: the offset holds
    std::string zone_name = {};                   ///< TimeZoneString; empty: none is given

    /// Whether a zone is named that neither this machine nor the program knows.
    bool is_zone_unknown() const;
    /// Local time − UTC at second `time` of the log.
    std::int64_t utc_offset_at(double time) const;
    /// The clock with the fixed offset all year.
    LogClock without_summer_time() const;
};

/// "TimeZone", …; "no zone known"
std::string_view meaning(ZoneSource source);

/// Whether StartTime is another instant than UnixStartTime, or TimeZone another offset than
/// TimeZoneString has.
bool contradicts_start(const Header& header, const LogClock& clock);
bool contradicts_zone(const Header& header, const LogClock& clock);

/// Absent where the header gives no UnixStartTime; UTC where it gives no zone that can be read.
/// StartTime, "Mon Sep 23 14:00:31 CEST 1996", tells the offset beside UnixStartTime, to whole
/// quarters of an hour; an hour less where its zone is one of summer time.
std::optional<LogClock> clock_of(const Header& header);

/// Seconds since Monday 00:00 local time at second `time` of the log, in [0, week_s).
double second_of_week(const LogClock& clock, double time);

/// The second of the log at which the date begins: "1996-08-01", "1996-08-01 12:30",
/// "1996-08-01 12:30:15", local time; of an hour that comes twice in autumn the first. Absent for
/// any other text.
std::optional<double> log_time(const LogClock& clock, std::string_view date);

/// "1996-08-01 12:30:15", local time at second `time` of the log, decimals cut off; empty for years
/// that do not have four digits.
std::string date_text(const LogClock& clock, double time);

}  // namespace schedfarm::models::trace
