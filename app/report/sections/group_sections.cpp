#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/report/class_names.hpp"
#include "app/report/layout_parts.hpp"
#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"
#include "app/report/sections/sections.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// A number that all replications share, like a count of jobs, has no interval to show.
std::string estimate_of(const Row& row, IntervalStyle style) {
    return row.real("lower") == row.real("upper") ? fmt::format("{:.10g}", row.real("mean"))
                                                  : interval_text(row, "mean", style);
}

/// What `estimates` says of the job classes or clusters of cells, a row for each and a column for
/// each metric. `part`: "class" or "cluster".
std::vector<TextTable> part_sections(
    const ResultFile& results, const std::string& part, const std::string& title
) {
    const IntervalStyle style = interval_style(results);
    std::vector<std::string> metrics;  // in the order of the table
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::map<std::string, std::string>> texts;
    std::set<double> confidences;
    for (const Row& row : rows_of(table_of(results, "estimates"))) {
        const auto about = part_metric(row.text("metric"), part);
        if (!about || is_diagnostic(row.text("metric"))) {
            continue;
        }
        if (std::find(metrics.begin(), metrics.end(), about->metric) == metrics.end()) {
            metrics.push_back(about->metric);
        }
        texts[{row.count("cell"), about->number}][about->metric] = estimate_of(row, style);
        if (row.real("lower") < row.real("upper")) {
            confidences.insert(row.real("confidence"));
        }
    }
    const CellLabels labels(results);
    const ClassNames names(results);
    TextTable section = text_table(title, {"<cell", ">" + part, "<which is"}, 3);
    for (const std::string& metric : metrics) {
        section.columns.push_back({metric_text(metric), Alignment::left});
    }
    bool is_one_class = part == "class";
    for (auto& [key, by_metric] : texts) {
        const auto& [cell, number] = key;
        const std::string name = part == "class" ? names.name(cell, number) : "";
        is_one_class = is_one_class && number == 0 && name.empty();
        std::vector<std::string> line{labels.label(cell), std::to_string(number), name};
        for (const std::string& metric : metrics) {
            line.push_back(by_metric[metric]);
        }
        section.rows.push_back(std::move(line));
    }
    drop_empty_columns(section);
    if (!confidences.empty()) {
        section.notes.push_back(interval_note(confidences, style));
    }
    if (is_one_class) {
        section.notes.emplace_back(
            "All jobs are of one class: the workload was not told to tell classes apart (of a log: "
            "its parameter `classes`)."
        );
    }
    return with_rows(std::move(section));
}

}  // namespace

std::vector<TextTable> class_sections(const ResultFile& results) {
    return results.find("quantities") == nullptr ? part_sections(results, "class", "By job class")
                                                 : std::vector<TextTable>();
}

std::vector<TextTable> cluster_sections(const ResultFile& results) {
    return part_sections(results, "cluster", "By cluster");
}

std::vector<TextTable> user_sections(const ResultFile& results) {
    const Table* table = filled_table(results, "users");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section = text_table(
        "By user",
        {"<cell",
         "<user",
         ">jobs",
         ">mean response time",
         ">mean queueing time",
         ">mean bounded slowdown"},
        2
    );
    // Two decimals or more: these numbers have no interval that would say more.
    for (const Row& row : rows_of(*table)) {
        section.rows.push_back(
            {labels.label(row.count("cell")),
             row.integer("user") >= 0 ? row.shown("user") : row.shown("users") + " others",
             row.shown("jobs"),
             estimate_text(row.real("response_time"), 2),
             estimate_text(row.real("queueing_time"), 2),
             estimate_text(row.real("bounded_slowdown"), 2)}
        );
    }
    section.notes = {
        "Over the measured jobs of the logged replications; those with most processor-time first."};
    return {section};
}

}  // namespace schedfarm::app
