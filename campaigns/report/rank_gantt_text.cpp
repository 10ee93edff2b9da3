// The chart of the ranks for a terminal: block elements of Unicode, eight heights.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "campaigns/report/rank_gantt.hpp"
#include "campaigns/report/text_table.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::size_t bar_width = 62;

/// Less than a sixteenth is nothing to see; only a part that is busy throughout is full.
const char* block_of(double share) {
    static constexpr std::array<const char*, 9> blocks = {
        " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const double height = std::clamp(share, 0.0, 1.0) * 8;
    return blocks[static_cast<std::size_t>(std::lround(height))];
}

std::string bar_of(const RankRow& row, double end_s) {
    std::string bar;
    for (const double share : busy_shares(row, end_s, bar_width)) {
        bar += block_of(share);
    }
    return bar;
}

double percent_busy(const RankRow& row, double end_s) {
    return end_s > 0 ? 100 * row.busy_s() / end_s : 0;
}

std::string time_axis(double end_s) {
    const std::string end = fmt::format("{:.3g} s", end_s);
    return fmt::format("{:>10}0 s{:>{}}\n", "", end, bar_width - 3);
}

TextTable overheads_table(const RankGantt& gantt) {
    TextTable table;
    table.title = "Seconds of every rank";
    table.columns = {
        {"rank"},
        {"host", Alignment::left},
        {"replications"},
        {"busy"},
        {"idle"},
        {"dispatch"},
        {"io"}};
    for (const RankRow& row : gantt.rows) {
        if (row.overheads) {
            const RankOverheads& spent = *row.overheads;
            table.rows.push_back(
                {std::to_string(row.rank),
                 spent.host,
                 std::to_string(row.stays.size()),
                 fmt::format("{:.2f}", spent.busy_s),
                 fmt::format("{:.2f}", spent.idle_s),
                 fmt::format("{:.2f}", spent.dispatch_s),
                 fmt::format("{:.2f}", spent.io_s)}
            );
        }
    }
    return table;
}

std::string heading(const RankGantt& gantt) {
    std::size_t replications = 0;
    for (const RankRow& row : gantt.rows) {
        replications += row.stays.size();
    }
    return fmt::format(
        "{}: run {} of {}, {} replications on {} rank{} in {:.3g} s\n\n",
        gantt.campaign,
        gantt.run,
        gantt.runs,
        replications,
        gantt.rows.size(),
        gantt.rows.size() == 1 ? "" : "s",
        gantt.end_s
    );
}

}  // namespace

std::string gantt_text(const RankGantt& gantt) {
    std::string text = heading(gantt);
    for (const RankRow& row : gantt.rows) {
        text += fmt::format(
            "rank {:>4} {}{:>5.0f} %\n",
            row.rank,
            bar_of(row, gantt.end_s),
            percent_busy(row, gantt.end_s)
        );
    }
    text += time_axis(gantt.end_s);
    const TextTable overheads = overheads_table(gantt);
    if (overheads.rows.empty()) {
        text += "\nThe result file was not written by this run: it does not tell its overheads.\n";
    } else {
        text += "\n" + render(overheads, ReportFormat::text);
    }
    if (gantt.undated > 0) {
        text += fmt::format(
            "\n{} of the file {} not shown: nothing says when they began.\n",
            gantt.undated == 1 ? "1 replication" : fmt::format("{} replications", gantt.undated),
            gantt.undated == 1 ? "is" : "are"
        );
    }
    return text;
}

}  // namespace schedfarm::campaigns
