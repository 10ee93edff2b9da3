#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"

namespace schedfarm::results_schema {

namespace {

/// What is wrong with a row, if anything.
using RowCheck = std::function<std::optional<std::string>(std::size_t row)>;

void check_rows(const Table& table, Problems& problems, const RowCheck& check) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (const auto problem = check(row)) {
            add_row_problem(problems, table, row, *problem);
        }
    }
}

bool lies_in(double value, double low, double high) {
    return std::isnan(value) || (low <= value && value <= high);
}

void check_shares(const Table& table, const char* column, Problems& problems) {
    const auto& share = column_of<Reals>(table, column);
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (lies_in(share[row], 0, 1)) {
            return std::nullopt;
        }
        return fmt::format("{} {} is not between 0 and 1", column, share[row]);
    });
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
    const auto& first = column_of<Counts>(table, "first_cell");
    const auto& second = column_of<Counts>(table, "second_cell");
    const auto& p = column_of<Reals>(table, "p_value");
    const auto& adjusted = column_of<Reals>(table, "adjusted_p");
    const auto& lower = column_of<Reals>(table, "lower");
    const auto& upper = column_of<Reals>(table, "upper");
    const auto& verdict = column_of<Texts>(table, "verdict");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (first[row] == second[row]) {
            return fmt::format("cell {} is compared with itself", first[row]);
        }
        if (p[row] == 0) {
            return "p_value 0 is not above 0";
        }
        if (adjusted[row] < p[row]) {
            return fmt::format("adjusted_p {} is below p_value {}", adjusted[row], p[row]);
        }
        if (verdict[row] != verdict_of(lower[row], upper[row])) {
            return fmt::format(
                "verdict '{}' does not follow from [{}, {}]", verdict[row], lower[row], upper[row]
            );
        }
        return std::nullopt;
    });
}

void check_selections(const Table& table, const Table& cells, Problems& problems) {
    check_confidence(table, problems);
    check_counts(table, "cell", cells, problems);
    const auto& group = column_of<Texts>(table, "group");
    const auto& metric = column_of<Texts>(table, "metric");
    const auto& indifference = column_of<Reals>(table, "indifference");
    const auto& standing = column_of<Texts>(table, "standing");
    std::set<std::pair<std::string, std::string>> ahead;
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (!(indifference[row] > 0)) {
            return fmt::format("indifference {} is not positive", indifference[row]);
        }
        const bool is_ahead = standing[row] == "selected" || standing[row] == "leading";
        if (is_ahead && !ahead.emplace(group[row], metric[row]).second) {
            return fmt::format("group '{}' has two cells ahead", group[row]);
        }
        return std::nullopt;
    });
}

void check_controlled(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"mean"}, problems);
    check_confidence(table, problems);
    check_counts(table, "cell", cells, problems);
    const auto& r_squared = column_of<Reals>(table, "r_squared");
    const auto& loss = column_of<Reals>(table, "loss_factor");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (loss[row] < 1) {
            return fmt::format("loss_factor {} is below 1", loss[row]);
        }
        if (r_squared[row] > 1) {  // adjusted, it may be below 0
            return fmt::format("r_squared {} is above 1", r_squared[row]);
        }
        return std::nullopt;
    });
}

void check_stability(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"growth", "growth_lower", "growth_upper"}, problems);
    check_intervals(table, {"half_ratio", "half_ratio_lower", "half_ratio_upper"}, problems);
    check_intervals(table, {"start_bias", "start_bias_lower", "start_bias_upper"}, problems);
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& computed = column_of<Counts>(cells, "replications_computed");
    const auto& verdict = column_of<Texts>(table, "verdict");
    const auto& overflow = column_of<Integers>(table, "overflow_replication");
    const auto& time = column_of<Reals>(table, "overflow_time");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        const auto last = static_cast<std::int64_t>(computed[cell[row]]) - 1;
        const auto in_level = overflow[row] % static_cast<std::int64_t>(replications_per_level);
        if (overflow[row] < -1 || in_level > last) {
            return fmt::format(
                "overflow_replication {} is not one of cell {}", overflow[row], cell[row]
            );
        }
        if ((overflow[row] >= 0) == std::isnan(time[row])) {
            return fmt::format(
                "overflow_time {} does not agree with overflow_replication {}",
                time[row],
                overflow[row]
            );
        }
        if (overflow[row] >= 0 && verdict[row] != "unstable") {
            return fmt::format("the queue passed its limit, but is '{}'", verdict[row]);
        }
        return std::nullopt;
    });
}

