// The form of a reference, and what is asked of the package that matches its rows to cells.

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "app/campaign/plan/analyses/package_plan.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

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

TEST_CASE("the package is told records and labels of what is known, and its values are kept") {
    Plan plan = plan_of(
        filling_grid_with("sub/r.csv"),
        {{"sub/r.csv", "# c\nhorizon.fills,metric,value\n10.0, capacity_loss,0.042\n"}}
    );
    const auto cells = nlohmann::json::parse(package_question(plan))["cells"];
    CHECK(cells["reference"][1]["fields"] == nlohmann::json{"10.0", "capacity_loss", "0.042"});
    CHECK(cells["reference"][1]["line"] == 3);
    CHECK(cells["reference"][1]["columns"] == nlohmann::json{1, 7, 21});
    CHECK(cells["known"][0][0] == nlohmann::json{"capacity_loss", "exact"});
    CHECK(cells["knows"].size() == 4);

    take_package_answer(
        R"({"certificates": {}, "tables": {}, "problems": [], "references": [{"cell": 2, "metric": "capacity_loss",
            "known_label": "exact", "value": 0.042, "rounding": 0.0005, "runs": 10000,
            "column": "bin filling", "note": "a note"}]})",
        plan
    );
    REQUIRE(plan.references.size() == 1);
    const ReferenceValue& value = plan.references[0];
    CHECK(value.cell == 2);
    CHECK(value.metric == "capacity_loss");
    CHECK(value.known_label == "exact");
    CHECK(value.value == 0.042);
    CHECK(value.rounding == 0.0005);
    CHECK(value.runs == 10000);
    CHECK(value.column == "bin filling");
    CHECK(value.note == "a note");
    CHECK_THROWS_WITH(
        take_package_answer(
            R"({"certificates": {}, "tables": {}, "references": [], "problems": [{"section": "reference", "item": -1,
                "key": "", "reason": "no", "suggestion": "Do.", "name": "", "known": [],
                "line": 3, "column": 7}]})",
            plan
        ),
        "sub/r.csv:3:7: no. Do."
    );
}

}  // namespace schedfarm::app::tests
