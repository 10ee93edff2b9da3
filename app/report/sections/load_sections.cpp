#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/statistics/steady_state/stability.hpp"

#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"
#include "app/report/sections/sections.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// The half ratio of a critically loaded queue, where the file says how long the warm-up is.
std::optional<double> critical_ratio(const ResultFile& results, std::uint64_t cell) {
    const Table* checks = results.find("warm_up_checks");
    if (checks == nullptr) {
        return std::nullopt;
    }
    const Table& replications = table_of(results, "replications");
    const auto& cells = column_of<Counts>(replications, "cell");
    const auto first = std::find(cells.begin(), cells.end(), cell);
    const auto& checked = column_of<Counts>(*checks, "cell");
    const auto check = std::find(checked.begin(), checked.end(), cell);
    if (first == cells.end() || check == checked.end()) {
        return std::nullopt;
    }
    const auto jobs =
        column_of<Counts>(replications, "jobs")[static_cast<std::size_t>(first - cells.begin())];
    const auto warm_up = column_of<Counts>(
        *checks, "warm_up_jobs"
    )[static_cast<std::size_t>(check - checked.begin())];
    if (warm_up >= jobs) {
        return std::nullopt;
    }
    return engine::critical_growth_ratio(static_cast<double>(warm_up) / static_cast<double>(jobs));
}

/// "doubles", "grows by 43 %"
std::string growth_text(double ratio) {
    if (ratio >= 1.85 && ratio <= 2.15) {
        return "doubles";
    }
    return ratio > 2.15 ? fmt::format("grows {:.1f}-fold", ratio)
                        : fmt::format("grows by {:.0f} %", 100 * (ratio - 1));
}

std::string overflow_text(const Table& table, std::size_t row) {
    return fmt::format(
        "the queue passed its limit, or a job waited for ever, in replication {} at time {:.6g}, "
        "after {} jobs had arrived",
        column_of<Integers>(table, "overflow_replication")[row],
        column_of<Reals>(table, "overflow_time")[row],
        column_of<Counts>(table, "overflow_jobs")[row]
    );
}

std::string evidence_text(const ResultFile& results, const Table& table, std::size_t row) {
    if (column_of<Integers>(table, "overflow_replication")[row] >= 0) {
        return overflow_text(table, row);
    }
    const double bias = column_of<Reals>(table, "start_bias_upper")[row];
    const double allowed = column_of<Reals>(table, "start_bias_allowed")[row];
    if (column_of<Texts>(table, "verdict")[row] == "not_stationary" && bias > allowed) {
        return fmt::format(
            "the empty start may lower the mean queueing time by {:.2g} % (estimate {:.2g} %), and "
            "the interval of its target allows {:.2g} %",
            100 * bias,
            100 * column_of<Reals>(table, "start_bias")[row],
            100 * allowed
        );
    }
    const double ratio = column_of<Reals>(table, "half_ratio")[row];
    std::string text = fmt::format(
        "queueing time {} from the first to the second half of the run (ratio {:.2f} [{:.2f}, "
        "{:.2f}]",
        growth_text(ratio),
        ratio,
        column_of<Reals>(table, "half_ratio_lower")[row],
        column_of<Reals>(table, "half_ratio_upper")[row]
    );
    if (column_of<Texts>(table, "verdict")[row] == "unstable") {
        const auto critical = critical_ratio(results, column_of<Counts>(table, "cell")[row]);
        text += critical ? fmt::format(", above the critical {:.2f}", *critical)
                         : std::string(", above that of a critically loaded queue");
    }
    return text + ")";
}

std::string criterion_text(const std::string& method) {
    return method == "drift" ? "backlog grows" : "threshold passed";
}

/// "0.7312 [0.7271, 0.7369]"; "below 0.4" where the bounds of the search end at 0.4.
std::string found_text(double load, double lower, double upper) {
    if (std::isnan(load)) {
        return lower > 0 ? fmt::format("above {:g}", lower) : fmt::format("below {:g}", upper);
    }
    const int decimals = decimals_for((upper - lower) / 2);
    return fmt::format(
        "{} [{}, {}]",
        number_text(load, decimals),
        number_text(lower, decimals),
        number_text(upper, decimals)
    );
}