void check_search(const Table& table, const Table& cells, Problems& problems) {
    check_intervals(table, {"median"}, problems);
    check_shares(table, "reliability", problems);
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& step = column_of<Counts>(table, "step");
    const auto& first = column_of<Counts>(table, "first_replication");
    const auto& replications = column_of<Counts>(table, "replications");
    const auto& computed = column_of<Counts>(cells, "replications_computed");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        const bool begins = row == 0 || cell[row] != cell[row - 1];
        const std::uint64_t expected = begins ? 0 : step[row - 1] + 1;
        if (step[row] != expected) {
            return fmt::format("is step {}, not step {}", step[row], expected);
        }
        if (first[row] + replications[row] > computed[cell[row]]) {
            return fmt::format(
                "rests on replication {}, but cell {} has {}",
                first[row] + replications[row] - 1,
                cell[row],
                computed[cell[row]]
            );
        }
        return std::nullopt;
    });
}

/// Whether the table `saturation` has this estimate of the cell.
bool is_estimated(const Table& saturation, std::int64_t cell, double rho_max) {
    const auto& cells = column_of<Counts>(saturation, "cell");
    const auto place = std::find(cells.begin(), cells.end(), static_cast<std::uint64_t>(cell));
    return place != cells.end()
           && column_of<Reals>(
                  saturation, "rho_max"
              )[static_cast<std::size_t>(place - cells.begin())]
                  == rho_max;
}

void check_placements(
    const Table& table, const Table& cells, const Table& saturation, Problems& problems
) {
    check_intervals(table, {"rho_max"}, problems);
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& rho_max = column_of<Reals>(table, "rho_max");
    const auto& fraction = column_of<Reals>(table, "fraction");
    const auto& method = column_of<Texts>(table, "method");
    const auto& pilot = column_of<Integers>(table, "pilot");
    const auto& utilization = column_of<Reals>(cells, "utilization");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (std::isnan(rho_max[row]) != (method[row] == "none")) {
            return fmt::format("rho_max {} by method '{}'", rho_max[row], method[row]);
        }
        if ((method[row] == "pilot") != (pilot[row] >= 0)) {
            return fmt::format("pilot {} by method '{}'", pilot[row], method[row]);
        }
        if (pilot[row] >= 0 && !is_estimated(saturation, pilot[row], rho_max[row])) {
            return fmt::format("rho_max {} is not that of cell {}", rho_max[row], pilot[row]);
        }
        const double share = utilization[cell[row]] / rho_max[row];
        if (!(fraction[row] == share || (std::isnan(fraction[row]) && std::isnan(share)))) {
            return fmt::format("fraction {} is not {}", fraction[row], share);
        }
        return std::nullopt;
    });
}

/// Whether a row goes on with the cell and metric of the row before.
bool continues(const Table& table, std::size_t row) {
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& metric = column_of<Texts>(table, "metric");
    return row > 0 && cell[row] == cell[row - 1] && metric[row] == metric[row - 1];
}

void check_quantiles(const Table& table, Problems& problems) {
    check_intervals(table, {"value"}, problems);
    check_confidence(table, problems);
    check_shares(table, "probability", problems);
    const auto& probability = column_of<Reals>(table, "probability");
    const auto& value = column_of<Reals>(table, "value");
    const auto& jobs = column_of<Counts>(table, "jobs");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (!continues(table, row)) {
            return std::nullopt;
        }
        if (!(probability[row] > probability[row - 1])) {
            return fmt::format(
                "probability {} does not follow {}", probability[row], probability[row - 1]
            );
        }
        if (value[row] < value[row - 1]) {
            return fmt::format("quantile {} is below that of a lower probability", value[row]);
        }
        if (jobs[row] != jobs[row - 1]) {
            return fmt::format("rests on {} jobs, the row before on {}", jobs[row], jobs[row - 1]);
        }
        return std::nullopt;
    });
}

