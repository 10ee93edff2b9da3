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

using Change = std::function<void(StoredJobLog&)>;

/// The first problem of the example log after a change.
std::string problem_after(const Change& change) {
    StoredJobLog log = example_job_log();
    change(log);
    const auto problems = job_log_problems(log, logged_results());
    return problems.empty() ? "" : problems.front();
}

Handle open_to_change(const std::filesystem::path& path) {
    return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open"};
}

void add_group(hid_t parent, const char* name) {
    const Handle group(
        H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name
    );
}

}  // namespace

TEST_CASE("a job log comes back from disk to the bit") {
    const TemporaryFolder folder;
    write_logged(folder / "results.h5");
    CHECK(check_results(folder / "results.h5") == std::vector<std::string>());
    CHECK(job_logs_in(folder / "results.h5") == std::vector<JobLogId>{{1, 1}});
    const StoredJobLog written = example_job_log();
    const StoredJobLog read = read_job_log(folder / "results.h5", {1, 1});
    CHECK(difference(written.jobs, read.jobs) == "");
    CHECK(difference(written.processors, read.processors) == "");
}

TEST_CASE("of a log of a later minor version the columns are read that this one has") {
    const TemporaryFolder folder;
    write_logged(folder / "results.h5");
    const StoredJobLog written = example_job_log();
    StoredJobLog later = written;
    later.jobs.columns.push_back(
        {"novelty", "1", "of version 2.9", false, std::vector<std::uint64_t>(3, 7)}
    );
    {
        const Handle file = open_to_change(folder / "results.h5");
        REQUIRE(H5Ldelete(file.id(), later.jobs.name.c_str(), H5P_DEFAULT) >= 0);
        write_table(file.id(), later.jobs);
        REQUIRE(H5Adelete(file.id(), "schema_version") >= 0);
        write_root_attribute(file.id(), {"schema_version", "2.9", "version"});
    }
    const StoredJobLog read = read_job_log(folder / "results.h5", {1, 1});
    CHECK(difference(written.jobs, read.jobs) == "");
    CHECK(difference(written.processors, read.processors) == "");
}

TEST_CASE("equal logs make equal files and change no payload") {
    const TemporaryFolder folder;
    write_logged(folder / "a.h5");
    write_logged(folder / "b.h5");
    CHECK(bytes_of(folder / "a.h5") == bytes_of(folder / "b.h5"));
    write_results(folder / "without.h5", logged_results());
    CHECK(job_logs_in(folder / "without.h5").empty());
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
    CHECK(check_results(folder / "results.h5") == std::vector<std::string>());
    CHECK(read_job_log(folder / "results.h5", log.id).processors.rows() == 0);
    const Handle file = open_to_change(folder / "results.h5");
    CHECK(H5Lexists(file.id(), "processors", H5P_DEFAULT) == 0);
}

TEST_CASE("what is wrong in a log is found") {
    CHECK(problem_after([](StoredJobLog&) {}) == "");
    CHECK(
        problem_after([](auto& log) { values<std::uint64_t>(log.jobs, "job")[1] = 0; })
        == "jobs/1/1: rows 0 and 1 are of the same key"
    );
    CHECK(
        problem_after([](auto& log) { log.jobs.columns.pop_back(); })
        == "jobs/1/1: column 'logged_wait' is missing"
    );
    CHECK(
        problem_after([](auto& log) { log.jobs.columns.resize(log.jobs.columns.size() - 2); })
        == "jobs/1/1: column 'offered' is missing"
    );
    CHECK(
        problem_after([](auto& log) { values<double>(log.jobs, "finish")[1] = 11; }
        ).find("jobs/1/1: its jobs have the fingerprint ")
        == 0
    );
    CHECK(
        problem_after([](auto& log) { values<double>(log.jobs, "submit")[1] = 5; })
        == "jobs/1/1 row 1: submitted at 5, started at 4, finished at 10.5"
    );
    CHECK(
        problem_after([](auto& log) { values<std::uint64_t>(log.jobs, "processors")[0] = 3; })
        == "jobs/1/1 row 0: 3 processors, but ranges of 2"
    );
    CHECK(
        problem_after([](auto& log) { values<std::uint64_t>(log.jobs, "processors")[0] = 1; })
        == "jobs/1/1 row 0: 1 processors, but ranges of 2"
    );
    StoredJobLog backwards = example_job_log();
    values<double>(backwards.jobs, "finish")[1] = 3;
    const auto problems = job_log_problems(backwards, logged_results());
    REQUIRE(problems.size() == 2);  // it has another fingerprint, too
    CHECK(problems[1] == "jobs/1/1 row 1: submitted at 0.5, started at 4, finished at 3");
    CHECK(
        problem_after([](auto& log) { values<std::uint64_t>(log.processors, "job")[3] = 9; })
        == "jobs/1/1 row 2: 4 processors, but ranges of 0"
    );
    CHECK(
        problem_after([](auto& log) {
            add_row(log.processors, {{"job", 9}, {"first", 0}, {"last", 0}});
        })
        == "processors/1/1: ranges of a job that is not there"
    );
    CHECK(
        problem_after([](auto& log) {
            log.id.replication = 7;
            log.jobs.name = "jobs/1/7";
            log.processors.name = "processors/1/7";
            log.pieces.name = "pieces/1/7";
        })
        == "jobs/1/7: replication 7 of cell 1 is not in 'replications'"
    );
}

