// What reports and differences take from a result file: typed columns, attributes, and how a cell
// is called. Reads only; everything throws ResultError where a table or column is missing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/report/number_text.hpp"

namespace schedfarm::app {

using results_schema::column_of;
using results_schema::Counts;
using results_schema::Integers;
using results_schema::Reals;
using results_schema::Row;
using results_schema::rows_of;
using results_schema::Texts;

const results_schema::Table& table_of(const results_schema::ResultFile& results, const char* name);

/// The table where the file has it with rows; else null.
const results_schema::Table* filled_table(
    const results_schema::ResultFile& results, const char* name
);

/// Empty where the file does not have it.
std::string text_attribute(const results_schema::ResultFile& results, const char* name);

/// How the campaign wants intervals printed; as plus_minus in files that do not say.
IntervalStyle interval_style(const results_schema::ResultFile& results);

/// A number of the row with the interval `lower` to `upper` beside it.
std::string interval_text(const Row& row, const char* number, IntervalStyle style);

/// "a\nb" → {"a", "b"}; empty text → no lines.
std::vector<std::string> lines_of(const std::string& text);

/// "load.utilization" → "utilization"
std::string short_factor_name(const std::string& factor);

/// Whether the program observes a column for its own sake. Files that name the metrics of their
/// report do not need this; it tells what to leave out where nothing was asked for.
bool is_diagnostic(const std::string& metric);

/// What the replications of a cell observed. REQUIRES: the file has that column.
std::vector<double> replication_values(
    const results_schema::ResultFile& results, std::uint64_t cell, const std::string& metric
);

/// Whether two values are equal as the payload's hash sees them: −0 is 0, every NaN the same.
bool same_value(
    const results_schema::Column& a,
    std::size_t row_a,
    const results_schema::Column& b,
    std::size_t row_b
);

/// Cells whose queue grows without bound.
std::set<std::uint64_t> unstable_cells(const results_schema::ResultFile& results);

/// Which rows of a table with a column `cell` are about a cell, in their order. A file may have a
/// hundred thousand cells.
class RowsByCell {
  public:
    explicit RowsByCell(const results_schema::Table& table);

    std::span<const Row> of(std::uint64_t cell) const;

    /// That of a metric. REQUIRES: the table has a column `metric`.
    std::optional<Row> find(std::uint64_t cell, const std::string& metric) const;

  private:
    std::map<std::uint64_t, std::vector<Row>> rows_;
};

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

    /// The factors in which these cells differ; all where they differ in none.
    std::vector<std::string> distinguishing(const std::set<std::uint64_t>& cells) const;

    /// The levels of these factors: "fcfs, 0.7"; the whole label where there are none.
    std::string label(std::uint64_t cell, const std::vector<std::string>& factors) const;

  private:
    results_schema::Texts labels_;
    std::vector<std::string> factors_;
    std::map<std::uint64_t, std::map<std::string, std::string>> levels_;
};

}  // namespace schedfarm::app
