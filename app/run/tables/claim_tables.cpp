#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/statistics/estimate.hpp"

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/config/yaml/numbers.hpp"
#include "app/plan/analyses/claims.hpp"
#include "app/run/rules/claim_measurement.hpp"
#include "app/run/rules/claim_verdict.hpp"
#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

namespace {

using results_schema::add_row;
using results_schema::Table;

using results_schema::absent;

void add_quantity(
    Table& table, const Plan& plan, const QuantityTerm& term, ClaimMeasurement& measurement
) {
    const ClaimQuantity& quantity = plan.claims.quantities[term.quantity];
    const std::vector<double>& values = measurement.values(term);
    if (values.empty()) {
        return;
    }
    const ReplicationPlan& replications = plan.cells[term.cell].replications;
    auto estimate = engine::estimate_mean(values, replications.confidence, replications.method);
    if (const auto& blocks = plan.cells[term.cell].log_blocks; estimate && blocks) {
        estimate = engine::of_logs_like_it(*estimate, *blocks);
    }
    const double mean = estimate ? estimate->mean : values.front();
    if (!std::isfinite(mean)) {
        return;
    }
    add_row(
        table,
        {{"cell", term.cell},
         {"quantity", quantity.name},
         {"class", quantity.per_class ? static_cast<std::int64_t>(term.job_class) : -1},
         {"n", values.size()},
         {"mean", mean},
         {"standard_error", estimate ? estimate->standard_error : absent},
         {"lower", estimate ? estimate->interval.lower : absent},
         {"upper", estimate ? estimate->interval.upper : absent},
         {"confidence", replications.confidence}}
    );
}

std::string rule_text(const ClaimRegion& region) {
    switch (region.kind) {
        case ClaimRegion::Kind::above:
            return "> " + number_text(region.low);
        case ClaimRegion::Kind::below:
            return "< " + number_text(region.high);
        case ClaimRegion::Kind::between:
            break;
    }
    return number_text(region.low) + " to " + number_text(region.high);
}

const char* needs_word(ClaimNeeds needs) {
    switch (needs) {
        case ClaimNeeds::every:
            return "every";
        case ClaimNeeds::most:
            return "most";
        case ClaimNeeds::some:
            break;
    }
    return "some";
}

const char* claim_side_word(const engine::Estimate& place, const ClaimRegion& region) {
    if (!std::isfinite(place.mean)) {
        return "not measured";
    }
    switch (side_of(place.interval, region)) {
        case Side::inside:
            return "inside";
        case Side::outside:
            return "outside";
        case Side::straddles:
            break;
    }
    return "straddles";
}

void add_places(
    Table& table,
    const ClaimPlan& claim,
    const std::vector<engine::Estimate>& places,
    const ClaimMeasurement& measurement
) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const engine::Estimate& place = places[i];
        const bool has_interval = place.n > 1;
        add_row(
            table,
            {{"claim", claim.id},
             {"place", claim.instances[i].label},
             {"n",
              std::min(place.n, std::uint64_t{1}) * measurement.replications(claim.instances[i])},
             {"value", place.mean},
             {"standard_error", has_interval ? place.standard_error : absent},
             {"lower", has_interval ? place.interval.lower : absent},
             {"upper", has_interval ? place.interval.upper : absent},
             {"confidence", place.confidence},
             {"side", claim_side_word(place, claim.region)}}
        );
    }
}

}  // namespace

Table quantities_table(const Plan& plan, const CampaignProgress& progress) {
    Table table = results_schema::make_table("quantities");
    ClaimMeasurement measurement(plan, progress);
    for (const Cell& cell : plan.cells) {
        for (std::size_t q = 0; q < plan.claims.quantities.size(); ++q) {
            const std::uint32_t classes = classes_of(plan.claims.quantities[q], cell);
            for (std::uint32_t job_class = 0; job_class < classes; ++job_class) {
                add_quantity(table, plan, {cell.index, q, job_class}, measurement);
            }
        }
    }
    return table;
}

ClaimTables claim_tables(const Plan& plan, const CampaignProgress& progress) {
    ClaimTables tables{
        results_schema::make_table("claims"), results_schema::make_table("claim_values")};
    ClaimMeasurement measurement(plan, progress);
    for (const ClaimPlan& claim : plan.claims.list) {
        std::vector<engine::Estimate> places;
        for (const ClaimInstance& instance : claim.instances) {
            places.push_back(measurement.estimate(claim, instance));
        }
        const ClaimVerdict verdict =
            verdict_on(places, claim.region, claim.needs, plan.claims.confidence);
        add_row(
            tables.claims,
            {{"claim", claim.id},
             {"paper", claim.paper},
             {"section", claim.where},
             {"printed", claim.printed},
             {"value", claim.text},
             {"rule", rule_text(claim.region)},
             {"needs", needs_word(claim.needs)},
             {"places", places.size()},
             {"needed", needed_places(claim.needs, places.size())},
             {"confidence", plan.claims.confidence},
             {"verdict", std::string(verdict_word(verdict))},
             {"expected", claim.expected},
             {"note", claim.note}}
        );
        add_places(tables.values, claim, places, measurement);
    }
    return tables;
}

}  // namespace schedfarm::app
