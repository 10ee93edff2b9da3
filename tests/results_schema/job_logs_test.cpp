#include "results_schema/job_logs.hpp"

#include <functional>

#include <doctest/doctest.h>
#include <hdf5.h>

#include "results_schema/result_io.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/table_writing.hpp"
#include "results_schema/tables/typed_columns.hpp"

#include "tests/results_schema/comparison.hpp"
#include "tests/results_schema/example_job_log.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

void write_logged(const std::filesystem::path& path) {
    write_results(path, logged_results(), source_of({example_job_log()}));
}

template <typename T>
std::vector<T>& values(Table& table, const char* name) {
    for (Column& column : table.columns) {
        if (column.name == name) {
            return std::get<std::vector<T>>(column.data);
        }
    }
    throw std::logic_error(name);
}

}  // namespace

TEST_CASE("a job log comes back from disk to the bit") {
    const TemporaryFolder folder;
    write_logged(folder / "results.h5");
    CHECK(problems_of_file(folder / "results.h5") == std::vector<std::string>());
    CHECK(logs_in(folder / "results.h5") == "1/1");
    const StoredJobLog written = example_job_log();
    const StoredJobLog read = stored_log(folder / "results.h5", {1, 1});
    CHECK(difference(written.jobs, read.jobs) == "");
    CHECK(difference(written.processors, read.processors) == "");
}

TEST_CASE("equal logs make equal files and change no payload") {
    const TemporaryFolder folder;
    write_logged(folder / "a.h5");
    write_logged(folder / "b.h5");
    CHECK(bytes_of(folder / "a.h5") == bytes_of(folder / "b.h5"));
    write_results(folder / "without.h5", logged_results());
    CHECK(logs_in(folder / "without.h5").empty());
    CHECK(
        payload_hash(read_results(folder / "a.h5"))
        == payload_hash(read_results(folder / "without.h5"))
    );
}

TEST_CASE("a log without processors is a log") {
    StoredJobLog log = example_job_log();
    log.processors = make_job_log(log.id).processors;
    const TemporaryFolder folder;
    write_results(folder / "results.h5", logged_results(), source_of({log}));
    CHECK(problems_of_file(folder / "results.h5") == std::vector<std::string>());
    CHECK(stored_log(folder / "results.h5", log.id).processors.rows() == 0);
}

TEST_CASE("a log that is no table, or cannot be made, is left out, and the others are written") {
    const TemporaryFolder folder;
    StoredJobLog torn = example_job_log();
    values<double>(torn.jobs, "start").pop_back();
    JobLogSource logs = source_of({torn});
    logs.ids = {{0, 0}, {1, 1}};
    logs.make = [&](const JobLogId& id) {
        if (id.cell == 0) {
            throw std::runtime_error("it cannot be replayed");
        }
        return torn;
    };
    const auto defects = write_results(folder / "results.h5", logged_results(), logs).defects;
    REQUIRE(defects.size() == 2);
    CHECK(defects[0].cell == 0);
    CHECK(defects[0].problem == "the job log of replication 0 is left out (it cannot be replayed)");
    CHECK(defects[1].cell == 1);
    CHECK(defects[1].problem.starts_with("the job log of replication 1 is left out (jobs/1/1: col")
    );
    CHECK(read_results(folder / "results.h5").find("defects")->rows() == 2);
    CHECK(logs_in(folder / "results.h5").empty());
}
