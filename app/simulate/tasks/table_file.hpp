// What the tables that `schedfarm simulate` reads have in common: files of CSV, and messages about
// their fields.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/config/yaml/config_error.hpp"
#include "app/plan/analyses/csv.hpp"

namespace schedfarm::app {

/// The text of a file of at most 256 MiB. Throws ConfigErrors where it cannot be read.
std::string table_text(const std::string& file);

/// A field in quotes, shortened.
std::string shown_field(const std::string& field);

/// Where a field of a record begins. REQUIRES: the record has it.
SourcePosition position_of(const std::string& file, const CsvRecord& record, std::size_t column);

/// A header by its names, which have fixed places; throws ConfigErrors at the first other one.
void expect_columns(
    const std::string& file,
    const CsvRecord& header,
    std::span<const std::string> names,
    const std::string& suggestion
);

/// A number of at most 1e100, positive or negative. Throws ConfigErrors that name the column.
double number_in(
    const std::string& file, const CsvRecord& record, std::size_t column, const std::string& name
);

}  // namespace schedfarm::app
