// What a report says below its main table: one table per analysis that the result file holds, with
// closing sentences that say how to read it. An analysis without anything to say gives nothing.
// Pure functions of the result file.
#pragma once

#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/report/text_table.hpp"

namespace schedfarm::app {

/// All sections, in the order in which they are printed.
std::vector<TextTable> report_sections(const results_schema::ResultFile& results);

/// All of them as a text that follows the main table; nothing in CSV, which is one table.
/// `width`: columns of the terminal, for text.
std::string sections_text(
    const results_schema::ResultFile& results,
    ReportFormat format,
    std::size_t width = terminal_width
);

/// Every warning of the report, of its main table and of its sections: a row for each, with the
/// title that it stands below and, where it is about one, the cell.
TextTable report_warnings(const results_schema::ResultFile& results);

/// Replications without observations: why, and the commands that replay them alone.
std::vector<TextTable> failure_sections(const results_schema::ResultFile& results);

/// Pairs of cells: difference, adjusted p-value, verdict, gain of common random numbers.
std::vector<TextTable> comparison_sections(const results_schema::ResultFile& results);
/// Which cell of each group is best, and after how many replications the others were eliminated.
std::vector<TextTable> selection_sections(const results_schema::ResultFile& results);
/// Means with control variates beside the plain ones.
std::vector<TextTable> controlled_sections(const results_schema::ResultFile& results);

/// Cells whose queue grows, with the evidence.
std::vector<TextTable> stability_sections(const results_schema::ResultFile& results);
/// Loads that were searched for.
std::vector<TextTable> search_sections(const results_schema::ResultFile& results);
/// The maximal utilization where cells differ in their backlog only.
std::vector<TextTable> backlog_sections(const results_schema::ResultFile& results);

/// The claims of a paper: measured, verdict, where they do not hold.
std::vector<TextTable> claim_sections(const results_schema::ResultFile& results);
/// What the campaign makes of its observations for its claims, a table for each quantity.
std::vector<TextTable> quantity_sections(const results_schema::ResultFile& results);

/// Means of each job class, where a probe was asked for them and no quantity says more.
std::vector<TextTable> class_sections(const results_schema::ResultFile& results);
/// What policies publish of each cluster.
std::vector<TextTable> cluster_sections(const results_schema::ResultFile& results);
/// Means of the busiest users, where the campaign asked for them.
std::vector<TextTable> user_sections(const results_schema::ResultFile& results);

/// Quantiles of the pooled jobs.
std::vector<TextTable> quantile_sections(const results_schema::ResultFile& results);
/// Cells of which one job holds a tenth or more of the sum of all slowdowns.
std::vector<TextTable> slowdown_sections(const results_schema::ResultFile& results);
/// Warm-ups that do not cover the transient.
std::vector<TextTable> warm_up_sections(const results_schema::ResultFile& results);
/// Cells that ended before they were as precise as asked for.
std::vector<TextTable> unmet_sections(const results_schema::ResultFile& results);

}  // namespace schedfarm::app
