// The chart of the ranks for a terminal.
#include <fmt/format.h>

#include "campaigns/report/rank_gantt.hpp"
#include "campaigns/report/text_table.hpp"
#include "campaigns/report/time_bar.hpp"

namespace schedfarm::campaigns {

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
    std::string text = heading(gantt) + fmt::format("{:>{}}\n", "busy", time_bar_width + 17);
    for (const RankRow& row : gantt.rows) {
        text += fmt::format(
            "rank {:>4} {}{:>5.0f} %\n",
            row.rank,
            time_bar(busy_shares(row, gantt.end_s, time_bar_width)),
            percent_busy(row, gantt.end_s)
        );
    }
    text += time_bar_axis("0 s", fmt::format("{:.3g} s", gantt.end_s));
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
