#include <set>

#include <fmt/format.h>

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"

namespace schedfarm::results_schema {

namespace {

void check_cell_numbers(const Table& cells, Problems& problems) {
    const auto& numbers = column_of<Counts>(cells, "cell");
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        if (numbers[row] != row) {
            problems.push_back(
                fmt::format("cells row {}: is cell {}, not cell {}", row, numbers[row], row)
            );
            return;
        }
    }
}

/// Every column that names a cell names one that exists.
void check_cells_exist(const Table& table, std::size_t cells, Problems& problems) {
    for (const char* name : {"cell", "first_cell", "second_cell"}) {
        if (table.find(name) == nullptr) {
            continue;
        }
        const auto& numbers = column_of<Counts>(table, name);
        for (std::size_t row = 0; row < numbers.size(); ++row) {
            if (numbers[row] >= cells) {
                problems.push_back(fmt::format(
                    "{} row {}: cell {} is not in 'cells'", table.name, row, numbers[row]
                ));
                break;
            }
        }
    }
}

/// The replications of a cell are 0 … replications_used − 1, counted from its horizon's first.
void check_prefixes(const Table& cells, const Table& replications, Problems& problems) {
    const auto& used = column_of<Counts>(cells, "replications_used");
    const auto& computed = column_of<Counts>(cells, "replications_computed");
    const auto& cell = column_of<Counts>(replications, "cell");
    const auto& index = column_of<Counts>(replications, "replication");
    Counts present(used.size(), 0);
    Counts first(used.size(), 0);
    for (std::size_t row = 0; row < cell.size(); ++row) {
        const std::uint64_t c = cell[row];
        if (present[c] == 0 && index[row] % replications_per_level == 0) {
            first[c] = index[row];
        }
        if (index[row] != first[c] + present[c]++) {
            problems.push_back(fmt::format(
                "replications row {}: cell {} has a hole before replication {}",
                row,
                cell[row],
                index[row]
            ));
            return;
        }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (present[i] != used[i]) {
            problems.push_back(fmt::format(
                "cells row {}: replications_used is {}, but 'replications' has {}",
                i,
                used[i],
                present[i]
            ));
        }
        if (computed[i] < used[i]) {
            problems.push_back(fmt::format(
                "cells row {}: fewer replications computed ({}) than used ({})",
                i,
                computed[i],
                used[i]
            ));
        }
    }
}

void check_unique(const Table& table, std::string_view second, Problems& problems) {
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& name = column_of<Texts>(table, second);
    std::set<std::pair<std::uint64_t, std::string>> seen;
    for (std::size_t row = 0; row < cell.size(); ++row) {
        if (!seen.emplace(cell[row], name[row]).second) {
            problems.push_back(fmt::format(
                "{} row {}: {} '{}' of cell {} is there twice",
                table.name,
                row,
                second,
                name[row],
                cell[row]
            ));
        }
    }
}

void check_is_exact(const Table& known, Problems& problems) {
    const auto& is_exact = column_of<Integers>(known, "is_exact");
    for (std::size_t row = 0; row < is_exact.size(); ++row) {
        if (is_exact[row] != 0 && is_exact[row] != 1) {
            problems.push_back(
                fmt::format("known_values row {}: is_exact is {}, not 0 or 1", row, is_exact[row])
            );
        }
    }
}

}  // namespace

std::vector<std::string> unknown_cells(const ResultFile& results) {
    Problems problems;
    const Table& cells = *results.find("cells");
    check_cell_numbers(cells, problems);
    for (const Table& table : results.tables) {
        check_cells_exist(table, cells.rows(), problems);
    }
    return problems;
}

std::vector<std::string> consistency_problems(const ResultFile& results) {
    Problems problems = unknown_cells(results);
    const Table& cells = *results.find("cells");
    if (!problems.empty()) {
        return problems;  // the other checks look cells up
    }
    const Table& estimates = *results.find("estimates");
    const Table& saturation = *results.find("saturation");
    check_prefixes(cells, *results.find("replications"), problems);
    check_counts(estimates, "cell", cells, problems);
    check_counts(saturation, "cell", cells, problems);
    check_intervals(estimates, {"mean"}, problems);
    check_intervals(saturation, {"rho_max"}, problems);
    check_confidence(estimates, problems);
    check_unique(estimates, "metric", problems);
    check_unique(*results.find("factors"), "factor", problems);
    check_is_exact(*results.find("known_values"), problems);
    for (const Problems& more : {timing_problems(results), analysis_problems(results)}) {
        problems.insert(problems.end(), more.begin(), more.end());
    }
    return problems;
}

}  // namespace schedfarm::results_schema
