#include "results_schema/schema_analysis_tables.hpp"
#include "results_schema/schema_columns.hpp"

namespace schedfarm::results_schema {

namespace {

using namespace columns;  // NOLINT(google-build-using-namespace)

constexpr const char* unit_of_value = "that of the value";

ColumnSchema claim() {
    return text("claim", "id of the claim in the campaign", "small jobs gain");
}

TableSchema job_classes() {
    return outside_payload(
        {"job_classes",
         "one row per cell and job class that has a name, where something is told by class",
         Presence::optional,
         {"cell", "class"},
         RowOrder::strictly_increasing,
         {
             cell(),
             count("class", "job class of the workload, as in `[class=8]` and in `jobs`", "8"),
             text("name", "what the workload model calls it", "129 to 256 processors"),
         }}
    );
}

TableSchema quantities() {
    return outside_payload(table_by_cell(
        "quantities",
        "one row per cell, quantity and job class: numbers that the campaign makes of the "
        "observations of every replication, or of means over the jobs of a class in all of them "
        "(the jackknife), with an interval over replications",
        RowOrder::non_decreasing,
        {
            cell(),
            text("quantity", "name of the quantity in the campaign", "normalized"),
            integer("class", "job class; -1: the quantity is not one for each class", "8"),
            count("n", "replications behind the mean", "100"),
            real("mean", unit_of_value, "mean over the replications", "1.18"),
            real("standard_error", unit_of_value, "of the mean; NaN: one replication", "0.01"),
            lower_end(unit_of_value, "1.16"),
            upper_end(unit_of_value, "1.20"),
            confidence(),
        }
    ));
}

TableSchema claims() {
    return outside_payload(unordered_table(
        "claims",
        "one row per claim of a paper: whether it holds; the campaign file's reference page says "
        "by what rule",
        {
            claim(),
            text("paper", "the paper's sentence", "Small jobs have shorter response times."),
            text("section", "where the paper says so", "section 6"),
            text("printed", "the paper's number, or direction", "2 to 4"),
            text("value", "what is measured, as written", "normalized / easy"),
            text("rule", "for what values the claim is true", "< 1"),
            text("needs", "at how many places it must be true", "every", {"every", "most", "some"}),
            count("places", "places at which it is measured", "30"),
            count("needed", "at how many of them it must be true", "30"),
            real("confidence", "1", "a verdict is wrong at most with 1 - this probability", "0.95"),
            text(
                "verdict",
                "whether the claim holds; undecided: intervals straddle",
                "holds",
                {"holds", "does not hold", "undecided", "not measured"}
            ),
            text("expected", "what the campaign expects", "holds", {"holds", "does not hold"}),
            text("note", "what is known about it", ""),
        }
    ));
}

TableSchema claim_values() {
    return outside_payload(unordered_table(
        "claim_values",
        "one row per claim and place: its value there",
        {
            claim(),
            text("place", "levels and class that tell the place from others", "class 3"),
            count("n", "replications behind the value; 1: there is no interval", "100"),
            real("value", unit_of_value, "the expression of means over the replications", "0.41"),
            real("standard_error", unit_of_value, "of the value (jackknife)", "0.01"),
            lower_end(unit_of_value, "0.39"),
            upper_end(unit_of_value, "0.43"),
            real("confidence", "1", "nominal coverage of this interval alone", "0.95"),
            text(
                "side",
                "where the interval lies with respect to the claim's rule",
                "inside",
                {"inside", "outside", "straddles", "not measured"}
            ),
        }
    ));
}

}  // namespace

std::vector<TableSchema> claim_tables() {
    return {job_classes(), quantities(), claims(), claim_values()};
}

}  // namespace schedfarm::results_schema
