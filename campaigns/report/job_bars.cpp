// Rectangles of jobs: one by one where they are few, on a grid of cells where they are many.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "campaigns/report/job_gantt_parts.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::ProcessorRange;

constexpr std::size_t most_rectangles = 3000;    // drawn one by one
constexpr std::size_t most_waits = 40;           // jobs whose waits are drawn as lines
constexpr std::size_t most_cells = 1'000'000;    // of the grid
constexpr std::size_t most_grid_boxes = 60'000;  // a file of about a megabyte
constexpr double gap = 1;                        // between rectangles that have room for it
constexpr double least_cover = 0.25;             // of a cell that is not left white

struct Scale {
    const Panel& panel;
    double row;  ///< height of a processor

    Scale(const Panel& the_panel, std::uint32_t processors)
        : panel(the_panel), row(the_panel.height / processors) {}

    Box box(const JobSegment& segment, const ProcessorRange& range, Colour fill) const {
        const double left = panel.x_of(std::max(segment.begin_s, panel.window.from_s));
        const double right = panel.x_of(std::min(segment.end_s, panel.window.to_s));
        const double top = panel.bottom() - row * (range.first.value + range.count);
        const double height = row * range.count;
        const double gap_x = right - left > 3 ? gap : 0;
        const double gap_y = height > 3 ? gap : 0;
        return {left, top + gap_y, std::max(right - left - gap_x, 0.5), height - gap_y, fill, {}};
    }
};

std::vector<const JobSegment*> visible(const JobSchedule& schedule, const Panel& panel) {
    std::vector<const JobSegment*> segments;
    for (const JobSegment& segment : schedule.segments) {
        if (panel.shows(segment.begin_s, segment.end_s)) {
            segments.push_back(&segment);
        }
    }
    return segments;
}

std::string tip_of(const ScheduledJob& job, const JobSegment& segment, TimeUnit unit) {
    return fmt::format(
        "job {0}: {1}, submit {2:.6g} {6}, {3} {4:.6g} {6} to {5:.6g} {6}",
        job.number,
        engine::counted(segment.processors, "processor"),
        job.submit_s,
        segment.kind == SegmentKind::loading ? "loads" : "runs",
        segment.begin_s,
        segment.end_s,
        unit_text(unit)
    );
}

/// The job's number where its largest rectangle has room for it.
void add_number(Drawing& drawing, const Box& largest, std::int64_t number) {
    constexpr double character = 6.2;  // pixels, of size 11
    const std::string text = std::to_string(number);
    if (largest.height >= 9 && largest.width >= character * static_cast<double>(text.size()) + 3) {
        drawing.add(Label{
            largest.x + largest.width / 2,
            largest.y + largest.height / 2 + 4,
            text,
            Anchor::middle,
            largest.height >= 12 ? 11.0 : 9.0,
            readable_on(largest.fill)});
    }
}

/// From submit to start, in a darker shade of the job and at a height of its own beside its lowest
/// rectangle.
void add_wait(
    Drawing& drawing,
    const Scale& scale,
    const ScheduledJob& job,
    const JobSegment& first,
    Colour colour
) {
    const Panel& panel = scale.panel;
    if (first.ranges.empty() || job.start_s <= job.submit_s
        || !panel.shows(job.submit_s, job.start_s)) {
        return;
    }
    const auto darker = [](std::uint8_t part) {
        return static_cast<std::uint8_t>(part / 2);
    };
    const Colour shade{darker(colour.red), darker(colour.green), darker(colour.blue)};
    const double height =
        0.2 + 0.1 * static_cast<double>(static_cast<std::uint64_t>(job.number) * 3 % 7);
    const double left = panel.x_of(std::max(job.submit_s, panel.window.from_s));
    const double right = panel.x_of(std::min(job.start_s, panel.window.to_s));
    const double y = panel.bottom() - scale.row * (first.ranges.front().first.value + height);
    drawing.add(Box{left, y, right - left, 1, shade, {}});
    if (job.submit_s >= panel.window.from_s) {
        drawing.add(Box{left, y - 3, 2, 7, shade, {}});
    }
}

void add_one_by_one(
    Drawing& drawing,
    const Scale& scale,
    const JobSchedule& schedule,
    const JobColours& colours,
    const std::vector<const JobSegment*>& segments
) {
    for (const JobSegment* segment : segments) {
        const ScheduledJob& job = schedule.jobs[segment->job];
        Box largest;
        for (const ProcessorRange& range : segment->ranges) {
            Box box = scale.box(*segment, range, colours.palette[colours.of(*segment)]);
            box.tip = tip_of(job, *segment, schedule.time_unit);
            if (box.height > largest.height) {
                largest = box;
            }
            drawing.add(std::move(box));
        }
        add_number(drawing, largest, job.number);
    }
    if (segments.size() <= most_waits) {
        for (const JobSegment& segment : schedule.segments) {
            const ScheduledJob& job = schedule.jobs[segment.job];
            if (segment.begin_s == job.start_s) {
                add_wait(drawing, scale, job, segment, colours.palette[colours.of(segment)]);
            }
        }
    }
}

/// Who holds most of each cell of a grid.
class Grid {
  public:
    Grid(const Panel& panel, std::uint32_t processors, double cell, std::size_t colours)
        : panel_(panel)
        , columns_(static_cast<std::size_t>(std::max(panel.width / cell, 1.0)))
        , rows_(std::min<std::size_t>(
              processors, static_cast<std::size_t>(std::max(panel.height / cell, 1.0))
          ))
        , rows_per_processor_(static_cast<double>(rows_) / processors)
        , colours_(colours)
        , cover_(rows_ * columns_ * colours) {}

