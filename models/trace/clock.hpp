// Dates of a log: its second 0 is the header's UnixStartTime, its zone the header's TimeZone, a
// fixed offset. (The archive calls that key deprecated because it knows no summer time; a fixed
// offset keeps days of 24 hours, so that cycles and resampling see no jump.) Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/trace/header.hpp"

namespace schedfarm::models::trace {

inline constexpr double hour_s = 3600;
inline constexpr double day_s = 24 * hour_s;
inline constexpr double week_s = 7 * day_s;

struct LogClock {
    std::int64_t unix_start = 0;    ///< s, UTC
    std::int64_t utc_offset_s = 0;  ///< local time − UTC
};

/// Absent where the header gives no UnixStartTime; UTC where it gives no TimeZone.
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
