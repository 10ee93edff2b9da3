#include "app/report/measured_jobs.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

/// 12345678.5 → "12,345,678.5"
std::string grouped(double number) {
    constexpr std::size_t group = 3;
    std::string text = fmt::format("{:.10g}", number);
    if (text.find('e') != std::string::npos) {
        return text;
    }
    std::size_t end = text.find('.') == std::string::npos ? text.size() : text.find('.');
    const std::size_t first = number < 0 ? 1 : 0;
    for (; end > first + group; end -= group) {
        text.insert(end - group, ",");
    }
    return text;
}

/// What cells measure that measure the same jobs.
struct MeasuredJobs {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::set<std::uint64_t> cells = {};
    std::set<std::pair<double, double>> windows = {};  ///< known ones
    bool is_of_one = true;                             ///< no cell has several replications
};

std::string sentence_of(
    const MeasuredJobs& measured, const std::string& where, const std::string& unit
) {
    std::string text = fmt::format(
        "Measured{}: {}{}",
        where,
        measured.first == measured.last ? "job " + grouped(static_cast<double>(measured.first))
                                        : fmt::format(
                                            "jobs {} to {}",
                                            grouped(static_cast<double>(measured.first)),
                                            grouped(static_cast<double>(measured.last))
                                        ),
        measured.is_of_one ? "" : " of each replication"
    );
    if (measured.windows.size() == 1) {
        const auto [begin, end] = *measured.windows.begin();
        text += fmt::format("; time averages from {} to {} {}", grouped(begin), grouped(end), unit);
    }
    return text + ".";
}

/// " (fcfs; easy)"
std::string labels_of(const std::set<std::uint64_t>& cells, const CellLabels& labels) {
    constexpr std::size_t most_named = 3;
    if (cells.size() > most_named) {
        return fmt::format(" ({})", engine::counted(cells.size(), "cell"));
    }
    std::string text;
    for (const std::uint64_t cell : cells) {
        text += (text.empty() ? "" : "; ") + labels.label(cell);
    }
    return " (" + text + ")";
}

}  // namespace

std::vector<std::string> measured_sentences(const results_schema::ResultFile& results) {
    const results_schema::Table* table = filled_table(results, "measured");
    if (table == nullptr) {
        return {};
    }
    const auto& used = column_of<Counts>(table_of(results, "cells"), "replications_used");
    std::map<std::pair<std::uint64_t, std::uint64_t>, MeasuredJobs> groups;
    for (const Row& row : rows_of(*table)) {
        const std::uint64_t cell = row.count("cell");
        const auto jobs = std::pair(row.count("first_job"), row.count("last_job"));
        MeasuredJobs& group = groups[jobs];
        group.first = jobs.first;
        group.last = jobs.second;
        group.cells.insert(cell);
        group.is_of_one = group.is_of_one && used[cell] < 2;
        if (row.real("window_begin") < row.real("window_end")) {
            group.windows.emplace(row.real("window_begin"), row.real("window_end"));
        }
    }
    constexpr std::size_t most_groups = 4;
    if (groups.size() > most_groups) {
        return {
            "Measured: not the same jobs in all cells; the table measured of the file says "
            "which."};
    }
    std::string unit = text_attribute(results, "time_unit");
    unit = unit.empty() ? "units of time" : unit;
    const CellLabels labels(results);
    std::vector<std::string> sentences;
    for (const auto& [jobs, group] : groups) {
        const std::string where = groups.size() == 1 ? "" : labels_of(group.cells, labels);
        sentences.push_back(sentence_of(group, where, unit));
    }
    return sentences;
}

}  // namespace schedfarm::app
