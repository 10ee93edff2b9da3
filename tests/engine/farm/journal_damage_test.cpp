// A small journal, damaged in every way: what is read is a prefix of what was written, or the error
// says that the file cannot be used. Nothing else, whatever the damage.
#include <vector>

#include <doctest/doctest.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/journal/journal_format.hpp"
#include "engine/foundation/hash.hpp"

#include "tests/engine/farm/journal_support.hpp"
#include "tests/support/file_bytes.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

constexpr std::uint64_t result_count = 6;
constexpr std::size_t record_count = 1 + 2 * result_count + 1;
const Suspect last{.id = {99}, .deaths = 2, .blames = 1};

std::string small_journal(const TemporaryFolder& folder) {
    const auto path = folder / "good.journal";
    const auto journal = Journal::create(path, sample_header());
    for (std::uint64_t i = 0; i < result_count; ++i) {
        journal->append_intent({i});
        journal->append_result(sample_result(i));
    }
    journal->append_suspects({last});
    return bytes_of(path);
}

/// Ends of all records, the header's first.
std::vector<std::size_t> record_ends(const std::string& file) {
    std::vector<std::size_t> ends;
    std::size_t end = journal_magic.size();
    while (const auto record = next_record(std::as_bytes(std::span(file)).subspan(end))) {
        end += record_overhead + record->body.size();
        ends.push_back(end);
    }
    return ends;
}

struct Reading {
    bool refused = false;
    JournalContent content;
};

Reading read_damaged(const TemporaryFolder& folder, const std::string& damaged) {
    const auto path = folder / "damaged.journal";
    write_file(path, damaged);
    try {
        return {false, read_journal(path)};
    } catch (const JournalError& error) {
        CHECK(std::string(error.what()).find("damaged.journal: ") != std::string::npos);
        return {true, {}};
    }
}

/// Records whose end lies within the first `bytes` bytes of the file.
std::size_t records_within(const std::vector<std::size_t>& ends, std::size_t bytes) {
    std::size_t count = 0;
    while (count < ends.size() && ends[count] <= bytes) {
        ++count;
    }
    return count;
}

/// The content is exactly the first `records` records: the header, then intents and results in
/// turn, then the suspects.
bool is_prefix(const JournalContent& content, std::size_t records) {
    const bool is_whole = records == record_count;
    const std::size_t results = is_whole ? result_count : (records - 1) / 2;
    const std::size_t in_flight = is_whole ? 0 : (records - 1) % 2;
    bool same =
        content.results.size() == results && content.in_flight.size() == in_flight
        && content.suspects == (is_whole ? std::vector<Suspect>{last} : std::vector<Suspect>{})
        && content.header.campaign == sample_header().campaign;
    std::uint64_t i = 0;
    for (const TaskResult& result : content.results) {
        same = same && same_result(result, sample_result(i++));
    }
    return same;
}

}  // namespace

TEST_CASE("a journal cut at any byte gives the records before the cut or a clear error") {
    const TemporaryFolder folder;
    const std::string good = small_journal(folder);
    const auto ends = record_ends(good);
    REQUIRE(ends.size() == record_count);
    REQUIRE(ends.back() == good.size());
    for (std::size_t length = 0; length <= good.size(); ++length) {
        CAPTURE(length);
        const Reading reading = read_damaged(folder, good.substr(0, length));
        const std::size_t records = records_within(ends, length);
        REQUIRE(reading.refused == (records == 0));
        if (records > 0) {
            REQUIRE(is_prefix(reading.content, records));
            REQUIRE(reading.content.valid_bytes == ends[records - 1]);
            REQUIRE(reading.content.valid_bytes + reading.content.torn_bytes == length);
            REQUIRE_FALSE(reading.content.is_damaged);
        }
    }
}

TEST_CASE("a bit flipped anywhere ends the journal before its record and is never taken for data") {
    const TemporaryFolder folder;
    const std::string good = small_journal(folder);
    const auto ends = record_ends(good);
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        CAPTURE(bit);
        std::string damaged = good;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        const Reading reading = read_damaged(folder, damaged);
        const std::size_t records = records_within(ends, bit / 8);
        REQUIRE(reading.refused == (records == 0));
        if (records > 0) {
            REQUIRE(is_prefix(reading.content, records));
            // Of the last record nothing is left but a torn tail; others have whole ones behind.
            REQUIRE(reading.content.is_damaged == (records + 1 < ends.size()));
        }
    }
}

TEST_CASE("noise and zeros after a good journal are a torn tail") {
    const TemporaryFolder folder;
    const std::string good = small_journal(folder);
    const auto ends = record_ends(good);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        std::string tail(mix(seed) % 100, '\0');
        for (std::size_t i = 0; seed % 4 != 0 && i < tail.size(); ++i) {
            tail[i] = static_cast<char>(mix(seed * 1000 + i) % (seed % 4 == 1 ? 256 : 4));
        }
        const Reading reading = read_damaged(folder, good + tail);
        REQUIRE_FALSE(reading.refused);
        REQUIRE(is_prefix(reading.content, ends.size()));
        REQUIRE(reading.content.torn_bytes == tail.size());
        REQUIRE_FALSE(reading.content.is_damaged);
    }
}

TEST_CASE("more torn bytes than a record has are damage") {
    const TemporaryFolder folder;
    const std::string tail((std::size_t{1} << 20) + 1, '\0');
    CHECK(read_damaged(folder, small_journal(folder) + tail).content.is_damaged);
}

TEST_CASE("a whole record of any kind behind a torn one is damage") {
    const TemporaryFolder folder;
    const std::string good = small_journal(folder);
    const std::string torn = good.substr(record_ends(good)[0], record_overhead + 3);
    for (const JournalRecordKind kind :
         {JournalRecordKind::intent, JournalRecordKind::result, JournalRecordKind::suspects}) {
        const Bytes record = encode_record(kind, Bytes(8));
        const std::string whole(reinterpret_cast<const char*>(record.data()), record.size());
        CHECK(read_damaged(folder, good + torn + whole).content.is_damaged);
        CHECK_FALSE(read_damaged(folder, good + torn + whole.substr(1)).content.is_damaged);
    }
}

TEST_CASE("what is cut off a damaged journal is kept beside it each time") {
    const TemporaryFolder folder;
    const std::string good = small_journal(folder);
    const auto ends = record_ends(good);
    const auto path = folder / "damaged.journal";
    std::string damaged = good;
    damaged[ends[3] + record_overhead] ^= 1;  // the first byte of the fifth record's body
    for (const int copies : {1, 2}) {
        const Reading reading = read_damaged(folder, damaged);
        CHECK(bytes_of(path) == damaged);  // reading changes nothing
        Journal::reopen(path, reading.content);
        CHECK(bytes_of(path) == good.substr(0, ends[3]));
        const std::string tail = damaged.substr(ends[3]);
        CHECK(bytes_of(damaged_path(path)) == (copies == 1 ? tail : tail + tail));
    }
}
