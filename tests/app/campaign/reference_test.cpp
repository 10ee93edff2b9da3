#include "app/campaign/plan/analyses/reference.hpp"

#include <doctest/doctest.h>

#include "app/campaign/plan/analyses/csv.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("the rounding of a printed value is half a unit of its last digit") {
    CHECK(rounding_of("0.031") == 0.0005);
    CHECK(rounding_of("1.20") == 0.005);
    CHECK(rounding_of("7") == 0.5);
    CHECK(rounding_of("-1.5") == 0.05);
    CHECK(rounding_of("1.2e2") == 5);
    CHECK(rounding_of("1.25e-3") == 0.000005);
    CHECK(!rounding_of("abc"));
    CHECK(!rounding_of(""));
}

TEST_CASE("CSV follows RFC 4180 with comments") {
    const auto records = read_csv("x.csv", "# c\na, b ,\"c,\"\"d\"\"\"\r\n\n  1,,\"x\ny\"\n#\nz");
    REQUIRE(records.size() == 3);
    CHECK(records[0].fields == std::vector<std::string>{"a", "b", "c,\"d\""});
    CHECK(records[0].line == 2);
    CHECK(records[1].fields == std::vector<std::string>{"1", "", "x\ny"});
    CHECK(records[1].line == 4);
    CHECK(records[1].columns == std::vector<int>{3, 5, 6});
    CHECK(records[2].fields == std::vector<std::string>{"z"});
    CHECK(records[2].line == 7);
}

TEST_CASE("reference values find their cells by label or number") {
    const Plan plan = plan_of(
        filling_grid_with("sub/r.csv"),
        {{"sub/r.csv",
          "workload.component_size,horizon.fills,metric,known_label,value,runs,column,note\n"
          "\"[1, 5]\",10.0,capacity_loss,,0.042,10000,bin filling,a note\n"
          "\"[1, 4]\",2e1,capacity_loss,exact,0.03,,,\n"}}
    );
    REQUIRE(plan.references.size() == 2);
    CHECK(plan.references[0].cell == 2);
    CHECK(plan.references[0].metric == "capacity_loss");
    CHECK(plan.references[0].known_label.empty());
    CHECK(plan.references[0].value == 0.042);
    CHECK(plan.references[0].rounding == 0.0005);
    CHECK(plan.references[0].runs == 10000);
    CHECK(plan.references[0].column == "bin filling");
    CHECK(plan.references[0].note == "a note");
    CHECK(plan.references[1].cell == 1);
    CHECK(plan.references[1].known_label == "exact");
    CHECK(plan.references[1].runs == 0);
}

TEST_CASE("a factor that a reference does not name may have a single level") {
    const Plan plan = plan_of(
        {{8, ""}, {10, "factors: {load.utilization: [0.5]}"}, {11, "reference: r.csv"}},
        {{"r.csv", "metric,value\nresponse_time,1.0\n"}}
    );
    REQUIRE(plan.references.size() == 1);
    CHECK(plan.references[0].metric == "response_time.mean");
}

}  // namespace schedfarm::app::tests
