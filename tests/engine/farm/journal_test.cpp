#include "engine/farm/journal/journal.hpp"

#include <chrono>
#include <fstream>
#include <span>
#include <string_view>
#include <thread>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "engine/farm/journal/crc32c.hpp"
#include "engine/farm/journal/journal_format.hpp"
#include "engine/farm/processes/drain_notice.hpp"
#include "engine/farm/task_codec.hpp"

#include "tests/engine/farm/journal_support.hpp"
#include "tests/support/file_bytes.hpp"
#include "tests/support/file_size_limit.hpp"

using namespace schedfarm::engine;     // NOLINT(google-build-using-namespace): a test of this
                                       // namespace
using namespace schedfarm::tests;      // NOLINT(google-build-using-namespace)
using namespace std::string_literals;  // NOLINT(google-build-using-namespace)

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

template <typename Step>
std::string journal_error(Step step) {
    try {
        step();
    } catch (const JournalError& error) {
        return error.what();
    }
    return {};
}

std::string record_text(JournalRecordKind kind, const Bytes& body) {
    const Bytes record = encode_record(kind, body);
    return {reinterpret_cast<const char*>(record.data()), record.size()};
}

}  // namespace

TEST_CASE("CRC32C gives the check values of RFC 3720 appendix B.4") {
    const Bytes zeros(32, std::byte{0});
    const Bytes ones(32, std::byte{0xff});
    Bytes rising;
    for (int i = 0; i < 32; ++i) {
        rising.push_back(static_cast<std::byte>(i));
    }
    CHECK(crc32c(zeros) == 0x8a9136aaU);
    CHECK(crc32c(ones) == 0x62a8ab43U);
    CHECK(crc32c(rising) == 0x46dd794eU);
    CHECK(crc32c(std::as_bytes(std::span("123456789", 9))) == 0xe3069283U);  // not of whole words
}

TEST_CASE("the share of the work that a journal is of is the last that was written") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    const auto journal = Journal::create(path, sample_header());
    CHECK(read_journal(path).share.empty());
    journal->append_share("2/4");
    journal->append_intent({1});
    CHECK(read_journal(path).share == "2/4");
    journal->append_share("");
    CHECK(read_journal(path).share.empty());
    CHECK(read_journal(path).in_flight == std::vector<TaskId>{{1}});
}

TEST_CASE("what was appended is read back in order with the tasks still in flight") {
    const TemporaryFolder folder;
    const auto journal = Journal::create(folder / "a.journal", sample_header());
    for (const std::uint64_t number : {5U, 3U, 9U, 4U}) {
        journal->append_intent({number});
    }
    journal->append_result(sample_result(9));
    journal->append_result(sample_result(5));
    journal->append_intent({5});  // tried again
    journal->sync();

    const JournalContent content = read_journal(folder / "a.journal");
    CHECK(content.header.format == journal_format);
    CHECK(content.header.program_version == "1.2.3");
    CHECK(content.header.campaign_name == "response");
    CHECK(content.header.plan_hash == "0123abcd");
    CHECK(content.header.campaign == "name: response\nseed: 1\n");
    CHECK(content.header.cell_keys == "keys");
    REQUIRE(content.results.size() == 2);
    CHECK(same_result(as_list(content.results)[0], sample_result(9)));
    CHECK(same_result(as_list(content.results)[1], sample_result(5)));
    CHECK(content.in_flight == std::vector<TaskId>{{3}, {4}, {5}});
    CHECK(content.torn_bytes == 0);
    CHECK(content.valid_bytes == std::filesystem::file_size(folder / "a.journal"));
}

TEST_CASE("a killed process loses nothing that it appended") {
    // Appended and not synced; the object is alive, as it is in a process that is killed now.
    const TemporaryFolder folder;
    const auto journal = Journal::create(folder / "a.journal", sample_header());
    journal->append_result(sample_result(1));
    CHECK(read_journal(folder / "a.journal").results.size() == 1);
}

TEST_CASE("a reopened journal loses its torn tail and goes on") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header())->append_result(sample_result(1));
    const std::string good = bytes_of(path);
    write_file(path, good + "torn");
    const JournalContent content = read_journal(path);
    CHECK(content.torn_bytes == 4);
    CHECK(bytes_of(path) == good + "torn");  // reading changes nothing

    const auto journal = Journal::reopen(path, content);
    CHECK(bytes_of(path) == good);
    journal->append_result(sample_result(2));
    const JournalContent after = read_journal(path);
    REQUIRE(after.results.size() == 2);
    CHECK(same_result(as_list(after.results)[1], sample_result(2)));
    CHECK(after.torn_bytes == 0);
    CHECK_FALSE(std::filesystem::exists(damaged_path(path)));
}

