#include <algorithm>
#include <cmath>
#include <iterator>
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
    const auto& claims = column_of<Texts>(table, "claim");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        places[claims[row]].push_back(
            {column_of<Texts>(table, "place")[row],
             column_of<Texts>(table, "side")[row],
             column_of<Reals>(table, "value")[row],
             column_of<Reals>(table, "lower")[row],
             column_of<Reals>(table, "upper")[row],
             style}
        );
    }
    return places;
}

/// The only value, or the smallest and the greatest; places not measured have none.
std::string measured_text(const std::vector<Place>& places) {
    std::vector<Place> measured;
    std::copy_if(
        places.begin(),
        places.end(),
        std::back_inserter(measured),
        [](const Place& place) { return std::isfinite(place.value); }
    );
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

/// "class 3 (1.2); class 4 (1.1 ±0.2) and 3 more"
std::string list_of(const std::vector<Place>& places, const std::string& side) {
    std::string text;
    std::size_t told = 0;
    for (const Place& place : places) {
        if (place.side == side && told < most_places_told) {
            text += fmt::format("{}{} ({})", told > 0 ? "; " : "", place.label, place.text());
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
std::string note_of(const Table& table, std::size_t row, const std::vector<Place>& places) {
    const auto text = [&](const char* name) {
        return column_of<Texts>(table, name)[row];
    };
    const std::string section = text("section");
    std::string note = fmt::format(
        "{}: \"{}\"{} Measured: {}.",
        text("claim"),
        text("paper"),
        section.empty() ? "" : " (" + section + ")",
        text("value")
    );
    if (places.size() > 1) {
        for (const char* side : {"outside", "straddles", "not measured"}) {
            const std::string list = list_of(places, side);
            note += list.empty() ? "" : fmt::format(" {}: {}.", side, list);
        }
    }
    const std::string remark = text("note");
    return remark.empty() ? note : note + " " + remark;
}

std::string tally(const Table& table) {
    std::size_t expected = 0;
    std::vector<std::string> open;
    std::vector<std::string> other;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string& verdict = column_of<Texts>(table, "verdict")[row];
        const std::string& claim = column_of<Texts>(table, "claim")[row];
        if (verdict == column_of<Texts>(table, "expected")[row]) {
            ++expected;
        } else if (contradicts(verdict, column_of<Texts>(table, "expected")[row])) {
            other.push_back(claim);
        } else {
            open.push_back(claim);
        }
    }
    std::string text = fmt::format("{} of {} claims as expected", expected, table.rows());
    text += open.empty() ? "" : fmt::format("; open: {}", fmt::join(open, ", "));
    text += other.empty() ? "" : fmt::format("; not as expected: {}", fmt::join(other, ", "));
    return text + ".";
}

TextTable section_of(const Table& claims, const Table& values, IntervalStyle style) {
    TextTable section;
    section.title = "Claims of the paper";
    section.columns = {
        {"claim", Alignment::left},
        {"paper", Alignment::left},
        {"measured", Alignment::left},
        {"holds if", Alignment::left},
        {"places", Alignment::right},
        {"verdict", Alignment::left}};
    section.label_columns = 1;
    const auto places = places_by_claim(values, style);
    section.notes = {tally(claims)};
    for (std::size_t row = 0; row < claims.rows(); ++row) {
        const auto text = [&](const char* name) {
            return column_of<Texts>(claims, name)[row];
        };
        const std::vector<Place>& own = places.at(text("claim"));
        section.rows.push_back(
            {text("claim"),
             text("printed"),
             measured_text(own),
             text("rule") + (own.size() > 1 ? " (" + text("needs") + ")" : ""),
             fmt::format("{} of {}", count_of(own, "inside"), own.size()),
             verdict_text(text("verdict"), text("expected"))}
        );
        section.notes.push_back(note_of(claims, row, own));
    }
    section.notes.push_back(fmt::format(
        "Every verdict holds at {}; of one replication it is that of its one schedule.",
        percent_text(column_of<Reals>(claims, "confidence").front())
    ));
    drop_empty_columns(section);
    return section;
}

/// The first of the cells that have the same replications.
std::set<std::uint64_t> distinct_cells(const ResultFile& results) {
    const Table& cells = table_of(results, "cells");
    std::set<std::string> keys;
    std::set<std::uint64_t> distinct;
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        if (keys.insert(column_of<Texts>(cells, "replication_key")[row]).second) {
            distinct.insert(row);
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
    TextTable section;
    section.title = metric_text(name);
    section.columns = {{"cell", Alignment::left}};
    section.label_columns = 1;
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
    const Table* table = results.find("quantities");
    if (table == nullptr || table->rows() == 0) {
        return {};
    }
    const std::set<std::uint64_t> shown = distinct_cells(results);
    std::vector<std::string> names;
    std::map<std::string, TextsByCell> by_name;
    std::set<double> confidences;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::string& name = column_of<Texts>(*table, "quantity")[row];
        const std::uint64_t cell = column_of<Counts>(*table, "cell")[row];
        if (!shown.contains(cell)) {
            continue;
        }
        if (!by_name.contains(name)) {
            names.push_back(name);
        }
        const double lower = column_of<Reals>(*table, "lower")[row];
        const double upper = column_of<Reals>(*table, "upper")[row];
        by_name[name][cell][column_of<Integers>(*table, "class")[row]] = value_text(
            column_of<Reals>(*table, "mean")[row], lower, upper, interval_style(results)
        );
        if (lower < upper) {
            confidences.insert(column_of<Reals>(*table, "confidence")[row]);
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
    const Table* claims = results.find("claims");
    const Table* values = results.find("claim_values");
    if (claims == nullptr || values == nullptr || claims->rows() == 0) {
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