TEST_CASE("a processor that two jobs hold at a time is found") {
    // Job 1 holds 0 to 2 from 4 to 10.5. A fourth job on 2 and 3 from 10 on is half a second early;
    // from 10.5 on, or beside it on 3 and 4, it is not.
    const auto with_fourth = [](double start, std::uint64_t first) {
        StoredJobLog log = example_job_log();
        add_row(
            log.jobs,
            {{"job", 4},
             {"submit", 1.0},
             {"start", start},
             {"finish", 12.0},
             {"service", 12 - start},
             {"processors", 2},
             {"estimate", 8.0},
             {"class", 0},
             {"user", 0},
             {"job_number", -1},
             {"offered", 1.0},
             {"logged_wait", 2.0}}
        );
        add_row(log.processors, {{"job", 4}, {"first", first}, {"last", first + 1}});
        return job_log_problems(log, logged_results());
    };
    // In any case the replication has another fingerprint, and three jobs.
    CHECK(with_fourth(10.5, 2).size() == 2);
    CHECK(with_fourth(10, 3).size() == 2);
    const auto early = with_fourth(10, 2);
    REQUIRE(early.size() == 3);
    CHECK(early[2] == "processors/1/1 row 4: job 4 gets a processor that another holds");
    // From 3 on it holds processor 3, when job 3 comes and goes on 0 to 3.
    const auto before = with_fourth(3, 3);
    REQUIRE(before.size() == 3);
    CHECK(before[2] == "processors/1/1 row 3: job 3 gets a processor that another holds");
}

TEST_CASE("a log that is wrong is written, and the file and its cell are marked") {
    StoredJobLog log = example_job_log();
    values<double>(log.jobs, "start")[0] = 1;
    const TemporaryFolder folder;
    const WrittenResults written =
        write_results(folder / "results.h5", logged_results(), source_of({log}));
    REQUIRE(written.defects.size() == 1);
    CHECK(written.defects[0].cell == 1);
    CHECK(written.defects[0].problem.starts_with("jobs/1/1: its jobs have the fingerprint "));
    const ResultFile read = read_results(folder / "results.h5");
    CHECK(column_of<Integers>(*read.find("defects"), "cell") == Integers{1});
    CHECK(column_of<Texts>(*read.find("defects"), "problem")[0] == written.defects[0].problem);
    CHECK(payload_hash(read) == written.payload_hash);
    CHECK(job_logs_in(folder / "results.h5") == std::vector<JobLogId>{{1, 1}});
    CHECK_THROWS_AS(read_job_log(folder / "results.h5", {1, 1}), ResultError);
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
    CHECK(job_logs_in(folder / "results.h5").empty());
}

