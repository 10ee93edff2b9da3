#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/measurement/column_range.hpp"
#include "engine/statistics/log_interval.hpp"
#include "engine/statistics/selection/comparison.hpp"
#include "engine/statistics/selection/control_variates.hpp"
#include "engine/statistics/selection/multiple_comparison.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/campaign/plan/log_blocks.hpp"
#include "app/campaign/plan/twins.hpp"
#include "app/run/rules/cell_stability.hpp"
#include "app/run/rules/comparison_rule.hpp"
#include "app/run/rules/gate.hpp"
#include "app/run/rules/selection_rule.hpp"
#include "app/run/tables/analysis_tables.hpp"
#include "app/run/twin.hpp"

namespace schedfarm::app {

namespace {

using results_schema::add_row;
using results_schema::Table;

using results_schema::absent;

/// One pair of cells, over the replications that both use.
struct ComparedPair {
    std::string group;
    const CellProgress* first = nullptr;
    const CellProgress* second = nullptr;
    std::vector<double> first_values;
    std::vector<double> second_values;
    std::uint64_t carriers = 0;  ///< of the cell that has fewer
    GateAnswer gate = GateAnswer::passed;
    std::optional<engine::LogBlocks> log;  ///< then the estimates are of logs like it
    engine::Estimate difference;
};

/// Over the replications; of a resampled log, for logs like it.
std::optional<engine::Estimate> difference_of(const ComparedPair& pair, double confidence) {
    const auto of_draws =
        engine::paired_difference(pair.first_values, pair.second_values, confidence);
    if (!of_draws) {
        return std::nullopt;
    }
    const engine::Estimate counted = engine::of_carriers(*of_draws, pair.carriers);
    return pair.log ? engine::of_logs_like_it(counted, *pair.log) : counted;
}

/// Of the difference as a share of the second mean; absent where that is 0.
engine::Estimate share_of(const ComparedPair& pair, double confidence) {
    std::vector<double> differences = pair.first_values;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i] -= pair.second_values[i];
    }
    const auto of_draws = engine::estimate_ratio(
        differences, pair.second_values, confidence, engine::IntervalMethod::skew_adjusted
    );
    if (!of_draws) {
        return {.mean = absent, .interval = {absent, absent}};
    }
    const engine::Estimate counted = engine::of_carriers(*of_draws, pair.carriers);
    return pair.log ? engine::of_logs_like_it(counted, *pair.log) : counted;
}

double p_value_of(const ComparedPair& pair) {
    return pair.log ? engine::log_p_value(pair.difference) : engine::p_value(pair.difference);
}

bool is_unstable(const CellProgress& cell) {
    return stability_of(cell, cell.used()).verdict == engine::StabilityVerdict::unstable;
}

/// Pairs with an unstable cell are left out: its mean means nothing.
std::vector<ComparedPair> compared(const ComparisonPlan& plan, const CampaignProgress& progress) {
    std::vector<ComparedPair> pairs;
    for (const CellGroup& group : plan.groups) {
        for (const auto& [first, second] : compared_pairs(plan, group.cells.size())) {
            ComparedPair pair;
            pair.group = group.label;
            pair.first = progress.cells().at(group.cells[first]).get();
            pair.second = progress.cells().at(group.cells[second]).get();
            if (is_unstable(*pair.first) || is_unstable(*pair.second)) {
                continue;
            }
            const std::uint64_t n = std::min(pair.first->used(), pair.second->used());
            const MetricSample a = pair.first->metric_sample(plan.metric, n);
            const MetricSample b = pair.second->metric_sample(plan.metric, n);
            pair.first_values = a.by_replication();
            pair.second_values = b.by_replication();
            pair.carriers = std::min(a.carriers(), b.carriers());
            pair.gate = worse_of(
                Gate(*pair.first, n).ask(plan.metric), Gate(*pair.second, n).ask(plan.metric)
            );
            pair.log = in_common(pair.first->cell().log_blocks, pair.second->cell().log_blocks);
            const auto difference = difference_of(pair, plan.confidence);
            if (difference && std::isfinite(difference->mean)) {
                pair.difference = *difference;
                pairs.push_back(std::move(pair));
            }
        }
    }
    return pairs;
}

