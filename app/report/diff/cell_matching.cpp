#include "app/report/diff/cell_matching.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultError;
using results_schema::ResultFile;
using results_schema::Table;

constexpr std::size_t shown_digits = 12;  // of a checksum

std::string cell_identity_of(const Table& cells, std::size_t row) {
    const Row cell(cells, row);
    std::string identity;
    for (const char* name : {"label", "experiment", "policy", "clusters", "utilization"}) {
        identity += cell.shown(name) + "\n";
    }
    return identity + without_checksums(cell.text("workload")).text;
}

std::string list_of_cells(const DiffSide& side, const std::vector<std::uint64_t>& cells) {
    const CellLabels labels(*side.results);
    std::string text;
    for (const std::uint64_t cell : cells) {
        text += (text.empty() ? "" : "; ") + labels.label(cell);
    }
    return text;
}

/// Metrics with estimates, each once, in the order of the file.
std::vector<std::string> metrics_of(const ResultFile& results) {
    std::vector<std::string> metrics;
    for (const std::string& metric : column_of<Texts>(table_of(results, "estimates"), "metric")) {
        if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) {
            metrics.push_back(metric);
        }
    }
    return metrics;
}

}  // namespace

CellMatching matched_cells(const DiffSide& a, const DiffSide& b) {
    const Table& cells_of_a = table_of(*a.results, "cells");
    const Table& cells_of_b = table_of(*b.results, "cells");
    std::map<std::string, std::vector<std::uint64_t>> waiting;
    for (std::size_t row = cells_of_b.rows(); row-- > 0;) {
        waiting[cell_identity_of(cells_of_b, row)].push_back(row);
    }
    CellMatching matching;
    for (std::size_t row = 0; row < cells_of_a.rows(); ++row) {
        std::vector<std::uint64_t>& candidates = waiting[cell_identity_of(cells_of_a, row)];
        if (candidates.empty()) {
            matching.only_a.push_back(row);
        } else {
            matching.pairs.push_back({row, candidates.back()});
            candidates.pop_back();
        }
    }
    for (const auto& [identity, cells] : waiting) {
        matching.only_b.insert(matching.only_b.end(), cells.begin(), cells.end());
    }
    std::sort(matching.only_b.begin(), matching.only_b.end());
    for (const CellPair& pair : matching.pairs) {
        add_logs(
            column_of<Texts>(cells_of_a, "workload")[pair.a],
            column_of<Texts>(cells_of_b, "workload")[pair.b],
            matching.logs
        );
    }
    return matching;
}

CellMatching match_cells(const DiffSide& a, const DiffSide& b) {
    CellMatching matching = matched_cells(a, b);
    if (matching.pairs.empty()) {
        throw ResultError(fmt::format(
            "{} and {}: no cell is in both (cells agree when their label, experiment, policy, "
            "workload, clusters and utilization do). Compare results of one campaign",
            a.name,
            b.name
        ));
    }
    return matching;
}

void say_logs(const CellMatching& matching, DiffReport& report) {
    TextTable table =
        text_table("Logs that differ", {"<log", "<A: sha256", "<B: sha256", ">cells"});
    std::vector<std::string> differing;
    for (const LogPair& log : matching.logs) {
        if (log.differs()) {
            differing.push_back(log.file);
            table.rows.push_back(
                {log.file,
                 log.sha256_a.substr(0, shown_digits),
                 log.sha256_b.substr(0, shown_digits),
                 std::to_string(log.cells)}
            );
        } else if (log.sha256_a.empty() != log.sha256_b.empty()) {
            report.lines.push_back(fmt::format(
                "{} does not tell what was in {} when it was run (it is older than the pinning of "
                "logs): the logs may differ.",
                log.sha256_a.empty() ? "A" : "B",
                log.file
            ));
        }
    }
    if (!differing.empty()) {
        report.outcome = DiffOutcome::different;
        report.lines.push_back(fmt::format("The logs differ: {}.", fmt::join(differing, ", ")));
        report.tables.push_back(std::move(table));
    }
}

DiffReport report_of(
    const DiffSide& a,
    const DiffSide& b,
    const CellMatching& matching,
    const std::string& found,
    TextTable differing
) {
    DiffReport report;
    report.lines = {"A: " + a.name, "B: " + b.name, found};
    say_logs(matching, report);
    if (!matching.only_a.empty()) {
        report.lines.push_back("Only in A: " + list_of_cells(a, matching.only_a) + ".");
    }
    if (!matching.only_b.empty()) {
        report.lines.push_back("Only in B: " + list_of_cells(b, matching.only_b) + ".");
    }
    const bool all_matched = matching.only_a.empty() && matching.only_b.empty();
    if (!differing.rows.empty() || !all_matched) {
        report.outcome = DiffOutcome::different;
    }
    if (!differing.rows.empty()) {
        report.tables.push_back(std::move(differing));
    }
    return report;
}

std::vector<std::string> common_metrics(
    const DiffSide& a, const DiffSide& b, const std::string& wanted
) {
    const std::vector<std::string> of_b = metrics_of(*b.results);
    std::vector<std::string> common;
    std::vector<std::string> chosen;
    for (const std::string& metric : metrics_of(*a.results)) {
        if (std::find(of_b.begin(), of_b.end(), metric) == of_b.end()) {
            continue;
        }
        common.push_back(metric);
        const bool is_wanted = wanted.empty() ? !is_diagnostic(metric)
                                              : metric == wanted || metric == wanted + ".mean";
        if (is_wanted) {
            chosen.push_back(metric);
        }
    }
    if (common.empty()) {
        throw ResultError(fmt::format("{} and {}: no metric has estimates in both", a.name, b.name)
        );
    }
    if (chosen.empty() && !wanted.empty()) {
        throw ResultError(fmt::format(
            "no metric '{}' in both files. They have: {}", wanted, fmt::join(common, ", ")
        ));
    }
    return chosen;
}

}  // namespace schedfarm::app
