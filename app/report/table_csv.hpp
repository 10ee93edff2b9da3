// A table of a result file as CSV for other programs: every row and column with every digit, and
// which cells the rows are about. Pure.
#pragma once

#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

/// The names of the tables that the file holds.
std::vector<std::string> table_names(const results_schema::ResultFile& results);

/// The table's columns in their order, and behind `cell` a column for every factor of the campaign
/// with the cell's level, but for factors called like a column of the table; behind `first_cell`
/// and `second_cell`, `first` and `second`: the levels in which the two differ. Numbers that are
/// NaN are empty. REQUIRES: the file holds the table.
std::string table_csv(const results_schema::ResultFile& results, const std::string& name);

}  // namespace schedfarm::app
