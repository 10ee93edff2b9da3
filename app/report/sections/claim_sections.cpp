#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

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

constexpr std::size_t most_places_told = 6;

/// With its interval if it has one, else in four digits or more.
std::string value_text(double value, double lower, double upper, IntervalStyle style) {
    if (upper - lower > 0) {
        return interval_text(value, lower, upper, style);
    }
    if (std::isnan(value)) {
        return "";
    }
    return std::abs(value) < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

/// One place of a claim.
struct Place {
    std::string label;
    std::string side;
    double value = 0;
    double lower = 0;
    double upper = 0;
    IntervalStyle style = IntervalStyle::plus_minus;

    std::string text() const { return value_text(value, lower, upper, style); }
};

std::map<std::string, std::vector<Place>> places_by_claim(const Table& table, IntervalStyle style) {
    std::map<std::string, std::vector<Place>> places;
    for (const Row& row : rows_of(table)) {
        places[row.text("claim")].push_back(
            {row.text("place"),
             row.text("side"),
             row.real("value"),
             row.real("lower"),
             row.real("upper"),
             style}
        );
    }
    return places;
}

/// The only value, or the smallest and the greatest; places not measured have none.
std::string measured_text(const std::vector<Place>& places) {
    std::vector<Place> measured = places;
    std::erase_if(measured, [](const Place& place) { return !std::isfinite(place.value); });
    if (measured.empty()) {
        return "";
    }
    if (measured.size() == 1) {
        return measured.front().text();
    }
    const auto [least, greatest] =
        std::minmax_element(measured.begin(), measured.end(), [](const Place& a, const Place& b) {
            return a.value < b.value;
        });
    return fmt::format("{:.3g} to {:.3g}", least->value, greatest->value);
}

std::size_t count_of(const std::vector<Place>& places, const std::string& side) {
    return static_cast<std::size_t>(std::count_if(
        places.begin(), places.end(), [&](const Place& place) { return place.side == side; }
    ));
}

/// "class 3 (1.2); class 4 (1.1 ±0.2); and 3 more"; what was not measured has no number.
std::string list_of(const std::vector<Place>& places, const std::string& side) {
    std::string text;
    std::size_t told = 0;
    for (const Place& place : places) {
        if (place.side == side && told < most_places_told) {
            const std::string number = place.text();
            text += (told > 0 ? "; " : "") + place.label;
            text += number.empty() ? "" : " (" + number + ")";
            ++told;
        }
    }
    const std::size_t all = count_of(places, side);
    return all > told ? text + fmt::format("; and {} more", all - told) : text;
}

bool contradicts(const std::string& verdict, const std::string& expected) {
    return (verdict == "holds" || verdict == "does not hold") && verdict != expected;
}

/// "does not hold, as expected"; "holds (expected: does not hold)"
std::string verdict_text(const std::string& verdict, const std::string& expected) {
    if (verdict == expected) {
        return verdict + ", as expected";
    }
    return contradicts(verdict, expected) ? verdict + " (expected: " + expected + ")" : verdict;
}

/// What the paper says, and where it is not so.
std::string note_of(const Row& row, const std::vector<Place>& places) {
    const std::string& section = row.text("section");
    std::string note = fmt::format(
        "{}: \"{}\"{} Measured: {}.",
        row.text("claim"),
        row.text("paper"),
        section.empty() ? "" : " (" + section + ")",
        row.text("value")
    );
    if (places.size() > 1) {
        for (const char* side : {"outside", "straddles", "not measured"}) {
            const std::string list = list_of(places, side);
            note += list.empty() ? "" : fmt::format(" {}: {}.", side, list);
        }
    }
    const std::string& remark = row.text("note");
    return remark.empty() ? note : note + " " + remark;
}

std::string tally(const Table& table) {
    std::size_t expected = 0;
    std::vector<std::string> open;
    std::vector<std::string> other;
    for (const Row& row : rows_of(table)) {
        if (row.text("verdict") == row.text("expected")) {
            ++expected;
        } else if (contradicts(row.text("verdict"), row.text("expected"))) {
            other.push_back(row.text("claim"));
        } else {
            open.push_back(row.text("claim"));
        }
    }
    std::string text = fmt::format("{} of {} claims as expected", expected, table.rows());
    text += open.empty() ? "" : fmt::format("; open: {}", fmt::join(open, ", "));
    text += other.empty() ? "" : fmt::format("; not as expected: {}", fmt::join(other, ", "));
    return text + ".";
}

TextTable section_of(const Table& claims, const Table& values, IntervalStyle style) {
    TextTable section = text_table(
        "Claims of the paper",
        {"<claim", "<paper", "<measured", "<holds if", ">places", "<verdict"},
        1
    );
    const auto places = places_by_claim(values, style);
    section.notes = {tally(claims)};
    for (const Row& row : rows_of(claims)) {
        const std::vector<Place>& own = places.at(row.text("claim"));
        section.rows.push_back(
            {row.text("claim"),
             row.text("printed"),
             measured_text(own),
             row.text("rule") + (own.size() > 1 ? " (" + row.text("needs") + ")" : ""),
             fmt::format("{} of {}", count_of(own, "inside"), own.size()),
             verdict_text(row.text("verdict"), row.text("expected"))}
        );
        section.notes.push_back(note_of(row, own));
    }
    section.notes.push_back(fmt::format(
        "Every verdict holds at {}; of one replication it is that of its one schedule.",
        percent_text(Row(claims, 0).real("confidence"))
    ));
    drop_empty_columns(section);
    return section;
}

/// The first of the cells that have the same replications.
std::set<std::uint64_t> distinct_cells(const ResultFile& results) {
    std::set<std::string> keys;
    std::set<std::uint64_t> distinct;
    for (const Row& row : rows_of(table_of(results, "cells"))) {
        if (keys.insert(row.text("replication_key")).second) {
            distinct.insert(row.index());
        }
    }
    return distinct;
}

/// Texts by cell, then by class.
using TextsByCell = std::map<std::uint64_t, std::map<std::int64_t, std::string>>;

TextTable quantity_section(
    const std::string& name, const TextsByCell& texts, const CellLabels& labels
) {
    std::set<std::int64_t> classes;
    for (const auto& [cell, by_class] : texts) {
        for (const auto& [job_class, text] : by_class) {
            classes.insert(job_class);
        }
    }
    TextTable section = text_table(metric_text(name), {"<cell"}, 1);
    for (const std::int64_t job_class : classes) {
        section.columns.push_back(
            {job_class < 0 ? "mean" : fmt::format("class {}", job_class), Alignment::left}
        );
    }
    for (const auto& [cell, by_class] : texts) {
        std::vector<std::string> row{labels.label(cell)};
        for (const std::int64_t job_class : classes) {
            const auto found = by_class.find(job_class);
            row.push_back(found == by_class.end() ? "" : found->second);
        }
        section.rows.push_back(std::move(row));
    }
    return section;
}

}  // namespace

