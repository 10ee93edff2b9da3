// The chart of the ranks as a drawing for a publication.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "campaigns/report/axis.hpp"
#include "campaigns/report/rank_gantt.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr double left = 64;
constexpr double top = 32;
constexpr double chart_width = 800;
constexpr double row_height = 18;
constexpr double bar_height = 14;
constexpr double resolution = 0.25;  // of the drawing: a finer gap is not drawn

/// Bars of one rank, in the drawing's units.
void add_bars(Drawing& drawing, const RankRow& row, double y, double scale) {
    for (std::size_t i = 0; i < row.stays.size();) {
        const double begin = std::max(row.stays[i].began_s * scale, 0.0);
        double end = row.stays[i].ended_s * scale;
        for (++i; i < row.stays.size() && row.stays[i].began_s * scale - end < resolution; ++i) {
            end = row.stays[i].ended_s * scale;
        }
        drawing.add(Box{left + begin, y, std::max(end - begin, resolution), bar_height, blue, {}});
    }
}

void add_axis(Drawing& drawing, double end_s, double y, double scale) {
    drawing.add(Box{left, y, chart_width, 1, black, {}});
    for (const double tick : ticks(0, end_s, tick_step(end_s))) {
        const double x = left + tick * scale;
        drawing.add(Box{x, y, 1, 4, black, {}});
        drawing.add(Label{x, y + 16, tick_text(tick), Anchor::middle});
    }
    drawing.add(Label{left + chart_width / 2, y + 32, "seconds since the run began", Anchor::middle}
    );
}

}  // namespace

Drawing rank_gantt_drawing(const RankGantt& gantt) {
    const bool is_drawable = gantt.end_s > 0 && std::isfinite(gantt.end_s);
    const double end_s = is_drawable ? gantt.end_s : 1;
    const double scale = chart_width / end_s;
    const double bottom = top + row_height * static_cast<double>(gantt.rows.size());
    Drawing drawing;
    drawing.width = static_cast<std::uint32_t>(left + chart_width + 60);
    drawing.height = static_cast<std::uint32_t>(bottom + 40);
    drawing.title = fmt::format("{}, run {}", gantt.campaign, gantt.run);
    drawing.add(Label{left, top - 12, drawing.title});
    drawing.add(Label{left + chart_width + 6, top - 12, "busy"});
    double y = top;
    for (const RankRow& row : gantt.rows) {
        drawing.add(Label{left - 6, y + 11, fmt::format("rank {}", row.rank), Anchor::end});
        if (is_drawable) {
            add_bars(drawing, row, y, scale);
        }
        const double percent = 100 * row.busy_s() / end_s;
        drawing.add(Label{left + chart_width + 6, y + 11, fmt::format("{:.0f} %", percent)});
        y += row_height;
    }
    add_axis(drawing, end_s, bottom + 4, scale);
    return drawing;
}

}  // namespace schedfarm::campaigns
