#include "campaigns/run/result_tables.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "results_schema/schema.hpp"
#include "results_schema/table_filling.hpp"

#include "campaigns/run/reference_comparison.hpp"

namespace schedfarm::campaigns {

namespace {

using results_schema::add_observation_column;
using results_schema::add_row;
using results_schema::NamedValue;
using results_schema::ResultFile;
using results_schema::Table;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

std::string clusters_text(const engine::SystemDescription& system) {
    return fmt::format("[{}]", fmt::join(system.clusters, ", "));
}

std::string_view kind_word(engine::ExperimentKind kind) {
    switch (kind) {
        case engine::ExperimentKind::bin_filling:
            return "bin_filling";
        case engine::ExperimentKind::open:
            return "open";
        case engine::ExperimentKind::saturated:
            return "saturated";
        case engine::ExperimentKind::trace:
            return "trace";
        case engine::ExperimentKind::offline:
            return "offline";
    }
    return "open";
}

Table cells_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("cells");
    for (const Cell& cell : plan.cells) {
        const CellSummary& summary = summaries[cell.index];
        std::string label;
        for (const FactorLevel& level : cell.levels) {
            label += (label.empty() ? "" : ", ") + level.label;
        }
        add_row(
            table,
            {{"cell", cell.index},
             {"label", label},
             {"experiment", std::string(kind_word(cell.experiment.kind))},
             {"policy", cell.policy.text()},
             {"workload", cell.workload.text()},
             {"clusters", clusters_text(cell.system)},
             {"utilization", cell.utilization.value_or(absent)},
             {"replications_used", summary.used},
             {"replications_computed", summary.computed},
             {"status", std::string(status_word(summary.status))},
             {"most_demanding", summary.most_demanding},
             {"replication_key", cell.replication_key}}
        );
    }
    return table;
}

Table factors_table(const Plan& plan) {
    Table table = results_schema::make_table("factors");
    for (const Cell& cell : plan.cells) {
        for (const FactorLevel& level : cell.levels) {
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

void add_replication(
    Table& table, const Cell& cell, std::uint64_t index, const engine::Observations& observations
) {
    std::vector<NamedValue> row = {
        {"cell", cell.index},
        {"replication", index},
        {"fingerprint", observations.fingerprint},
        {"jobs", observations.jobs}};
    for (std::size_t c = 0; c < cell.columns.size(); ++c) {
        row.emplace_back(cell.columns[c].name, observations.values[c]);
    }
    add_row(table, row);
}

/// The replications that the estimates rest on.
Table replications_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("replications");
    for (const Cell& cell : plan.cells) {
        for (const engine::ObservationColumn& column : cell.columns) {
            add_observation_column(table, column.name, column.unit, column.meaning);
        }
    }
    for (const auto& cell : progress.cells()) {
        for (std::uint64_t i = 0; i < cell->used(); ++i) {
            add_replication(table, cell->cell(), i, *cell->outcomes()[i]->observations);
        }
    }
    return table;
}

Table estimates_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("estimates");
    for (const Cell& cell : plan.cells) {
        for (const MetricEstimate& metric : summaries[cell.index].estimates) {
            if (!metric.estimate) {
                continue;
            }
            const engine::Estimate& estimate = *metric.estimate;
            const bool skew = estimate.method == engine::IntervalMethod::skew_adjusted;
            const char* method = metric.is_ratio ? "ratio" : skew ? "skew_adjusted" : "student_t";
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
                 {"skewness", estimate.skewness},
                 {"method", method}}
            );
        }
    }
    return table;
}

Table saturation_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("saturation");
    for (const Cell& cell : plan.cells) {
        if (cell.experiment.kind != engine::ExperimentKind::saturated) {
            continue;
        }
        for (const MetricEstimate& metric : summaries[cell.index].estimates) {
            if (metric.metric != "gross_utilization" || !metric.estimate) {
                continue;
            }
            const auto& exact = cell.maximal_utilization;
            add_row(
                table,
                {{"cell", cell.index},
                 {"rho_max", metric.estimate->mean},
                 {"lower", metric.estimate->interval.lower},
                 {"upper", metric.estimate->interval.upper},
                 {"standard_error", metric.estimate->standard_error},
                 {"n", metric.estimate->n},
                 {"backlog", cell.experiment.horizon.backlog},
                 {"exact", exact && exact->is_exact ? exact->value : absent},
                 {"method", "ratio"}}
            );
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

Table reference_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("reference");
    for (const ReferenceValue& reference : plan.references) {
        const ReferenceComparison comparison =
            compare(reference, plan.cells.at(reference.cell), summaries[reference.cell]);
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
             {"note", reference.note}}
        );
    }
    return table;
}

Table failures_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("failures");
    for (const auto& cell : progress.cells()) {
        for (std::size_t i = 0; i < cell->outcomes().size(); ++i) {
            const auto& outcome = cell->outcomes()[i];
            if (!outcome || outcome->observations) {
                continue;
            }
            add_row(
                table,
                {{"cell", cell->cell().index},
                 {"replication", i},
                 {"status", outcome->failure_status},
                 {"message", outcome->failure},
                 {"replay",
                  fmt::format(
                      "schedfarm replay {} --cell {} --replication {}",
                      plan.source.main_file,
                      cell->cell().index,
                      i
                  )}}
            );
        }
    }
    return table;
}

Table timings_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("timings");
    for (const auto& cell : progress.cells()) {
        for (std::size_t i = 0; i < cell->outcomes().size(); ++i) {
            if (const auto& outcome = cell->outcomes()[i]) {
                add_row(
                    table,
                    {{"cell", cell->cell().index},
                     {"replication", i},
                     {"seconds", outcome->seconds},
                     {"rank", outcome->rank}}
                );
            }
        }
    }
    return table;
}

Table farm_table(const engine::FarmReport& farm) {
    Table table = results_schema::make_table("farm");
    for (const engine::RankOverhead& rank : farm.ranks) {
        add_row(
            table,
            {{"rank", rank.rank},
             {"host", rank.host},
             {"tasks", rank.tasks},
             {"busy", rank.busy_seconds},
             {"idle", rank.idle_seconds}}
        );
    }
    return table;
}

}  // namespace

ResultFile build_results(
    const Plan& plan,
    const CampaignProgress& progress,
    const std::vector<CellSummary>& summaries,
    const Provenance& provenance
) {
    ResultFile results;
    add_root_attributes(results, plan, provenance);
    results.tables = {
        cells_table(plan, summaries),
        factors_table(plan),
        replications_table(plan, progress),
        estimates_table(plan, summaries),
        saturation_table(plan, summaries),
        known_values_table(plan),
        reference_table(plan, summaries),
        failures_table(plan, progress),
        timings_table(progress),
        farm_table(provenance.farm)};
    return results;
}

}  // namespace schedfarm::campaigns
