// The report of a site without Python: the estimates of a result file with their intervals, a row
// for each cell and metric. Everything else is the package's.
#pragma once

#include "results_schema/tables/table.hpp"

#include "app/report/text_table.hpp"

namespace schedfarm::app {

/// Of the metrics that the campaign's report names, or else of all but those that the program
/// observes for its own sake. Throws ResultError where a table is missing.
TextTable plain_table(const results_schema::ResultFile& results);

}  // namespace schedfarm::app
