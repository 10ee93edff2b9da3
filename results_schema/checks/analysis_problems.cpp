#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"

namespace schedfarm::results_schema {

namespace {

void check_shares(const Table& table, const char* column, Problems& problems) {
    const auto& share = column_of<Reals>(table, column);
    check_rows(table, problems, [&](const Row& row) -> std::string {
        const bool is_wrong = share[row.index()] < 0 || share[row.index()] > 1;
        return is_wrong ? fmt::format("{0} {{{0}}} is not between 0 and 1", column) : "";
    });
}

/// Whether a row goes on with the cell of the row before, and its metric where it has one.
bool continues(const Row& row) {
    return row.index() > 0 && row.count("cell") == row.before().count("cell");
}

bool continues_metric(const Row& row) {
    return continues(row) && row.text("metric") == row.before().text("metric");
}

/// Which of two cells is smaller, as the interval of their difference says it.
const char* verdict_of(double lower, double upper) {
    return upper < 0 ? "first smaller" : lower > 0 ? "second smaller" : "not decided";
}

void check_comparisons(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"difference"}, problems);
    check_confidence(table, problems);
    check_counts(table, "first_cell", cells, problems);
    check_counts(table, "second_cell", cells, problems);
    check_intervals(
        table, {"width_reduction", "width_reduction_lower", "width_reduction_upper"}, problems
    );
    check_shares(table, "p_value", problems);
    check_shares(table, "adjusted_p", problems);
    check_rows(table, problems, [](const Row& row) {
        if (row.count("first_cell") == row.count("second_cell")) {
            return "cell {first_cell} is compared with itself";
        }
        if (row.real("p_value") == 0) {
            return "p_value 0 is not above 0";
        }
        if (row.real("adjusted_p") < row.real("p_value")) {
            return "adjusted_p {adjusted_p} is below p_value {p_value}";
        }
        const bool follows =
            row.text("verdict") == verdict_of(row.real("lower"), row.real("upper"));
        return follows ? "" : "verdict '{verdict}' does not follow from [{lower}, {upper}]";
    });
}

void check_selections(const Table& table, const Table& cells, Problems& problems) {
    check_confidence(table, problems);
    check_counts(table, "cell", cells, problems);
    std::set<std::pair<std::string, std::string>> ahead;
    check_rows(table, problems, [&](const Row& row) {
        if (!(row.real("indifference") > 0)) {
            return "indifference {indifference} is not positive";
        }
        const std::string& standing = row.text("standing");
        const bool is_ahead = standing == "selected" || standing == "leading";
        return is_ahead && !ahead.emplace(row.text("group"), row.text("metric")).second
                   ? "group '{group}' has two cells ahead"
                   : "";
    });
}

void check_controlled(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"mean"}, problems);
    check_confidence(table, problems);
    check_counts(table, "cell", cells, problems);
    check_rows(table, problems, [](const Row& row) {
        if (row.real("loss_factor") < 1) {
            return "loss_factor {loss_factor} is below 1";
        }
        // Adjusted, it may be below 0.
        return row.real("r_squared") > 1 ? "r_squared {r_squared} is above 1" : "";
    });
}

void check_stability(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"growth", "growth_lower", "growth_upper"}, problems);
    check_intervals(table, {"half_ratio", "half_ratio_lower", "half_ratio_upper"}, problems);
    check_intervals(table, {"start_bias", "start_bias_lower", "start_bias_upper"}, problems);
    const auto& computed = column_of<Counts>(cells, "replications_computed");
    check_rows(table, problems, [&](const Row& row) {
        const std::int64_t overflow = row.integer("overflow_replication");
        const auto last = static_cast<std::int64_t>(computed[row.count("cell")]) - 1;
        if (overflow < -1 || overflow % static_cast<std::int64_t>(replications_per_level) > last) {
            return "overflow_replication {overflow_replication} is not one of cell {cell}";
        }
        if ((overflow >= 0) == std::isnan(row.real("overflow_time"))) {
            return "overflow_time {overflow_time} does not agree with overflow_replication "
                   "{overflow_replication}";
        }
        return overflow >= 0 && row.text("verdict") != "unstable"
                   ? "the queue passed its limit, but is '{verdict}'"
                   : "";
    });
}

