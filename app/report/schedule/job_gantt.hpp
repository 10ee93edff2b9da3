// The Gantt chart of a schedule for a terminal: who held the processors, and how many jobs waited.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/report/schedule/job_schedule.hpp"
#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

/// The part of a schedule that is shown.
struct GanttView {
    std::optional<double> from_s;  ///< default: the first submit
    std::optional<double> to_s;    ///< default: the last finish
};

/// [from_s, to_s) of a schedule, never empty.
struct Window {
    double from_s = 0;
    double to_s = 1;
};

/// What the view shows of the schedule. A schedule that takes no time gets a second.
/// REQUIRES: what the view names is not empty.
Window window_of(const JobSchedule& schedule, const GanttView& view);

/// Of every one of `parts` equal parts of the window, the mean number of processors held.
std::vector<double> mean_held(const JobSchedule& schedule, const Window& window, std::size_t parts);

/// Of every part, the mean number of jobs that are submitted and have not started.
std::vector<double> mean_waiting(
    const JobSchedule& schedule, const Window& window, std::size_t parts
);

/// The most jobs that wait at one instant of the window; at an instant, starts come first.
std::uint64_t most_waiting(const JobSchedule& schedule, const Window& window);

/// `width` columns: utilization by groups of processors, the waiting jobs, and totals.
std::string job_gantt_text(
    const JobSchedule& schedule, const GanttView& view, std::size_t width = terminal_width
);

}  // namespace schedfarm::app
