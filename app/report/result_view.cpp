#include "app/report/result_view.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

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

std::string text_attribute(const ResultFile& results, const char* name) {
    const results_schema::Attribute* attribute = results.attribute(name);
    const auto* text = attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
    return text == nullptr ? std::string() : *text;
}

std::string defects_text(const ResultFile& results) {
    const Table* const defects = results.find("defects");
    if (defects == nullptr || defects->rows() == 0) {
        return "";
    }
    const Row first(*defects, 0);
    return fmt::format(
        "This file fails the check of its writer ({}{}; {} in all, table defects). This is an "
        "error of schedfarm: report it.",
        first.integer("cell") < 0 ? "" : fmt::format("cell {}: ", first.integer("cell")),
        first.text("problem"),
        engine::counted(defects->rows(), "problem")
    );
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
        "wait.warm_up",
        "wait.first_half",
        "wait.second_half",
        "busy_area",
        "capacity_area",
        "slowdown.largest_share"};
    const bool counts_jobs = metric.find(".count[") != std::string::npos
                             && metric.find("job_size.") == std::string::npos;
    const bool weighs_jobs = metric.find(".weight") != std::string::npos;
    const bool is_of_twin = metric.starts_with("twin_wait_");
    return names.contains(metric) || counts_jobs || weighs_jobs || is_of_twin;
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

}  // namespace schedfarm::app
