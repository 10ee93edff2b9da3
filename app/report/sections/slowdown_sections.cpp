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
    for (const Row& row : rows_of(replications)) {
        const double mean = row.real("slowdown.mean");
        if (!std::isnan(mean)) {
            Slowdowns& cell = by_cell[row.count("cell")];
            cell.sum += mean;
            cell.largest = std::fmax(cell.largest, row.real("slowdown.largest_share") * mean);
        }
    }
    const CellLabels labels(results);
    TextTable section = text_table(
        "Slowdowns that one job decides", {"<cell", ">share of the largest in the sum"}, 1
    );
    for (const auto& [cell, slowdowns] : by_cell) {
        if (slowdowns.share() >= large_share) {
            section.rows.push_back(
                {labels.label(cell), fmt::format("{:.0f} %", 100 * slowdowns.share())}
            );
        }
    }
    section.rows_are_warnings = true;
    add_warning(
        section,
        "Another run has another such job: mean and interval say little. Report bounded_slowdown."
    );
    return with_rows(std::move(section));
}

}  // namespace schedfarm::app
