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
        table.columns.erase(table.columns.begin());
        for (auto& row : table.rows) {
            row.erase(row.begin());
        }
        --table.label_columns;
    }
}

/// The confidence of the family of m comparisons: Holm gives the smallest p-value 1 − α / m.
double family_confidence(const Reals& confidences) {
    const double greatest = *std::max_element(confidences.begin(), confidences.end());
    return 1 - (1 - greatest) * static_cast<double>(confidences.size());
}

/// Which of the pair is smaller.
std::string smaller_text(const std::string& verdict) {
    if (verdict == "not decided") {
        return "undecided";
    }
    return verdict == "first smaller" ? "first" : "second";
}

std::string times_text(double times, double lower, double upper) {
    return std::isnan(times) ? "" : fmt::format("{:.2f} ({:.2f}–{:.2f})", times, lower, upper);
}

std::vector<std::string> comparison_row(
    const Table& table, std::size_t row, const CellLabels& labels, IntervalStyle style
) {
    const auto real = [&](const char* name) {
        return column_of<Reals>(table, name)[row];
    };
    const std::uint64_t first = column_of<Counts>(table, "first_cell")[row];
    const std::uint64_t second = column_of<Counts>(table, "second_cell")[row];
    const auto factors = labels.distinguishing({first, second});
    const std::string a = labels.label(first, factors);
    const std::string b = labels.label(second, factors);
    return {
        group_text(column_of<Texts>(table, "group")[row]),
        a + " - " + b,
        interval_text(real("difference"), real("lower"), real("upper"), style),
        p_text(real("adjusted_p")),
        smaller_text(column_of<Texts>(table, "verdict")[row]),
        times_text(
            real("width_reduction"), real("width_reduction_lower"), real("width_reduction_upper")
        )};
}

/// What few pairs mean for the intervals; "" where there are ten pairs or more of all.
std::string few_pairs_note(const Table& table) {
    const auto& n = column_of<Counts>(table, "n");
    const auto& skewness = column_of<Reals>(table, "skewness");
    std::uint64_t fewest = enough_for_skewness;
    double greatest = absent;
    for (std::size_t row = 0; row < n.size(); ++row) {
        if (n[row] < enough_for_skewness) {
            fewest = std::min(fewest, n[row]);
            greatest = std::fmax(greatest, std::fabs(skewness[row]));
        }
    }
    if (fewest == enough_for_skewness) {
        return "";
    }
    return few_note("pairs", fewest, greatest);
}

