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
        const Row row(cells, cell);
        if (row.text("status") == "incomplete" && ++incomplete <= most_told) {
            notes.push_back(fmt::format(
                "{}: incomplete. n is {} of {} computed, those before the first that failed.",
                labels.label(cell),
                row.count("replications_used"),
                row.count("replications_computed") - count
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
    const Table* table = filled_table(results, "failures");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section = text_table("Failures", {"<cell", ">replication", "<what", "~message"});
    section.rows_are_warnings = true;
    section.notes = incomplete_notes(results, *table);
    section.warnings = section.notes;
    section.notes.push_back(replay_heading(table->rows()));
    for (std::size_t i = 0; i < std::min(table->rows(), most_told); ++i) {
        const Row row(*table, i);
        section.rows.push_back(
            {labels.label(row.count("cell")),
             row.shown("replication"),
             row.text("status"),
             row.text("message")}
        );
        section.notes.push_back(std::string(verbatim) + row.text("replay"));
    }
    return {section};
}

}  // namespace schedfarm::app
