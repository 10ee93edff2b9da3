// Writes logs as tables: the columns of sacct, divided by `|` as `sacct -P` does or by commas (RFC
// 4180). Reading what was written gives the same columns, but for what lost_in_table() says.
#pragma once

#include <string>

#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// What divides columns.
enum class TableForm : char { sacct = '|', csv = ',' };

/// A line of column names, then a line for each job. Times are seconds of the Unix clock where the
/// header says when second 0 was, else seconds of the log; columns of which no job says anything
/// are left out. Limits have whole seconds.
std::string table_text(const Log& log, TableForm form);

/// A text as a cell of CSV: what a spreadsheet would run as a formula has an apostrophe before it,
/// which no cell of a number has; quotation marks, where they must be, do not keep it from that.
std::string csv_cell(std::string text);

/// What of the log no column of sacct has: "CPU times, queues"; empty: nothing.
std::string lost_in_table(const Log& log);

/// What of the log SWF has no field for; empty: nothing.
std::string lost_in_swf(const Log& log);

}  // namespace schedfarm::models::trace
