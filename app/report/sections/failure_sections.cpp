#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/report/result_view.hpp"
#include "app/report/sections/sections.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

constexpr std::size_t most_told = 10;

/// What keeps the estimates of cells short: nothing behind a failed replication counts.
std::vector<std::string> incomplete_notes(const ResultFile& results, const Table& failures) {
    const CellLabels labels(results);
    std::map<std::uint64_t, std::uint64_t> failed;
    for (const std::uint64_t cell : column_of<Counts>(failures, "cell")) {
        ++failed[cell];
    }
    const Table& cells = table_of(results, "cells");
    std::vector<std::string> notes;
    std::size_t incomplete = 0;
    for (const auto& [cell, count] : failed) {
        if (column_of<Texts>(cells, "status").at(cell) == "incomplete"
            && ++incomplete <= most_told) {
            notes.push_back(fmt::format(
                "{}: incomplete. n is {} of {} computed, those before the first that failed.",
                labels.label(cell),
                column_of<Counts>(cells, "replications_used").at(cell),
                column_of<Counts>(cells, "replications_computed").at(cell) - count
            ));
        }
    }
    if (incomplete > most_told) {
        notes.push_back(fmt::format(
            "{} more cells are incomplete; table cells of the file has all.", incomplete - most_told
        ));
    }
    return notes;
}

std::string replay_heading(std::size_t rows) {
    if (rows > most_told) {
        return fmt::format(
            "Replay one alone (the first {} of {}; table failures of the file has all):",
            most_told,
            rows
        );
    }
    return rows == 1 ? "Replay it alone:" : "Replay one alone:";
}

}  // namespace

std::vector<TextTable> failure_sections(const ResultFile& results) {
    const Table* table = results.find("failures");
    if (table == nullptr || table->rows() == 0) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section;
    section.title = "Failures";
    section.columns = {
        {"cell", Alignment::left},
        {"replication", Alignment::right},
        {"what", Alignment::left},
        {"message", Alignment::left, Overflow::wrap}};
    section.notes = incomplete_notes(results, *table);
    section.notes.push_back(replay_heading(table->rows()));
    for (std::size_t row = 0; row < std::min(table->rows(), most_told); ++row) {
        section.rows.push_back(
            {labels.label(column_of<Counts>(*table, "cell")[row]),
             std::to_string(column_of<Counts>(*table, "replication")[row]),
             column_of<Texts>(*table, "status")[row],
             column_of<Texts>(*table, "message")[row]}
        );
        section.notes.push_back(std::string(verbatim) + column_of<Texts>(*table, "replay")[row]);
    }
    return {section};
}

}  // namespace schedfarm::app
