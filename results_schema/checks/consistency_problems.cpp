#include <algorithm>
#include <numeric>
#include <tuple>

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
        const Column* const column = table.find(name);
        if (column == nullptr || std::holds_alternative<Integers>(column->data)) {
            continue;  // of what may be about no cell
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
    const auto& cell = column_of<Counts>(replications, "cell");
    const auto& index = column_of<Counts>(replications, "replication");
    Counts present(cells.rows(), 0);
    Counts first(cells.rows(), 0);
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
    check_rows(cells, problems, [&](const Row& row) {
        const std::uint64_t rows = present[row.index()];
        return rows == row.count("replications_used")
                   ? ""
                   : fmt::format(
                       "replications_used is {{replications_used}}, but 'replications' has {}", rows
                   );
    });
    check_rows(cells, problems, [](const Row& row) {
        return row.count("replications_computed") < row.count("replications_used")
                   ? "fewer replications computed ({replications_computed}) than used "
                     "({replications_used})"
                   : "";
    });
}

void check_unique(const Table& table, std::string_view second, Problems& problems) {
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& name = column_of<Texts>(table, second);
    std::vector<std::uint32_t> rows(cell.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto key = [&](std::uint32_t row) {
        return std::tie(cell[row], name[row]);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::uint32_t row = rows[i];
        if (key(rows[i - 1]) == key(row)) {
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
    check_rows(known, problems, [](const Row& row) {
        const std::int64_t is_exact = row.integer("is_exact");
        return is_exact == 0 || is_exact == 1 ? "" : "is_exact is {is_exact}, not 0 or 1";
    });
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
    return problems;
}

}  // namespace schedfarm::results_schema
