#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"
#include "app/report/sections/sections.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// From here on the mean is hardly more than one job's.
constexpr double large_share = 0.1;

/// Slowdowns of the replications of a cell, all with equally many jobs, divided by that number.
struct Slowdowns {
    double sum = 0;
    double largest = 0;  ///< of a job

    double share() const { return std::isinf(sum) ? 1 : largest / sum; }
};

}  // namespace

std::vector<TextTable> slowdown_sections(const ResultFile& results) {
    const Table& replications = table_of(results, "replications");
    if (replications.find("slowdown.largest_share") == nullptr) {
        return {};
    }
    std::map<std::uint64_t, Slowdowns> by_cell;
    for (std::size_t row = 0; row < replications.rows(); ++row) {
        const double mean = column_of<Reals>(replications, "slowdown.mean")[row];
        const double share = column_of<Reals>(replications, "slowdown.largest_share")[row];
        if (!std::isnan(mean)) {
            Slowdowns& cell = by_cell[column_of<Counts>(replications, "cell")[row]];
            cell.sum += mean;
            cell.largest = std::fmax(cell.largest, share * mean);
        }
    }
    const CellLabels labels(results);
    TextTable section;
    section.title = "Slowdowns that one job decides";
    section.columns = {
        {"cell", Alignment::left}, {"share of the largest in the sum", Alignment::right}};
    section.label_columns = 1;
    for (const auto& [cell, slowdowns] : by_cell) {
        if (slowdowns.share() >= large_share) {
            section.rows.push_back(
                {labels.label(cell), fmt::format("{:.0f} %", 100 * slowdowns.share())}
            );
        }
    }
    if (section.rows.empty()) {
        return {};
    }
    section.notes = {
        "Another run has another such job: mean and interval say little. Report bounded_slowdown."};
    return {section};
}

}  // namespace schedfarm::app
