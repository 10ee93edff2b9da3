#include "app/report/schedule/job_gantt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/report/schedule/time_bar.hpp"

namespace schedfarm::app {

namespace {

constexpr std::uint32_t most_rows = 16;

/// Means of a level over equal parts of a window. Of what covers many parts only the changes at
/// its ends are kept, so that the cost does not depend on its length.
class Means {
  public:
    Means(const Window& window, std::size_t parts)
        : window_(window)
        , per_second_(static_cast<double>(parts) / (window.to_s - window.from_s))
        , parts_(parts)
        , partial_(parts + 1)
        , change_(parts + 1) {}

    void add(double begin_s, double end_s, double level) {
        const double begin = place(begin_s);
        const double end = place(end_s);
        const auto first = static_cast<std::size_t>(begin);
        const auto last = static_cast<std::size_t>(end);
        partial_[first] -= (begin - std::floor(begin)) * level;
        partial_[last] += (end - std::floor(end)) * level;
        change_[first] += level;
        change_[last] -= level;
    }

    std::vector<double> values() const {
        std::vector<double> result(parts_);
        double level = 0;
        for (std::size_t part = 0; part < parts_; ++part) {
            level += change_[part];
            result[part] = std::max(level + partial_[part], 0.0);
        }
        return result;
    }

  private:
    double place(double time_s) const {
        const auto limit = static_cast<double>(parts_);
        return std::clamp((time_s - window_.from_s) * per_second_, 0.0, limit);
    }

    Window window_;
    double per_second_;
    std::size_t parts_;
    std::vector<double> partial_;
    std::vector<double> change_;
};

double mean_of(const std::vector<double>& values) {
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

std::vector<double> shares_of(std::vector<double> levels, double whole) {
    for (double& level : levels) {
        level /= whole;
    }
    return levels;
}

std::string row(const std::string& name, const std::string& bar, const std::string& figure) {
    return fmt::format("{:>9} {}{:>8}\n", name, bar, figure);
}

std::uint32_t common(const engine::ProcessorRange& range, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t low = std::max(range.first.value, begin);
    const std::uint32_t high = std::min(range.first.value + range.count, end);
    return high > low ? high - low : 0;
}

/// What segments hold of some processors, as segments.
JobSchedule part_of(const JobSchedule& schedule, std::uint32_t begin, std::uint32_t end) {
    JobSchedule part;
    for (const JobSegment& segment : schedule.segments) {
        std::uint32_t count = 0;
        for (const engine::ProcessorRange& range : segment.ranges) {
            count += common(range, begin, end);
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

/// Of every part of the window, the mean number of those of some processors that are out of order.
std::vector<double> mean_out(
    const JobSchedule& schedule,
    std::uint32_t begin,
    std::uint32_t end,
    const Window& window,
    std::size_t parts
) {
    Means means(window, parts);
    for (const engine::OutageSpan& span : schedule.outages) {
        means.add(span.begin, span.end, common(span.processors, begin, end));
    }
    return means.values();
}

/// The processors from `begin` up to `end`, how busy they were, and where they were out of order.
std::string row_of_processors(
    const JobSchedule& schedule,
    std::uint32_t begin,
    std::uint32_t end,
    const Window& window,
    std::size_t width
) {
    const std::uint32_t count = end - begin;
    const auto held = shares_of(mean_held(part_of(schedule, begin, end), window, width), count);
    const auto out = shares_of(mean_out(schedule, begin, end, window, width), count);
    const std::string name =
        count == 1 ? std::to_string(begin) : fmt::format("{}-{}", begin, end - 1);
    return row(name, time_bar(held, out), fmt::format("{:.0f} %", 100 * mean_of(held)));
}

/// Seconds up to two hours, hours up to four days, then days; other units as they are.
std::string time_text(double time_s, double span_s, const std::string& unit) {
    constexpr double hour = 3600;
    constexpr double day = 24 * hour;
    if (unit != "s" || span_s <= 2 * hour) {
        return fmt::format("{:.4g} {}", time_s, unit);
    }
    return span_s <= 4 * day ? fmt::format("{:.4g} h", time_s / hour)
                             : fmt::format("{:.4g} d", time_s / day);
}

}  // namespace

Window window_of(const JobSchedule& schedule, const GanttView& view) {
    Window window{view.from_s.value_or(schedule.begin_s()), view.to_s.value_or(schedule.end_s())};
    if (!(window.to_s > window.from_s)) {
        window.to_s = window.from_s + std::max(1.0, std::abs(window.from_s) * 1e-9);
    }
    return window;
}

std::vector<double> mean_held(
    const JobSchedule& schedule, const Window& window, std::size_t parts
) {
    Means means(window, parts);
    for (const JobSegment& segment : schedule.segments) {
        means.add(segment.begin_s, segment.end_s, segment.processors);
    }
    return means.values();
}

std::vector<double> mean_waiting(
    const JobSchedule& schedule, const Window& window, std::size_t parts
) {
    Means means(window, parts);
    for (const ScheduledJob& job : schedule.jobs) {
        means.add(job.submit_s, job.start_s, 1);
    }
    return means.values();
}

std::uint64_t most_waiting(const JobSchedule& schedule, const Window& window) {
    std::vector<double> submits;
    std::vector<double> starts;
    for (const ScheduledJob& job : schedule.jobs) {
        if (job.start_s > job.submit_s && job.submit_s < window.to_s
            && job.start_s > window.from_s) {
            submits.push_back(job.submit_s);
            starts.push_back(job.start_s);
        }
    }
    std::sort(submits.begin(), submits.end());
    std::sort(starts.begin(), starts.end());
    std::size_t started = 0;
    std::size_t most = 0;
    for (std::size_t submitted = 0; submitted < submits.size(); ++submitted) {
        while (starts[started] <= submits[submitted]) {
            ++started;
        }
        most = std::max(most, submitted + 1 - started);
    }
    return most;
}

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
        text += row_of_processors(schedule, bound(i), bound(i + 1), window, bar_width);
    }
    const auto held = shares_of(mean_held(schedule, window, bar_width), schedule.processors);
    const auto out = shares_of(
        mean_out(schedule, 0, schedule.processors, window, bar_width), schedule.processors
    );
    const std::vector<double> waiting = mean_waiting(schedule, window, bar_width);
    const std::uint64_t most = most_waiting(schedule, window);
    text += "\n" + row("all", time_bar(held, out), fmt::format("{:.1f} %", 100 * mean_of(held)));
    const double longest_queue = std::max(static_cast<double>(most), 1.0);
    text +=
        row("waiting", time_bar(shares_of(waiting, longest_queue)), fmt::format("max {}", most));
    const double span_s = window.to_s - window.from_s;
    text += time_bar_axis(
        time_text(window.from_s, span_s, schedule.time_unit),
        time_text(window.to_s, span_s, schedule.time_unit),
        bar_width
    );
    if (!schedule.outages.empty()) {
        text += fmt::format(
            "\n{:>9} out of order for half of the time or more; {:.3g} % of it in all\n",
            "×",
            100 * mean_of(out)
        );
    }
    return text;
}

}  // namespace schedfarm::app
