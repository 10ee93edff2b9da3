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

/// Estimates with an interval, by metric, of every cell.
using EstimatesByCell = std::map<std::uint64_t, std::map<std::string, Row>>;

EstimatesByCell estimates_of(const ResultFile& results) {
    EstimatesByCell estimates;
    for (const Row& row : rows_of(table_of(results, "estimates"))) {
        if (!std::isnan(row.real("lower")) && !std::isnan(row.real("upper"))) {
            estimates[row.count("cell")].emplace(row.text("metric"), row);
        }
    }
    return estimates;
}

bool overlap(const Row& a, const Row& b) {
    return a.real("lower") <= b.real("upper") && b.real("lower") <= a.real("upper");
}

}  // namespace

DiffReport diff_overlap(const DiffSide& a, const DiffSide& b, const DiffSettings& settings) {
    const CellMatching matching = match_cells(a, b);
    const std::vector<std::string> metrics = common_metrics(a, b, settings.metric);
    const EstimatesByCell of_a = estimates_of(*a.results);
    const EstimatesByCell of_b = estimates_of(*b.results);
    const CellLabels labels(*a.results);
    TextTable table =
        text_table("Intervals without a common point", {"<cell", "<metric", "<A", "<B"}, 2);
    table.notes = {
        "Intervals as the files hold them. Where nothing differs, two independent 95 % intervals "
        "of equal length miss one another about once in 180 times: expect that of a large table. "
        "`--mode paired` sees smaller differences."};
    const auto shown = [](const Row& row) {
        return interval_text(row, "mean", IntervalStyle::plus_minus);
    };
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
            if (!overlap(x->second, y->second)) {
                table.rows.push_back(
                    {labels.label(pair.a), metric_text(metric), shown(x->second), shown(y->second)}
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
