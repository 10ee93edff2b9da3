// The Gantt chart of the ranks: which rank was busy when, in one of the runs that computed a
// campaign, and what every rank did with its time. Reads the result file only. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

/// A replication on its rank; seconds since the run began.
struct RankStay {
    std::uint64_t cell = 0;
    std::uint64_t replication = 0;
    double began_s = 0;
    double ended_s = 0;
};

/// What a rank did with its time, as the farm measured it.
struct RankOverheads {
    std::string host;
    double busy_s = 0;
    double idle_s = 0;
    double dispatch_s = 0;
    double io_s = 0;
};

struct RankRow {
    std::uint64_t rank = 0;
    std::vector<RankStay> stays;  ///< in order of time, disjoint
    std::optional<RankOverheads> overheads;
    double busy_s() const;
};

struct RankGantt {
    std::string campaign;
    std::uint64_t run = 0;      ///< this one
    std::uint64_t runs = 0;     ///< of so many
    double end_s = 0;           ///< of the last replication
    std::uint64_t undated = 0;  ///< replications of the file that no run is known of
    std::vector<RankRow> rows;  ///< by rank
};

/// The chart of a run, by default the last. Throws ResultError where the file does not say when
/// replications began, or has no such run. REQUIRES: a result file that passed the reader.
RankGantt rank_gantt(const results_schema::ResultFile& results, std::optional<std::uint64_t> run);

/// The share of every part of [0, end_s) in which the rank was busy, `parts` equal parts.
std::vector<double> busy_shares(const RankRow& row, double end_s, std::size_t parts);

/// `width` columns: a row per rank, the busy share of every part of the time as a bar, overheads
/// below.
std::string gantt_text(const RankGantt& gantt, std::size_t width = terminal_width);
/// One row per replication: run, rank, cell, replication, began, ended.
std::string gantt_csv(const RankGantt& gantt);

}  // namespace schedfarm::app
