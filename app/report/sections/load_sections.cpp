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

/// The first row of a cell; absent: the file has none, or not the table.
std::optional<Row> row_of_cell(const Table* table, std::uint64_t cell) {
    if (table != nullptr) {
        const auto& cells = column_of<Counts>(*table, "cell");
        const auto found = std::find(cells.begin(), cells.end(), cell);
        if (found != cells.end()) {
            return Row(*table, static_cast<std::size_t>(found - cells.begin()));
        }
    }
    return std::nullopt;
}

/// The half ratio of a critically loaded queue, where the file says how long the warm-up is.
std::optional<double> critical_ratio(const ResultFile& results, std::uint64_t cell) {
    const auto check = row_of_cell(results.find("warm_up_checks"), cell);
    const auto replication = row_of_cell(results.find("replications"), cell);
    if (!check || !replication || check->count("warm_up_jobs") >= replication->count("jobs")) {
        return std::nullopt;
    }
    return engine::critical_growth_ratio(
        static_cast<double>(check->count("warm_up_jobs"))
        / static_cast<double>(replication->count("jobs"))
    );
}

/// "doubles", "grows by 43 %"
std::string growth_text(double ratio) {
    if (ratio >= 1.85 && ratio <= 2.15) {
        return "doubles";
    }
    return ratio > 2.15 ? fmt::format("grows {:.1f}-fold", ratio)
                        : fmt::format("grows by {:.0f} %", 100 * (ratio - 1));
}

std::string evidence_text(const ResultFile& results, const Row& row) {
    if (row.integer("overflow_replication") >= 0) {
        return fmt::format(
            "the queue passed its limit (horizon.queue_limit), or a job waited for ever, in "
            "replication {} at time {:.6g}, after {} jobs had arrived",
            row.integer("overflow_replication"),
            row.real("overflow_time"),
            row.count("overflow_jobs")
        );
    }
    const auto placement = row_of_cell(results.find("placements"), row.count("cell"));
    if (row.text("verdict") == "unstable" && placement && placement->text("method") == "exact"
        && placement->real("fraction") >= 1) {
        return fmt::format(
            "the load is {:.4g} of the maximal utilization, {:.4g} by theory",
            placement->real("fraction"),
            placement->real("rho_max")
        );
    }
    const double bias = row.real("start_bias_upper");
    const double allowed = row.real("start_bias_allowed");
    if (row.text("verdict") == "not_stationary" && bias > allowed) {
        return fmt::format(
            "the empty start may lower the mean queueing time by {:.2g} % (estimate {:.2g} %), and "
            "the interval of its target allows {:.2g} %",
            100 * bias,
            100 * row.real("start_bias"),
            100 * allowed
        );
    }
    std::string text = fmt::format(
        "queueing time {} from the first to the second half of the run (ratio {} {}",
        growth_text(row.real("half_ratio")),
        estimate_text(row.real("half_ratio"), 2),
        bounds_text(row.real("half_ratio_lower"), row.real("half_ratio_upper"), 2)
    );
    if (row.text("verdict") == "unstable") {
        const auto critical = critical_ratio(results, row.count("cell"));
        text += critical ? fmt::format(", above the critical {:.2f}", *critical)
                         : std::string(", above that of a critically loaded queue");
    }
    return text + ")";
}

/// "0.7312 [0.7271, 0.7369]"; "below 0.4" where the bounds of the search end at 0.4.
std::string found_text(const Row& row) {
    const double load = row.real("rho_max");
    const double lower = row.real("lower");
    const double upper = row.real("upper");
    if (std::isnan(load)) {
        return lower > 0 ? fmt::format("above {:g}", lower) : fmt::format("below {:g}", upper);
    }
    return interval_text(load, lower, upper, IntervalStyle::bounds);
}

/// The density of the bisection after the last visit.
std::string density_text(const ResultFile& results, std::uint64_t cell) {
    std::string text;
    if (const Table* steps = results.find("search_steps")) {
        for (const Row& row : rows_of(*steps)) {
            if (row.count("cell") == cell) {
                const double lower = row.real("lower");
                const double upper = row.real("upper");
                text = bounds_text(lower, upper, decimals_for((upper - lower) / 2));
            }
        }
    }
    return text;
}

bool is_backlog(const std::string& factor) {
    return short_factor_name(factor) == "backlog";
}

/// What a cell is but for its backlog; cells with equal keys make a ladder.
std::string ladder_key(const ResultFile& results, const CellLabels& labels, std::uint64_t cell) {
    const Row row(table_of(results, "cells"), cell);
    std::string key =
        row.text("policy") + "\n" + row.text("workload") + "\n" + row.text("clusters") + "\n";
    for (const std::string& factor : labels.factors()) {
        key += is_backlog(factor) ? "" : labels.level(cell, factor) + "\n";
    }
    return key;
}

struct Ladder {
    std::string label;
    std::vector<Row> rungs;  ///< of `saturation`: a maximal utilization each, by backlog
};