TEST_CASE("a journal says how its last run ended until another goes on") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    auto journal = Journal::create(path, sample_header());
    CHECK_FALSE(read_journal(path).end);
    const std::string header = bytes_of(path);
    for (const JournalEnd end :
         {JournalEnd::finished, JournalEnd::finished_short, JournalEnd::interrupted}) {
        journal->append_end(end);
        CHECK(read_journal(path).end == end);
        journal.reset();
        journal = Journal::reopen(path, read_journal(path));
        CHECK(read_journal(path).end == end);
        journal->append_intent(TaskId{7});
        CHECK_FALSE(read_journal(path).end);
    }
    write_file(path, header + record_text(JournalRecordKind::end, {std::byte{4}}));
    CHECK(contains(journal_error([&] { read_journal(path); }), "a run cannot end in way 4"));
}

TEST_CASE("two masters cannot write one journal") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    auto first = Journal::create(path, sample_header());
    const JournalContent content = read_journal(path);
    const std::string error = journal_error([&] { Journal::reopen(path, content); });
    CHECK(contains(error, path.string() + ": another schedfarm is writing this journal"));
    CHECK(contains(error, "Wait for it to end or stop it"));
    // Reading the file in the same process must not have let go of the lock.
    read_journal(path);
    CHECK_FALSE(journal_error([&] { Journal::reopen(path, content); }).empty());
    CHECK(contains(journal_error([&] { Journal::replace(path, sample_header()); }), "another"));
    first.reset();
    CHECK(journal_error([&] { Journal::reopen(path, content); }).empty());
}

TEST_CASE("who asks learns whether a journal is being written and keeps nobody from writing") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    CHECK_FALSE(is_being_written(path).has_value());
    auto journal = Journal::create(path, sample_header());
    CHECK(is_being_written(path) == true);
    journal.reset();
    CHECK(is_being_written(path) == false);
    journal = Journal::reopen(path, read_journal(path));
    CHECK(is_being_written(path) == true);
}

TEST_CASE("a reserved journal counts as being written and is reserved once") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    {
        const JournalReservation reservation(path);  // before there is a journal
        CHECK(is_being_written(path) == true);
        const std::string error = journal_error([&] { const JournalReservation second(path); });
        CHECK(contains(error, path.string() + ": another schedfarm is writing this journal"));
        Journal::create(path, sample_header()).reset();  // that of a rank
        CHECK(is_being_written(path) == true);
        CHECK(journal_error([&] { Journal::reopen(path, read_journal(path)); }).empty());
        CHECK(is_being_written(path) == true);
    }
    CHECK(is_being_written(path) == false);
    CHECK_FALSE(std::filesystem::exists(path.string() + ".lock"));
    write_drain_notice(path, 3);  // nobody is there to drain
    CHECK_FALSE(std::filesystem::exists(path.string() + ".lock"));
    // What a killed run leaves reserves nothing.
    std::ofstream(path.string() + ".lock") << "draining 1";
    CHECK(is_being_written(path) == false);
    const JournalReservation after(path);
    CHECK(is_being_written(path) == true);
    CHECK_FALSE(read_drain_notice(path));
    write_drain_notice(path, 1000);
    CHECK(read_drain_notice(path) == 1000);
    write_drain_notice(path, 7);
    CHECK(read_drain_notice(path) == 7);
}

TEST_CASE("a reservation whose file its owner removes meanwhile is made anew") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    auto first = std::make_unique<JournalReservation>(path);
    std::unique_ptr<JournalReservation> second;
    std::thread waiting([&] {
        while (!second) {
            journal_error([&] { second = std::make_unique<JournalReservation>(path); });
        }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it has opened the file by now
    first.reset();
    waiting.join();
    CHECK(is_being_written(path) == true);
    CHECK_FALSE(journal_error([&] { const JournalReservation third(path); }).empty());
}

TEST_CASE("files beside a journal are never written through a link") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    const auto lock = folder / "a.journal.lock";
    const auto precious = folder / "precious";
    write_file(precious, "precious");
    const auto reserve = [&] {
        return journal_error([&] { const JournalReservation reservation(path); });
    };
    std::filesystem::create_symlink(precious, lock);
    CHECK(contains(reserve(), "a.journal: the journal cannot be reserved"));
    CHECK(contains(reserve(), "remove it"));
    std::filesystem::remove(lock);
    std::filesystem::create_hard_link(precious, lock);
    CHECK(contains(reserve(), "remove it"));
    std::filesystem::remove(lock);
    CHECK(reserve().empty());

    Journal::create(path, sample_header())->append_result(sample_result(1));
    std::ofstream(path, std::ios::app) << std::string(2 << 20, 'x');  // more than a torn record
    std::filesystem::create_symlink(precious, damaged_path(path));
    const auto reopen = [&] {
        return journal_error([&] { Journal::reopen(path, read_journal(path)); });
    };
    CHECK(contains(reopen(), "a.journal.damaged: the journal cannot be kept"));
    std::filesystem::remove(damaged_path(path));
    std::filesystem::create_hard_link(precious, damaged_path(path));
    CHECK(contains(reopen(), "remove it"));
    CHECK(bytes_of(precious) == "precious");
    std::filesystem::remove(damaged_path(path));
    CHECK(reopen().empty());
}

