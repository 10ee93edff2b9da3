#include "campaigns/run/result_tables.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

#include "results_schema/schema.hpp"

#include "campaigns/run/provenance.hpp"
#include "campaigns/run/reference_comparison.hpp"

namespace schedfarm::campaigns {

namespace {

using results_schema::Column;
using results_schema::ResultFile;
using results_schema::Table;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// Appends one value to a column of the schema; integers of all widths become 64-bit ones.
class Row {
  public:
    explicit Row(Table& table) : table_(table) {}

    Row& put(std::string_view column, std::uint64_t value) { return append(column, value); }
    Row& put(std::string_view column, std::int64_t value) { return append(column, value); }
    Row& put(std::string_view column, double value) { return append(column, value); }
    Row& put(std::string_view column, std::string value) {
        return append(column, std::move(value));
    }

  private:
    template <typename T>
    Row& append(std::string_view name, T value) {
        for (Column& column : table_.columns) {
            if (column.name == name) {
                auto* data = std::get_if<std::vector<T>>(&column.data);
                SCHEDFARM_EXPECT(data != nullptr, "type of column " + column.name);
                data->push_back(std::move(value));
                return *this;
            }
        }
        SCHEDFARM_EXPECT(false, "no column '" + std::string(name) + "' in " + table_.name);
    }

    Table& table_;
};

std::string clusters_text(const engine::SystemDescription& system) {
    return fmt::format("{}", fmt::join(system.clusters, " "));
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
        Row(table)
            .put("cell", std::uint64_t{cell.index})
            .put("label", label)
            .put("experiment", std::string(kind_word(cell.experiment.kind)))
            .put("policy", cell.policy.text())
            .put("workload", cell.workload.text())
            .put("clusters", clusters_text(cell.system))
            .put("utilization", cell.utilization.value_or(absent))
            .put("replications_used", summary.used)
            .put("replications_computed", summary.computed)
            .put("status", std::string(status_word(summary.status)))
            .put("most_demanding", summary.most_demanding)
            .put("replication_key", cell.replication_key);
    }
    return table;
}

Table factors_table(const Plan& plan) {
    Table table = results_schema::make_table("factors");
    for (const Cell& cell : plan.cells) {
        for (const FactorLevel& level : cell.levels) {
            Row(table)
                .put("cell", std::uint64_t{cell.index})
                .put("factor", level.factor)
                .put("label", level.label)
                .put("number", level.number.value_or(absent));
        }
    }
    return table;
}

/// Every observation of any cell becomes a column; the first cell that has it describes it.
void add_observation_columns(Table& table, const Plan& plan) {
    std::set<std::string> known;
    for (const Cell& cell : plan.cells) {
        for (const engine::ObservationColumn& column : cell.columns) {
            if (known.insert(column.name).second) {
                Column added;
                added.name = column.name;
                added.unit = column.unit;
                added.meaning = column.meaning;
                added.data = std::vector<double>{};
                table.columns.push_back(std::move(added));
            }
        }
    }
}

void add_replication(
    Table& table, const Cell& cell, std::uint64_t index, const engine::Observations& observations
) {
    Row row(table);
    row.put("cell", std::uint64_t{cell.index})
        .put("replication", index)
        .put("fingerprint", observations.fingerprint)
        .put("jobs", observations.jobs);
    for (std::size_t c = 0; c < cell.columns.size(); ++c) {
        row.put(cell.columns[c].name, observations.values[c]);
    }
    const std::size_t rows = table.at("cell").size();
    for (Column& column : table.columns) {
        if (auto* reals = std::get_if<std::vector<double>>(&column.data)) {
            reals->resize(rows, absent);  // observations that this cell does not make
        }
    }
}

/// The replications that the estimates rest on.
Table replications_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("replications");
    add_observation_columns(table, plan);
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
            Row(table)
                .put("cell", std::uint64_t{cell.index})
                .put("metric", metric.metric)
                .put("n", estimate.n)
                .put("mean", estimate.mean)
                .put("standard_error", estimate.standard_error)
                .put("lower", estimate.interval.lower)
                .put("upper", estimate.interval.upper)
                .put("confidence", estimate.confidence)
                .put("skewness", estimate.skewness)
                .put("method", std::string(method));
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
            Row(table)
                .put("cell", std::uint64_t{cell.index})
                .put("rho_max", metric.estimate->mean)
                .put("lower", metric.estimate->interval.lower)
                .put("upper", metric.estimate->interval.upper)
                .put("standard_error", metric.estimate->standard_error)
                .put("n", metric.estimate->n)
                .put("backlog", cell.experiment.horizon.backlog)
                .put("exact", exact && exact->is_exact ? exact->value : absent)
                .put("method", std::string("saturated_ratio"));
        }
    }
    return table;
}

Table known_values_table(const Plan& plan) {
    Table table = results_schema::make_table("known_values");
    for (const Cell& cell : plan.cells) {
        for (const engine::KnownValue& known : cell.known_values) {
            Row(table)
                .put("cell", std::uint64_t{cell.index})
                .put("metric", known.metric)
                .put("label", known.label)
                .put("value", known.value)
                .put("is_exact", std::int64_t{known.is_exact})
                .put("source", known.source);
        }
    }
    return table;
}

Table reference_table(const Plan& plan, const std::vector<CellSummary>& summaries) {
    Table table = results_schema::make_table("reference");
    for (const ReferenceValue& reference : plan.references) {
        const ReferenceComparison comparison =
            compare(reference, plan.cells.at(reference.cell), summaries[reference.cell]);
        Row(table)
            .put("cell", std::uint64_t{reference.cell})
            .put("metric", reference.metric)
            .put("known_label", reference.known_label)
            .put("column", reference.column)
            .put("value", reference.value)
            .put("rounding", reference.rounding)
            .put("runs", reference.runs)
            .put("measured", comparison.measured)
            .put("standard_error", comparison.standard_error)
            .put("lower", comparison.lower)
            .put("upper", comparison.upper)
            .put("z", comparison.z)
            .put("verdict", comparison.verdict)
            .put("note", reference.note);
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
            Row(table)
                .put("cell", std::uint64_t{cell->cell().index})
                .put("replication", std::uint64_t{i})
                .put("status", outcome->failure_status)
                .put("message", outcome->failure)
                .put(
                    "replay",
                    fmt::format(
                        "schedfarm replay {} --cell {} --replication {}",
                        plan.source.main_file,
                        cell->cell().index,
                        i
                    )
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
                Row(table)
                    .put("cell", std::uint64_t{cell->cell().index})
                    .put("replication", std::uint64_t{i})
                    .put("seconds", outcome->seconds)
                    .put("rank", std::uint64_t{outcome->rank});
            }
        }
    }
    return table;
}

Table farm_table(const engine::FarmReport& farm) {
    Table table = results_schema::make_table("farm");
    for (const engine::RankOverhead& rank : farm.ranks) {
        Row(table)
            .put("rank", std::uint64_t{rank.rank})
            .put("host", rank.host)
            .put("tasks", rank.tasks)
            .put("busy_seconds", rank.busy_seconds)
            .put("idle_seconds", rank.idle_seconds);
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
    results.attributes = root_attributes(plan, provenance);
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
