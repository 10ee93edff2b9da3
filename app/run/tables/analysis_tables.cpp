#include "app/run/tables/analysis_tables.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/rules/cell_stability.hpp"
#include "app/run/rules/load_search_rule.hpp"

namespace schedfarm::app {

namespace {

using results_schema::add_row;
using results_schema::Table;

using results_schema::absent;

const char* stability_word(engine::StabilityVerdict verdict) {
    switch (verdict) {
        case engine::StabilityVerdict::stable:
            return "stable";
        case engine::StabilityVerdict::not_stationary:
            return "not_stationary";
        case engine::StabilityVerdict::unstable:
            break;
    }
    return "unstable";
}

std::string side_word(const std::optional<engine::RootSide>& side) {
    if (!side) {
        return "undecided";
    }
    return *side == engine::RootSide::below ? "below" : "above";
}

bool has_rows(const Table& table) {
    return table.rows() > 0;
}

struct Maximum {
    const char* method = "none";
    engine::Interval interval{absent, absent};
    double rho_max = absent;
    std::int64_t pilot = -1;
    GateAnswer gate = GateAnswer::passed;
};

/// From theory where it is exact, else from the pilot.
Maximum maximum_of(const CampaignProgress& progress, const Cell& cell) {
    const auto& known = cell.maximal_utilization;
    if (known && known->is_exact) {
        return {"exact", {known->value, known->value}, known->value, -1};
    }
    if (cell.placed_load) {
        const std::uint32_t pilot = cell.placed_load->pilot;
        const MetricEstimate metric =
            estimate_metric(*progress.cells()[pilot], "gross_utilization");
        if (const auto& estimate = metric.estimate) {
            return {"pilot", estimate->interval, estimate->mean, std::int64_t{pilot}, metric.gate};
        }
    }
    return {};
}

}  // namespace

Table stability_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("stability");
    results_schema::reserve_rows(table, progress.cells().size());
    for (const auto& cell : progress.cells()) {
        const CellStability stability = stability_of(*cell, cell->used());
        if (!observes_stability(*cell) && !stability.overflow) {
            continue;
        }
        const engine::Stability& growth = stability.growth;
        const CellStart start =
            stability.start.value_or(CellStart{{absent, absent, {absent, absent}}, absent, absent});
        add_row(
            table,
            {{"cell", cell->cell().index},
             {"verdict", std::string(stability_word(stability.verdict))},
             {"growth", growth.mean_growth},
             {"growth_lower", growth.growth.lower},
             {"growth_upper", growth.growth.upper},
             {"half_ratio", growth.half_ratio},
             {"half_ratio_lower", growth.ratio.lower},
             {"half_ratio_upper", growth.ratio.upper},
             {"start_bias", start.bias.bias},
             {"start_bias_lower", start.bias.interval.lower},
             {"start_bias_upper", start.bias.interval.upper},
             {"start_bias_allowed", start.allowed},
             {"overflow_replication",
              stability.overflow_replication
                  ? static_cast<std::int64_t>(cell->index_of(*stability.overflow_replication))
                  : std::int64_t{-1}},
             {"overflow_time", stability.overflow ? stability.overflow->time : absent},
             {"overflow_jobs",
              stability.overflow ? stability.overflow->jobs_submitted : std::uint64_t{0}}}
        );
    }
    return table;
}

Table search_steps_table(const CampaignProgress& progress) {
    Table table = results_schema::make_table("search_steps");
    for (const auto& cell : progress.cells()) {
        const LoadSearchRule* search = progress.search(cell->cell().index);
        if (search == nullptr) {
            continue;
        }
        for (std::size_t i = 0; i < search->steps().size(); ++i) {
            const SearchStep& step = search->steps()[i];
            add_row(
                table,
                {{"cell", cell->cell().index},
                 {"step", i},
                 {"first_replication", cell->index_of(step.first_replication)},
                 {"replications", step.replications},
                 {"utilization", step.utilization},
                 {"observed", step.observed},
                 {"standard_error", step.standard_error},
                 {"side", side_word(step.side)},
                 {"reliability", step.reliability},
                 {"median", step.median},
                 {"lower", step.interval.lower},
                 {"upper", step.interval.upper}}
            );
        }
    }
    return table;
}

Table job_classes_table(const Plan& plan) {
    Table table = results_schema::make_table("job_classes");
    for (const Cell& cell : plan.cells) {
        for (std::size_t c = 0; c < cell.measures->class_names.size(); ++c) {
            add_row(
                table, {{"cell", cell.index}, {"class", c}, {"name", cell.measures->class_names[c]}}
            );
        }
    }
    return table;
}

std::vector<Table> analysis_tables(const Plan& plan, const CampaignProgress& progress) {
    std::vector<Table> tables;
    const auto add = [&tables](Table table) {
        if (has_rows(table)) {
            tables.push_back(std::move(table));
        }
    };
    add(comparisons_table(plan, progress));
    add(selections_table(plan, progress));
    add(controlled_estimates_table(plan, progress));
    add(stability_table(progress));
    add(search_steps_table(progress));
    add(placements_table(progress));
    add(quantiles_table(progress));
    add(sketches_table(progress));
    add(measured_table(progress));
    add(warm_up_table(progress));
    add(warm_up_checks_table(progress));
    add(logged_waits_table(progress));
    add(job_classes_table(plan));
    for (const auto& planned : {plan.claims, plan.certificates}) {
        for (Table& table : claim_tables(planned)) {
            add(std::move(table));
        }
    }
    return tables;
}

results_schema::Table placements_table(const CampaignProgress& progress) {
    results_schema::Table table = results_schema::make_table("placements");
    for (const auto& each : progress.cells()) {
        const Cell& cell = each->cell();
        const bool has_load = each->utilization() && cell.experiment.kind.is_open();
        if (!has_load) {
            continue;
        }
        const Maximum maximum = maximum_of(progress, cell);
        results_schema::add_row(
            table,
            {{"cell", cell.index},
             {"rho_max", maximum.rho_max},
             {"lower", maximum.interval.lower},
             {"upper", maximum.interval.upper},
             {"fraction", *each->utilization() / maximum.rho_max},
             {"method", maximum.method},
             {"pilot", maximum.pilot},
             {"gate", word_of(maximum.gate)}}
        );
    }
    return table;
}

}  // namespace schedfarm::app
