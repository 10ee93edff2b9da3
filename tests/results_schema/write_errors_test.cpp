// What can go wrong between the results and their place on disk: in every case one clear error, no
// temporary file left, and an older file of that name as it was.
#include <array>
#include <functional>
#include <iterator>

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/foundation/expect.hpp"

#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/sync_log.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)
namespace fs = std::filesystem;

namespace {

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator())
    );
}

std::string error_of_writing(const fs::path& path) {
    try {
        write_results(path, example_results());
    } catch (const ResultError& error) {
        return error.what();
    }
    return "no error";
}

/// Runs in a child process, whose limits and user may change; the text it returns comes back.
std::string in_child(const std::function<std::string()>& action) {
    std::array<int, 2> channel{};
    REQUIRE(::pipe(channel.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string text = action();
        const ssize_t written = ::write(channel[1], text.data(), text.size());
        ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    ::close(channel[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = ::read(channel[0], buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::close(channel[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK_MESSAGE(status == 0, "the child ended with status " << status);
    return text;
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a limit on file sizes is an error and the older file stays") {
    const TemporaryFolder folder;
    put_bytes(folder / "results.h5", "the older file");
    const std::string error = in_child([&] {
        const FileSizeLimit limit(8192);
        return error_of_writing(folder / "results.h5");
    });
    CHECK(contains(error, "results.h5: the results cannot be written (File too large)"));
    CHECK(contains(error, "schedfarm rebuild"));
    CHECK(bytes_of(folder / "results.h5") == "the older file");
    CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a full disk is an error and the older file stays") {
    const TemporaryFolder folder;
    const fs::path disk = folder / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=40k") != 0) {
        MESSAGE(
            "skipped: no right to mount a small disk; the test of the size limit goes the same way"
        );
        return;
    }
    put_bytes(disk / "results.h5", "the older file");
    const std::string error = error_of_writing(disk / "results.h5");
    const std::string older = bytes_of(disk / "results.h5");
    const std::size_t files = files_in(disk);
    CHECK(::umount(disk.c_str()) == 0);
    CHECK(contains(error, "cannot be written (No space left on device)"));
    CHECK(older == "the older file");
    CHECK(files == 1);
}

TEST_CASE("a folder without permission is an error") {
    const TemporaryFolder folder;
    REQUIRE(::chmod(folder.path().c_str(), 0555) == 0);
    const std::string error = in_child([&] {
        if (::geteuid() == 0 && ::setuid(65534) != 0) {
            return std::string("cannot give up root");
        }
        return error_of_writing(folder / "results.h5");
    });
    ::chmod(folder.path().c_str(), 0755);
    CHECK(contains(error, "cannot be written (Permission denied)"));
    CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a folder that does not exist is an error") {
    const TemporaryFolder folder;
    CHECK(
        contains(error_of_writing(folder / "absent" / "results.h5"), "(No such file or directory)")
    );
}

TEST_CASE("a folder or a device in place of the file is refused and stays") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "results.h5");
    CHECK(contains(error_of_writing(folder / "results.h5"), "not a regular file"));
    CHECK(fs::is_directory(folder / "results.h5"));
    CHECK(contains(error_of_writing("/dev/null"), "not a regular file"));
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a symbolic link is followed and stays a link") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "far");
    fs::create_symlink(folder / "far" / "file.h5", folder / "results.h5");
    write_results(folder / "results.h5", example_results());
    CHECK(fs::is_symlink(folder / "results.h5"));
    CHECK(fs::is_regular_file(folder / "far" / "file.h5"));
    write_results(folder / "results.h5", example_results());
    CHECK(problems_of_file(folder / "far" / "file.h5").empty());
    CHECK(files_in(folder.path()) == 2);
    fs::create_symlink("circle.h5", folder / "circle.h5");
    CHECK(contains(error_of_writing(folder / "circle.h5"), "Too many levels of symbolic links"));
}

TEST_CASE("results are on the disk before they have their name, and then their name is") {
    const TemporaryFolder folder;
    const fs::path path = folder / "results.h5";
    take_synced();
    write_results(path, example_results());
    const std::vector<Synced> synced = take_synced();
    REQUIRE(synced.size() == 2);
    CHECK(synced[0].name.starts_with("results.h5."));
    CHECK(synced[0].bytes == fs::file_size(path));
    CHECK(synced[1] == Synced{folder.path().filename().string()});
}

TEST_CASE("another name of an older file keeps the older content") {
    const TemporaryFolder folder;
    put_bytes(folder / "precious", "precious");
    fs::create_hard_link(folder / "precious", folder / "results.h5");
    write_results(folder / "results.h5", example_results());
    CHECK(bytes_of(folder / "precious") == "precious");
    CHECK(problems_of_file(folder / "results.h5").empty());
}

TEST_CASE("a file is written over an older one with the permissions of the user's mask") {
    const TemporaryFolder folder;
    const mode_t before = ::umask(027);
    put_bytes(folder / "results.h5", "the older file");
    write_results(folder / "results.h5", example_results());
    ::umask(before);
    CHECK(problems_of_file(folder / "results.h5").empty());
    CHECK(
        (fs::status(folder / "results.h5").permissions() & fs::perms::all)
        == (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read)
    );
    CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("attributes that do not follow the schema are a contract violation and write nothing") {
    const TemporaryFolder folder;
    ResultFile results = example_results();
    results.attributes.pop_back();
    CHECK_THROWS_WITH_AS(
        write_results(folder / "results.h5", results),
        doctest::Contains("is missing"),
        schedfarm::engine::ContractViolation
    );
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("tables that do not follow the schema are left out, and the file says so") {
    const TemporaryFolder folder;
    ResultFile results = example_results();
    results.tables.pop_back();
    std::size_t tables = 0;
    for (Table& table : results.tables) {
        if (table.name == "stability" || table.name == "estimates") {
            table.columns.front().unit = "parsec";
            ++tables;
        }
    }
    REQUIRE(tables == 2);
    const WrittenResults written = write_results(folder / "results.h5", results);
    const ResultFile read = read_results(folder / "results.h5");
    REQUIRE(written.defects.size() == 3);
    CHECK(written.defects[0].problem == "estimates.cell: unit 'parsec' is not '1'");
    CHECK(written.defects[1].problem == "stability.cell: unit 'parsec' is not '1'");
    CHECK(written.defects[2].problem == "table 'farm' is missing");
    CHECK(read.find("stability") == nullptr);
    CHECK(read.find("estimates")->rows() == 0);
    CHECK(read.find("farm")->rows() == 0);
    CHECK(read.find("cells")->rows() == example_results().find("cells")->rows());
    CHECK(read.find("defects")->rows() == 3);
}
