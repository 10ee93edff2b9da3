#include "app/run/tables/made_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/statistics/bounded_interval.hpp"
#include "engine/statistics/log_interval.hpp"
#include "engine/statistics/steady_state/stability.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/keys/run_column.hpp"
#include "app/campaign/keys/sections/replication_reader.hpp"
#include "app/run/rules/gate.hpp"

namespace schedfarm::app {

namespace {

using results_schema::absent;
using results_schema::column_of;
using results_schema::Counts;
using results_schema::Reals;
using results_schema::ResultFile;
using results_schema::Row;
using results_schema::rows_of;
using results_schema::Table;
using Kind = RunColumn::Kind;

constexpr double ms = 1e3;

engine::Estimate exact(double value, std::uint64_t n) {
    engine::Estimate estimate;
    estimate.n = n;
    estimate.mean = value;
    estimate.confidence = absent;
    estimate.interval = {.lower = absent, .upper = absent};
    return estimate;
}

bool is_negative(double value) {
    return value < 0;
}

/// With the interval that the cell has of its own ratios; of what is never negative it has none
/// below 0.
engine::Estimate ratio_of_sums(
    const Row& cell, const std::vector<double>& over, const std::vector<double>& under
) {
    const auto estimate = engine::estimate_ratio(
        over, under, cell.real("confidence"), interval_called(cell.text("interval"))
    );
    if (!estimate) {
        return exact(over.size() == 1 ? over[0] / under[0] : absent, over.size());
    }
    const bool is_signed = std::any_of(over.begin(), over.end(), is_negative)
                           || std::any_of(under.begin(), under.end(), is_negative);
    const std::uint64_t blocks = cell.count("log_blocks");
    return engine::within(
        blocks == 0
            ? *estimate
            : engine::of_logs_like_it(
                *estimate, {.count = blocks, .variance_ratio = cell.real("log_variance_ratio")}
            ),
        is_signed ? engine::any_value : engine::not_negative
    );
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The parts of a text attribute; none where the file does not have it.
std::vector<std::string> parts_of(const ResultFile& results, const char* name, const char* ends) {
    std::vector<std::string> parts;
    if (const results_schema::Attribute* attribute = results.attribute(name)) {
        const auto& text = std::get<std::string>(attribute->value);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find_first_of(ends, begin), text.size());
            parts.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return parts;
}

class MadeMetrics {
  public:
    explicit MadeMetrics(const ResultFile& results)
        : results_(results)
        , cells_(*results.find("cells"))
        , replications_(*results.find("replications")) {
        for (const std::string& name : parts_of(results, "report_metrics", "\n")) {
            ask(name);
        }
        for (const std::string& option : parts_of(results, "report_figures", "\n\t")) {
            if (option.starts_with("--y=")) {
                ask(option.substr(4));
            }
        }
        for (const Row& row : rows_of(*results.find("estimates"))) {
            if (row.text("gate") != word_of(GateAnswer::passed)) {
                gates_[{row.count("cell"), row.text("metric")}] = answer_called(row.text("gate"));
            }
        }
        if (std::any_of(asked_.begin(), asked_.end(), [](const RunColumn& column) {
                return column.kind == Kind::wall_time;
            })) {
            read_times();
        }
    }

    Table table() {
        add_distances();
        add_critical_growth();
        for (std::uint64_t cell = 0; cell < cells_.rows(); ++cell) {
            for (const RunColumn& column : asked_) {
                add(cell, text_of(column), estimate_of(cell, column));
            }
            add(cell, "share of the largest slowdown", exact(largest_share(cell), 0));
        }
        Table table = results_schema::make_table("made_metrics");
        for (const auto& [cell, metrics] : made_) {
            for (const auto& [metric, estimate] : metrics) {
                results_schema::add_row(
                    table,
                    {{"cell", cell},
                     {"metric", metric},
                     {"n", estimate.n},
                     {"mean", estimate.mean},
                     {"lower", estimate.interval.lower},
                     {"upper", estimate.interval.upper},
                     {"confidence", estimate.confidence},
                     {"gate", gate_of(cell, metric)}}
                );
            }
        }
        return table;
    }

  private:
    /// Of a ratio the worse of what the cell's rows of `estimates` say of both parts.
    std::string_view gate_of(std::uint64_t cell, const std::string& metric) const {
        GateAnswer worst = GateAnswer::passed;
        for (const RunColumn& column : asked_) {
            for (const std::string& part : {column.metric, column.divisor}) {
                const auto found = gates_.find({cell, part});
                if (text_of(column) == metric && found != gates_.end()) {
                    worst = worse_of(worst, found->second);
                }
            }
        }
        return word_of(worst);
    }

    void read_times() {
        for (const Row& row : rows_of(*results_.find("factors"))) {
            levels_[row.count("cell")][row.text("factor")] = row.text("label");
        }
        for (const Row& row : rows_of(*results_.find("timings"))) {
            times_[row.count("cell")][row.count("replication")] = row.real("seconds");
        }
    }

    /// As the column of `replications` is called: a bare probe stands for its mean.
    std::string observed(const std::string& metric) const {
        return replications_.find(metric) == nullptr ? metric + ".mean" : metric;
    }

    void ask(const std::string& name) {
        RunColumn column = parse_run_column(name);
        if (column.kind == Kind::mean) {
            return;
        }
        for (std::string* metric : {&column.metric, &column.divisor}) {
            *metric = metric->empty() ? "" : observed(*metric);
        }
        asked_.push_back(std::move(column));
    }

    void add(std::uint64_t cell, const std::string& metric, const engine::Estimate& estimate) {
        if (!std::isnan(estimate.mean)) {
            made_[cell].emplace(metric, estimate);
        }
    }

    std::vector<double> values_of(std::uint64_t cell, const std::string& metric) const {
        if (replications_.find(metric) == nullptr) {
            return {};
        }
        const auto& cells = column_of<Counts>(replications_, "cell");
        const auto& values = column_of<Reals>(replications_, metric);
        const auto [first, last] = std::equal_range(cells.begin(), cells.end(), cell);
        return {values.begin() + (first - cells.begin()), values.begin() + (last - cells.begin())};
    }

    engine::Estimate estimate_of(std::uint64_t cell, const RunColumn& column) const {
        if (column.kind == Kind::wall_time) {
            return wall_time(cell, column);
        }
        const std::vector<double> values = values_of(cell, column.metric);
        const bool lacks_one = std::any_of(values.begin(), values.end(), [](double value) {
            return std::isnan(value);
        });
        if (values.empty() || lacks_one) {
            return exact(absent, values.size());
        }
        if (column.kind == Kind::ratio) {
            const std::vector<double> under = values_of(cell, column.divisor);
            return under.empty() ? exact(absent, 0)
                                 : ratio_of_sums(Row(cells_, cell), values, under);
        }
        const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
        return exact(column.kind == Kind::least ? *least : *greatest, values.size());
    }

    engine::Estimate wall_time(std::uint64_t cell, const RunColumn& column) const {
        const auto own = times_.find(cell);
        const auto other =
            column.beyond.empty() ? own : times_.find(other_cell(cell, column.beyond));
        std::vector<double> values;
        if (own != times_.end() && other != times_.end()) {
            for (const auto& [replication, seconds] : own->second) {
                const auto less = other->second.find(replication);
                if (less != other->second.end()) {
                    const double rest = column.beyond.empty() ? 0 : less->second;
                    values.push_back(ms * (seconds - rest));
                }
            }
        }
        return exact(values.empty() ? absent : median(values), values.size());
    }

    /// The cell that differs in one factor only, whose level there is `level`; else no cell's
    /// number.
    std::uint64_t other_cell(std::uint64_t cell, const std::string& level) const {
        const auto own = levels_.find(cell);
        for (const auto& [other, levels] : levels_) {
            if (own == levels_.end() || levels.size() != own->second.size()) {
                continue;
            }
            std::size_t differing = 0;
            bool has_level = false;
            for (const auto& [factor, label] : levels) {
                const auto here = own->second.find(factor);
                const bool differs = here == own->second.end() || here->second != label;
                differing += differs ? 1U : 0U;
                has_level = has_level || (differs && label == level);
            }
            if (differing == 1 && has_level) {
                return other;
            }
        }
        return cells_.rows();
    }

    /// (mean - exact) / standard error of the first exact value of every metric.
    void add_distances() {
        const Table& known_values = *results_.find("known_values");
        std::map<std::pair<std::uint64_t, std::string>, Row> estimates;
        for (const Row& row : rows_of(*results_.find("estimates"))) {
            if (known_values.rows() > 0) {
                estimates.emplace(std::pair(row.count("cell"), row.text("metric")), row);
            }
        }
        for (const Row& known : rows_of(known_values)) {
            const auto found = estimates.find({known.count("cell"), known.text("metric")});
            if (known.integer("is_exact") != 0 && found != estimates.end()
                && found->second.real("standard_error") > 0) {
                const Row& row = found->second;
                const double z =
                    (row.real("mean") - known.real("value")) / row.real("standard_error");
                add(row.count("cell"), "z of " + row.text("metric"), exact(z, row.count("n")));
            }
        }
    }

    /// Where the file says how long the warm-up is.
    void add_critical_growth() {
        const Table* checks = results_.find("warm_up_checks");
        if (checks == nullptr) {
            return;
        }
        std::map<std::uint64_t, std::uint64_t> jobs;  // of the first replication
        for (const Row& row : rows_of(replications_)) {
            jobs.emplace(row.count("cell"), row.count("jobs"));
        }
        for (const Row& check : rows_of(*checks)) {
            const auto found = jobs.find(check.count("cell"));
            if (found != jobs.end() && check.count("warm_up_jobs") < found->second) {
                const double share = static_cast<double>(check.count("warm_up_jobs"))
                                     / static_cast<double>(found->second);
                add(found->first,
                    "critical half_ratio",
                    exact(engine::critical_growth_ratio(share), 0));
            }
        }
    }

    /// Of one job in the sum of the slowdowns of a cell, whose replications have equally many.
    double largest_share(std::uint64_t cell) const {
        const std::vector<double> shares = values_of(cell, "slowdown.largest_share");
        const std::vector<double> means = values_of(cell, "slowdown.mean");
        double sum = 0;
        double largest = absent;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            if (!std::isnan(means[i])) {
                sum += means[i];
                largest = std::fmax(largest, shares[i] * means[i]);
            }
        }
        return std::isinf(sum) ? 1 : largest / sum;
    }

    const ResultFile& results_;
    const Table& cells_;
    const Table& replications_;
    // Where times are asked for.
    std::map<std::uint64_t, std::map<std::string, std::string>> levels_;
    std::map<std::uint64_t, std::map<std::uint64_t, double>> times_;     ///< by replication, s
    std::map<std::pair<std::uint64_t, std::string>, GateAnswer> gates_;  ///< not passed
    std::vector<RunColumn> asked_;
    std::map<std::uint64_t, std::map<std::string, engine::Estimate>> made_;
};

}  // namespace

Table made_metrics_table(const ResultFile& results) {
    return MadeMetrics(results).table();
}

}  // namespace schedfarm::app
