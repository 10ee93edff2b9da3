#include "app/report/run_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/statistics/bounded_interval.hpp"
#include "engine/statistics/log_interval.hpp"

#include "app/config/sections/replication_reader.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

engine::Estimate exact(double value, std::uint64_t n) {
    engine::Estimate estimate;
    estimate.n = n;
    estimate.mean = value;
    estimate.confidence = nan;
    estimate.interval = {.lower = nan, .upper = nan};
    return estimate;
}

bool is_negative(double value) {
    return value < 0;
}

/// With the interval that the cell has of its own ratios; of what is never negative it has none
/// below 0.
engine::Estimate ratio_of_sums(
    const Row& cell, const std::vector<double>& over, const std::vector<double>& under
) {
    const auto estimate = engine::estimate_ratio(
        over, under, cell.real("confidence"), interval_called(cell.text("interval"))
    );
    if (!estimate) {
        return exact(over.size() == 1 ? over[0] / under[0] : nan, over.size());
    }
    const bool is_signed = std::any_of(over.begin(), over.end(), is_negative)
                           || std::any_of(under.begin(), under.end(), is_negative);
    const std::uint64_t blocks = cell.count("log_blocks");
    return engine::within(
        blocks == 0
            ? *estimate
            : engine::of_logs_like_it(
                *estimate, {.count = blocks, .variance_ratio = cell.real("log_variance_ratio")}
            ),
        is_signed ? engine::any_value : engine::not_negative
    );
}

/// Wall times by replication, s.
std::map<std::uint64_t, double> wall_times(
    const results_schema::ResultFile& results, std::uint64_t cell
) {
    std::map<std::uint64_t, double> times;
    for (const Row& row : rows_of(table_of(results, "timings"))) {
        if (row.count("cell") == cell) {
            times[row.count("replication")] = row.real("seconds");
        }
    }
    return times;
}

/// The cell that differs in one factor only, whose level there is `level`.
std::optional<std::uint64_t> other_cell(
    const CellLabels& labels, std::uint64_t cell, const std::string& level
) {
    for (std::uint64_t other = 0; other < labels.cells(); ++other) {
        std::size_t differing = 0;
        bool has_level = false;
        for (const std::string& factor : labels.factors()) {
            const std::string there = labels.level(other, factor);
            const bool differs = there != labels.level(cell, factor);
            differing += differs ? 1U : 0U;
            has_level = has_level || (differs && there == level);
        }
        if (differing == 1 && has_level) {
            return other;
        }
    }
    return std::nullopt;
}

double median(std::vector<double> values) {
    if (values.empty()) {
        return nan;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

engine::Estimate run_column_estimate(
    const results_schema::ResultFile& results, std::uint64_t cell, const RunColumn& column
) {
    const std::vector<double> values = replication_values(results, cell, column.metric);
    const bool lacks_one =
        std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (values.empty() || lacks_one) {
        return exact(nan, values.size());
    }
    if (column.kind == RunColumn::Kind::ratio) {
        return ratio_of_sums(
            Row(table_of(results, "cells"), cell),
            values,
            replication_values(results, cell, column.divisor)
        );
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return exact(column.kind == RunColumn::Kind::least ? *least : *greatest, values.size());
}

double median_wall_time_ms(
    const results_schema::ResultFile& results, std::uint64_t cell, const RunColumn& column
) {
    constexpr double ms = 1e3;
    std::map<std::uint64_t, double> less;
    if (!column.beyond.empty()) {
        const auto other = other_cell(CellLabels(results), cell, column.beyond);
        if (!other) {
            return nan;
        }
        less = wall_times(results, *other);
    }
    std::vector<double> values;
    for (const auto& [replication, seconds] : wall_times(results, cell)) {
        const auto found = less.find(replication);
        if (column.beyond.empty() || found != less.end()) {
            values.push_back(ms * (seconds - (found == less.end() ? 0 : found->second)));
        }
    }
    return median(std::move(values));
}

double share_beyond(std::uint64_t n, double confidence) {
    return 1 - engine::power(1 - confidence, 1 / static_cast<double>(n));
}

}  // namespace schedfarm::app