/// "" where every cell has a mean that can be compared.
std::string unstable_note(const ResultFile& results, const CellLabels& labels) {
    const std::set<std::uint64_t> cells = unstable_cells(results);
    if (cells.empty()) {
        return "";
    }
    constexpr std::size_t most_told = 10;
    std::vector<std::string> names;
    for (const std::uint64_t cell : cells) {
        names.push_back(labels.label(cell));
    }
    std::string rest;
    if (names.size() > most_told) {
        rest = fmt::format("; and {} more", names.size() - most_told);
        names.resize(most_told);
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
    for (std::size_t row = 0; row < table.rows(); ++row) {
        groups[column_of<Texts>(table, "group")[row]].insert(column_of<Counts>(table, "cell")[row]);
    }
    return groups;
}

std::vector<std::string> selection_notes(const ResultFile& results, const Table& table) {
    std::string procedure = column_of<Texts>(table, "procedure").front();
    std::transform(procedure.begin(), procedure.end(), procedure.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    const std::string confidence = percent_text(column_of<Reals>(table, "confidence").front());
    const double zone = column_of<Reals>(table, "indifference").front();
    // Good selection is proven of GSP alone; of both for normal means.
    std::vector<std::string> notes{
        procedure == "KN"
            ? fmt::format(
                "With probability at least {} the cell selected is the best, if that is better "
                "than every other by {} or more; where others come closer nothing is proven "
                "({}).",
                confidence,
                zone,
                procedure
            )
            : fmt::format(
                "With probability at least {} the cell selected is the best, or no more than {} "
                "from it ({}).",
                confidence,
                zone,
                procedure
            )};
    const auto& standings = column_of<Texts>(table, "standing");
    if (std::find(standings.begin(), standings.end(), "leading") != standings.end()) {
        notes.emplace_back(
            "Where a cell is only leading, the cap on replications came first: nothing is promised "
            "of it."
        );
    }
    if (!of_logs_like_it(results).empty()) {
        notes.emplace_back(
            "Of a resampled log it is the best of all draws from this one, which is no promise for "
            "other logs: a comparison speaks of those."
        );
    }
    return notes;
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

/// The plain estimate of a cell's metric, with its interval.
std::string plain_estimate(
    const Table& table,
    std::span<const std::size_t> rows_of_cell,
    const std::string& name,
    IntervalStyle style
) {
    for (const std::size_t row : rows_of_cell) {
        if (column_of<Texts>(table, "metric")[row] == name) {
            return interval_text(
                column_of<Reals>(table, "mean")[row],
                column_of<Reals>(table, "lower")[row],
                column_of<Reals>(table, "upper")[row],
                style
            );
        }
    }
    return "";
}

}  // namespace

std::vector<TextTable> comparison_sections(const ResultFile& results) {
    const Table* table = results.find("comparisons");
    if (table == nullptr || table->find("adjusted_p") == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    const std::string left_out = unstable_note(results, labels);
    TextTable section;
    if (table->rows() == 0) {
        section.title = "No differences";
        section.notes = {left_out};
        return left_out.empty() ? std::vector<TextTable>() : std::vector{section};
    }
    section.title = "Differences of " + metric_text(column_of<Texts>(*table, "metric").front());
    section.columns = {
        {"group", Alignment::left},
        {"pair", Alignment::left},
        {"difference", Alignment::left},
        {"adj. p", Alignment::right},
        {"smaller", Alignment::left},
        {"times shorter", Alignment::left}};
    section.label_columns = 2;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        section.rows.push_back(comparison_row(*table, row, labels, interval_style(results)));
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
        if (!note.empty()) {
            section.notes.push_back(note);
        }
    }
    return {section};
}

std::vector<TextTable> selection_sections(const ResultFile& results) {
    const Table* table = results.find("selections");
    if (table == nullptr || table->rows() == 0) {
        return {};
    }
    const CellLabels labels(results);
    const auto groups = cells_by_group(*table);
    TextTable section;
    section.title =
        "Selection of the best by " + metric_text(column_of<Texts>(*table, "metric").front());
    section.columns = {
        {"group", Alignment::left},
        {"cell", Alignment::left},
        {"mean", Alignment::right},
        {"n", Alignment::right},
        {"standing", Alignment::left}};
    section.label_columns = 2;
    std::string before;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::string& group = column_of<Texts>(*table, "group")[row];
        const std::uint64_t cell = column_of<Counts>(*table, "cell")[row];
        const std::uint64_t n = column_of<Counts>(*table, "n")[row];
        const double resolution = column_of<Reals>(*table, "indifference")[row];
        section.rows.push_back(
            {row > 0 && group == before ? "" : group_text(group),
             labels.label(cell, labels.distinguishing(groups.at(group))),
             number_text(column_of<Reals>(*table, "mean")[row], decimals_for(resolution)),
             std::to_string(n),
             standing_text(column_of<Texts>(*table, "standing")[row], n)}
        );
        before = group;
    }
    drop_first_column_if_empty(section);
    section.notes = selection_notes(results, *table);
    return {section};
}

std::vector<TextTable> controlled_sections(const ResultFile& results) {
    const Table* table = results.find("controlled_estimates");
    if (table == nullptr || table->rows() == 0) {
        return {};
    }
    const CellLabels labels(results);
    const std::string& metric = column_of<Texts>(*table, "metric").front();
    TextTable section;
    const Table& estimates = table_of(results, "estimates");
    const RowsByCell rows(estimates);
    section.title = "Control variates: " + metric_text(metric);
    section.columns = {
        {"cell", Alignment::left},
        {"with controls", Alignment::left},
        {"without", Alignment::left},
        {"adj. R²", Alignment::right},
        {"variance reduction", Alignment::right}};
    section.label_columns = 1;
    const auto real = [&](const char* name, std::size_t row) {
        return column_of<Reals>(*table, name)[row];
    };
    const IntervalStyle style = interval_style(results);
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::uint64_t cell = column_of<Counts>(*table, "cell")[row];
        const std::string& name = column_of<Texts>(*table, "metric")[row];
        section.rows.push_back(
            {labels.label(cell),
             interval_text(real("mean", row), real("lower", row), real("upper", row), style),
             plain_estimate(estimates, rows.of(cell), name, style),
             number_text(real("r_squared", row), 2),
             gain_text(real("variance_reduction", row))}
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
