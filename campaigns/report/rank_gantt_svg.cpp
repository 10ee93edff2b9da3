// The chart of the ranks as a drawing for a publication: SVG 1.1, no scripts, no fonts of its own.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "campaigns/report/rank_gantt.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr double left = 64;
constexpr double top = 32;
constexpr double chart_width = 800;
constexpr double row_height = 18;
constexpr double bar_height = 14;
constexpr double resolution = 0.25;  // of the drawing: a finer gap is not drawn

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char character : text) {
        switch (character) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            default:
                safe += character;
                break;
        }
    }
    return safe;
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
    return fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>\n",
        x,
        y,
        anchor,
        escaped(text)
    );
}

/// Bars of one rank, in the drawing's units.
std::string bars(const RankRow& row, double y, double scale) {
    std::string text;
    for (std::size_t i = 0; i < row.stays.size();) {
        const double begin = std::max(row.stays[i].began_s * scale, 0.0);
        double end = row.stays[i].ended_s * scale;
        for (++i; i < row.stays.size() && row.stays[i].began_s * scale - end < resolution; ++i) {
            end = row.stays[i].ended_s * scale;
        }
        text += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\"/>\n",
            left + begin,
            y,
            std::max(end - begin, resolution),
            bar_height
        );
    }
    return text;
}

/// 1, 2 or 5 times a power of ten, for four to ten ticks.
double tick_step(double end_s) {
    double step = 1;
    for (; end_s / step > 10; step *= 10) {
    }
    for (; end_s / step < 1; step /= 10) {
    }
    if (end_s / step < 2) {
        return step / 5;
    }
    return end_s / step < 4 ? step / 2 : step;
}

std::string axis(double end_s, double y, double scale) {
    std::string text = fmt::format(
        "<line x1=\"{0}\" y1=\"{1:.2f}\" x2=\"{2}\" y2=\"{1:.2f}\" stroke=\"black\"/>\n",
        left,
        y,
        left + chart_width
    );
    const double step = tick_step(end_s);
    for (int tick = 0; tick * step <= end_s; ++tick) {
        const double x = left + tick * step * scale;
        text += fmt::format(
            "<line x1=\"{0:.2f}\" y1=\"{1:.2f}\" x2=\"{0:.2f}\" y2=\"{2:.2f}\" "
            "stroke=\"black\"/>\n",
            x,
            y,
            y + 4
        );
        text += label(x, y + 16, "middle", fmt::format("{:.6g}", tick * step));
    }
    return text + label(left + chart_width / 2, y + 32, "middle", "seconds since the run began");
}

}  // namespace

std::string gantt_svg(const RankGantt& gantt) {
    const bool is_drawable = gantt.end_s > 0 && std::isfinite(gantt.end_s);
    const double end_s = is_drawable ? gantt.end_s : 1;
    const double scale = chart_width / end_s;
    const double bottom = top + row_height * static_cast<double>(gantt.rows.size());
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        left + chart_width + 60,
        bottom + 40
    );
    text += label(left, top - 12, "start", fmt::format("{}, run {}", gantt.campaign, gantt.run));
    double y = top;
    for (const RankRow& row : gantt.rows) {
        text += label(left - 6, y + 11, "end", fmt::format("rank {}", row.rank));
        text += "<g fill=\"#4477aa\">\n" + (is_drawable ? bars(row, y, scale) : "") + "</g>\n";
        const double percent = 100 * row.busy_s() / end_s;
        text += label(left + chart_width + 6, y + 11, "start", fmt::format("{:.0f} %", percent));
        y += row_height;
    }
    return text + axis(end_s, bottom + 4, scale) + "</svg>\n";
}

}  // namespace schedfarm::campaigns
