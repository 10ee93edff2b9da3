#include <bit>
#include <limits>
#include <utility>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

/// The hash after a change of every value of a column.
std::string hash_with(const char* table, const char* column, const ColumnData& data) {
    ResultFile results = example_results();
    for (Column& candidate : table_to_fill(results, table).columns) {
        if (candidate.name == column) {
            candidate.data = data;
        }
    }
    return payload_hash(results);
}

template <typename T>
std::vector<T> changed(std::vector<T> values) {
    for (T& value : values) {
        value = T(value + T(1));
    }
    return values;
}
Texts changed(const Texts& values) {
    Texts others;
    for (const std::string& value : values) {
        others.push_back(value + "x");
    }
    return others;
}

}  // namespace

TEST_CASE("the worked example of SCHEMA.md has the hash printed there") {
    ResultFile results;
    results.tables.push_back(make_table("factors"));
    add_row(
        results.tables[0],
        {{"cell", 0},
         {"factor", "policy"},
         {"label", "fcfs"},
         {"number", std::numeric_limits<double>::quiet_NaN()}}
    );
    // The stream written out by hand; the hash is that of `printf ... | sha256sum`.
    using namespace std::string_literals;
    const std::string stream =
        "schedfarm payload 1\ntable factors 1\ncolumn cell uint64\n\0\0\0\0\0\0\0\0"
        "column factor text\n\6\0\0\0\0\0\0\0policycolumn label text\n\4\0\0\0\0\0\0\0fcfs"
        "column number float64\n\0\0\0\0\0\0\xf8\x7f"s;
    CHECK(payload_hash(results) == schedfarm::engine::sha256_hex(stream));
    CHECK(
        payload_hash(results) == "a9abde43f9b7cab479b94af21a205e8abe5946b041b3b85ce42143e86405857b"
    );
}

TEST_CASE("every column in the payload changes the hash and no other does") {
    const ResultFile results = example_results();
    const std::string before = payload_hash(results);
    for (const Table& table : results.tables) {
        for (const Column& column : table.columns) {
            const ColumnData other = std::visit(
                [](const auto& values) { return ColumnData(changed(values)); }, column.data
            );
            const bool differs =
                hash_with(table.name.c_str(), column.name.c_str(), other) != before;
            CHECK_MESSAGE(differs == column.hashed, table.name << "." << column.name);
        }
    }
}

TEST_CASE("minus zero counts as zero and every NaN as the same") {
    const auto with = [](double value) {
        return hash_with("factors", "number", std::vector<double>{value, 1.0});
    };
    CHECK(with(-0.0) == with(0.0));
    const auto other_nan = std::bit_cast<double>(0xfff8000000000123U);
    CHECK(with(other_nan) == with(std::numeric_limits<double>::quiet_NaN()));
    CHECK(with(0.0) != with(5e-324));
    CHECK(with(1.0) != with(1.0 + std::numeric_limits<double>::epsilon()));
}

TEST_CASE("texts cannot move from one row to the next without being noticed") {
    CHECK(
        hash_with("factors", "label", Texts{"ab", "c"})
        != hash_with("factors", "label", Texts{"a", "bc"})
    );
}

TEST_CASE("attributes and tables outside the payload leave the hash alone") {
    ResultFile results = example_results();
    const std::string before = payload_hash(results);
    set_attribute(results, "host", "elsewhere");
    results.attributes.pop_back();
    add_row(
        table_to_fill(results, "timings"),
        {{"cell", 1}, {"replication", 5}, {"seconds", 3.0}, {"rank", 0}, {"run", 1}, {"began", 7.5}}
    );
    std::erase_if(results.tables, [](const Table& table) { return table.name == "farm"; });
    CHECK(payload_hash(results) == before);
    std::swap(results.tables[0], results.tables[3]);  // hashed in schema order, however they lie
    CHECK(payload_hash(results) == before);
}
