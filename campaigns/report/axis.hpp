// Where the axes of charts have ticks, and in which unit time is told. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedfarm::campaigns {

/// 1, 2 or 5 times a power of ten, for three to ten ticks on an axis of this length.
/// REQUIRES: length is finite and positive.
double tick_step(double length);

/// The multiples of `step` from `begin` to `end`, both included.
std::vector<double> ticks(double begin, double end, double step);

/// In which unit a schedule tells its times.
enum class TimeUnit : std::uint8_t {
    seconds,
    of_workload,  ///< what its distributions mean, such as the mean service time
};

/// "s", or "time units" for what has no name.
const char* unit_text(TimeUnit unit);

/// Seconds up to two hours, hours up to four days, then days; other units as they are.
struct TimeAxis {
    const char* unit;       ///< "s", "h", "d", "time units"
    const char* unit_name;  ///< "seconds"
    double seconds;         ///< in one unit
    double step_s;          ///< from tick to tick
};

/// REQUIRES: the span is finite and positive.
TimeAxis time_axis(double span, TimeUnit unit);

/// Of a tick: as few digits as tell it.
std::string tick_text(double value);

}  // namespace schedfarm::campaigns
