// What a report says of cells that their empty start may bias, or a single job.
#include <doctest/doctest.h>

#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "app/report/sections/sections.hpp"

#include "tests/app/report/analysed_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;             // NOLINT(google-build-using-namespace)
using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)

TEST_CASE("a cell that its start may bias is shown with the bias and what is allowed") {
    ResultFile results = two_by_two();
    add_row(
        table_to_fill(results, "stability"),
        {{"cell", 2},
         {"verdict", "not_stationary"},
         {"growth", 0.001},
         {"growth_lower", -0.001},
         {"growth_upper", 0.003},
         {"half_ratio", 1.02},
         {"half_ratio_lower", 0.9},
         {"half_ratio_upper", 1.1},
         {"start_bias", 0.041},
         {"start_bias_lower", 0.03},
         {"start_bias_upper", 0.052},
         {"start_bias_allowed", 0.01},
         {"overflow_replication", -1},
         {"overflow_time", 0.0},
         {"overflow_jobs", 0}}
    );
    const std::string text = sections_text(results, ReportFormat::text);
    for (const char* part :
         {"fpfs, 0.6  not stationary  the empty start may lower the mean",
          "5.2 % (estimate 4.1 %)",
          "allows 1 %",
          "Lengthen it and"}) {
        CHECK_MESSAGE(text.find(part) != std::string::npos, "no '" << part << "' in:\n" << text);
    }
}

// Of cell 0 one job holds .75 · 4 of 4 + 6 + 4 + 6, of the others .09 · 4.
TEST_CASE("cells of which one job holds a tenth of the sum of slowdowns are shown") {
    ResultFile results = two_by_two();
    CHECK(slowdown_sections(results).empty());
    Table& table = table_to_fill(results, "replications");
    Reals means;
    Reals shares;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        means.push_back(row % 2 == 0 ? 4 : 6);
        shares.push_back(row == 0 ? 0.75 : 0.09);
    }
    table.columns.push_back({"slowdown.mean", "1", "", true, means});
    table.columns.push_back({"slowdown.largest_share", "1", "", true, shares});
    const auto sections = slowdown_sections(results);
    REQUIRE(sections.size() == 1);
    REQUIRE(sections[0].rows.size() == 1);
    CHECK(sections[0].rows[0] == std::vector<std::string>{"fcfs, 0.6", "15 %"});
}