std::vector<TextTable> quantity_sections(const ResultFile& results) {
    const Table* table = filled_table(results, "quantities");
    if (table == nullptr) {
        return {};
    }
    const std::set<std::uint64_t> shown = distinct_cells(results);
    std::vector<std::string> names;
    std::map<std::string, TextsByCell> by_name;
    std::set<double> confidences;
    for (const Row& row : rows_of(*table)) {
        const std::string& name = row.text("quantity");
        if (!shown.contains(row.count("cell"))) {
            continue;
        }
        if (!by_name.contains(name)) {
            names.push_back(name);
        }
        const double lower = row.real("lower");
        const double upper = row.real("upper");
        by_name[name][row.count("cell")][row.integer("class")] =
            value_text(row.real("mean"), lower, upper, interval_style(results));
        if (lower < upper) {
            confidences.insert(row.real("confidence"));
        }
    }
    const CellLabels labels(results);
    std::vector<TextTable> sections;
    sections.reserve(names.size());
    for (const std::string& name : names) {
        sections.push_back(quantity_section(name, by_name[name], labels));
    }
    std::vector<std::string>& notes = sections.back().notes;
    notes = ClassNames(results).sentences();
    if (!confidences.empty()) {
        notes.insert(notes.begin(), interval_note(confidences, interval_style(results)));
    }
    if (shown.size() < labels.cells()) {
        notes.emplace_back("Cells with the same replications are shown once.");
    }
    return sections;
}

std::vector<TextTable> claim_sections(const ResultFile& results) {
    const Table* claims = filled_table(results, "claims");
    const Table* values = results.find("claim_values");
    if (claims == nullptr || values == nullptr) {
        return {};
    }
    std::vector<TextTable> sections{section_of(*claims, *values, interval_style(results))};
    if (results.find("quantities") == nullptr) {  // else they stand below those
        for (std::string& sentence : ClassNames(results).sentences()) {
            sections.front().notes.push_back(std::move(sentence));
        }
    }
    return sections;
}

}  // namespace schedfarm::app