TEST_CASE(
    "a journal with another name is not gone on with, and pipes in its place keep nobody waiting"
) {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header());
    std::filesystem::create_hard_link(path, folder / "other");
    const std::string before = bytes_of(path);
    CHECK(
        contains(journal_error([&] { Journal::reopen(path, read_journal(path)); }), "another name")
    );
    CHECK(bytes_of(path) == before);
    std::filesystem::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    REQUIRE(::mkfifo(reservation_path(path).c_str(), 0600) == 0);
    CHECK_FALSE(is_being_written(path).value_or(false));
    CHECK_FALSE(read_drain_notice(path).has_value());
    write_drain_notice(path, 1);
    CHECK_FALSE(journal_error([&] { Journal::replace(path, sample_header()); }).empty());
    CHECK(contains(
        journal_error([&] { const JournalReservation reservation(path); }),
        "not a file of this user's own"
    ));
}

TEST_CASE("a reservation leaves alone what has taken its file's name") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    {
        const JournalReservation reservation(path);
        std::filesystem::remove(reservation_path(path));
        write_file(reservation_path(path), "precious");
    }
    CHECK(bytes_of(reservation_path(path)) == "precious");
}

TEST_CASE("a journal that is removed, replaced or cut while it is written is put there anew") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    const auto journal = Journal::create(path, sample_header());
    for (std::uint64_t i = 0; i < 5; ++i) {
        journal->append_result(sample_result(i));
    }
    CHECK(journal->sync().empty());
    const std::string before = bytes_of(path);
    const auto expect_restored = [&](std::uint64_t results) {
        CHECK(contains(journal->sync(), "a.journal: somebody has removed"));
        CHECK(journal->sync().empty());
        CHECK(read_journal(path).results.size() == results);
        CHECK_FALSE(journal_error([&] { Journal::reopen(path, read_journal(path)); }).empty());
    };
    std::filesystem::remove(path);
    expect_restored(5);
    CHECK(bytes_of(path) == before);
    std::filesystem::rename(path, folder / "elsewhere");
    write_file(path, "something else");
    expect_restored(5);
    // A link of somebody else goes, and what it leads to stays.
    const auto precious = folder / "precious";
    write_file(precious, "precious");
    for (const auto& target : {precious, folder / "nothing yet"}) {
        std::filesystem::remove(path);
        std::filesystem::create_symlink(target, path);
        expect_restored(5);
        CHECK(bytes_of(path) == before);
    }
    CHECK(bytes_of(precious) == "precious");
    CHECK_FALSE(std::filesystem::exists(folder / "nothing yet"));
    // The last record is cut; those before it stay, and others follow.
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 3);
    expect_restored(4);
    journal->append_result(sample_result(9));
    CHECK(read_journal(path).results.size() == 5);
    CHECK(same_result(as_list(read_journal(path).results).back(), sample_result(9)));
    // All of it is cut, and a record comes before that is seen: what belongs to no header goes.
    for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{40}}) {
        std::filesystem::resize_file(path, left);
        journal->append_result(sample_result(7));
        expect_restored(0);
        journal->append_result(sample_result(8));
        CHECK(read_journal(path).header.campaign == sample_header().campaign);
        CHECK(same_result(as_list(read_journal(path).results).back(), sample_result(8)));
    }
}

TEST_CASE("a new journal never overwrites a file unless it is told to replace it") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    write_file(path, "precious");
    const std::string error = journal_error([&] { Journal::create(path, sample_header()); });
    CHECK(contains(error, "a.journal: a file is already there"));
    CHECK(bytes_of(path) == "precious");
    Journal::replace(path, sample_header())->append_result(sample_result(1));
    CHECK(read_journal(path).results.size() == 1);
    Journal::replace(folder / "none_there.journal", sample_header());
    CHECK(reading_error(folder / "none_there.journal").empty());
}

