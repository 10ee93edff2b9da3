#include <algorithm>
#include <cmath>
#include <map>

#include "engine/statistics/estimate.hpp"

#include "app/report/diff/cell_matching.hpp"
#include "app/report/diff/diff.hpp"
#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultError;
using results_schema::ResultFile;
using results_schema::Table;

struct ShownEstimate {
    double mean = 0;
    engine::Interval interval;

    std::string text() const { return interval_text(mean, interval.lower, interval.upper); }
};

/// Estimates with an interval, by metric, of every cell.
using EstimatesByCell = std::map<std::uint64_t, std::map<std::string, ShownEstimate>>;

EstimatesByCell estimates_of(const ResultFile& results) {
    const Table& table = table_of(results, "estimates");
    EstimatesByCell estimates;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const ShownEstimate estimate{
            column_of<Reals>(table, "mean")[row],
            {column_of<Reals>(table, "lower")[row], column_of<Reals>(table, "upper")[row]}};
        if (!std::isnan(estimate.interval.lower) && !std::isnan(estimate.interval.upper)) {
            const std::uint64_t cell = column_of<Counts>(table, "cell")[row];
            estimates[cell][column_of<Texts>(table, "metric")[row]] = estimate;
        }
    }
    return estimates;
}

bool overlap(const engine::Interval& a, const engine::Interval& b) {
    return a.lower <= b.upper && b.lower <= a.upper;
}

TextTable empty_table() {
    TextTable table;
    table.title = "Intervals without a common point";
    table.columns = {
        {"cell", Alignment::left},
        {"metric", Alignment::left},
        {"A", Alignment::left},
        {"B", Alignment::left}};
    table.label_columns = 2;
    table.notes = {
        "Intervals as the files hold them. Where nothing differs, two independent 95 % intervals "
        "of "
        "equal length miss one another about once in 180 times: expect that of a large table. "
        "`--mode paired` sees smaller differences."};
    return table;
}

}  // namespace

DiffReport diff_overlap(const DiffSide& a, const DiffSide& b, const DiffSettings& settings) {
    const CellMatching matching = match_cells(a, b);
    const std::vector<std::string> metrics = common_metrics(a, b, settings.metric);
    const EstimatesByCell of_a = estimates_of(*a.results);
    const EstimatesByCell of_b = estimates_of(*b.results);
    const CellLabels labels(*a.results);
    TextTable table = empty_table();
    std::size_t compared = 0;
    for (const CellPair& pair : matching.pairs) {
        const auto cell_a = of_a.find(pair.a);
        const auto cell_b = of_b.find(pair.b);
        if (cell_a == of_a.end() || cell_b == of_b.end()) {
            continue;
        }
        for (const std::string& metric : metrics) {
            const auto x = cell_a->second.find(metric);
            const auto y = cell_b->second.find(metric);
            if (x == cell_a->second.end() || y == cell_b->second.end()) {
                continue;
            }
            ++compared;
            if (!overlap(x->second.interval, y->second.interval)) {
                table.rows.push_back(
                    {labels.label(pair.a), metric_text(metric), x->second.text(), y->second.text()}
                );
            }
        }
    }
    const bool do_logs_differ = std::any_of(
        matching.logs.begin(), matching.logs.end(), [](const LogPair& log) { return log.differs(); }
    );
    if (compared == 0 && !do_logs_differ) {
        throw ResultError(fmt::format(
            "{} and {}: no cell has an interval of a metric in both (one replication gives none). "
            "Use --mode bitwise",
            a.name,
            b.name
        ));
    }
    const std::string found =
        fmt::format("{} of {} intervals do not overlap.", table.rows.size(), compared);
    return report_of(a, b, matching, found, std::move(table));
}

}  // namespace schedfarm::app