/// The density of the bisection after the last visit.
std::string density_text(const ResultFile& results, std::uint64_t cell) {
    const Table* steps = results.find("search_steps");
    if (steps == nullptr) {
        return "";
    }
    const auto& cells = column_of<Counts>(*steps, "cell");
    const auto last = std::find(cells.rbegin(), cells.rend(), cell);
    if (last == cells.rend()) {
        return "";
    }
    const auto row = static_cast<std::size_t>(cells.rend() - last) - 1;
    const double lower = column_of<Reals>(*steps, "lower")[row];
    const double upper = column_of<Reals>(*steps, "upper")[row];
    const int decimals = decimals_for((upper - lower) / 2);
    return fmt::format("[{}, {}]", number_text(lower, decimals), number_text(upper, decimals));
}

/// One rung: a saturated cell's maximal utilization at its backlog.
struct Rung {
    std::uint64_t backlog = 0;
    double utilization = 0;
    double lower = 0;
    double upper = 0;
};

bool is_backlog(const std::string& factor) {
    return short_factor_name(factor) == "backlog";
}

/// What a cell is but for its backlog; cells with equal keys make a ladder.
std::string ladder_key(const ResultFile& results, const CellLabels& labels, std::uint64_t cell) {
    const Table& cells = table_of(results, "cells");
    std::string key;
    for (const char* name : {"policy", "workload", "clusters"}) {
        key += column_of<Texts>(cells, name).at(cell) + "\n";
    }
    for (const std::string& factor : labels.factors()) {
        key += is_backlog(factor) ? "" : labels.level(cell, factor) + "\n";
    }
    return key;
}

struct Ladder {
    std::string label;
    std::vector<Rung> rungs;  ///< by backlog
};

/// In the order of their first cells; those of one rung are left out.
std::vector<Ladder> ladders_of(const ResultFile& results, const CellLabels& labels) {
    const Table& table = table_of(results, "saturation");
    std::vector<std::string> factors = labels.factors();
    factors.erase(std::remove_if(factors.begin(), factors.end(), is_backlog), factors.end());
    std::map<std::string, std::size_t> place;
    std::vector<Ladder> ladders;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::uint64_t cell = column_of<Counts>(table, "cell")[row];
        const double utilization = column_of<Reals>(table, "rho_max")[row];
        if (column_of<Texts>(table, "method")[row] != "ratio" || std::isnan(utilization)) {
            continue;
        }
        const auto [at, is_new] = place.emplace(ladder_key(results, labels, cell), ladders.size());
        if (is_new) {
            ladders.push_back({factors.empty() ? "" : labels.label(cell, factors), {}});
        }
        ladders[at->second].rungs.push_back(
            {column_of<Counts>(table, "backlog")[row],
             utilization,
             column_of<Reals>(table, "lower")[row],
             column_of<Reals>(table, "upper")[row]}
        );
    }
    std::erase_if(ladders, [](const Ladder& ladder) { return ladder.rungs.size() < 2; });
    for (Ladder& ladder : ladders) {
        std::stable_sort(
            ladder.rungs.begin(),
            ladder.rungs.end(),
            [](const auto& a, const auto& b) { return a.backlog < b.backlog; }
        );
    }
    return ladders;
}

/// Whether two rungs of a ladder have intervals without a common point.
bool depends_on_backlog(const Ladder& ladder) {
    const auto by_lower = [](const Rung& a, const Rung& b) {
        return a.lower < b.lower;
    };
    const auto by_upper = [](const Rung& a, const Rung& b) {
        return a.upper < b.upper;
    };
    return std::max_element(ladder.rungs.begin(), ladder.rungs.end(), by_lower)->lower
           > std::min_element(ladder.rungs.begin(), ladder.rungs.end(), by_upper)->upper;
}

