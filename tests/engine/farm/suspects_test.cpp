// What a journal says of tasks that were in flight when a run died.
#include <doctest/doctest.h>

#include "engine/farm/journal/journal.hpp"

#include "tests/engine/farm/journal_support.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

TaskResult result_of(std::uint64_t id) {
    TaskResult result = sample_result(0);
    result.id = TaskId{id};
    return result;
}

/// Ends a run that has these in flight, and opens the journal again as the next run does.
std::vector<Suspect> die_with(
    const std::filesystem::path& path, const std::vector<std::uint64_t>& in_flight
) {
    const JournalContent before = read_journal(path);
    {
        const auto journal = Journal::reopen(path, before);
        for (const std::uint64_t id : in_flight) {
            journal->append_intent(TaskId{id});
        }
    }
    const JournalContent content = read_journal(path);
    const std::vector<Suspect> suspects = suspects_of(content);
    Journal::reopen(path, content)->append_suspects(suspects);
    return suspects;
}

Suspect suspect(std::uint64_t id, std::uint32_t deaths, std::uint32_t blames) {
    return {TaskId{id}, deaths, blames};
}

using Suspects = std::vector<Suspect>;

}  // namespace

TEST_CASE("What was in flight together is suspected and nobody is blamed") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header());
    CHECK(die_with(path, {7, 3}) == Suspects{suspect(3, 1, 0), suspect(7, 1, 0)});
    const JournalContent content = read_journal(path);
    CHECK(content.in_flight.empty());
    CHECK(content.suspects == Suspects{suspect(3, 1, 0), suspect(7, 1, 0)});
    CHECK(suspects_of(content) == content.suspects);  // reading again changes nothing
}

TEST_CASE("Only a task that was retried alone is blamed") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header());
    // Alone in flight by chance, as with one worker: twice suspected, not yet blamed.
    CHECK(die_with(path, {3}) == Suspects{suspect(3, 1, 0)});
    CHECK(die_with(path, {3, 7}) == Suspects{suspect(3, 2, 0), suspect(7, 1, 0)});
    CHECK(die_with(path, {3}) == Suspects{suspect(3, 3, 1), suspect(7, 1, 0)});
    CHECK(die_with(path, {3}) == Suspects{suspect(3, 4, 2), suspect(7, 1, 0)});
    CHECK(die_with(path, {}) == Suspects{suspect(3, 4, 2), suspect(7, 1, 0)});
}

TEST_CASE("A result of any kind ends a suspicion") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header());
    die_with(path, {3, 7});
    {
        const auto journal = Journal::reopen(path, read_journal(path));
        journal->append_intent(TaskId{7});
        journal->append_result(result_of(7));
    }
    CHECK(read_journal(path).suspects == Suspects{suspect(3, 1, 0)});
    CHECK(die_with(path, {}) == Suspects{suspect(3, 1, 0)});
}

TEST_CASE("A run that is stopped on purpose leaves no suspects") {
    const TemporaryFolder folder;
    const auto path = folder / "a.journal";
    Journal::create(path, sample_header());
    {
        const auto journal = Journal::reopen(path, read_journal(path));
        journal->append_intent(TaskId{3});
        journal->append_intent(TaskId{7});
        journal->append_suspects({});
        journal->append_result(result_of(7));  // still comes in while the run drains
    }
    const JournalContent content = read_journal(path);
    CHECK(content.results.size() == 1);
    CHECK(suspects_of(content).empty());
}
