#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/comparison.hpp"
#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/fillable_results.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

ResultFile through_disk(const ResultFile& results) {
    const TemporaryFolder folder;
    write_results(folder / "results.h5", results);
    CHECK(problems_of_file(folder / "results.h5") == std::vector<std::string>());
    return read_results(folder / "results.h5");
}

std::string text_of(const ResultFile& results, const char* name) {
    return std::get<std::string>(results.attribute(name)->value);
}

}  // namespace

TEST_CASE("every table comes back from disk to the bit") {
    const ResultFile written = example_results();
    const ResultFile read = through_disk(written);
    REQUIRE(read.tables.size() + 1 == schema_tables().size());  // of a good file, without `defects`
    REQUIRE(written.tables.size() + 1 == schema_tables().size());
    for (std::size_t i = 0; i < written.tables.size(); ++i) {
        CHECK(written.tables[i].rows() > 0);
        CHECK(difference(written.tables[i], read.tables[i]) == "");
    }
}

TEST_CASE("every attribute comes back with its meaning and the writer adds four") {
    const ResultFile written = example_results();
    const ResultFile read = through_disk(written);
    CHECK(read.attributes.size() == written.attributes.size() + 4);
    for (const Attribute& attribute : written.attributes) {
        REQUIRE(read.attribute(attribute.name) != nullptr);
        CHECK(read.attribute(attribute.name)->value == attribute.value);
        CHECK(read.attribute(attribute.name)->meaning == attribute.meaning);
    }
    CHECK(text_of(read, "filetype") == "schedfarm results");
    CHECK(text_of(read, "schema_version") == "3.0");
    CHECK(text_of(read, "payload_hash") == payload_hash(written));
    CHECK(text_of(read, "hdf5_version").substr(0, 2) == "1.");
}

TEST_CASE("tables without rows come back empty with their columns") {
    ResultFile written = make_results();
    set_example_attributes(written);
    const ResultFile read = through_disk(written);
    REQUIRE(read.tables.size() == written.tables.size());
    CHECK(read.find("comparisons") == nullptr);
    for (std::size_t i = 0; i < written.tables.size(); ++i) {
        CHECK(read.tables[i].rows() == 0);
        CHECK(difference(written.tables[i], read.tables[i]) == "");
    }
}

TEST_CASE("a campaign of a megabyte and a message of 100 kB come back whole") {
    ResultFile written = example_results();
    std::string campaign;
    while (campaign.size() < (1U << 20)) {
        campaign += "line " + std::to_string(campaign.size()) + "\n";
    }
    set_attribute(written, "campaign", campaign);
    set_attribute(written, "campaign_hash", schedfarm::engine::sha256_hex(campaign));
    const std::string message(100000, 'x');
    add_row(
        table_to_fill(written, "failures"),
        {{"cell", 1},
         {"replication", 2},
         {"status", "crashed"},
         {"message", message},
         {"replay", ""}}
    );
    const ResultFile read = through_disk(written);
    CHECK(text_of(read, "campaign") == campaign);
    const auto& messages = std::get<Texts>(read.find("failures")->at("message").data);
    CHECK(messages.back() == message);
    CHECK(messages.front() == "service time is negative");
}

TEST_CASE("a text that is not UTF-8 is stored with replacements and the hash is of what is stored"
) {
    ResultFile written = example_results();
    Table& cells = table_to_fill(written, "cells");
    auto& labels = std::get<Texts>(cells.columns[1].data);
    labels.set(0, std::string("a\0b\xff", 4));
    const ResultFile read = through_disk(written);
    const auto& stored = std::get<Texts>(read.find("cells")->at("label").data);
    CHECK(stored[0] == "a\xEF\xBF\xBD" "b\xEF\xBF\xBD");
    CHECK(text_of(read, "payload_hash") == payload_hash(read));
}

TEST_CASE("100000 replications come back") {
    const ResultFile written = many_replications(100000);
    const ResultFile read = through_disk(written);
    CHECK(difference(*written.find("replications"), *read.find("replications")) == "");
}

TEST_CASE("300 observation columns come back and too many are refused with a reason") {
    ResultFile written = many_replications(3);
    Table& table = table_to_fill(written, "replications");
    for (int i = 0; i < 300; ++i) {
        add_observation_column(table, "metric" + std::to_string(i), "1", "number");
    }
    const ResultFile read = through_disk(written);
    CHECK(difference(table, *read.find("replications")) == "");
    for (int i = 300; i < 5000; ++i) {
        add_observation_column(table, "metric" + std::to_string(i), "1", "number");
    }
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(
        write_results(folder / "results.h5", written),
        doctest::Contains("object header message is too large"),
        ResultError
    );
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("equal results make equal bytes and a file that was read is written as it was") {
    const TemporaryFolder folder;
    write_results(folder / "a.h5", example_results());
    std::this_thread::sleep_for(std::chrono::milliseconds(1100)
    );  // another second: no dates inside
    write_results(folder / "b.h5", example_results());
    CHECK(bytes_of(folder / "a.h5") == bytes_of(folder / "b.h5"));
    write_results(folder / "c.h5", read_results(folder / "a.h5"));
    CHECK(bytes_of(folder / "a.h5") == bytes_of(folder / "c.h5"));
}
