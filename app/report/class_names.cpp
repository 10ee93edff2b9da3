#include "app/report/class_names.hpp"

#include <charconv>

#include <fmt/format.h>

#include "app/report/result_view.hpp"

namespace schedfarm::app {

std::optional<PartMetric> part_metric(std::string_view column, std::string_view part) {
    const std::string mark = fmt::format("[{}=", part);
    const std::size_t begin = column.find(mark);
    if (begin == std::string::npos || column.back() != ']') {
        return std::nullopt;
    }
    PartMetric found{std::string(column.substr(0, begin)), 0};
    const std::string_view number =
        column.substr(begin + mark.size(), column.size() - begin - mark.size() - 1);
    const char* end = number.data() + number.size();
    const auto parsed = std::from_chars(number.data(), end, found.number);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(found) : std::nullopt;
}

bool is_of_part(std::string_view column) {
    return part_metric(column, "class") || part_metric(column, "cluster");
}

ClassNames::ClassNames(const results_schema::ResultFile& results) {
    const results_schema::Table* table = results.find("job_classes");
    if (table == nullptr) {
        return;
    }
    const CellLabels labels(results);
    for (std::size_t cell = 0; cell < labels.cells(); ++cell) {
        labels_.push_back(labels.label(cell));
    }
    for (const Row& row : rows_of(*table)) {
        names_[row.count("cell")].push_back(row.text("name"));
    }
}

std::string ClassNames::name(std::uint64_t cell, std::uint64_t job_class) const {
    const auto found = names_.find(cell);
    return found == names_.end() || job_class >= found->second.size() ? ""
                                                                      : found->second[job_class];
}

std::string ClassNames::name_of_column(std::uint64_t cell, std::string_view column) const {
    const auto about = part_metric(column, "class");
    return about ? name(cell, about->number) : "";
}

std::vector<std::string> ClassNames::sentences() const {
    std::vector<std::vector<std::string>> namings;  // in the order of their first cells
    std::vector<std::vector<std::string>> cells;
    for (const auto& [cell, names] : names_) {
        std::size_t at = 0;
        while (at < namings.size() && namings[at] != names) {
            ++at;
        }
        if (at == namings.size()) {
            namings.push_back(names);
            cells.emplace_back();
        }
        cells[at].push_back(labels_.at(cell));
    }
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < namings.size(); ++i) {
        std::string text;
        for (std::size_t c = 0; c < namings[i].size(); ++c) {
            text += fmt::format("{} {}: {}", c == 0 ? "Class" : "; class", c, namings[i][c]);
        }
        const bool is_common = namings.size() == 1;
        sentences.push_back(
            is_common ? text + "." : fmt::format("{} ({}).", text, fmt::join(cells[i], "; "))
        );
    }
    return sentences;
}

}  // namespace schedfarm::app