std::vector<std::string> backlog_notes(const std::vector<Ladder>& ladders) {
    const auto depending =
        static_cast<std::size_t>(std::count_if(ladders.begin(), ladders.end(), depends_on_backlog));
    if (depending == 0) {
        return {"No dependence of the maximal utilization on the backlog is seen."};
    }
    const std::string where =
        ladders.size() == 1 ? "" : fmt::format(" in {} of {} ladders", depending, ladders.size());
    return {
        "The maximal utilization depends on the backlog" + where
        + ": state the backlog with the number."};
}

}  // namespace

std::vector<TextTable> stability_sections(const ResultFile& results) {
    const Table* table = results.find("stability");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section;
    section.title = "Cells without a steady state";
    section.columns = {
        {"cell", Alignment::left},
        {"verdict", Alignment::left},
        {"evidence", Alignment::left, Overflow::wrap}};
    bool has_transient = false;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::string& verdict = column_of<Texts>(*table, "verdict")[row];
        if (verdict == "stable") {
            continue;
        }
        has_transient = has_transient || verdict == "not_stationary";
        section.rows.push_back(
            {labels.label(column_of<Counts>(*table, "cell")[row]),
             verdict == "unstable" ? "unstable" : "not stationary",
             evidence_text(results, *table, row)}
        );
    }
    if (section.rows.empty()) {
        return {};
    }
    section.notes = {
        "The means of an unstable cell describe the length of the run, not the "
        "system: lower the load."};
    if (has_transient) {
        section.notes.emplace_back(
            "Not stationary: the run is too short for a steady-state mean. Lengthen it and its "
            "warm-up, or leave 'horizon.jobs' out, and the program finds a length."
        );
    }
    return {section};
}

std::vector<TextTable> search_sections(const ResultFile& results) {
    const Table& table = table_of(results, "saturation");
    const CellLabels labels(results);
    TextTable section;
    section.title = "Loads searched for";
    section.columns = {
        {"cell", Alignment::left},
        {"utilization", Alignment::left},
        {"n", Alignment::right},
        {"bisection", Alignment::left},
        {"found where", Alignment::left}};
    section.label_columns = 1;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string& method = column_of<Texts>(table, "method")[row];
        if (method == "ratio") {
            continue;
        }
        const std::uint64_t cell = column_of<Counts>(table, "cell")[row];
        section.rows.push_back(
            {labels.label(cell),
             found_text(
                 column_of<Reals>(table, "rho_max")[row],
                 column_of<Reals>(table, "lower")[row],
                 column_of<Reals>(table, "upper")[row]
             ),
             std::to_string(column_of<Counts>(table, "n")[row]),
             density_text(results, cell),
             criterion_text(method)}
        );
    }
    if (section.rows.empty()) {
        return {};
    }
    section.notes = {
        "Root of the line through the replications near it, with Fieller's interval; of the "
        "bisection the central interval of its density, which errs on the safe side. Table "
        "search_steps of the file has every load visited."};
    return {section};
}

std::vector<TextTable> backlog_sections(const ResultFile& results) {
    const CellLabels labels(results);
    const std::vector<Ladder> ladders = ladders_of(results, labels);
    if (ladders.empty()) {
        return {};
    }
    TextTable section;
    section.title = "Maximal utilization by backlog";
    const bool has_labels = ladders.size() > 1 || !ladders.front().label.empty();
    if (has_labels) {
        section.columns.push_back({"cells", Alignment::left});
        section.label_columns = 1;
    }
    section.columns.push_back({"backlog", Alignment::right});
    section.columns.push_back({"maximal utilization", Alignment::left});
    for (const Ladder& ladder : ladders) {
        for (const Rung& rung : ladder.rungs) {
            const bool is_first = &rung == &ladder.rungs.front();
            std::vector<std::string> row(has_labels ? 1 : 0, is_first ? ladder.label : "");
            row.push_back(std::to_string(rung.backlog));
            row.push_back(
                interval_text(rung.utilization, rung.lower, rung.upper, interval_style(results))
            );
            section.rows.push_back(std::move(row));
        }
    }
    section.notes = backlog_notes(ladders);
    return {section};
}

}  // namespace schedfarm::app