void check_sketches(const Table& table, Problems& problems) {
    const auto& bucket = column_of<Integers>(table, "bucket");
    const auto& lower = column_of<Reals>(table, "lower");
    const auto& upper = column_of<Reals>(table, "upper");
    const auto& count = column_of<Counts>(table, "count");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (count[row] == 0) {
            return fmt::format("bucket {} is empty", bucket[row]);
        }
        if (!(lower[row] <= upper[row])) {
            return fmt::format("bucket {} begins above its end", bucket[row]);
        }
        if (continues(table, row)
            && (bucket[row] <= bucket[row - 1] || upper[row] <= upper[row - 1])) {
            return fmt::format("bucket {} does not follow {}", bucket[row], bucket[row - 1]);
        }
        return std::nullopt;
    });
}

using SketchedJobs = std::map<std::pair<std::uint64_t, std::string>, std::uint64_t>;

/// Quantiles rest on the jobs that their sketch counts.
void check_sketched_jobs(const Table& quantiles, const Table& sketches, Problems& problems) {
    SketchedJobs sketched;
    for (std::size_t row = 0; row < sketches.rows(); ++row) {
        sketched[{
            column_of<Counts>(sketches, "cell")[row], column_of<Texts>(sketches, "metric")[row]}] +=
            column_of<Counts>(sketches, "count")[row];
    }
    const auto& jobs = column_of<Counts>(quantiles, "jobs");
    check_rows(quantiles, problems, [&](std::size_t row) -> std::optional<std::string> {
        const auto found = sketched.find(
            {column_of<Counts>(quantiles, "cell")[row], column_of<Texts>(quantiles, "metric")[row]}
        );
        const std::uint64_t counted = found == sketched.end() ? 0 : found->second;
        if (counted == jobs[row]) {
            return std::nullopt;
        }
        return fmt::format("rests on {} jobs, but the sketch has {}", jobs[row], counted);
    });
}

void check_warm_up(const Table& table, Problems& problems) {
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& first = column_of<Counts>(table, "first_job");
    const auto& jobs = column_of<Counts>(table, "jobs");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        const bool begins = row == 0 || cell[row] != cell[row - 1];
        if (jobs[row] == 0) {
            return "the part has no jobs";
        }
        if (!begins && first[row] < first[row - 1] + jobs[row - 1]) {
            return fmt::format("begins at job {}, inside the part before", first[row]);
        }
        return std::nullopt;
    });
}

void check_warm_up_verdicts(const Table& table, Problems& problems) {
    const auto& measured_from = column_of<Counts>(table, "warm_up_jobs");
    const auto& cut = column_of<Counts>(table, "mser_cut");
    const auto& verdict = column_of<Texts>(table, "verdict");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        const bool cuts_more = cut[row] > measured_from[row];
        const bool agrees = verdict[row] == "not settled" || (verdict[row] == "short") == cuts_more;
        if (agrees) {
            return std::nullopt;
        }
        return fmt::format(
            "verdict '{}' does not follow from a cut of {} and a warm-up of {} jobs",
            verdict[row],
            cut[row],
            measured_from[row]
        );
    });
}

void check_utilization_series(const Table& table, Problems& problems) {
    constexpr double rounding = 1e-9;
    const auto& part = column_of<Counts>(table, "part");
    const auto& begin = column_of<Reals>(table, "begin");
    const auto& end = column_of<Reals>(table, "end");
    const auto& utilization = column_of<Reals>(table, "gross_utilization");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (!(begin[row] < end[row])
            || (part[row] > 0 && (row == 0 || begin[row] != end[row - 1]))) {
            return "the part does not follow the one before";
        }
        if (!(utilization[row] >= 0 && utilization[row] <= 1 + rounding)) {
            return fmt::format("gross_utilization {} is not between 0 and 1", utilization[row]);
        }
        return std::nullopt;
    });
}

void check_users(const Table& table, Problems& problems) {
    const auto& users = column_of<Counts>(table, "users");
    const auto& jobs = column_of<Counts>(table, "jobs");
    check_rows(table, problems, [&](std::size_t row) -> std::optional<std::string> {
        if (users[row] == 0 || jobs[row] < users[row]) {
            return fmt::format("{} users with {} jobs", users[row], jobs[row]);
        }
        return std::nullopt;
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
