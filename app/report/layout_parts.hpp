// What the layouts of a report's main table share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/report/report.hpp"

namespace schedfarm::app {

/// The estimate with as many digits as its interval supports, and as the paper gives reason for.
std::string measured_text(const ReportRow& row);
std::string known_text(const ReportRow& row);

/// The labels of the row's factors, where people read them: "pilot" where the cell has none, for a
/// pilot estimates the saturation point by which the program places loads and has no load itself.
std::vector<std::string> level_texts(const ReportRow& row);

/// Title, source, notes and the columns of the factors.
TextTable start_table(const Report& report);

/// Rows repeat the label of a factor only where it changes, as printed tables do.
void blank_repeated_labels(TextTable& table, std::size_t label_columns);

/// Columns in which nothing stands say nothing.
void drop_empty_columns(TextTable& table);

/// Without reference values: a row per cell, a column per metric with what theory says beside it.
TextTable estimates_layout(const Report& report);

/// The sentences below the table: how much agrees with the paper and with exact values, what ±,
/// extremes and running times are. For the report's rows, which must be there.
std::vector<std::string> report_summary(const Report& report);
/// Those of the sentences that warn of what the numbers do not say.
std::vector<std::string> summary_warnings(const Report& report);

}  // namespace schedfarm::app
