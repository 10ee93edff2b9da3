// Results held against the schema, in memory, as far as the program relies on it: what rows say of
// one another is for `check` of the package. Every problem is one line; no problem, no line. Pure.
#pragma once

#include <string>
#include <vector>

#include "results_schema/schema.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

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

/// Cells out of order, and rows that name one which does not exist. REQUIRES: no missing parts.
std::vector<std::string> unknown_cells(const ResultFile& results);

}  // namespace schedfarm::results_schema
