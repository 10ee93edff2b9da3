// The chart of a schedule for a terminal.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "campaigns/report/axis.hpp"
#include "campaigns/report/job_gantt_parts.hpp"
#include "campaigns/report/time_bar.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::uint32_t most_rows = 16;

/// Means of the window's parts as shares of `whole`, a row with a name and a figure at its end.
std::string row(
    const std::string& name, std::vector<double> levels, double whole, const std::string& figure
) {
    for (double& level : levels) {
        level /= whole;
    }
    return fmt::format("{:>9} {}{:>8}\n", name, time_bar(levels), figure);
}

/// What segments hold of some processors, as segments.
JobSchedule part_of(const JobSchedule& schedule, std::uint32_t begin, std::uint32_t end) {
    JobSchedule part;
    for (const JobSegment& segment : schedule.segments) {
        std::uint32_t count = 0;
        for (const engine::ProcessorRange& range : segment.ranges) {
            const std::uint32_t low = std::max(range.first.value, begin);
            const std::uint32_t high = std::min(range.first.value + range.count, end);
            count += high > low ? high - low : 0;
        }
        if (count > 0) {
            JobSegment held;
            held.begin_s = segment.begin_s;
            held.end_s = segment.end_s;
            held.processors = count;
            part.segments.push_back(held);
        }
    }
    return part;
}

std::string time_text(double time_s, const TimeAxis& axis) {
    return fmt::format("{:.4g} {}", time_s / axis.seconds, axis.unit);
}

}  // namespace

std::string job_gantt_text(const JobSchedule& schedule, const GanttView& view, std::size_t width) {
    const std::size_t bar_width = width - time_bar_labels;
    const Window window = window_of(schedule, view);
    std::string text = fmt::format(
        "{}: {} on {}\n\n",
        engine::without_controls(schedule.name),
        engine::counted(schedule.jobs.size(), "job"),
        engine::counted(schedule.processors, "processor")
    );
    const std::uint32_t rows = std::min(schedule.processors, most_rows);
    for (std::uint32_t i = rows; i-- > 0;) {
        const auto bound = [&](std::uint64_t part) {
            return static_cast<std::uint32_t>(part * schedule.processors / rows);
        };
        const std::uint32_t begin = bound(i);
        const std::uint32_t end = bound(i + 1);
        const std::vector<double> held =
            mean_held(part_of(schedule, begin, end), window, bar_width);
        const double share = mean_of(held) / (end - begin);
        const std::string name =
            end - begin == 1 ? std::to_string(begin) : fmt::format("{}-{}", begin, end - 1);
        text += row(name, held, end - begin, fmt::format("{:.0f} %", 100 * share));
    }
    const std::vector<double> held = mean_held(schedule, window, bar_width);
    const double share = mean_of(held) / schedule.processors;
    const std::vector<double> waiting = mean_waiting(schedule, window, bar_width);
    const std::uint64_t most = most_waiting(schedule, window);
    text += "\n" + row("all", held, schedule.processors, fmt::format("{:.1f} %", 100 * share));
    text += row(
        "waiting", waiting, std::max(static_cast<double>(most), 1.0), fmt::format("max {}", most)
    );
    const TimeAxis axis = time_axis(window.to_s - window.from_s, schedule.time_unit);
    return text
           + time_bar_axis(time_text(window.from_s, axis), time_text(window.to_s, axis), bar_width);
}

}  // namespace schedfarm::campaigns
