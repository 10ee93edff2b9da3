#include "app/run/tables/result_tables.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/checks/time_unit.hpp"
#include "app/campaign/keys/sections/replication_reader.hpp"
#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/run/rules/load_search_rule.hpp"
#include "app/run/tables/analysis_tables.hpp"
#include "app/run/tables/made_metrics.hpp"
#include "app/run/tables/reference_comparison.hpp"
#include "app/run/twin.hpp"

namespace schedfarm::app {

namespace {

using results_schema::add_observation_column;
using results_schema::add_row;
using results_schema::column_of;
using results_schema::Counts;
using results_schema::Reals;
using results_schema::ResultFile;
using results_schema::Table;

using results_schema::absent;

std::string clusters_text(const engine::SystemDescription& system) {
    return fmt::format("[{}]", fmt::join(system.clusters, ", "));
}

/// The cell's levels; a load that has been placed is told in place of its rule.
std::vector<FactorLevel> levels_of(const Cell& cell, const CellSummary& summary) {
    std::vector<FactorLevel> levels = cell.levels;
    const auto load = summary.utilization;
    for (FactorLevel& level : levels) {
        if (cell.placed_load && load && level.factor == "load.utilization") {
            level.label = fmt::format("{}", *load);
            level.number = load;
        }
    }
    return levels;
}

std::string label_of(const Cell& cell, const CellSummary& summary) {
    std::string label = cell.is_pilot ? "pilot" : "";
    for (const FactorLevel& level : levels_of(cell, summary)) {
        label += (label.empty() ? "" : ", ") + level.label;
    }
    return label;
}

std::string block_unit_name(const std::optional<engine::LogBlocks>& blocks) {
    if (!blocks) {
        return "none";
    }
    return blocks->unit == engine::BlockUnit::weeks ? "weeks" : "users";
}

Table cells_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("cells");
    results_schema::reserve_rows(table, plan.cells.size());
    for (const Cell& cell : plan.cells) {
        const CellSummary& summary = summaries[cell.index];
        add_row(
            table,
            {{"cell", cell.index},
             {"label", label_of(cell, summary)},
             {"experiment", std::string(cell.experiment.kind.name())},
             {"policy", cell.policy->text()},
             {"workload", cell.workload->text()},
             {"clusters", clusters_text(cell.system)},
             {"utilization", summary.utilization.value_or(absent)},
             {"replications_used", summary.used},
             {"replications_computed", summary.computed},
             {"log_blocks", cell.log_blocks ? cell.log_blocks->count : 0},
             {"status", std::string(summary.status)},
             {"most_demanding", summary.most_demanding},
             {"replication_key", cell.replication_key},
             {"resolved", resolved_text(cell)},
             {"confidence", cell.replications.confidence},
             {"interval", interval_name(cell.replications.method)},
             {"log_variance_ratio", cell.log_blocks ? cell.log_blocks->variance_ratio : absent},
             {"log_block_unit", block_unit_name(cell.log_blocks)}}
        );
    }
    return table;
}

Table factors_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("factors");
    std::size_t rows = 0;
    for (const Cell& cell : plan.cells) {
        rows += cell.levels.size();
    }
    results_schema::reserve_rows(table, rows);
    for (const Cell& cell : plan.cells) {
        for (const FactorLevel& level : levels_of(cell, summaries[cell.index])) {
            add_row(
                table,
                {{"cell", cell.index},
                 {"factor", level.factor},
                 {"label", level.label},
                 {"number", level.number.value_or(absent)}}
            );
        }
    }
    return table;
}

/// By columns, for there may be millions of rows: `own` of the table's are the schema's.
void add_replications(Table& table, std::size_t own, const CellProgress& progress) {
    auto& cells = column_of<Counts>(table, "cell");
    auto& replications = column_of<Counts>(table, "replication");
    auto& fingerprints = column_of<Counts>(table, "fingerprint");
    auto& jobs = column_of<Counts>(table, "jobs");
    std::vector<std::pair<Reals*, std::optional<std::size_t>>> observed;
    for (std::size_t i = own; i < table.columns.size(); ++i) {
        const std::string& name = table.columns[i].name;
        observed.emplace_back(&column_of<Reals>(table, name), column_index(progress.cell(), name));
    }
    for (std::uint64_t i = 0; i < progress.used(); ++i) {
        const ObservedReplication replication = progress.observed(i);
        cells.push_back(progress.cell().index);
        replications.push_back(progress.index_of(i));
        fingerprints.push_back(replication.fingerprint);
        jobs.push_back(replication.jobs);
        for (const auto& [values, index] : observed) {
            values->push_back(index ? replication.values[*index] : absent);
        }
    }
}