/// In the order of their first cells; those of one rung are left out.
std::vector<Ladder> ladders_of(const ResultFile& results, const CellLabels& labels) {
    std::vector<std::string> factors = labels.factors();
    std::erase_if(factors, is_backlog);
    std::map<std::string, std::size_t> place;
    std::vector<Ladder> ladders;
    for (const Row& row : rows_of(table_of(results, "saturation"))) {
        const std::uint64_t cell = row.count("cell");
        if (row.text("method") != "ratio" || std::isnan(row.real("rho_max"))) {
            continue;
        }
        const auto [at, is_new] = place.emplace(ladder_key(results, labels, cell), ladders.size());
        if (is_new) {
            ladders.push_back({factors.empty() ? "" : labels.label(cell, factors), {}});
        }
        ladders[at->second].rungs.push_back(row);
    }
    std::erase_if(ladders, [](const Ladder& ladder) { return ladder.rungs.size() < 2; });
    for (Ladder& ladder : ladders) {
        std::stable_sort(ladder.rungs.begin(), ladder.rungs.end(), [](const Row& a, const Row& b) {
            return a.count("backlog") < b.count("backlog");
        });
    }
    return ladders;
}

/// Whether two rungs of a ladder have intervals without a common point.
bool depends_on_backlog(const Ladder& ladder) {
    double highest_lower = -std::numeric_limits<double>::infinity();
    double lowest_upper = std::numeric_limits<double>::infinity();
    for (const Row& rung : ladder.rungs) {
        highest_lower = std::max(highest_lower, rung.real("lower"));
        lowest_upper = std::min(lowest_upper, rung.real("upper"));
    }
    return highest_lower > lowest_upper;
}

void add_backlog_note(TextTable& section, const std::vector<Ladder>& ladders) {
    const auto depending =
        static_cast<std::size_t>(std::count_if(ladders.begin(), ladders.end(), depends_on_backlog));
    if (depending == 0) {
        section.notes = {"No dependence of the maximal utilization on the backlog is seen."};
        return;
    }
    const std::string where =
        ladders.size() == 1 ? "" : fmt::format(" in {} of {} ladders", depending, ladders.size());
    add_warning(
        section,
        "The maximal utilization depends on the backlog" + where
            + ": state the backlog with the number."
    );
}

}  // namespace

std::vector<TextTable> stability_sections(const ResultFile& results) {
    const Table* table = results.find("stability");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section =
        text_table("Cells without a steady state", {"<cell", "<verdict", "~evidence"});
    bool has_transient = false;
    bool has_load = false;
    bool has_ended_log = false;
    for (const Row& row : rows_of(*table)) {
        const std::string& verdict = row.text("verdict");
        if (verdict == "stable") {
            continue;
        }
        const auto cell = row_of_cell(results.find("cells"), row.count("cell"));
        const bool is_ended_log =
            cell && cell->text("experiment") == "trace" && row.integer("overflow_replication") >= 0;
        has_ended_log = has_ended_log || is_ended_log;
        has_load = has_load || !is_ended_log;
        has_transient = has_transient || verdict == "not_stationary";
        section.rows.push_back(
            {labels.label(row.count("cell")),
             verdict == "unstable" ? "unstable" : "not stationary",
             evidence_text(results, row)}
        );
    }
    section.rows_are_warnings = true;
    add_warning(
        section,
        std::string("The means of an unstable cell describe the length of the run, not the system")
            + (has_load ? ": lower the load." : ".")
    );
    if (has_ended_log) {
        add_warning(
            section,
            "A log ends however many of its jobs wait: to see it through raise "
            "horizon.queue_limit; 0 sets none."
        );
    }
    if (has_transient) {
        add_warning(
            section,
            "Not stationary: the run is too short for a steady-state mean. Lengthen it and its "
            "warm-up, or leave 'horizon.jobs' out, and the program finds a length."
        );
    }
    return with_rows(std::move(section));
}

std::vector<TextTable> search_sections(const ResultFile& results) {
    const CellLabels labels(results);
    TextTable section = text_table(
        "Loads searched for", {"<cell", "<utilization", ">n", "<bisection", "<found where"}, 1
    );
    for (const Row& row : rows_of(table_of(results, "saturation"))) {
        if (row.text("method") != "ratio") {
            section.rows.push_back(
                {labels.label(row.count("cell")),
                 found_text(row),
                 row.shown("n"),
                 density_text(results, row.count("cell")),
                 row.text("method") == "drift" ? "backlog grows" : "threshold passed"}
            );
        }
    }
    section.notes = {
        "Root of the line through the replications near it, with Fieller's interval; of the "
        "bisection the central interval of its density, which errs on the safe side. Table "
        "search_steps of the file has every load visited."};
    return with_rows(std::move(section));
}

std::vector<TextTable> backlog_sections(const ResultFile& results) {
    const CellLabels labels(results);
    const std::vector<Ladder> ladders = ladders_of(results, labels);
    if (ladders.empty()) {
        return {};
    }
    TextTable section = text_table(
        "Maximal utilization by backlog", {"<cells", ">backlog", "<maximal utilization"}, 1
    );
    for (const Ladder& ladder : ladders) {
        for (const Row& rung : ladder.rungs) {
            const bool is_first = &rung == &ladder.rungs.front();
            section.rows.push_back(
                {is_first ? ladder.label : "",
                 rung.shown("backlog"),
                 interval_text(rung, "rho_max", interval_style(results))}
            );
        }
    }
    if (ladders.size() == 1 && ladders.front().label.empty()) {
        drop_column(section, 0);
    }
    add_backlog_note(section, ladders);
    return {section};
}

}  // namespace schedfarm::app
