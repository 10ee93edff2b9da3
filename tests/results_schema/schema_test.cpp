// The schema against its page, and the stored files of every version against the reader.
#include "results_schema/schema.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"
#include "results_schema/schema_history.hpp"
#include "results_schema/validation.hpp"

#include "tests/results_schema/example_results.hpp"
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

TEST_CASE("the stored file of version 1.0 is read for ever") {
    const auto path = in_room("samples/version_1_0.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.0");
    CHECK(std::get<std::string>(stored.attribute("campaign_name")->value) == "Table 1");
    CHECK(std::get<std::int64_t>(stored.attribute("ranks")->value) == 9);
    const Table& replications = *stored.find("replications");
    REQUIRE(replications.rows() == 5);
    CHECK(std::get<std::vector<std::uint64_t>>(replications.at("fingerprint").data)[0] == ~0ULL);
    CHECK(std::get<std::vector<double>>(replications.at("response_time.mean").data)[2] == 5e-324);
    CHECK(
        std::get<std::vector<std::string>>(stored.find("cells")->at("label").data)[0]
        == "fcfs, ρ = 0.7"
    );
    CHECK(
        std::get<std::string>(stored.attribute("payload_hash")->value)
        == "ff27ce348f12172da1a3a1225ec8603361159b7754da6455947f6aed6f520173"
    );
    CHECK(
        payload_hash(stored) == "ff27ce348f12172da1a3a1225ec8603361159b7754da6455947f6aed6f520173"
    );
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("the stored file of version 1.1 is read for ever") {
    const auto path = in_room("samples/version_1_1.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.1");
    REQUIRE(stored.tables.size() == 19);
    for (const Table& table : stored.tables) {
        CHECK_MESSAGE(table.rows() > 0, table.name);
    }
    const Table& comparisons = *stored.find("comparisons");
    CHECK(std::get<std::vector<double>>(comparisons.at("adjusted_p").data)[0] == 3e-9);
    const Table& sketches = *stored.find("sketches");
    CHECK(
        std::get<std::vector<std::int64_t>>(sketches.at("bucket").data)
        == std::vector<std::int64_t>{-2147483648, 1, 38}
    );
    CHECK(
        payload_hash(stored) == "073443430ded65d3b8a041fca78f098fd08a4109390f61d9ec187456e4b9ef1f"
    );
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("the stored file of version 1.2 is read for ever") {
    const auto path = in_room("samples/version_1_2.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.2");
    const Table& timings = *stored.find("timings");
    CHECK(
        std::get<std::vector<std::uint64_t>>(timings.at("run").data)
        == std::vector<std::uint64_t>{1, 1, 2, 0}
    );
    CHECK(std::get<std::vector<double>>(timings.at("began").data)[1] == 0.52);
    const Table& farm = *stored.find("farm");
    CHECK(std::get<std::vector<double>>(farm.at("dispatch").data)[0] == 0.02);
    CHECK(std::get<std::vector<double>>(farm.at("io").data)[0] == 0.3);
    CHECK(
        payload_hash(stored) == "073443430ded65d3b8a041fca78f098fd08a4109390f61d9ec187456e4b9ef1f"
    );
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("the stored file of version 1.3 is read for ever") {
    const auto path = in_room("samples/version_1_3.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.3");
    CHECK(std::get<std::string>(stored.attribute("payload_hash")->value) == payload_hash(stored));
    CHECK(job_logs_in(path) == std::vector<JobLogId>{{1, 1}});
    const StoredJobLog log = read_job_log(path, {1, 1});
    CHECK(
        std::get<std::vector<double>>(log.jobs.at("finish").data) == std::vector<double>{4, 10.5, 4}
    );
    CHECK(
        std::get<std::vector<std::uint64_t>>(log.processors.at("last").data)
        == std::vector<std::uint64_t>{0, 2, 2, 3}
    );
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("the stored file of version 1.4 is read for ever") {
    const auto path = in_room("samples/version_1_4.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.4");
    CHECK(std::get<std::string>(stored.attribute("payload_hash")->value) == payload_hash(stored));
    CHECK(
        std::get<std::vector<std::string>>(stored.find("claims")->at("verdict").data)
        == std::vector<std::string>{"holds", "undecided"}
    );
    CHECK(
        std::get<std::vector<double>>(stored.find("claim_values")->at("value").data)
        == std::vector<double>{0.4, 0.5, 1.1}
    );
    CHECK(stored.find("quantities")->rows() == 2);
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("the stored file of version 1.5 is read for ever") {
    const auto path = in_room("samples/version_1_5.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.5");
    CHECK(std::get<std::string>(stored.attribute("payload_hash")->value) == payload_hash(stored));
    CHECK(
        std::get<std::vector<std::string>>(stored.find("job_classes")->at("name").data)
        == std::vector<std::string>{"interactive", "1 to 4 processors"}
    );
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("the stored file of version 1.6 is read for ever") {
    const auto path = in_room("samples/version_1_6.h5");
    const ResultFile stored = read_results(path);
    CHECK(std::get<std::string>(stored.attribute("schema_version")->value) == "1.6");
    CHECK(std::get<std::string>(stored.attribute("payload_hash")->value) == payload_hash(stored));
    const StoredJobLog log = read_job_log(path, {1, 1});
    CHECK(
        std::get<std::vector<std::int64_t>>(log.jobs.at("job_number").data)
        == std::vector<std::int64_t>{100, 101, 103}
    );
    CHECK(check_results(path) == std::vector<std::string>());
}

TEST_CASE("a file is held against the version that it names") {
    const ResultFile later = example_results();
    const auto& earlier = schema_tables_of(0);
    CHECK(earlier.size() == 11);
    const std::vector<std::string> problems = structural_problems(later, earlier);
    CHECK(
        std::find(problems.begin(), problems.end(), "table 'quantiles' is not in the schema")
        != problems.end()
    );
    std::vector<std::string> later_than_1_2 = structural_problems(later, schema_tables_of(2));
    REQUIRE(!later_than_1_2.empty());
    CHECK(later_than_1_2.front().rfind("cells.status: meaning", 0) == 0);
    later_than_1_2.erase(later_than_1_2.begin());
    CHECK(
        later_than_1_2
        == std::vector<std::string>{
            "table 'utilization_series' is not in the schema",
            "table 'users' is not in the schema",
            "table 'job_classes' is not in the schema",
            "table 'quantities' is not in the schema",
            "table 'claims' is not in the schema",
            "table 'claim_values' is not in the schema"}
    );
    CHECK(structural_problems(read_results(in_room("samples/version_1_0.h5")), earlier).empty());
    CHECK_FALSE(structural_problems(read_results(in_room("samples/version_1_0.h5"))).empty());
}
