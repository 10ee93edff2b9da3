// What the plain table and drawings take from a result file: typed columns, attributes, and how a
// cell is called. Reads only; everything throws ResultError where a table or column is missing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"
#include "results_schema/tables/typed_columns.hpp"

namespace schedfarm::app {

using results_schema::column_of;
using results_schema::Counts;
using results_schema::Integers;
using results_schema::Reals;
using results_schema::Row;
using results_schema::rows_of;
using results_schema::Texts;

const results_schema::Table& table_of(const results_schema::ResultFile& results, const char* name);

/// Empty where the file does not have it.
std::string text_attribute(const results_schema::ResultFile& results, const char* name);

/// What the writer found wrong with the file, the first line of every report; empty: nothing.
std::string defects_text(const results_schema::ResultFile& results);

/// "a\nb" → {"a", "b"}; empty text → no lines.
std::vector<std::string> lines_of(const std::string& text);

/// "load.utilization" → "utilization"
std::string short_factor_name(const std::string& factor);

/// Whether the program observes a column for its own sake. Files that name the metrics of their
/// report do not need this; it tells what to leave out where nothing was asked for.
bool is_diagnostic(const std::string& metric);

/// The labels of every cell by factor, the factors in the campaign's order.
class CellLabels {
  public:
    explicit CellLabels(const results_schema::ResultFile& results);

    const std::vector<std::string>& factors() const { return factors_; }
    std::size_t cells() const { return labels_.size(); }

    /// Empty where the cell has no such factor.
    std::string level(std::uint64_t cell, const std::string& factor) const;

    /// All levels: "fcfs, 0.7"; "cell 3" where it has none.
    std::string label(std::uint64_t cell) const;

  private:
    results_schema::Texts labels_;
    std::vector<std::string> factors_;
    std::map<std::uint64_t, std::map<std::string, std::string>> levels_;
};

}  // namespace schedfarm::app
