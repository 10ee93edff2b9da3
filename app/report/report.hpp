// The report of a result file: for every value of the paper its measured counterpart with interval,
// exact value and verdict; for campaigns without reference values the estimates of every cell.
// Reads only the result file, so that a report can be printed without the campaign and long after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results_schema/absent.hpp"
#include "results_schema/tables/table.hpp"

#include "app/report/number_text.hpp"
#include "app/report/text_table.hpp"

namespace schedfarm::app {

using results_schema::absent;

/// One line of a report; absent numbers are NaN.
struct ReportRow {
    std::uint64_t cell = 0;
    std::vector<std::string> levels;  ///< labels of the factors that make the rows
    std::string column;      ///< the paper's column; if none and there are several, the metric
    std::string class_name;  ///< of the job class that the metric is about; empty: none
    double paper = absent;
    int paper_decimals = 0;
    double measured = absent;
    double lower = absent;
    double upper = absent;
    double confidence = absent;  ///< of the interval
    IntervalStyle intervals = IntervalStyle::plus_minus;
    double known = absent;    ///< exact or approximate value from theory, or one beside the cell's
    std::string known_label;  ///< "exact", "M/M/1 at the same arrival rate"
    double known_z = absent;  ///< (measured − exact) / standard error
    double z = absent;        ///< measured against the paper
    std::string verdict;
    std::string status;  ///< of the cell: met, fixed, unstable, …
    std::uint64_t replications = 0;
    bool is_of_one_log = false;  ///< not resampled: replications differ in what is drawn anew
    std::string note;
};

struct Report {
    std::string title;
    std::string source;
    std::vector<std::string> factors;  ///< headings of ReportRow::levels
    std::vector<ReportRow> rows;
    std::vector<std::string> summary;   ///< closing lines
    std::vector<std::string> warnings;  ///< those of them that are warnings
    bool has_references = false;
    /// Metrics by class or by cluster have tables of their own, which text formats show
    /// (class_sections, cluster_sections).
    bool has_class_section = false;
};

/// REQUIRES: a result file that passed the reader. Throws ResultError when a table is missing.
Report make_report(const results_schema::ResultFile& results);

/// Lays a report out for a format; CSV carries full precision, the others what the interval
/// supports.
TextTable layout(const Report& report, ReportFormat format);

}  // namespace schedfarm::app
