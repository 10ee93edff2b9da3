#include "app/report/schedule/rank_gantt.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/report/result_view.hpp"
#include "app/report/schedule/time_bar.hpp"
#include "app/report/text_table.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// The number of runs that the file tells of; 0 where nothing is dated.
std::uint64_t runs_in(const Table& timings) {
    const auto& run = column_of<Counts>(timings, "run");
    return run.empty() ? 0 : *std::max_element(run.begin(), run.end());
}

std::uint64_t chosen_run(const Table& timings, std::optional<std::uint64_t> wanted) {
    const std::uint64_t runs = runs_in(timings);
    if (runs == 0) {
        throw results_schema::ResultError(
            "there is no Gantt chart of the ranks (the file does not say when replications began). "
            "Were they computed by an earlier version of schedfarm?"
        );
    }
    if (wanted && (*wanted == 0 || *wanted > runs)) {
        throw results_schema::ResultError(fmt::format(
            "there is no run {} (the campaign was computed by {}). Choose one of 1 to {}",
            *wanted,
            runs == 1 ? "one run" : fmt::format("{} runs", runs),
            runs
        ));
    }
    return wanted.value_or(runs);
}

using Rows = std::map<std::uint64_t, RankRow>;

void add_stays(RankGantt& gantt, const Table& timings, Rows& rows) {
    for (const Row& row : rows_of(timings)) {
        const double began = row.real("began");
        gantt.undated += row.count("run") == 0 ? 1U : 0U;
        if (row.count("run") == gantt.run && std::isfinite(began) && row.real("seconds") >= 0) {
            const double ended = began + row.real("seconds");
            rows[row.count("rank")].stays.push_back(
                {row.count("cell"), row.count("replication"), began, ended}
            );
            gantt.end_s = std::max(gantt.end_s, ended);
        }
    }
}

void add_overheads(const RankGantt& gantt, const Table& farm, Rows& rows) {
    for (const Row& row : rows_of(farm)) {
        if (row.count("run") == gantt.run) {
            rows[row.count("rank")].overheads = RankOverheads{
                row.text("host"),
                row.real("busy"),
                row.real("idle"),
                row.real("dispatch"),
                row.real("io")};
        }
    }
}

double percent_busy(const RankRow& row, double end_s) {
    return end_s > 0 ? 100 * row.busy_s() / end_s : 0;
}

TextTable overheads_table(const RankGantt& gantt) {
    TextTable table = text_table(
        "Seconds of every rank",
        {">rank", "<host", ">replications", ">busy", ">idle", ">dispatch", ">io"}
    );
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

double RankRow::busy_s() const {
    double sum = 0;
    for (const RankStay& stay : stays) {
        sum += stay.ended_s - stay.began_s;
    }
    return sum;
}

RankGantt rank_gantt(const ResultFile& results, std::optional<std::uint64_t> run) {
    const Table& timings = table_of(results, "timings");
    RankGantt gantt;
    gantt.campaign = text_attribute(results, "campaign_name");
    gantt.run = chosen_run(timings, run);
    gantt.runs = runs_in(timings);
    Rows rows;
    add_stays(gantt, timings, rows);
    add_overheads(gantt, table_of(results, "farm"), rows);
    for (auto& [rank, row] : rows) {
        row.rank = rank;
        std::sort(row.stays.begin(), row.stays.end(), [](const RankStay& a, const RankStay& b) {
            return a.began_s < b.began_s;
        });
        gantt.rows.push_back(std::move(row));
    }
    return gantt;
}

std::vector<double> busy_shares(const RankRow& row, double end_s, std::size_t parts) {
    std::vector<double> shares(parts, 0);
    if (!(end_s > 0) || !std::isfinite(end_s)) {
        return shares;
    }
    const double scale = static_cast<double>(parts) / end_s;
    for (const RankStay& stay : row.stays) {
        const double last = std::min(stay.ended_s * scale, static_cast<double>(parts));
        double place = std::max(stay.began_s * scale, 0.0);
        while (place < last) {
            const auto part = static_cast<std::size_t>(place);
            const double next = std::min(std::floor(place) + 1, last);
            shares[part] += next - place;
            place = next;
        }
    }
    return shares;
}

std::string gantt_csv(const RankGantt& gantt) {
    std::string text = "run,rank,cell,replication,began_s,ended_s\n";
    for (const RankRow& row : gantt.rows) {
        for (const RankStay& stay : row.stays) {
            text += fmt::format(
                "{},{},{},{},{:.6f},{:.6f}\n",
                gantt.run,
                row.rank,
                stay.cell,
                stay.replication,
                stay.began_s,
                stay.ended_s
            );
        }
    }
    return text;
}

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
