// The chart of the ranks for a terminal.
#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/report/schedule/rank_gantt.hpp"
#include "app/report/schedule/time_bar.hpp"
#include "app/report/text_table.hpp"

namespace schedfarm::app {

namespace {

double percent_busy(const RankRow& row, double end_s) {
    return end_s > 0 ? 100 * row.busy_s() / end_s : 0;
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

std::string heading(const RankGantt& gantt, std::size_t width) {
    std::size_t replications = 0;
    for (const RankRow& row : gantt.rows) {
        replications += row.stays.size();
    }
    const std::string text = fmt::format(
        "{}: run {} of {}, {} on {} in {:.3g} s",
        engine::without_controls(gantt.campaign),
        gantt.run,
        gantt.runs,
        engine::counted(replications, "replication"),
        engine::counted(gantt.rows.size(), "rank"),
        gantt.end_s
    );
    return fmt::format("{}\n\n", fmt::join(wrapped(text, width), "\n"));
}

}  // namespace

std::string gantt_text(const RankGantt& gantt, std::size_t width) {
    const std::size_t bar_width = width - time_bar_labels;
    std::string text = heading(gantt, width) + fmt::format("{:>{}}\n", "busy", bar_width + 17);
    for (const RankRow& row : gantt.rows) {
        text += fmt::format(
            "rank {:>4} {}{:>5.0f} %\n",
            row.rank,
            time_bar(busy_shares(row, gantt.end_s, bar_width)),
            percent_busy(row, gantt.end_s)
        );
    }
    text += time_bar_axis("0 s", fmt::format("{:.3g} s", gantt.end_s), bar_width);
    const TextTable overheads = overheads_table(gantt);
    if (overheads.rows.empty()) {
        const std::string why =
            "The result file was not written by this run: it does not tell its overheads.";
        text += fmt::format("\n{}\n", fmt::join(wrapped(why, width), "\n"));
    } else {
        text += "\n" + render(overheads, ReportFormat::text, width);
    }
    if (gantt.undated > 0) {
        text += fmt::format(
            "\n{} of the file {} not shown: nothing says when they began.\n",
            engine::counted(gantt.undated, "replication"),
            gantt.undated == 1 ? "is" : "are"
        );
    }
    return text;
}

}  // namespace schedfarm::app
