#include "app/report/plain_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

TextTable plain_table(const results_schema::ResultFile& results) {
    const CellLabels labels(results);
    const std::vector<std::string> wanted = lines_of(text_attribute(results, "report_metrics"));
    TextTable table;
    table.title = text_attribute(results, "campaign_name");
    for (const std::string& factor : labels.factors()) {
        table.columns.push_back({short_factor_name(factor), Alignment::left});
    }
    table.label_columns = table.columns.size();
    for (const char* heading : {"metric", "estimate", "n", "status"}) {
        table.columns.push_back({heading, Alignment::left});
    }
    std::set<double> confidences;
    const results_schema::Rows estimates = rows_of(table_of(results, "estimates"));
    std::map<std::string, double> greatest;  // mean of each metric
    for (const Row& row : estimates) {
        double& own = greatest[row.text("metric")];
        own = std::fmax(own, std::fabs(row.real("mean")));
    }
    for (const Row& row : estimates) {
        const std::string& metric = row.text("metric");
        const bool is_wanted =
            wanted.empty() ? !is_diagnostic(metric)
                           : std::find(wanted.begin(), wanted.end(), metric) != wanted.end();
        if (!is_wanted) {
            continue;
        }
        const std::uint64_t cell = row.count("cell");
        std::vector<std::string>& line = table.rows.emplace_back();
        for (const std::string& factor : labels.factors()) {
            line.push_back(labels.level(cell, factor));
        }
        const ShownUnit unit = shown_unit(row.text("unit"), greatest[metric]);
        line.insert(
            line.end(),
            {metric_text(metric),
             interval_text(
                 row.real("mean") / unit.own,
                 row.real("lower") / unit.own,
                 row.real("upper") / unit.own
             ) + unit.suffix(),
             row.shown("n"),
             Row(table_of(results, "cells"), cell).text("status")}
        );
        if (row.real("lower") < row.real("upper")) {
            confidences.insert(row.real("confidence"));
        }
    }
    if (!confidences.empty()) {
        table.notes = {interval_note(confidences)};
    }
    return table;
}

}  // namespace schedfarm::app