/// By Holm; the pairs of one seed are a family. Parallel to the pairs.
std::vector<engine::HolmResult> adjusted_within_seeds(
    const ComparisonPlan& plan, const std::vector<ComparedPair>& pairs
) {
    std::map<std::string, std::vector<std::size_t>> families;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        families[seed_level(pairs[i].first->cell())].push_back(i);
    }
    std::vector<engine::HolmResult> adjusted(pairs.size());
    for (const auto& [seed, family] : families) {
        std::vector<double> p_values;
        for (const std::size_t i : family) {
            p_values.push_back(p_value_of(pairs[i]));
        }
        const std::vector<engine::HolmResult> holm = engine::holm(p_values, plan.confidence);
        for (std::size_t i = 0; i < family.size(); ++i) {
            adjusted[family[i]] = holm[i];
        }
    }
    return adjusted;
}

/// Pairs that the campaign asks for of the pair's seed.
std::uint64_t planned_pairs(
    const ComparisonPlan& plan, const CampaignProgress& progress, const ComparedPair& pair
) {
    std::uint64_t pairs = 0;
    for (const CellGroup& group : plan.groups) {
        const Cell& first = progress.cells().at(group.cells.front())->cell();
        if (seed_level(first) == seed_level(pair.first->cell())) {
            pairs += compared_pairs(plan, group.cells.size()).size();
        }
    }
    return pairs;
}

const char* verdict_of(const engine::Estimate& difference) {
    if (difference.interval.upper < 0) {
        return "first smaller";
    }
    return difference.interval.lower > 0 ? "second smaller" : "not decided";
}

void add_comparison(
    Table& table,
    const ComparisonPlan& plan,
    const CampaignProgress& progress,
    const ComparedPair& pair,
    const engine::HolmResult& holm
) {
    const engine::Estimate adjusted = *difference_of(pair, holm.confidence);
    const engine::Estimate share = share_of(pair, holm.confidence);
    const auto reduction =
        engine::width_reduction(pair.first_values, pair.second_values, plan.confidence);
    add_row(
        table,
        {{"group", pair.group},
         {"first_cell", pair.first->cell().index},
         {"second_cell", pair.second->cell().index},
         {"metric", plan.metric},
         {"n", pair.first_values.size()},
         {"difference", adjusted.mean},
         {"standard_error", adjusted.standard_error},
         {"skewness", adjusted.n < 3 ? absent : adjusted.skewness},
         {"lower", adjusted.interval.lower},
         {"upper", adjusted.interval.upper},
         {"relative", share.mean},
         {"relative_lower", share.interval.lower},
         {"relative_upper", share.interval.upper},
         {"confidence", holm.confidence},
         {"p_value", p_value_of(pair)},
         {"adjusted_p", holm.adjusted_p},
         {"e_value", pair.log ? absent : engine::e_value(pair.difference)},
         {"width_reduction", reduction ? reduction->mean : absent},
         {"width_reduction_lower", reduction ? reduction->interval.lower : absent},
         {"width_reduction_upper", reduction ? reduction->interval.upper : absent},
         {"verdict", verdict_of(adjusted)},
         {"family", planned_pairs(plan, progress, pair)},
         {"gate", word_of(pair.gate)}}
    );
}

const char* standing_of(const engine::SelectionDecision& decision, std::size_t position) {
    const bool is_first = decision.selected == position;
    if (decision.systems[position].equals_best) {
        return "equal";
    }
    if (decision.systems[position].eliminated) {
        return "eliminated";
    }
    if (decision.state == engine::SelectionState::selected) {
        return is_first ? "selected" : "eliminated";
    }
    return is_first ? "leading" : "trailing";
}

