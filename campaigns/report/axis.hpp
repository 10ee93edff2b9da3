// Where the axes of charts have ticks, and in which unit time is told. Pure.
#pragma once

#include <string>
#include <vector>

namespace schedfarm::campaigns {

/// 1, 2 or 5 times a power of ten, for three to ten ticks on an axis of this length.
/// REQUIRES: length is finite and positive.
double tick_step(double length);

/// The multiples of `step` from `begin` to `end`, both included.
std::vector<double> ticks(double begin, double end, double step);

/// Seconds up to two hours, hours up to four days, then days.
struct TimeAxis {
    const char* unit;       ///< "s", "h", "d"
    const char* unit_name;  ///< "seconds"
    double seconds;         ///< in one unit
    double step_s;          ///< from tick to tick
};

/// REQUIRES: span_s is finite and positive.
TimeAxis time_axis(double span_s);

/// Of a tick: as few digits as tell it.
std::string tick_text(double value);

}  // namespace schedfarm::campaigns
