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

using CellAndNumber = std::pair<std::uint64_t, std::uint64_t>;

/// What the table `estimates` says of job classes, or of clusters.
struct PartEstimates {
    std::vector<std::string> metrics;  ///< in the order of the table
    std::map<CellAndNumber, std::map<std::string, std::string>> texts;  ///< by metric
    std::set<double> confidences;                                       ///< of the intervals shown
    IntervalStyle style = IntervalStyle::plus_minus;
};

/// A number that all replications share, like a count of jobs, has no interval to show.
std::string estimate_text(double mean, double lower, double upper, IntervalStyle style) {
    return lower == upper ? fmt::format("{:.10g}", mean) : interval_text(mean, lower, upper, style);
}

/// Two decimals: these numbers have no interval that would say more.
std::string plain_text(double value) {
    return number_text(value, 2);
}

/// `part`: "class" or "cluster".
PartEstimates estimates_by(const std::string& part, const ResultFile& results) {
    const Table& estimates = table_of(results, "estimates");
    PartEstimates result;
    result.style = interval_style(results);
    for (std::size_t row = 0; row < estimates.rows(); ++row) {
        const std::string& name = column_of<Texts>(estimates, "metric")[row];
        const auto about = part_metric(name, part);
        if (!about || is_diagnostic(name)) {
            continue;
        }
        auto& metrics = result.metrics;
        if (std::find(metrics.begin(), metrics.end(), about->metric) == metrics.end()) {
            metrics.push_back(about->metric);
        }
        const std::uint64_t cell = column_of<Counts>(estimates, "cell")[row];
        const double lower = column_of<Reals>(estimates, "lower")[row];
        const double upper = column_of<Reals>(estimates, "upper")[row];
        result.texts[{cell, about->number}][about->metric] =
            estimate_text(column_of<Reals>(estimates, "mean")[row], lower, upper, result.style);
        if (lower < upper) {
            result.confidences.insert(column_of<Reals>(estimates, "confidence")[row]);
        }
    }
    return result;
}

/// Adds a column for each metric to a section whose labels are there, and a row for each of
/// `labels`, which are in the order of the estimates.
void add_estimates(
    TextTable& section, PartEstimates& estimates, std::vector<std::vector<std::string>> labels
) {
    section.label_columns = section.columns.size();
    for (const std::string& metric : estimates.metrics) {
        section.columns.push_back({metric_text(metric), Alignment::left});
    }
    auto line = labels.begin();
    for (auto& [key, texts] : estimates.texts) {
        for (const std::string& metric : estimates.metrics) {
            line->push_back(texts[metric]);
        }
        section.rows.push_back(std::move(*line++));
    }
    drop_empty_columns(section);
}

std::vector<std::string> notes_of(const PartEstimates& estimates) {
    return estimates.confidences.empty()
               ? std::vector<std::string>{}
               : std::vector<std::string>{interval_note(estimates.confidences, estimates.style)};
}

std::vector<std::string> class_notes(const PartEstimates& estimates, const ClassNames& names) {
    std::vector<std::string> notes = notes_of(estimates);
    const auto& texts = estimates.texts;
    const bool is_one_class = std::all_of(texts.begin(), texts.end(), [&names](const auto& row) {
        const auto& [cell, job_class] = row.first;
        return job_class == 0 && names.name(cell, job_class).empty();
    });
    if (is_one_class) {
        notes.emplace_back(
            "All jobs are of one class: the workload was not told to tell classes apart (of a log: "
            "its parameter `classes`)."
        );
    }
    return notes;
}

}  // namespace

std::vector<TextTable> class_sections(const ResultFile& results) {
    if (results.find("quantities") != nullptr) {
        return {};
    }
    PartEstimates estimates = estimates_by("class", results);
    if (estimates.texts.empty()) {
        return {};
    }
    const CellLabels labels(results);
    const ClassNames names(results);
    TextTable section;
    section.title = "By job class";
    section.columns = {
        {"cell", Alignment::left}, {"class", Alignment::right}, {"which is", Alignment::left}};
    std::vector<std::vector<std::string>> lines;
    for (const auto& [key, texts] : estimates.texts) {
        const auto& [cell, job_class] = key;
        lines.push_back({labels.label(cell), std::to_string(job_class), names.name(cell, job_class)}
        );
    }
    add_estimates(section, estimates, std::move(lines));
    section.notes = class_notes(estimates, names);
    return {section};
}

std::vector<TextTable> cluster_sections(const ResultFile& results) {
    PartEstimates estimates = estimates_by("cluster", results);
    if (estimates.texts.empty()) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section;
    section.title = "By cluster";
    section.columns = {{"cell", Alignment::left}, {"cluster", Alignment::right}};
    std::vector<std::vector<std::string>> lines;
    for (const auto& [key, texts] : estimates.texts) {
        lines.push_back({labels.label(key.first), std::to_string(key.second)});
    }
    add_estimates(section, estimates, std::move(lines));
    section.notes = notes_of(estimates);
    return {section};
}

std::vector<TextTable> user_sections(const ResultFile& results) {
    const Table* table = results.find("users");
    if (table == nullptr || table->rows() == 0) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section;
    section.title = "By user";
    section.columns = {
        {"cell", Alignment::left},
        {"user", Alignment::left},
        {"jobs"},
        {"mean response time"},
        {"mean queueing time"},
        {"mean bounded slowdown"}};
    section.label_columns = 2;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::int64_t user = column_of<Integers>(*table, "user")[row];
        section.rows.push_back(
            {labels.label(column_of<Counts>(*table, "cell")[row]),
             user >= 0 ? std::to_string(user)
                       : fmt::format("{} others", column_of<Counts>(*table, "users")[row]),
             std::to_string(column_of<Counts>(*table, "jobs")[row]),
             plain_text(column_of<Reals>(*table, "response_time")[row]),
             plain_text(column_of<Reals>(*table, "queueing_time")[row]),
             plain_text(column_of<Reals>(*table, "bounded_slowdown")[row])}
        );
    }
    section.notes = {
        "Over the measured jobs of the logged replications; those with most processor-time first."};
    return {section};
}

}  // namespace schedfarm::app
