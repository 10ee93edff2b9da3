// The Gantt chart of a schedule: processors × time, and above it the utilization and the number of
// waiting jobs. Few jobs are rectangles with their numbers; of many, every pixel shows who held
// most of it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "campaigns/report/drawing.hpp"
#include "campaigns/report/job_colours.hpp"
#include "campaigns/report/job_schedule.hpp"
#include "campaigns/report/wrapped_text.hpp"

namespace schedfarm::campaigns {

/// What is drawn over the processors. trees: lines between the aligned trees of gang scheduling,
/// one for each set bit of the number of processors, the largest first, which are called A, B, …
enum class GanttMarks : std::uint8_t { none, trees };

struct GanttView {
    std::optional<double> from_s;  ///< default: the first submit
    std::optional<double> to_s;    ///< default: the last finish
    std::uint32_t width = 1200;    ///< pixels, 320 … 10,000
    std::uint32_t height = 800;    ///< pixels, 240 … 10,000
    JobColouring colouring = JobColouring::job;
    GanttMarks marks = GanttMarks::none;
};

/// [from_s, to_s) of a schedule, never empty.
struct Window {
    double from_s = 0;
    double to_s = 1;
};

/// What the view shows of the schedule. A schedule that takes no time gets a second.
/// REQUIRES: what the view names is not empty.
Window window_of(const JobSchedule& schedule, const GanttView& view);

Drawing job_gantt(const JobSchedule& schedule, const GanttView& view);

/// `width` columns for a terminal: utilization by groups of processors, the waiting jobs, and
/// totals.
std::string job_gantt_text(
    const JobSchedule& schedule, const GanttView& view, std::size_t width = terminal_width
);

}  // namespace schedfarm::campaigns
