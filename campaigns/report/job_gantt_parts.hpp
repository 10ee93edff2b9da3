// The parts of which job_gantt() composes a chart.
#pragma once

#include <cstddef>
#include <vector>

#include "campaigns/report/drawing.hpp"
#include "campaigns/report/job_colours.hpp"
#include "campaigns/report/job_gantt.hpp"
#include "campaigns/report/job_schedule.hpp"

namespace schedfarm::campaigns {

/// A part of the drawing that shows a window of time.
struct Panel {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    Window window;

    double bottom() const { return y + height; }
    double x_of(double time_s) const {
        return x + (time_s - window.from_s) / (window.to_s - window.from_s) * width;
    }
    bool shows(double begin_s, double end_s) const {
        return begin_s < window.to_s && end_s > window.from_s;
    }
};

/// Rectangles of jobs, processor 0 at the bottom.
void add_jobs(
    Drawing& drawing, const Panel& panel, const JobSchedule& schedule, const JobColours& colours
);

/// Of every one of `parts` equal parts of the window, the mean number of processors held.
std::vector<double> mean_held(const JobSchedule& schedule, const Window& window, std::size_t parts);

/// Of every part, the mean number of jobs that are submitted and have not started.
std::vector<double> mean_waiting(
    const JobSchedule& schedule, const Window& window, std::size_t parts
);

/// The most jobs that wait at one instant of the window; at an instant, starts come first.
std::uint64_t most_waiting(const JobSchedule& schedule, const Window& window);

double mean_of(const std::vector<double>& values);

}  // namespace schedfarm::campaigns
