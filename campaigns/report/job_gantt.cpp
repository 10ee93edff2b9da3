#include "campaigns/report/job_gantt.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "campaigns/report/axis.hpp"
#include "campaigns/report/job_gantt_parts.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr double left = 66;
constexpr double right = 16;
constexpr double top = 40;
constexpr double strip_gap = 14;
constexpr double bottom = 62;

struct Layout {
    Panel utilization;
    Panel queue;
    Panel jobs;
};

Layout layout_of(const GanttView& view, const Window& window) {
    const double width = view.width - left - right;
    const double strip = std::clamp(view.height / 14.0, 22.0, 80.0);
    const double queue = top + strip + strip_gap;
    const double jobs = queue + strip + strip_gap;
    return {
        {left, top, width, strip, window},
        {left, queue, width, strip, window},
        {left, jobs, width, view.height - bottom - jobs, window}};
}

void add_line(Drawing& drawing, double x, double y, double width, double height, Colour colour) {
    drawing.add(Box{x, y, std::max(width, 1.0), std::max(height, 1.0), colour, {}});
}

/// Lines to the left and below, after what they frame.
void add_frame(Drawing& drawing, const Panel& panel) {
    add_line(drawing, panel.x - 1, panel.y, 1, panel.height + 1, grey);
    add_line(drawing, panel.x - 1, panel.bottom(), panel.width + 1, 1, grey);
}

void add_time_axis(Drawing& drawing, const Layout& layout, TimeUnit unit) {
    const Panel& panel = layout.jobs;
    const TimeAxis axis = time_axis(panel.window.to_s - panel.window.from_s, unit);
    for (const double tick : ticks(panel.window.from_s, panel.window.to_s, axis.step_s)) {
        const double x = panel.x_of(tick);
        for (const Panel* crossed : {&layout.utilization, &layout.queue, &layout.jobs}) {
            add_line(drawing, x, crossed->y, 1, crossed->height, pale_grey);
        }
        add_line(drawing, x, panel.bottom(), 1, 5, grey);
        drawing.add(Label{x, panel.bottom() + 18, tick_text(tick / axis.seconds), Anchor::middle});
    }
    drawing.add(Label{
        panel.x + panel.width,
        panel.bottom() + 34,
        fmt::format("time ({})", axis.unit_name),
        Anchor::end});
}

void add_processor_axis(Drawing& drawing, const Panel& panel, std::uint32_t processors) {
    const double step = std::max(tick_step(processors), 1.0);
    for (const double tick : ticks(0, processors, step)) {
        const double y = panel.bottom() - panel.height * tick / processors;
        add_line(drawing, panel.x - 5, y, 5, 1, grey);
        drawing.add(Label{panel.x - 8, y + 4, tick_text(tick), Anchor::end});
    }
}

void add_trees(Drawing& drawing, const Panel& panel, std::uint32_t processors) {
    const auto y_of = [&](std::uint32_t processor) {
        return panel.bottom() - panel.height * processor / processors;
    };
    std::uint32_t first = 0;
    char name = 'A';
    for (std::uint32_t size = std::bit_floor(processors); size > 0; size /= 2) {
        if ((processors & size) == 0) {
            continue;
        }
        if (first > 0) {
            add_line(drawing, panel.x, y_of(first), panel.width, 1, black);
        }
        const double middle = (y_of(first) + y_of(first + size)) / 2;
        drawing.add(Label{panel.x + panel.width + 4, middle + 4, std::string(1, name++)});
        first += size;
    }
}

/// A level over time as an area under a line of steps.
void add_strip(
    Drawing& drawing, const Panel& panel, const std::vector<double>& levels, double highest
) {
    const double width = panel.width / static_cast<double>(levels.size());
    const auto height_of = [&](std::size_t i) {
        return std::round(10 * panel.height * std::min(levels[i] / highest, 1.0)) / 10;
    };
    for (std::size_t i = 0; i < levels.size();) {
        const std::size_t begin = i;
        const double height = height_of(i);
        while (i < levels.size() && height_of(i) == height) {
            ++i;
        }
        if (height > 0) {
            drawing.add(Box{
                panel.x + width * static_cast<double>(begin),
                panel.bottom() - height,
                width * static_cast<double>(i - begin),
                height,
                pale_blue,
                {}});
        }
    }
}

