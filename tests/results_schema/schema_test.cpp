// The schema against its page.
#include "results_schema/schema.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"

#include "tests/results_schema/schema_markdown.hpp"
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

TEST_CASE("the generated part of SCHEMA.md is up to date") {
    const std::string page = bytes_of(in_room("SCHEMA.md"));
    const std::string mark = "<!-- generated -->\n\n";
    const std::size_t begin = page.find(mark);
    REQUIRE(begin != std::string::npos);
    const bool is_current = page.substr(begin + mark.size()) == schema_markdown();
    CHECK_MESSAGE(is_current, "replace it by the output of `schedfarm_write_example markdown`");
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
