// What share of the maximal load cells have.
#include <cmath>

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

namespace {

using results_schema::absent;

struct Maximum {
    const char* method = "none";
    engine::Interval interval{absent, absent};
    double rho_max = absent;
    std::int64_t pilot = -1;
};

/// From theory where it is exact, else from the pilot.
Maximum maximum_of(const Cell& cell, const std::vector<CellSummary>& summaries) {
    const auto& known = cell.maximal_utilization;
    if (known && known->is_exact) {
        return {"exact", {known->value, known->value}, known->value, -1};
    }
    if (cell.placed_load) {
        for (const MetricEstimate& metric : summaries[cell.placed_load->pilot].estimates) {
            if (metric.metric == "gross_utilization" && metric.estimate) {
                return {
                    "pilot",
                    metric.estimate->interval,
                    metric.estimate->mean,
                    std::int64_t{cell.placed_load->pilot}};
            }
        }
    }
    return {};
}

}  // namespace

results_schema::Table placements_table(
    const CampaignProgress& progress, const std::vector<CellSummary>& summaries
) {
    results_schema::Table table = results_schema::make_table("placements");
    for (const auto& each : progress.cells()) {
        const Cell& cell = each->cell();
        const bool has_load = each->utilization() && cell.experiment.kind.is_open();
        if (!has_load) {
            continue;
        }
        const Maximum maximum = maximum_of(cell, summaries);
        results_schema::add_row(
            table,
            {{"cell", cell.index},
             {"rho_max", maximum.rho_max},
             {"lower", maximum.interval.lower},
             {"upper", maximum.interval.upper},
             {"fraction", *each->utilization() / maximum.rho_max},
             {"method", maximum.method},
             {"pilot", maximum.pilot}}
        );
    }
    return table;
}

}  // namespace schedfarm::app