/// The replications that the estimates rest on.
Table replications_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("replications");
    const std::size_t own = table.columns.size();
    for (const Cell& cell : plan.cells) {
        for (const engine::ObservationColumn& column : cell.measures->columns) {
            add_observation_column(table, column.name, column.unit, column.meaning);
        }
    }
    std::uint64_t used = 0;
    for (const auto& cell : progress.cells()) {
        used += cell->used();
    }
    results_schema::reserve_rows(table, used);
    for (const auto& cell : progress.cells()) {
        add_replications(table, own, *cell);
    }
    return table;
}

/// `method`: that of the estimate; Student's where there is none.
std::string method_word(const MetricEstimate& metric, engine::IntervalMethod method) {
    if (metric.given_log) {
        return "resampled_log";
    }
    if (method != engine::IntervalMethod::student_t) {
        return interval_name(method);
    }
    switch (metric.kind) {
        case EstimateKind::quantile:
            return "woodruff";
        case EstimateKind::ratio:
            return "ratio";
        case EstimateKind::mean:
            break;
    }
    return interval_name(method);
}

/// The value alone where there is one replication; a NaN where there is nothing.
engine::Estimate estimate_or_value(const Cell& cell, const MetricEstimate& metric) {
    if (metric.estimate) {
        return *metric.estimate;
    }
    return {
        .n = metric.only_value ? 1U : 0U,
        .mean = metric.only_value.value_or(absent),
        .standard_error = absent,
        .confidence = cell.replications.confidence,
        .interval = {absent, absent}};
}

/// Where Accumulator::skewness() is there.
bool has_skewness(const engine::Estimate& estimate) {
    return estimate.n >= 3;
}

/// Of a column of the cell, with the campaign's unit of time.
std::string unit_of(const Plan& plan, const Cell& cell, std::string_view metric) {
    const auto column = std::find_if(
        cell.measures->columns.begin(),
        cell.measures->columns.end(),
        [&](const auto& own) { return own.name == metric; }
    );
    SCHEDFARM_EXPECT(column != cell.measures->columns.end(), "an estimate is of a column");
    return in_unit(column->unit, plan.time_unit);
}

Table estimates_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("estimates");
    std::size_t rows = 0;
    for (const Cell& cell : plan.cells) {
        rows += cell.measures->columns.size();
    }
    results_schema::reserve_rows(table, rows);
    for (const Cell& cell : plan.cells) {
        for (const MetricEstimate& metric : estimates_of(*progress.cells()[cell.index])) {
            // A mean that does not exist (a replication whose queue passed its limit) has no row.
            const engine::Estimate estimate = estimate_or_value(cell, metric);
            if (std::isnan(estimate.mean)) {
                continue;
            }
            const engine::Interval given_log =
                metric.given_log.value_or(engine::Interval{absent, absent});
            add_row(
                table,
                {{"cell", cell.index},
                 {"metric", metric.metric},
                 {"n", estimate.n},
                 {"mean", estimate.mean},
                 {"standard_error", estimate.standard_error},
                 {"lower", estimate.interval.lower},
                 {"upper", estimate.interval.upper},
                 {"confidence", estimate.confidence},
                 {"skewness", has_skewness(estimate) ? estimate.skewness : absent},
                 {"method",
                  estimate_by_twin(
                      *progress.cells()[cell.index], std::string(metric.metric), estimate.n
                  )
                      ? "twin"
                      : method_word(metric, estimate.method)},
                 {"given_log_lower", given_log.lower},
                 {"given_log_upper", given_log.upper},
                 {"unit", unit_of(plan, cell, metric.metric)},
                 {"largest_share", metric.largest_share.value_or(absent)},
                 {"gate", word_of(metric.gate)}}
            );
        }
    }
    return table;
}

double exact_saturation(const Cell& cell) {
    const auto& known = cell.maximal_utilization;
    return known && known->is_exact ? known->value : absent;
}

void add_saturated(Table& table, const Cell& cell, const CellProgress& progress) {
    const MetricEstimate metric = estimate_metric(progress, "gross_utilization");
    const auto& estimate = metric.estimate;
    if (!estimate) {
        return;
    }
    add_row(
        table,
        {{"cell", cell.index},
         {"rho_max", estimate->mean},
         {"lower", estimate->interval.lower},
         {"upper", estimate->interval.upper},
         {"standard_error", estimate->standard_error},
         {"n", estimate->n},
         {"backlog", cell.experiment.horizon.backlog},
         {"exact", exact_saturation(cell)},
         {"method", "ratio"},
         {"gate", word_of(metric.gate)}}
    );
}

