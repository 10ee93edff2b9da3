// What is asked of a step function (engine/planning/profile/step_function.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace schedfarm::engine {

/// The end of what begins at `begin` and is planned for `duration` >= 0. What takes no time still
/// needs its processors at an instant: it ends at the next number after `begin`.
inline double planned_end(double begin, double duration) {
    const double end = begin + duration;
    return end > begin ? end : std::nextafter(begin, std::numeric_limits<double>::infinity());
}

/// A time from <= t < before from which on the value is at least `level` up to planned_end(t,
/// duration), or up to `until` if that is earlier. REQUIRES: from < before.
struct StepWindow {
    std::int32_t level = 0;
    double duration = 0;
    double from = 0;
    double before = std::numeric_limits<double>::infinity();
    double until = std::numeric_limits<double>::infinity();

    bool is_there_time() const { return from < until; }
};

/// From the times old_begin <= t < old_end to begin <= t < end. REQUIRES: begin < end, old_begin <
/// old_end; begin < old_begin, end <= old_end.
struct StepMove {
    double begin = 0;
    double end = 0;
    double old_begin = 0;
    double old_end = 0;
};

}  // namespace schedfarm::engine