void check_search(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"median"}, problems);
    check_shares(table, "reliability", problems);
    const auto& computed = column_of<Counts>(cells, "replications_computed");
    check_rows(table, problems, [&](const Row& row) -> std::string {
        const std::uint64_t expected = continues(row) ? row.before().count("step") + 1 : 0;
        if (row.count("step") != expected) {
            return fmt::format("is step {{step}}, not step {}", expected);
        }
        const std::uint64_t end = row.count("first_replication") + row.count("replications");
        const std::uint64_t all = computed[row.count("cell")];
        return end <= all
                   ? ""
                   : fmt::format("rests on replication {}, but cell {{cell}} has {}", end - 1, all);
    });
}

/// Whether the table `saturation` has this estimate of the cell.
bool is_estimated(const Table& saturation, std::int64_t cell, double rho_max) {
    const auto& cells = column_of<Counts>(saturation, "cell");
    const auto place = std::find(cells.begin(), cells.end(), static_cast<std::uint64_t>(cell));
    return place != cells.end()
           && Row(saturation, static_cast<std::size_t>(place - cells.begin())).real("rho_max")
                  == rho_max;
}

void check_placements(
    const Table& table, const Table& cells, const Table& saturation, Problems& problems
) {
    check_intervals(table, {"rho_max"}, problems);
    const auto& utilization = column_of<Reals>(cells, "utilization");
    check_rows(table, problems, [&](const Row& row) -> std::string {
        const double rho_max = row.real("rho_max");
        const std::int64_t pilot = row.integer("pilot");
        if (std::isnan(rho_max) != (row.text("method") == "none")) {
            return "rho_max {rho_max} by method '{method}'";
        }
        if ((row.text("method") == "pilot") != (pilot >= 0)) {
            return "pilot {pilot} by method '{method}'";
        }
        if (pilot >= 0 && !is_estimated(saturation, pilot, rho_max)) {
            return "rho_max {rho_max} is not that of cell {pilot}";
        }
        const double fraction = row.real("fraction");
        const double share = utilization[row.count("cell")] / rho_max;
        const bool agrees = fraction == share || (std::isnan(fraction) && std::isnan(share));
        return agrees ? "" : fmt::format("fraction {{fraction}} is not {}", share);
    });
}

void check_quantiles(const Table& table, Problems& problems) {
    check_intervals(table, {"value"}, problems);
    check_confidence(table, problems);
    check_shares(table, "probability", problems);
    check_rows(table, problems, [](const Row& row) -> std::string {
        if (!continues_metric(row)) {
            return "";
        }
        const Row before = row.before();
        if (!(row.real("probability") > before.real("probability"))) {
            return "probability {probability} does not follow " + before.shown("probability");
        }
        if (row.real("value") < before.real("value")) {
            return "quantile {value} is below that of a lower probability";
        }
        return row.count("jobs") == before.count("jobs")
                   ? ""
                   : "rests on {jobs} jobs, the row before on " + before.shown("jobs");
    });
}

void check_sketches(const Table& table, Problems& problems) {
    check_rows(table, problems, [](const Row& row) -> std::string {
        if (row.count("count") == 0) {
            return "bucket {bucket} is empty";
        }
        if (!(row.real("lower") <= row.real("upper"))) {
            return "bucket {bucket} begins above its end";
        }
        if (!continues_metric(row)) {
            return "";
        }
        const Row before = row.before();
        const bool follows = row.integer("bucket") > before.integer("bucket")
                             && row.real("upper") > before.real("upper");
        return follows ? "" : "bucket {bucket} does not follow " + before.shown("bucket");
    });
}

