#include "app/report/result_view.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace schedfarm::app {

using results_schema::ResultFile;
using results_schema::Table;

const Table& table_of(const ResultFile& results, const char* name) {
    const Table* table = results.find(name);
    if (table == nullptr) {
        throw results_schema::ResultError(fmt::format("the file has no table '{}'", name));
    }
    return *table;
}

const Table* filled_table(const ResultFile& results, const char* name) {
    const Table* table = results.find(name);
    return table == nullptr || table->rows() == 0 ? nullptr : table;
}

std::string text_attribute(const ResultFile& results, const char* name) {
    const results_schema::Attribute* attribute = results.attribute(name);
    const auto* text = attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
    return text == nullptr ? std::string() : *text;
}

IntervalStyle interval_style(const ResultFile& results) {
    return text_attribute(results, "report_intervals") == "bounds" ? IntervalStyle::bounds
                                                                   : IntervalStyle::plus_minus;
}

std::string interval_text(const Row& row, const char* number, IntervalStyle style) {
    return interval_text(row.real(number), row.real("lower"), row.real("upper"), style);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string short_factor_name(const std::string& factor) {
    const std::size_t dot = factor.rfind('.');
    return dot == std::string::npos ? factor : factor.substr(dot + 1);
}

bool is_diagnostic(const std::string& metric) {
    const std::set<std::string> names{
        "backlog_change",
        "backlog_time",
        "backlog_growth",
        "queueing_time.warm_up",
        "queueing_time.first_half",
        "queueing_time.second_half",
        "busy_area",
        "capacity_area",
        "slowdown.largest_share"};
    const bool counts_jobs = metric.find(".count[") != std::string::npos
                             && metric.find("job_size.") == std::string::npos;
    const bool weighs_jobs = metric.find(".weight") != std::string::npos;
    return names.contains(metric) || counts_jobs || weighs_jobs;
}

std::vector<double> replication_values(
    const ResultFile& results, std::uint64_t cell, const std::string& metric
) {
    const Table& table = table_of(results, "replications");
    const auto& cells = column_of<Counts>(table, "cell");
    const auto& values = column_of<Reals>(table, metric);
    const auto [first, last] = std::equal_range(cells.begin(), cells.end(), cell);
    return {values.begin() + (first - cells.begin()), values.begin() + (last - cells.begin())};
}

bool same_value(
    const results_schema::Column& a,
    std::size_t row_a,
    const results_schema::Column& b,
    std::size_t row_b
) {
    return std::visit(
        [&]<typename List>(const List& values) {
            const auto* others = std::get_if<List>(&b.data);
            if (others == nullptr) {
                return false;
            }
            const auto& x = values[row_a];
            const auto& y = (*others)[row_b];
            return x == y || (x != x && y != y);
        },
        a.data
    );
}

std::set<std::uint64_t> unstable_cells(const ResultFile& results) {
    std::set<std::uint64_t> cells;
    if (const Table* table = filled_table(results, "stability")) {
        for (const Row& row : rows_of(*table)) {
            if (row.text("verdict") == "unstable") {
                cells.insert(row.count("cell"));
            }
        }
    }
    return cells;
}

RowsByCell::RowsByCell(const Table& table) {
    for (const Row& row : rows_of(table)) {
        rows_[row.count("cell")].push_back(row);
    }
}

std::span<const Row> RowsByCell::of(std::uint64_t cell) const {
    const auto found = rows_.find(cell);
    return found == rows_.end() ? std::span<const Row>() : found->second;
}

std::optional<Row> RowsByCell::find(std::uint64_t cell, const std::string& metric) const {
    const std::span<const Row> rows = of(cell);
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
        return row.text("metric") == metric;
    });
    return found == rows.end() ? std::nullopt : std::optional(*found);
}

CellLabels::CellLabels(const ResultFile& results)
    : labels_(column_of<Texts>(table_of(results, "cells"), "label")) {
    const Table& table = table_of(results, "factors");
    for (const Row& row : rows_of(table)) {
        const std::string& factor = row.text("factor");
        levels_[row.count("cell")][factor] = row.text("label");
        if (std::find(factors_.begin(), factors_.end(), factor) == factors_.end()) {
            factors_.push_back(factor);
        }
    }
}

std::string CellLabels::level(std::uint64_t cell, const std::string& factor) const {
    const auto levels = levels_.find(cell);
    if (levels == levels_.end()) {
        return "";
    }
    const auto found = levels->second.find(factor);
    return found == levels->second.end() ? "" : found->second;
}

std::string CellLabels::label(std::uint64_t cell) const {
    const bool is_named = cell < labels_.size() && !labels_[cell].empty();
    return is_named ? labels_[cell] : fmt::format("cell {}", cell);
}

std::vector<std::string> CellLabels::distinguishing(const std::set<std::uint64_t>& cells) const {
    std::vector<std::string> differing;
    for (const std::string& factor : factors_) {
        std::set<std::string> levels;
        for (const std::uint64_t cell : cells) {
            levels.insert(level(cell, factor));
        }
        if (levels.size() > 1) {
            differing.push_back(factor);
        }
    }
    return differing.empty() ? factors_ : differing;
}

std::string CellLabels::label(std::uint64_t cell, const std::vector<std::string>& factors) const {
    std::string text;
    for (const std::string& factor : factors) {
        const std::string own = level(cell, factor);
        text += (text.empty() || own.empty() ? "" : ", ") + own;
    }
    return text.empty() ? label(cell) : text;
}

}  // namespace schedfarm::app