    void add(const JobSegment& segment, std::size_t colour) {
        const double scale = static_cast<double>(columns_) / panel_.width;
        const double left = std::max((panel_.x_of(segment.begin_s) - panel_.x) * scale, 0.0);
        const double right = std::min(
            (panel_.x_of(segment.end_s) - panel_.x) * scale, static_cast<double>(columns_)
        );
        for (const ProcessorRange& range : segment.ranges) {
            const double low = range.first.value * rows_per_processor_;
            const double high =
                std::min(low + range.count * rows_per_processor_, static_cast<double>(rows_));
            const auto last = static_cast<std::size_t>(std::ceil(high));
            for (auto row = static_cast<std::size_t>(low); row < last; ++row) {
                const auto top = static_cast<double>(row + 1);
                add_to_row(row, left, right, std::min(high, top) - std::max(low, top - 1), colour);
            }
        }
    }

    /// Equal cells of a row as one box, equal boxes of rows above each other as one, by colour.
    std::vector<Box> boxes(const std::vector<Colour>& palette) const {
        std::vector<std::vector<Box>> by_colour(colours_);
        std::vector<Run> below;
        for (std::size_t row = 0; row < rows_; ++row) {
            std::vector<Run> runs = runs_of(row);
            std::size_t b = 0;
            for (Run& run : runs) {
                while (b < below.size() && below[b].begin < run.begin) {
                    ++b;
                }
                if (b < below.size() && below[b].begin == run.begin && below[b].end == run.end
                    && below[b].colour == run.colour) {
                    run.box = below[b].box;
                    Box& box = by_colour[run.colour][run.box];
                    const double top = top_of(row);
                    box.height += box.y - top;
                    box.y = top;
                } else {
                    run.box = by_colour[run.colour].size();
                    by_colour[run.colour].push_back(box_of(run, row, palette[run.colour]));
                }
            }
            below = std::move(runs);
        }
        std::vector<Box> all;
        for (const std::vector<Box>& some : by_colour) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

  private:
    struct Run {
        std::size_t begin;
        std::size_t end;
        std::size_t colour;
        std::size_t box;  ///< index among those of its colour
    };

    void add_to_row(std::size_t row, double left, double right, double share, std::size_t colour) {
        const auto last = static_cast<std::size_t>(std::ceil(std::max(right, 0.0)));
        for (auto column = static_cast<std::size_t>(left); column < last; ++column) {
            const auto end = static_cast<double>(column + 1);
            const double width = std::min(right, end) - std::max(left, end - 1);
            cover_[cell(row, column) + colour] += static_cast<float>(width * share);
        }
    }

    std::size_t cell(std::size_t row, std::size_t column) const {
        return (row * columns_ + column) * colours_;
    }

    /// The colour that covers most of the cell; `colours_`: it stays white.
    std::size_t colour_of(std::size_t row, std::size_t column) const {
        const auto begin = cover_.begin() + static_cast<std::ptrdiff_t>(cell(row, column));
        const auto end = begin + static_cast<std::ptrdiff_t>(colours_);
        float sum = 0;
        for (auto cover = begin; cover != end; ++cover) {
            sum += *cover;
        }
        return sum < least_cover ? colours_
                                 : static_cast<std::size_t>(std::max_element(begin, end) - begin);
    }

    std::vector<Run> runs_of(std::size_t row) const {
        std::vector<Run> runs;
        for (std::size_t column = 0; column < columns_; ++column) {
            const std::size_t colour = colour_of(row, column);
            if (colour == colours_) {
                continue;
            }
            if (!runs.empty() && runs.back().end == column && runs.back().colour == colour) {
                ++runs.back().end;
            } else {
                runs.push_back({column, column + 1, colour, 0});
            }
        }
        return runs;
    }

    double top_of(std::size_t row) const {
        return panel_.bottom()
               - panel_.height * static_cast<double>(row + 1) / static_cast<double>(rows_);
    }

    Box box_of(const Run& run, std::size_t row, Colour fill) const {
        const double width = panel_.width / static_cast<double>(columns_);
        return {
            panel_.x + width * static_cast<double>(run.begin),
            top_of(row),
            width * static_cast<double>(run.end - run.begin),
            panel_.height / static_cast<double>(rows_),
            fill,
            {}};
    }

    const Panel& panel_;
    std::size_t columns_;
    std::size_t rows_;
    double rows_per_processor_;
    std::size_t colours_;
    std::vector<float> cover_;
};

}  // namespace

void add_jobs(
    Drawing& drawing, const Panel& panel, const JobSchedule& schedule, const JobColours& colours
) {
    const std::vector<const JobSegment*> segments = visible(schedule, panel);
    std::size_t rectangles = 0;
    for (const JobSegment* segment : segments) {
        rectangles += segment->ranges.size();
    }
    if (rectangles <= most_rectangles) {
        const Scale scale(panel, schedule.processors);
        add_one_by_one(drawing, scale, schedule, colours, segments);
        return;
    }
    double cell = 1;
    while (panel.width * panel.height / (cell * cell) > most_cells) {
        cell *= 2;
    }
    std::vector<Box> boxes;
    do {
        Grid grid(panel, schedule.processors, cell, colours.palette.size());
        for (const JobSegment* segment : segments) {
            grid.add(*segment, colours.of(*segment));
        }
        boxes = grid.boxes(colours.palette);
        cell *= 2;
    } while (boxes.size() > most_grid_boxes);
    for (Box& box : boxes) {
        drawing.add(std::move(box));
    }
}

}  // namespace schedfarm::campaigns
