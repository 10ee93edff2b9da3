// What of a journal is on the disk when, by the calls that bring it there: a machine that fails
// loses nothing else.
#include <doctest/doctest.h>

#include "engine/farm/journal/journal.hpp"

#include "tests/engine/farm/journal_support.hpp"
#include "tests/support/file_bytes.hpp"
#include "tests/support/sync_log.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

using Log = std::vector<Synced>;

Synced folder_of(const std::filesystem::path& path) {
    return {path.parent_path().filename().string()};
}

Synced file_of(const std::filesystem::path& path) {
    return {path.filename().string(), std::filesystem::file_size(path)};
}

}  // namespace

TEST_CASE("a new journal is on the disk with its header, then its name is") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    take_synced();
    const auto journal = Journal::create(path, sample_header());
    CHECK(take_synced() == Log{file_of(path), folder_of(path)});
}

TEST_CASE("records reach the disk with the sync that follows them and not one by one") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    const auto journal = Journal::create(path, sample_header());
    take_synced();
    journal->append_intent({1});
    journal->append_result(sample_result(1));
    CHECK(take_synced().empty());
    journal->sync();
    CHECK(take_synced() == Log{file_of(path)});
}

TEST_CASE("a torn tail is gone from the disk before anything follows it") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header())->append_result(sample_result(1));
    const Synced good = file_of(path);
    write_file(path, bytes_of(path) + "torn");
    take_synced();
    const auto journal = Journal::reopen(path, read_journal(path));
    CHECK(take_synced() == Log{good});
}

TEST_CASE("what is cut off a damaged journal is on the disk elsewhere before it is cut") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header())->append_result(sample_result(1));
    const Synced good = file_of(path);
    Journal::reopen(path, read_journal(path))->append_result(sample_result(2));
    std::string bytes = bytes_of(path);
    bytes.back() ^= 1;
    write_file(path, bytes);
    Journal::create(folder / "b.journal", sample_header())->append_intent({7});
    const std::string other = bytes_of(folder / "b.journal");
    write_file(path, bytes + other.substr(other.size() - 17));  // its intent, whole
    take_synced();
    const auto journal = Journal::reopen(path, read_journal(path));
    CHECK(take_synced() == Log{file_of(damaged_path(path)), folder_of(path), good});
}