void add_strips(Drawing& drawing, const Layout& layout, const JobSchedule& schedule) {
    const auto parts = static_cast<std::size_t>(layout.jobs.width);
    const Window& window = layout.jobs.window;
    const std::vector<double> held = mean_held(schedule, window, parts);
    add_strip(drawing, layout.utilization, held, schedule.processors);
    const double mean = 100 * mean_of(held) / schedule.processors;
    const std::vector<double> waiting = mean_waiting(schedule, window, parts);
    const std::uint64_t most = most_waiting(schedule, window);
    add_strip(drawing, layout.queue, waiting, std::max(static_cast<double>(most), 1.0));

    const auto describe = [&](const Panel& panel, std::string highest, std::string text) {
        drawing.add(Label{panel.x - 8, panel.y + 8, std::move(highest), Anchor::end});
        drawing.add(Label{panel.x - 8, panel.bottom() + 3, "0", Anchor::end});
        drawing.add(Label{panel.x, panel.y - 4, std::move(text), Anchor::start, 11, grey});
    };
    describe(layout.utilization, "100 %", fmt::format("utilization, mean {:.1f} %", mean));
    describe(
        layout.queue,
        std::to_string(most),
        fmt::format("waiting jobs, mean {:.1f}", mean_of(waiting))
    );
    drawing.add(Label{layout.jobs.x, layout.jobs.y - 4, "processors", Anchor::start, 11, grey});
}

void add_legend(
    Drawing& drawing, const Panel& panel, const JobColours& colours, const std::string& title
) {
    constexpr double character = 6.3;
    const double y = panel.bottom() + 50;
    double x = panel.x;
    const auto add_text = [&](const std::string& text) {
        drawing.add(Label{x, y, text});
        x += character * static_cast<double>(text.size()) + 14;
    };
    if (colours.meaning.empty()) {
        return;
    }
    add_text(title);
    for (std::size_t i = 0; i < colours.meaning.size(); ++i) {
        drawing.add(Box{x, y - 9, 12, 10, colours.palette[i], {}});
        x += 16;
        add_text(colours.meaning[i]);
    }
}

std::string title_of(const JobSchedule& schedule, const Panel& panel) {
    std::uint64_t shown = 0;
    for (const ScheduledJob& job : schedule.jobs) {
        shown += panel.shows(job.start_s, job.finish_s) ? 1U : 0U;
    }
    return fmt::format(
        "{}: {}{} on {}",
        schedule.name,
        shown == schedule.jobs.size() ? "" : fmt::format("{} of ", shown),
        engine::counted(schedule.jobs.size(), "job"),
        engine::counted(schedule.processors, "processor")
    );
}

}  // namespace

Window window_of(const JobSchedule& schedule, const GanttView& view) {
    Window window{view.from_s.value_or(schedule.begin_s()), view.to_s.value_or(schedule.end_s())};
    if (!(window.to_s > window.from_s)) {
        window.to_s = window.from_s + std::max(1.0, std::abs(window.from_s) * 1e-9);
    }
    return window;
}

Drawing job_gantt(const JobSchedule& schedule, const GanttView& view) {
    const Layout layout = layout_of(view, window_of(schedule, view));
    const JobColours colours = job_colours(schedule, view.colouring);
    Drawing drawing{
        .width = view.width, .height = view.height, .title = {}, .boxes = {}, .labels = {}};
    drawing.title = title_of(schedule, layout.jobs);
    drawing.add(Label{left, 18, drawing.title, Anchor::start, 14});
    add_time_axis(drawing, layout, schedule.time_unit);
    add_strips(drawing, layout, schedule);
    add_jobs(drawing, layout.jobs, schedule, colours);
    add_processor_axis(drawing, layout.jobs, schedule.processors);
    if (view.marks == GanttMarks::trees) {
        add_trees(drawing, layout.jobs, schedule.processors);
    }
    for (const Panel* panel : {&layout.utilization, &layout.queue, &layout.jobs}) {
        add_frame(drawing, *panel);
    }
    add_legend(
        drawing, layout.jobs, colours, view.colouring == JobColouring::size ? "size" : "wait"
    );
    return drawing;
}

}  // namespace schedfarm::campaigns