TEST_CASE("the pieces of a job's time are held against the job and against one another") {
    // Job 0 from 0 to 4 on 0 and 2; job 1 from 4 to 6 on 0-2, and from 7 to 10.5 on 1-3; job 3
    // at 4.
    const auto piece = [](StoredJobLog& log,
                          std::uint64_t job,
                          std::uint64_t index,
                          double begin,
                          double end,
                          std::uint64_t first,
                          std::uint64_t last) {
        add_row(
            log.pieces,
            {{"job", job},
             {"piece", index},
             {"begin", begin},
             {"end", end},
             {"first", first},
             {"last", last}}
        );
    };
    StoredJobLog log = example_job_log();
    log.processors = make_job_log(log.id).processors;
    piece(log, 0, 0, 0, 4, 0, 0);
    piece(log, 0, 0, 0, 4, 2, 2);
    piece(log, 1, 0, 4, 6, 0, 2);
    piece(log, 1, 1, 7, 10.5, 1, 3);
    piece(log, 3, 0, 4, 4, 0, 3);
    const auto after = [&](const Change& change) {
        StoredJobLog changed = log;
        change(changed);
        const auto problems = job_log_problems(changed, logged_results());
        return problems.empty() ? "" : problems.front();
    };
    const TemporaryFolder folder;
    CHECK(write_results(folder / "results.h5", logged_results(), source_of({log})).defects.empty());
    CHECK(difference(read_job_log(folder / "results.h5", log.id).pieces, log.pieces) == "");
    CHECK(
        after([](auto& own) { values<std::uint64_t>(own.pieces, "last")[3] = 4; })
        == "jobs/1/1 row 1: 3 processors, but ranges of 4"
    );
    CHECK(
        after([](auto& own) { values<double>(own.pieces, "end")[1] = 3; })
        == "jobs/1/1 row 0: 2 processors, but ranges of 1"
    );
    CHECK(
        after([](auto& own) { values<double>(own.pieces, "begin")[3] = 5; })
        == "pieces/1/1 row 2: held from 4 to 6, before 5"
    );
    CHECK(
        after([](auto& own) { values<double>(own.pieces, "end")[3] = 10; })
        == "pieces/1/1 row 3: held from 7 to 10, before 10.5"
    );
    CHECK(
        after([](auto& own) { values<double>(own.pieces, "begin")[2] = 6.5; })
        == "pieces/1/1 row 2: held from 6.5 to 6, before 7"
    );
    CHECK(
        after([&](auto& own) { piece(own, 7, 0, 1, 2, 0, 0); })
        == "pieces/1/1: ranges of a job that is not there"
    );
    // What an outage cut lies before the start; there, job 3 comes and goes on 2.
    CHECK(
        after([&](auto& own) {
            own.pieces = make_job_log(own.id).pieces;
            piece(own, 0, 0, 0, 4, 0, 0);
            piece(own, 0, 0, 0, 4, 2, 2);
            piece(own, 1, 0, 1, 3, 3, 5);
            piece(own, 1, 1, 4, 10.5, 1, 3);
            piece(own, 3, 0, 4, 4, 0, 3);
        })
        == ""
    );
    CHECK(
        after([&](auto& own) {
            own.pieces = make_job_log(own.id).pieces;
            piece(own, 0, 0, 0, 4, 0, 0);
            piece(own, 0, 0, 0, 4, 2, 2);
            piece(own, 1, 0, 1, 3, 2, 4);
            piece(own, 1, 1, 4, 10.5, 1, 3);
            piece(own, 3, 0, 4, 4, 0, 3);
        })
        == "pieces/1/1 row 2: job 1 gets a processor that another holds"
    );
}

TEST_CASE("what is no log in the groups of logs is told by the check") {
    const TemporaryFolder folder;
    write_logged(folder / "results.h5");
    {
        const Handle file = open_to_change(folder / "results.h5");
        add_group(file.id(), "jobs/notes");
        add_group(file.id(), "jobs/1/x");
        add_group(file.id(), "jobs/01");
        REQUIRE(H5Ldelete(file.id(), "jobs/1/1", H5P_DEFAULT) >= 0);
    }
    CHECK(
        check_results(folder / "results.h5")
        == std::vector<std::string>{
            "'jobs/01' is not in the schema",
            "'jobs/1/x' is not in the schema",
            "'jobs/notes' is not in the schema",
            "processors/1/1: there is no log of its jobs"}
    );
}

TEST_CASE("a log that is no table makes the check fail and not the reading of the tables") {
    const TemporaryFolder folder;
    write_logged(folder / "results.h5");
    {
        const Handle file = open_to_change(folder / "results.h5");
        add_group(file.id(), "jobs/1/0");
    }
    CHECK(read_results(folder / "results.h5").tables.size() == logged_results().tables.size());
    CHECK_THROWS_AS(check_results(folder / "results.h5"), ResultError);
    CHECK_THROWS_AS(read_job_log(folder / "results.h5", {1, 0}), ResultError);
    CHECK_THROWS_AS(read_job_log(folder / "results.h5", {0, 0}), ResultError);
}
