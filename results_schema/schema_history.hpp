// The tables of earlier minor versions, so that a file is held against the schema that it follows.
// Each version is today's schema less what came later; a version that is superseded gets a file of
// its own here, and a sample in samples/.
#pragma once

#include <string_view>
#include <vector>

#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

/// REQUIRES: 0 <= minor <= schema_minor.
const std::vector<TableSchema>& schema_tables_of(int minor);

/// REQUIRES: it is there.
TableSchema& table_named(std::vector<TableSchema>& tables, std::string_view name);
ColumnSchema& column_named(TableSchema& table, std::string_view name);

std::vector<TableSchema> tables_of_version_1_0();
std::vector<TableSchema> tables_of_version_1_1();
std::vector<TableSchema> tables_of_version_1_2();
std::vector<TableSchema> tables_of_version_1_3();
std::vector<TableSchema> tables_of_version_1_4();
std::vector<TableSchema> tables_of_version_1_5();

}  // namespace schedfarm::results_schema
