#include "app/report/schedule/rank_gantt.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// The number of runs that the file tells of; 0 where it is too old or nothing is dated.
std::uint64_t runs_in(const Table& timings) {
    if (timings.find("run") == nullptr) {
        return 0;
    }
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
    const auto& run = column_of<Counts>(timings, "run");
    const auto& rank = column_of<Counts>(timings, "rank");
    const auto& cell = column_of<Counts>(timings, "cell");
    const auto& replication = column_of<Counts>(timings, "replication");
    const auto& began = column_of<Reals>(timings, "began");
    const auto& seconds = column_of<Reals>(timings, "seconds");
    for (std::size_t i = 0; i < run.size(); ++i) {
        gantt.undated += run[i] == 0 ? 1U : 0U;
        if (run[i] == gantt.run && std::isfinite(began[i]) && seconds[i] >= 0) {
            const double ended = began[i] + seconds[i];
            rows[rank[i]].stays.push_back({cell[i], replication[i], began[i], ended});
            gantt.end_s = std::max(gantt.end_s, ended);
        }
    }
}

void add_overheads(const RankGantt& gantt, const Table& farm, Rows& rows) {
    const auto& run = column_of<Counts>(farm, "run");
    const auto& rank = column_of<Counts>(farm, "rank");
    for (std::size_t i = 0; i < rank.size(); ++i) {
        if (run[i] == gantt.run) {
            rows[rank[i]].overheads = RankOverheads{
                column_of<Texts>(farm, "host")[i],
                column_of<Reals>(farm, "busy")[i],
                column_of<Reals>(farm, "idle")[i],
                column_of<Reals>(farm, "dispatch")[i],
                column_of<Reals>(farm, "io")[i]};
        }
    }
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

}  // namespace schedfarm::app