void add_controlled_row(
    Table& table,
    const CellProgress& cell,
    const std::string& metric,
    const std::string& controls,
    const engine::ControlledEstimate& controlled
) {
    const engine::Estimate estimate =
        engine::within(controlled.estimate, engine::range_of_column(metric));
    add_row(
        table,
        {{"cell", cell.cell().index},
         {"metric", metric},
         {"controls", controls},
         {"n", estimate.n},
         {"mean", estimate.mean},
         {"standard_error", estimate.standard_error},
         {"lower", estimate.interval.lower},
         {"upper", estimate.interval.upper},
         {"confidence", estimate.confidence},
         {"r_squared", controlled.r_squared},
         {"loss_factor", controlled.loss_factor},
         {"variance_reduction", controlled.variance_reduction},
         {"gate", word_of(Gate(cell, cell.used()).ask(metric))}}
    );
}

/// What the twins of a cell make of the means that its precision is about.
void add_twin_rows(Table& table, const CellProgress& cell) {
    for (const MetricTarget& target : cell.cell().replications.targets) {
        if (const auto controlled = estimate_by_twin(cell, target.metric, cell.used())) {
            add_controlled_row(table, cell, target.metric, "twin", *controlled);
        }
    }
}

void add_controlled(Table& table, const Plan& plan, const CellProgress& cell) {
    const std::uint64_t n = cell.used();
    std::vector<std::vector<double>> values;
    std::vector<std::string> names;
    const std::vector<ControlMean> means = own_controls_of(cell.cell());
    for (const ControlMean& control : means) {
        values.push_back(cell.metric_sample(control.column, n).by_replication());
        names.push_back(control.column);
    }
    std::vector<engine::Control> controls;
    for (std::size_t i = 0; i < values.size(); ++i) {
        controls.push_back({values[i], means[i].mean});
    }
    const std::vector<double> observations =
        cell.metric_sample(plan.control_metric, n).by_replication();
    const auto controlled =
        engine::estimate_with_controls(observations, controls, cell.cell().replications.confidence);
    if (!controlled || !std::isfinite(controlled->estimate.mean)) {
        return;
    }
    const std::string controls_text = fmt::format("{}", fmt::join(names, ", "));
    add_controlled_row(table, cell, plan.control_metric, controls_text, *controlled);
}

}  // namespace

Table comparisons_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("comparisons");
    if (!plan.comparison) {
        return table;
    }
    const std::vector<ComparedPair> pairs = compared(*plan.comparison, progress);
    const std::vector<engine::HolmResult> adjusted = adjusted_within_seeds(*plan.comparison, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        add_comparison(table, *plan.comparison, progress, pairs[i], adjusted[i]);
    }
    return table;
}

Table selections_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("selections");
    for (std::size_t g = 0; g < progress.selections().size(); ++g) {
        const CellGroup& group = plan.selection->groups[g];
        const engine::SelectionDecision& decision = progress.selections()[g]->decision();
        const engine::SelectionSettings& settings = plan.selection->settings;
        for (std::size_t i = 0; i < group.cells.size(); ++i) {
            const CellProgress& cell = *progress.cells()[group.cells[i]];
            const std::uint64_t n = std::min(decision.systems[i].n, cell.prefix());
            const std::vector<double> values =
                cell.metric_sample(plan.selection->metric, n).by_replication();
            const auto estimate = engine::estimate_mean(
                values, settings.confidence, engine::IntervalMethod::student_t
            );
            add_row(
                table,
                {{"group", group.label},
                 {"cell", cell.cell().index},
                 {"metric", plan.selection->metric},
                 {"n", n},
                 {"mean", estimate ? estimate->mean : absent},
                 {"indifference", settings.indifference},
                 {"confidence", settings.confidence},
                 {"procedure", "kn"},
                 {"standing", standing_of(decision, i)},
                 {"gate", word_of(Gate(cell, n).ask(plan.selection->metric))}}
            );
        }
    }
    return table;
}

Table controlled_estimates_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("controlled_estimates");
    for (const auto& cell : progress.cells()) {
        if (cell->cell().controls.empty() || is_unstable(*cell)) {
            continue;
        }
        if (plan.control_metric.empty()) {
            add_twin_rows(table, *cell);
        } else {
            add_controlled(table, plan, *cell);
        }
    }
    return table;
}

}  // namespace schedfarm::app
