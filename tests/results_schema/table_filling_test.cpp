#include "results_schema/tables/table_filling.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/stored_text.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using schedfarm::engine::ContractViolation;

TEST_CASE("a row is filled by name in any order with integers converted where they fit") {
    Table table = make_table("timings");
    add_row(
        table,
        {{"rank", 2},
         {"began", 3},
         {"seconds", 1},
         {"run", 1},
         {"replication", std::int64_t{7}},
         {"cell", 0U}}
    );
    REQUIRE(table.rows() == 1);
    CHECK(std::get<std::vector<std::uint64_t>>(table.at("replication").data)[0] == 7);
    CHECK(std::get<std::vector<double>>(table.at("seconds").data)[0] == 1.0);
    CHECK(std::get<std::vector<std::uint64_t>>(table.at("rank").data)[0] == 2);
}

TEST_CASE("a row that misses or repeats a column or has a wrong type is a contract violation") {
    const auto attempt = [](const std::vector<NamedValue>& row) {
        Table table = make_table("timings");
        add_row(table, row);
    };
    CHECK_THROWS_AS(
        attempt({{"cell", 0}, {"replication", 0}, {"seconds", 1.0}}), ContractViolation
    );
    CHECK_THROWS_AS(attempt({{"cell", 0}, {"cell", 0}}), ContractViolation);
    CHECK_THROWS_AS(attempt({{"cell", -1}}), ContractViolation);
    CHECK_THROWS_AS(attempt({{"cell", 1.5}}), ContractViolation);
    CHECK_THROWS_AS(attempt({{"cell", "1"}}), ContractViolation);
    CHECK_THROWS_AS(attempt({{"seconds", "1"}}), ContractViolation);
    CHECK_THROWS_AS(attempt({{"sell", 1}}), ContractViolation);
    // Nothing is missing, and one value is too many or does not fit.
    const std::vector<NamedValue> whole = {
        {"cell", 0}, {"replication", 0}, {"seconds", 1.0}, {"rank", 1}, {"run", 1}, {"began", 1}};
    CHECK_NOTHROW(attempt(whole));
    std::vector<NamedValue> repeated = whole;
    repeated.push_back({"cell", 0});
    CHECK_THROWS_AS(attempt(repeated), ContractViolation);
    std::vector<NamedValue> negative = whole;
    negative[0] = {"cell", -1};
    CHECK_THROWS_AS(attempt(negative), ContractViolation);
    CHECK_THROWS_AS(make_table("cell"), ContractViolation);
}

TEST_CASE("observations that a row leaves out are NaN and so are those of earlier rows") {
    Table table = make_table("replications");
    const auto add = [&](int replication, std::vector<NamedValue> observations) {
        observations.insert(
            observations.end(),
            {NamedValue{"cell", 0},
             NamedValue{"replication", replication},
             NamedValue{"fingerprint", 0},
             NamedValue{"jobs", 1}}
        );
        add_row(table, observations);
    };
    add(0, {});
    add_observation_column(table, "x", "1", "first");
    add_observation_column(table, "x", "time", "ignored: it is there already");
    add_observation_column(table, "y", "1", "second");
    add(1, {{"y", 2.5}});
    const auto& x = std::get<std::vector<double>>(table.at("x").data);
    const auto& y = std::get<std::vector<double>>(table.at("y").data);
    CHECK(std::isnan(x[0]));
    CHECK(std::isnan(x[1]));
    CHECK(std::isnan(y[0]));
    CHECK(y[1] == 2.5);
    CHECK(table.at("x").unit == "1");
    CHECK(table.columns.size() == 6);
}

TEST_CASE("an attribute is set once with the type that the schema wants") {
    ResultFile results;
    set_attribute(results, "seed", "1");
    set_attribute(results, "seed", "2");
    REQUIRE(results.attributes.size() == 1);
    CHECK(std::get<std::string>(results.attributes[0].value) == "2");
    CHECK(results.attributes[0].meaning == "seed of the campaign, decimal");
    CHECK_THROWS_AS(set_attribute(results, "seed", std::int64_t{1}), ContractViolation);
    CHECK_THROWS_AS(set_attribute(results, "sead", "1"), ContractViolation);
}

TEST_CASE("a column that is not there is an error that names the table") {
    CHECK_THROWS_WITH_AS(
        make_table("cells").at("cel"), "table 'cells' has no column 'cel'", ResultError
    );
}

TEST_CASE("stored text keeps valid UTF-8 and replaces every other byte") {
    const std::string mark = "\xEF\xBF\xBD";
    CHECK(stored_text("") == "");
    CHECK(stored_text("plain\n") == "plain\n");
    CHECK(stored_text("ρ € 𝄞") == "ρ € 𝄞");  // 2, 3 and 4 bytes
    CHECK(stored_text(std::string_view("\0", 1)) == mark);
    CHECK(stored_text("\xC0\x80") == mark + mark);                           // overlong NUL
    CHECK(stored_text("\xE0\x80\xAF") == mark + mark + mark);                // overlong /
    CHECK(stored_text("\xED\xA0\x80") == mark + mark + mark);                // a surrogate
    CHECK(stored_text("\xED\xB0\x80") == mark + mark + mark);                // a low one
    CHECK(stored_text("\xF0\x80\x80\xAF") == mark + mark + mark + mark);     // overlong /, of 4
    CHECK(stored_text(std::string_view("\xE2\x82\xAC", 2)) == mark + mark);  // cut within €
    CHECK(stored_text("\xF4\x90\x80\x80") == mark + mark + mark + mark);     // above U+10FFFF
    CHECK(stored_text("a\xE2\x82") == "a" + mark + mark);                    // cut short
    CHECK(
        stored_text("\xE2"
                    "a")
        == mark + "a"
    );
    CHECK(stored_text(stored_text("\xFFz")) == stored_text("\xFFz"));
}
