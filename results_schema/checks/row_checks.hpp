// Checks of single rows that several tables share, and how a problem of a row is written down.
// Pure. REQUIRES everywhere: the table has no structural problem.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "results_schema/tables/table.hpp"
#include "results_schema/tables/typed_columns.hpp"

namespace schedfarm::results_schema {

using Problems = std::vector<std::string>;

/// "estimates row 3: <problem>"
inline void add_row_problem(
    Problems& problems, const Table& table, std::size_t row, const std::string& problem
) {
    problems.push_back(fmt::format("{} row {}: {}", table.name, row, problem));
}

/// What is wrong with a row, empty: nothing. `{column}` in it is that column's value in the row.
using RowCheck = std::function<std::string(const Row& row)>;

void check_rows(const Table& table, Problems& problems, const RowCheck& check);

struct IntervalColumns {
    std::string_view estimate;
    std::string_view lower = "lower";
    std::string_view upper = "upper";
};

/// Intervals contain their estimate; NaN stands for an interval that does not exist.
void check_intervals(const Table& table, const IntervalColumns& columns, Problems& problems);

/// Every `confidence` lies between 0 and 1.
void check_confidence(const Table& table, Problems& problems);

/// `n` is at most the number of replications used of the cell that a column names.
void check_counts(
    const Table& table, std::string_view cell_column, const Table& cells, Problems& problems
);

}  // namespace schedfarm::results_schema