TEST_CASE("a journal that changed since it was read is not reopened") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    auto first = Journal::create(path, sample_header());
    const JournalContent content = read_journal(path);
    first->append_result(sample_result(1));
    first.reset();
    const std::string error = journal_error([&] { Journal::reopen(path, content); });
    CHECK(contains(error, "the journal has changed since it was read"));
    CHECK(read_journal(path).results.size() == 1);
}

TEST_CASE("a full disk gives one clear message and leaves a readable journal") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    const auto journal = Journal::create(path, sample_header());
    std::string error;
    std::uint64_t written = 0;
    {
        const FileSizeLimit limit(1000);
        error = journal_error([&] {
            for (; written < 100; ++written) {
                journal->append_result(sample_result(written));
            }
        });
    }
    CHECK(contains(error, path.string() + ": the journal cannot be written"));
    CHECK(contains(error, "File too large"));
    CHECK(contains(error, "Free some space"));
    // There is space again, but nothing may follow the record that was cut.
    CHECK(journal_error([&] { journal->append_result(sample_result(written)); }) == error);
    CHECK(journal_error([&] { journal->sync(); }) == error);
    const JournalContent content = read_journal(path);
    CHECK(written > 3);
    CHECK(content.torn_bytes == 0);  // what did not fit is cut off at once
    const std::vector<TaskResult> results = as_list(content.results);
    REQUIRE(results.size() == written);
    for (std::uint64_t i = 0; i < written; ++i) {
        CHECK(same_result(results[i], sample_result(i)));
    }
}

TEST_CASE("no journal is left behind when its header cannot be written") {
    const TemporaryFolder folder;
    std::string error;
    {
        const FileSizeLimit limit(20);
        error = journal_error([&] { Journal::create(folder / "a.journal", sample_header()); });
    }
    CHECK(contains(error, "a.journal: the journal cannot be created"));
    CHECK_FALSE(std::filesystem::exists(folder / "a.journal"));
}

TEST_CASE("paths that cannot hold a journal are refused with the reason") {
    const TemporaryFolder folder;
    const std::string missing =
        journal_error([&] { Journal::create(folder / "nowhere/a.journal", sample_header()); });
    CHECK(contains(missing, "No such file or directory"));
    CHECK(contains(missing, "Create the folder first"));

    std::filesystem::create_directory(folder / "folder");
    CHECK(contains(reading_error(folder / "folder"), "this is no regular file"));
    CHECK(contains(
        journal_error([&] { Journal::create(folder / "folder", sample_header()); }), "already there"
    ));
    CHECK(contains(
        journal_error([&] { Journal::replace(folder / "folder", sample_header()); }),
        "the journal cannot be replaced"
    ));
    CHECK(contains(
        journal_error([&] { Journal::create("/proc/a.journal", sample_header()); }),
        "the journal cannot be created"
    ));
    const std::string absent = reading_error(folder / "absent.journal");
    CHECK(contains(absent, "absent.journal: no journal can be read there"));
    CHECK(contains(absent, "No such file"));
}

TEST_CASE("foreign files and other formats are refused") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    write_file(path, "\x89HDF\r\n\x1a\n and more");
    CHECK(contains(reading_error(path), "this is no schedfarm journal"));

    JournalHeader newer = sample_header();
    newer.format = 3;
    write_file(
        path,
        std::string(journal_magic) + record_text(JournalRecordKind::header, encode_header(newer))
    );
    CHECK(contains(reading_error(path), "the journal has format 3 (this program reads format 2)"));

    write_file(path, "");
    CHECK(contains(reading_error(path), "header is cut or damaged"));
    const Bytes header = encode_header(sample_header());
    write_file(path, std::string(journal_magic) + record_text(JournalRecordKind::suspects, header));
    CHECK(contains(reading_error(path), "header is cut or damaged"));
}

TEST_CASE("an intact record without a meaning is an error and not a torn tail") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header());
    const std::string good = bytes_of(path);
    const std::string where = "the record at byte " + std::to_string(good.size());
    write_file(path, good + record_text(static_cast<JournalRecordKind>(9), {}));
    CHECK(contains(reading_error(path), where + " is intact but has no meaning here"));
    CHECK(contains(reading_error(path), "record of kind 9"));
    write_file(path, good + record_text(JournalRecordKind::intent, Bytes(7)));
    CHECK(contains(reading_error(path), "8 bytes needed"));
    write_file(path, good + record_text(JournalRecordKind::intent, Bytes(9)));
    CHECK(contains(reading_error(path), "1 bytes too many"));
    ByteWriter result;
    write(result, sample_result(3));
    Bytes body = result.take();
    body[8] = std::byte{4};  // behind the id
    write_file(path, good + record_text(JournalRecordKind::result, body));
    CHECK(contains(reading_error(path), "4 is no task status"));
}
