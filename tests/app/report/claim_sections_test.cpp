// The table of claims and the tables of quantities.
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"

#include "app/report/sections/sections.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

namespace {

using Cells = std::vector<std::string>;

struct Told {
    const char* expected = "holds";
    const char* printed = "2 to 4";
};

void add_claim(
    ResultFile& results, const char* claim, int places, const char* verdict, Told told = {}
) {
    add_row(
        table_to_fill(results, "claims"),
        {{"claim", claim},
         {"paper", "Small jobs gain."},
         {"section", "section 6"},
         {"printed", told.printed},
         {"value", "normalized / easy"},
         {"rule", "< 1"},
         {"needs", "every"},
         {"places", places},
         {"needed", places},
         {"confidence", 0.95},
         {"verdict", verdict},
         {"expected", told.expected},
         {"note", ""}}
    );
}

void add_place(
    ResultFile& results, const char* claim, const char* place, double value, const char* side
) {
    add_row(
        table_to_fill(results, "claim_values"),
        {{"claim", claim},
         {"place", place},
         {"n", 3},
         {"value", value},
         {"standard_error", 0.05},
         {"lower", value - 0.1},
         {"upper", value + 0.1},
         {"confidence", 0.95},
         {"side", side}}
    );
}

void add_quantity(ResultFile& results, int cell, int job_class, double mean) {
    add_row(
        table_to_fill(results, "quantities"),
        {{"cell", cell},
         {"quantity", "normalized"},
         {"class", job_class},
         {"n", 3},
         {"mean", mean},
         {"standard_error", 0.05},
         {"lower", mean - 0.25},
         {"upper", mean + 0.25},
         {"confidence", 0.95}}
    );
}

}  // namespace

TEST_CASE("a claim is shown with its values its verdict and where it fails") {
    ResultFile results = two_by_two();
    CHECK(claim_sections(results).empty());
    add_claim(results, "small", 1, "holds");
    add_claim(results, "large", 2, "does not hold");
    add_claim(results, "open", 1, "undecided");
    add_place(results, "small", "", 0.5, "inside");
    add_place(results, "large", "class 8", 1.5, "outside");
    add_place(results, "large", "class 9", 0.25, "inside");
    add_place(results, "open", "", 1, "straddles");
    const auto sections = claim_sections(results);
    REQUIRE(sections.size() == 1);
    REQUIRE(sections[0].rows.size() == 3);
    CHECK(
        sections[0].rows[0]
        == Cells{"small", "2 to 4", "0.500 ±0.10", "< 1", "1 of 1", "holds, as expected"}
    );
    CHECK(
        sections[0].rows[1]
        == Cells{"large", "2 to 4", "0.25 to 1.5", "< 1 (every)", "1 of 2", "does not hold (expected: holds)"}
    );
    CHECK(sections[0].notes[0] == "1 of 3 claims as expected; open: open; not as expected: large.");
    add_row(
        table_to_fill(results, "job_classes"),
        {{"cell", 0}, {"class", 0}, {"name", "3 to 4 processors"}}
    );
    CHECK(claim_sections(results)[0].notes.back() == "Class 0: 3 to 4 processors.");
    CHECK(
        sections[0].notes[2]
        == "large: \"Small jobs gain.\" (section 6) Measured: normalized / easy. outside: class 8 "
           "(1.50 ±0.10)."
    );
}

TEST_CASE("places that were not measured do not hide what the others show") {
    const double none = std::numeric_limits<double>::quiet_NaN();
    ResultFile results = two_by_two();
    for (const char* claim : {"first", "last", "amid", "never"}) {
        add_claim(results, claim, 2, "undecided");
    }
    add_place(results, "first", "class 1", none, "not measured");
    add_place(results, "first", "class 2", 0.5, "inside");
    add_place(results, "last", "class 1", 0.5, "inside");
    add_place(results, "last", "class 2", none, "not measured");
    add_place(results, "amid", "class 1", 0.25, "inside");
    add_place(results, "amid", "class 2", none, "not measured");
    add_place(results, "amid", "class 3", 0.125, "inside");
    add_place(results, "never", "class 1", none, "not measured");
    add_place(results, "never", "class 2", none, "not measured");
    const TextTable section = claim_sections(results).at(0);
    const auto& rows = section.rows;
    CHECK(rows[0][2] == "0.500 ±0.10");
    CHECK(rows[1][2] == "0.500 ±0.10");
    CHECK(rows[2][2] == "0.125 to 0.25");
    CHECK(rows[3][2].empty());
    CHECK(section.notes[4].ends_with("not measured: class 1; class 2."));
}

TEST_CASE("a verdict says what was expected and a column without values is left out") {
    ResultFile results = two_by_two();
    add_claim(results, "failing", 1, "does not hold", {"does not hold", ""});
    add_claim(results, "better", 1, "holds", {"does not hold", ""});
    add_claim(results, "open", 1, "undecided", {"does not hold", ""});
    for (const char* claim : {"failing", "better", "open"}) {
        add_place(results, claim, "", 0.5, "inside");
    }
    const TextTable section = claim_sections(results).at(0);
    REQUIRE(section.columns.size() == 5);
    CHECK(section.columns[1].heading == "measured");
    CHECK(section.rows[0].back() == "does not hold, as expected");
    CHECK(section.rows[1].back() == "holds (expected: does not hold)");
    CHECK(section.rows[2].back() == "undecided");
    CHECK(section.notes[0] == "1 of 3 claims as expected; open: open; not as expected: better.");
}

TEST_CASE(
    "a quantity has a row for each cell with replications of its own and a column for each class"
) {
    ResultFile results = two_by_two();
    CHECK(quantity_sections(results).empty());
    add_quantity(results, 0, 0, 1);
    add_quantity(results, 0, 1, 2);
    add_quantity(results, 3, 1, 4);
    const auto sections = quantity_sections(results);
    REQUIRE(sections.size() == 1);
    CHECK(sections[0].title == "normalized");
    REQUIRE(sections[0].rows.size() == 2);
    CHECK(sections[0].rows[0] == Cells{"fcfs, 0.6", "1.00 ±0.25", "2.00 ±0.25"});
    CHECK(sections[0].rows[1] == Cells{"fpfs, 0.9", "", "4.00 ±0.25"});
    CHECK(sections[0].notes[0] == "±: the longer side of a 95 % confidence interval.");
}
