#include <utility>

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

namespace {

using results_schema::absent;
using results_schema::add_row;
using results_schema::Table;

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

void add_claim(Table& table, const ClaimPlan& claim, double confidence) {
    using Kind = ClaimRegion::Kind;
    const ClaimRequest& request = claim.request;
    const ClaimRegion& region = request.region;
    add_row(
        table,
        {{"claim", request.id},
         {"paper", request.paper},
         {"section", request.where},
         {"printed", request.printed},
         {"value", claim.text},
         {"low", region.kind == Kind::below ? absent : region.low},
         {"high", region.kind == Kind::above ? absent : region.high},
         {"needs", needs_word(request.needs)},
         {"confidence", confidence},
         {"expected", request.expected},
         {"note", request.note}}
    );
}

}  // namespace

std::vector<Table> claim_tables(const ClaimsPlan& plan) {
    Table quantities = results_schema::make_table("quantity_expressions");
    for (const ClaimQuantity& quantity : plan.quantities) {
        add_row(quantities, {{"quantity", quantity.name}, {"expression", quantity.text}});
    }
    Table claims = results_schema::make_table("claim_texts");
    Table places = results_schema::make_table("claim_places");
    for (const ClaimPlan& claim : plan.list) {
        add_claim(claims, claim, plan.confidence);
        for (const ClaimInstance& instance : claim.instances) {
            add_row(
                places,
                {{"claim", claim.request.id},
                 {"place", instance.label},
                 {"expression", instance.value}}
            );
        }
    }
    return {std::move(quantities), std::move(claims), std::move(places)};
}

}  // namespace schedfarm::app
