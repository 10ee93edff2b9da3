// The schema against its page.
#include "results_schema/schema.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "results_schema/job_logs.hpp"
#include "results_schema/result_io.hpp"

#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

std::filesystem::path in_room(const char* name) {
    return std::filesystem::path(SCHEDFARM_SOURCE_DIR) / "results_schema" / name;
}

bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
}

}  // namespace

TEST_CASE("the tables of the page are read as they stand there") {
    const TableSchema& cells = schema_tables().front();
    CHECK(cells.name == "cells");
    CHECK(cells.meaning == "one row per cell: what it simulates and how it ended");
    CHECK(cells.presence == Presence::required);
    CHECK(cells.key == std::vector<std::string>{"cell"});
    CHECK(cells.order == RowOrder::strictly_increasing);
    CHECK(cells.extra == ExtraColumns::none);
    REQUIRE(cells.columns.size() == 18);
    const ColumnSchema& computed = cells.columns[8];
    CHECK(computed.name == "replications_computed");
    CHECK(computed.type == ColumnType::count);
    CHECK(computed.unit == "1");
    CHECK(!computed.hashed);
    CHECK(computed.example == "412");
    const ColumnSchema& status = cells.columns[10];
    CHECK(status.type == ColumnType::text);
    CHECK(status.hashed);
    CHECK(status.meaning.ends_with("was decided, or by a clock"));
    CHECK(status.words.size() == 16);
    CHECK(status.words.front() == "met");
    CHECK(status.words.back() == "provisional");
    CHECK(find_table_schema("comparisons")->order == RowOrder::any);
    CHECK(find_table_schema("comparisons")->key.empty());
    CHECK(find_table_schema("comparisons")->presence == Presence::optional);
    CHECK(find_table_schema("factors")->order == RowOrder::non_decreasing);
    CHECK(find_table_schema("replications")->extra == ExtraColumns::observations);
    CHECK(find_table_schema("timings")->key == std::vector<std::string>{"cell", "replication"});
}

TEST_CASE("attributes and the tables of job logs are read as they stand on the page") {
    CHECK(schema_attributes().front().name == "filetype");
    CHECK(schema_attributes().front().origin == Origin::writer);
    CHECK(schema_attributes().front().presence == Presence::required);
    CHECK(find_attribute_schema("ranks")->type == ColumnType::integer);
    CHECK(find_attribute_schema("ranks")->origin == Origin::caller);
    CHECK(find_attribute_schema("time_unit")->presence == Presence::optional);
    CHECK(find_attribute_schema("report_figures")->example == "--kind=curve --by=policy");
    REQUIRE(job_log_schema().size() == 3);
    CHECK(job_log_schema()[0].name == "jobs");
    CHECK(job_log_schema()[0].columns.size() == 12);
    CHECK(job_log_schema()[0].columns[5].unit == "processors");
    CHECK(job_log_schema()[1].name == "processors");
    CHECK(find_table_schema("processors/3/17") == &job_log_schema()[1]);
    CHECK(job_log_schema()[2].name == "pieces");
}

TEST_CASE("SCHEMA.md names the version and shows the hash of its worked example") {
    const std::string page = bytes_of(in_room("SCHEMA.md"));
    const std::string title = "# The result file, schema version " + std::to_string(schema_major)
                              + "." + std::to_string(schema_minor) + "\n";
    CHECK(page.rfind(title, 0) == 0);
    CHECK(
        page.find("a9abde43f9b7cab479b94af21a205e8abe5946b041b3b85ce42143e86405857b")
        != std::string::npos
    );
}

TEST_CASE("every column has a meaning in ASCII and every number a unit and an example") {
    for (const TableSchema& table : schema_tables()) {
        CHECK(!table.meaning.empty());
        CHECK(is_ascii(table.meaning));
        std::set<std::string> names;
        for (const ColumnSchema& column : table.columns) {
            const std::string name = table.name + "." + column.name;
            CHECK_MESSAGE(names.insert(column.name).second, name);
            CHECK_MESSAGE(!column.meaning.empty(), name);
            CHECK_MESSAGE(
                is_ascii(column.meaning), name
            );  // h5dump prints other characters in octal
            CHECK_MESSAGE((column.type == ColumnType::text) == column.unit.empty(), name);
            CHECK_MESSAGE((column.type == ColumnType::text || !column.example.empty()), name);
        }
    }
    for (const AttributeSchema& attribute : schema_attributes()) {
        CHECK_MESSAGE(!attribute.meaning.empty(), attribute.name);
        CHECK_MESSAGE(!attribute.example.empty(), attribute.name);
    }
}

TEST_CASE("the payload is what a campaign computes and nothing of when or where") {
    for (const char* name : {"known_values", "reference", "failures", "timings", "farm"}) {
        for (const ColumnSchema& column : find_table_schema(name)->columns) {
            CHECK_MESSAGE(!column.hashed, name << "." << column.name);
        }
    }
    for (const TableSchema& table : schema_tables()) {
        for (const ColumnSchema& column : table.columns) {
            for (const char* word : {"seconds", "host", "rank", "computed", "message"}) {
                CHECK((column.name.find(word) == std::string::npos || !column.hashed));
            }
        }
    }
}
