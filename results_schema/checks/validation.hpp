// Results held against the schema, in memory. Every problem is one line that names table, column
// and row; no problem, no line. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results_schema/schema.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

/// Where the program lengthens the horizon of a cell, the indices of its replications begin anew at
/// a multiple of this.
inline constexpr std::uint64_t replications_per_level = 1'000'000;

/// Attributes, tables, columns, types, units, meanings, payload marks, equal lengths, row order and
/// admissible words. Results with such a problem are not written.
std::vector<std::string> structural_problems(const ResultFile& results);

/// The tables alone: attributes that other programs added to a file harm no reader.
std::vector<std::string> table_problems(
    const ResultFile& results, const std::vector<TableSchema>& tables
);

/// The required tables and the columns of this program's schema that are not there. What else there
/// is may be of a later version.
std::vector<std::string> missing_parts(const ResultFile& results);

/// Whether the payload is that of the hash beside it: what another program changed is no result.
std::vector<std::string> payload_problems(const ResultFile& results);

/// Rows that name a cell which does not exist. REQUIRES: no missing parts.
std::vector<std::string> unknown_cells(const ResultFile& results);

/// What tables say of one another: cells exist, the replications of a cell are its prefix,
/// estimates rest on no more, intervals contain their estimate. REQUIRES: no structural problems.
std::vector<std::string> consistency_problems(const ResultFile& results);

}  // namespace schedfarm::results_schema
