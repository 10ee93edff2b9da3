#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "app/report/number_text.hpp"
#include "app/report/report.hpp"
#include "app/report/result_view.hpp"
#include "app/report/schedule/named_logs.hpp"
#include "app/report/sections/sections.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// "load.utilization=0.6, policy=fcfs" → "utilization 0.6, policy fcfs"
std::string group_text(const std::string& group) {
    std::string text;
    std::size_t begin = 0;
    while (begin < group.size()) {
        const std::size_t end = std::min(group.find(", ", begin), group.size());
        const std::string part = group.substr(begin, end - begin);
        const std::size_t equals = part.find('=');
        text += text.empty() ? "" : ", ";
        text += equals == std::string::npos
                    ? part
                    : short_factor_name(part.substr(0, equals)) + " " + part.substr(equals + 1);
        begin = end + 2;
    }
    return text;
}

void drop_first_column_if_empty(TextTable& table) {
    const bool is_empty = std::all_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
        return row.front().empty();
    });
    if (is_empty) {
        drop_column(table, 0);
    }
}

/// The confidence of the family of m comparisons: Holm gives the smallest p-value 1 − α / m.
double family_confidence(const Reals& confidences) {
    const double greatest = *std::max_element(confidences.begin(), confidences.end());
    return 1 - (1 - greatest) * static_cast<double>(confidences.size());
}

std::string times_text(double times, double lower, double upper) {
    const auto end = [](double value) {
        return number_text(value, std::max(2, decimals_of_digits(value, 2)));
    };
    return std::isnan(times)
               ? ""
               : fmt::format("{} ({}–{})", estimate_text(times, 2), end(lower), end(upper));
}

std::vector<std::string> comparison_row(
    const Row& row, const CellLabels& labels, IntervalStyle style
) {
    const std::uint64_t first = row.count("first_cell");
    const std::uint64_t second = row.count("second_cell");
    const auto factors = labels.distinguishing({first, second});
    const std::string first_label = labels.label(first, factors);
    const std::string second_label = labels.label(second, factors);
    const std::string& verdict = row.text("verdict");
    return {
        group_text(row.text("group")),
        first_label + " - " + second_label,
        interval_text(row, "difference", style),
        p_text(row.real("adjusted_p")),
        verdict == "not decided"     ? "undecided"
        : verdict == "first smaller" ? first_label
                                     : second_label,
        times_text(
            row.real("width_reduction"),
            row.real("width_reduction_lower"),
            row.real("width_reduction_upper")
        )};
}

/// What few pairs mean for the intervals; "" where there are ten pairs or more of all.
std::string few_pairs_note(const Table& table) {
    std::uint64_t fewest = enough_for_skewness;
    double greatest = absent;
    for (const Row& row : rows_of(table)) {
        if (row.count("n") < enough_for_skewness) {
            fewest = std::min(fewest, row.count("n"));
            greatest = std::fmax(greatest, std::fabs(row.real("skewness")));
        }
    }
    return fewest == enough_for_skewness ? "" : few_note("pairs", fewest, greatest);
}

/// "" where every cell has a mean that can be compared.
std::string unstable_note(const ResultFile& results, const CellLabels& labels) {
    const std::set<std::uint64_t> cells = unstable_cells(results);
    if (cells.empty()) {
        return "";
    }
    constexpr std::size_t most_named = 10;
    std::vector<std::string> names;
    for (const std::uint64_t cell : cells) {
        names.push_back(labels.label(cell));
    }
    std::string rest;
    if (names.size() > most_named) {
        rest = fmt::format("; and {} more", names.size() - most_named);
        names.resize(most_named);
    }
    return fmt::format(
        "Left out are pairs with an unstable cell, whose mean says nothing: {}{}.",
        fmt::join(names, "; "),
        rest
    );
}

std::string standing_text(const std::string& standing, std::uint64_t n) {
    return standing == "eliminated" ? fmt::format("eliminated after {}", n) : standing;
}

/// The cells that were selected from, group by group.
std::map<std::string, std::set<std::uint64_t>> cells_by_group(const Table& table) {
    std::map<std::string, std::set<std::uint64_t>> groups;
    for (const Row& row : rows_of(table)) {
        groups[row.text("group")].insert(row.count("cell"));
    }
    return groups;
}

void add_selection_notes(const ResultFile& results, const Table& table, TextTable& section) {
    const Row first(table, 0);
    // Good selection is proven of GSP alone; of both for normal means.
    const char* const promise =
        first.text("procedure") == "kn"
            ? "With probability at least {} the cell selected is the best, if that is better than "
              "every other by {} or more; where others come closer nothing is proven (KN)."
            : "With probability at least {} the cell selected is the best, or no more than {} from "
              "it (GSP).";
    section.notes.push_back(fmt::format(
        fmt::runtime(promise), percent_text(first.real("confidence")), first.real("indifference")
    ));
    const auto& standings = column_of<Texts>(table, "standing");
    if (std::find(standings.begin(), standings.end(), "leading") != standings.end()) {
        add_warning(
            section,
            "Where a cell is only leading, the cap on replications came first: nothing is promised "
            "of it."
        );
    }
    if (std::find(standings.begin(), standings.end(), "equal") != standings.end()) {
        section.notes.emplace_back(
            "Equal: in every replication that both have, the cell's number is that of the one "
            "selected or leading, to the bit; either may be chosen."
        );
    }
    if (!of_logs_like_it(results).empty()) {
        add_warning(
            section,
            "Of a resampled log it is the best of all draws from this one, which is no promise for "
            "other logs: a comparison speaks of those."
        );
    }
}