/// Quantiles rest on the jobs that their sketch counts.
void check_sketched_jobs(const Table& quantiles, const Table& sketches, Problems& problems) {
    std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> sketched;
    for (const Row& row : rows_of(sketches)) {
        sketched[{row.count("cell"), row.text("metric")}] += row.count("count");
    }
    check_rows(quantiles, problems, [&](const Row& row) -> std::string {
        const std::uint64_t jobs = sketched[{row.count("cell"), row.text("metric")}];
        return jobs == row.count("jobs")
                   ? ""
                   : fmt::format("rests on {{jobs}} jobs, but the sketch has {}", jobs);
    });
}

void check_warm_up(const Table& table, Problems& problems) {
    check_rows(table, problems, [](const Row& row) {
        if (row.count("jobs") == 0) {
            return "the part has no jobs";
        }
        const bool is_inside = continues(row)
                               && row.count("first_job") < row.before().count("first_job")
                                                               + row.before().count("jobs");
        return is_inside ? "begins at job {first_job}, inside the part before" : "";
    });
}

void check_warm_up_verdicts(const Table& table, Problems& problems) {
    check_rows(table, problems, [](const Row& row) {
        const std::string& verdict = row.text("verdict");
        const bool cuts_more = row.count("mser_cut") > row.count("warm_up_jobs");
        return verdict == "not settled" || (verdict == "short") == cuts_more
                   ? ""
                   : "verdict '{verdict}' does not follow from a cut of {mser_cut} and a warm-up "
                     "of {warm_up_jobs} jobs";
    });
}

void check_utilization_series(const Table& table, Problems& problems) {
    constexpr double rounding = 1e-9;
    check_rows(table, problems, [](const Row& row) {
        const bool follows = row.count("part") == 0
                             || (row.index() > 0 && row.real("begin") == row.before().real("end"));
        if (!(row.real("begin") < row.real("end")) || !follows) {
            return "the part does not follow the one before";
        }
        const double utilization = row.real("gross_utilization");
        return utilization >= 0 && utilization <= 1 + rounding
                   ? ""
                   : "gross_utilization {gross_utilization} is not between 0 and 1";
    });
}

void check_users(const Table& table, Problems& problems) {
    check_rows(table, problems, [](const Row& row) {
        return row.count("users") == 0 || row.count("jobs") < row.count("users")
                   ? "{users} users with {jobs} jobs"
                   : "";
    });
}

}  // namespace

std::vector<std::string> analysis_problems(const ResultFile& results) {
    Problems problems;
    const Table& cells = *results.find("cells");
    const auto with = [&](const char* name, const std::function<void(const Table&)>& check) {
        if (const Table* table = results.find(name)) {
            check(*table);
        }
    };
    with("comparisons", [&](const Table& t) { check_comparisons(t, cells, problems); });
    with("selections", [&](const Table& t) { check_selections(t, cells, problems); });
    with("controlled_estimates", [&](const Table& t) { check_controlled(t, cells, problems); });
    with("stability", [&](const Table& t) { check_stability(t, cells, problems); });
    with("search_steps", [&](const Table& t) { check_search(t, cells, problems); });
    with("placements", [&](const Table& t) {
        check_placements(t, cells, *results.find("saturation"), problems);
    });
    with("quantiles", [&](const Table& t) { check_quantiles(t, problems); });
    with("sketches", [&](const Table& t) { check_sketches(t, problems); });
    with("warm_up", [&](const Table& t) { check_warm_up(t, problems); });
    with("warm_up_checks", [&](const Table& t) { check_warm_up_verdicts(t, problems); });
    with("utilization_series", [&](const Table& t) { check_utilization_series(t, problems); });
    with("users", [&](const Table& t) { check_users(t, problems); });
    for (const std::string& problem : claim_problems(results)) {
        problems.push_back(problem);
    }
    const Table* quantiles = results.find("quantiles");
    const Table* sketches = results.find("sketches");
    if (quantiles != nullptr && sketches != nullptr) {
        check_sketched_jobs(*quantiles, *sketches, problems);
    }
    return problems;
}

}  // namespace schedfarm::results_schema