void add_searched(
    Table& table, const Cell& cell, const CellProgress& progress, const LoadSearchRule& search
) {
    const bool is_drift = cell.load_search->criterion == SearchCriterion::drift;
    const LoadSearchRule::Found found = search.found();
    add_row(
        table,
        {{"cell", cell.index},
         {"rho_max", found.load.value_or(absent)},
         {"lower", found.interval.lower},
         {"upper", found.interval.upper},
         {"standard_error", found.standard_error.value_or(absent)},
         {"n", progress.used()},
         {"backlog", cell.experiment.horizon.start_backlog},
         {"exact", is_drift ? exact_saturation(cell) : absent},
         {"method", is_drift ? "drift" : "response_time"},
         {"gate", word_of(search.gate())}}
    );
}

Table saturation_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("saturation");
    for (const Cell& cell : plan.cells) {
        const CellProgress& own = *progress.cells()[cell.index];
        if (cell.experiment.kind.keeps_backlog()) {
            add_saturated(table, cell, own);
        } else if (const LoadSearchRule* search = progress.search(cell.index)) {
            add_searched(table, cell, own, *search);
        }
    }
    return table;
}

Table known_values_table(const Plan& plan) {
    Table table = results_schema::make_table("known_values");
    for (const Cell& cell : plan.cells) {
        for (const engine::KnownValue& known : cell.known_values) {
            add_row(
                table,
                {{"cell", cell.index},
                 {"metric", known.metric},
                 {"label", known.label},
                 {"value", known.value},
                 {"is_exact", known.is_exact ? 1 : 0},
                 {"source", known.source}}
            );
        }
    }
    return table;
}

Table reference_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("reference");
    for (const ReferenceValue& reference : plan.references) {
        const CellProgress& cell = *progress.cells().at(reference.cell);
        const ReferenceComparison comparison = compare(reference, cell.cell(), estimates_of(cell));
        add_row(
            table,
            {{"cell", reference.cell},
             {"metric", reference.metric},
             {"known_label", reference.known_label},
             {"column", reference.column},
             {"value", reference.value},
             {"rounding", reference.rounding},
             {"runs", reference.runs},
             {"measured", comparison.measured},
             {"standard_error", comparison.standard_error},
             {"lower", comparison.lower},
             {"upper", comparison.upper},
             {"z", comparison.z},
             {"verdict", comparison.verdict},
             {"note", reference.note},
             {"gate", word_of(comparison.gate)}}
        );
    }
    return table;
}

/// From the outcomes.
void add_estimates(const Plan& plan, const CampaignProgress& progress, std::vector<Table>& tables) {
    tables.push_back(estimates_table(plan, progress));
    tables.push_back(saturation_table(plan, progress));
    tables.push_back(reference_table(plan, progress));
}

void add_cells(
    const Plan& plan, const std::vector<CellSummary>& summaries, std::vector<Table>& tables
) {
    tables.push_back(factors_table(plan, summaries));
    tables.push_back(known_values_table(plan));
    tables.push_back(cells_table(plan, summaries));
}

}  // namespace

std::vector<CellSummary> summaries_of(const CampaignProgress& progress) {
    std::vector<CellSummary> summaries;
    summaries.reserve(progress.cells().size());
    for (const auto& cell : progress.cells()) {
        summaries.push_back(summarize(*cell));
        if (const LoadSearchRule* search = progress.search(cell->cell().index)) {
            summaries.back().utilization = search->found().load;
        }
    }
    return summaries;
}

ResultFile build_results(
    const Plan& plan,
    std::unique_ptr<CampaignProgress>& held_progress,
    const std::vector<CellSummary>& summaries,
    const Provenance& provenance
) {
    const CampaignProgress& progress = *held_progress;
    ResultFile results;
    add_root_attributes(results, plan, provenance);
    if (!progress.versions().empty()) {
        results_schema::set_attribute(
            results, "policy_versions", fmt::format("{}", fmt::join(progress.versions(), "\n"))
        );
    }
    results.tables = farm_tables(progress, provenance);
    results.tables.push_back(failures_table(plan, progress, provenance.results));
    results.tables.push_back(replications_table(plan, progress));
    for (Table& table : analysis_tables(plan, progress)) {
        results.tables.push_back(std::move(table));
    }
    add_estimates(plan, progress, results.tables);
    if (plan.job_log.replications == 0) {
        held_progress.reset();
    }
    add_cells(plan, summaries, results.tables);
    Table made = made_metrics_table(results);
    if (made.rows() > 0) {
        results.tables.push_back(std::move(made));
    }
    return results;
}

}  // namespace schedfarm::app