/// Every control of the table once, as a researcher calls it.
std::string control_names(const Table& table) {
    std::set<std::string> names;
    for (const std::string& list : column_of<Texts>(table, "controls")) {
        std::size_t begin = 0;
        while (begin < list.size()) {
            const std::size_t end = std::min(list.find(", ", begin), list.size());
            names.insert(metric_text(list.substr(begin, end - begin)));
            begin = end + 2;
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// A variance that is not reduced is no reason to prefer the controlled estimate.
std::string gain_text(double variance_reduction) {
    const bool pays = variance_reduction > 1;
    return number_text(variance_reduction, 2) + (pays ? "" : ", does not pay");
}

}  // namespace

std::vector<TextTable> comparison_sections(const ResultFile& results) {
    const Table* table = results.find("comparisons");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    const std::string left_out = unstable_note(results, labels);
    if (table->rows() == 0) {
        TextTable section = text_table("No differences", {});
        add_warning(section, left_out);
        return left_out.empty() ? std::vector<TextTable>() : std::vector{section};
    }
    TextTable section = text_table(
        "Differences of " + metric_text(Row(*table, 0).text("metric")),
        {"<group", "<pair", "<difference", ">adj. p", "<smaller", "<times shorter"},
        2
    );
    for (const Row& row : rows_of(*table)) {
        section.rows.push_back(comparison_row(row, labels, interval_style(results)));
    }
    drop_first_column_if_empty(section);
    section.notes = {fmt::format(
        "Difference: first less second, replication by replication under common random "
        "numbers; {}.",
        holm_text(
            table->rows(), percent_text(family_confidence(column_of<Reals>(*table, "confidence")))
        )
    )};
    const bool has_reductions =
        std::any_of(section.rows.begin(), section.rows.end(), [](const auto& row) {
            return !row.back().empty();
        });
    if (has_reductions) {
        section.notes.emplace_back(
            "Times shorter: than the interval would be with independent streams at the same cost."
        );
    } else {  // fewer than ten pairs say nothing of it
        drop_column(section, section.columns.size() - 1);
    }
    for (const std::string& note : {few_pairs_note(*table), left_out}) {
        add_warning(section, note);
    }
    return {section};
}

std::vector<TextTable> selection_sections(const ResultFile& results) {
    const Table* table = filled_table(results, "selections");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    const auto groups = cells_by_group(*table);
    TextTable section = text_table(
        "Selection of the best by " + metric_text(Row(*table, 0).text("metric")),
        {"<group", "<cell", ">mean", ">n", "<standing"},
        2
    );
    std::string before;
    for (const Row& row : rows_of(*table)) {
        const std::string& group = row.text("group");
        section.rows.push_back(
            {row.index() > 0 && group == before ? "" : group_text(group),
             labels.label(row.count("cell"), labels.distinguishing(groups.at(group))),
             estimate_text(row.real("mean"), decimals_for(row.real("indifference"))),
             row.shown("n"),
             standing_text(row.text("standing"), row.count("n"))}
        );
        before = group;
    }
    drop_first_column_if_empty(section);
    add_selection_notes(results, *table, section);
    return {section};
}

std::vector<TextTable> controlled_sections(const ResultFile& results) {
    const Table* table = filled_table(results, "controlled_estimates");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    const RowsByCell estimates(table_of(results, "estimates"));
    const IntervalStyle style = interval_style(results);
    TextTable section = text_table(
        "Control variates: " + metric_text(Row(*table, 0).text("metric")),
        {"<cell", "<with controls", "<without", ">adj. R²", ">variance reduction"},
        1
    );
    for (const Row& row : rows_of(*table)) {
        const auto plain = estimates.find(row.count("cell"), row.text("metric"));
        section.rows.push_back(
            {labels.label(row.count("cell")),
             interval_text(row, "mean", style),
             plain ? interval_text(*plain, "mean", style) : "",
             number_text(row.real("r_squared"), 2),
             gain_text(row.real("variance_reduction"))}
        );
    }
    const Reals& confidences = column_of<Reals>(*table, "confidence");
    section.notes = {
        interval_note({confidences.begin(), confidences.end()}, style),
        "Controls of known mean: " + control_names(*table) + ".",
        "Variance reduction: as many times more replications would give the same interval without "
        "them; up to 1 they do not pay, and the estimate without them is the better one."};
    return {section};
}

}  // namespace schedfarm::app
