// What a run finds in the journal that is already there: gone on from, or refused and left alone.
#include "app/run/journal/opened_journal.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include <doctest/doctest.h>

#include "app/run/journal/campaign_journal.hpp"
#include "app/run/run_campaign.hpp"

#include "tests/app/run/small_campaign.hpp"
#include "tests/engine/farm/journal_support.hpp"
#include "tests/support/file_bytes.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

using engine::Journal;
using engine::Suspect;
using Filling = std::function<void(Journal&)>;

/// A journal of plan() in a folder of its own.
class Former {
  public:
    explicit Former(const Filling& fill) {
        fill(*open_journal(path(), plan(), ExistingJournal::refuse).journal);
    }

    std::filesystem::path path() const { return folder_ / "a.h5.journal"; }
    engine::JournalContent content() const { return engine::read_journal(path()); }
    /// What the error says; the journal may not have changed.
    std::string refusal(const Plan& by, ExistingJournal existing) const {
        const std::string before = bytes_of(path());
        std::string text = "nothing refused";
        try {
            open_journal(path(), by, existing);
        } catch (const engine::JournalError& error) {
            text = error.what();
        }
        const bool is_unchanged = bytes_of(path()) == before;
        CHECK(is_unchanged);
        CHECK(is_alone());
        return text;
    }
    /// Whether nothing lies beside it.
    bool is_alone() const {
        return std::all_of(
            std::filesystem::directory_iterator(path().parent_path()),
            std::filesystem::directory_iterator(),
            [this](const auto& file) { return file.path() == path(); }
        );
    }

  private:
    TemporaryFolder folder_;
};

Filling one_result() {
    return [](Journal& journal) {
        journal.append_result(done(0));
    };
}

void check_contains(const std::string& text, const std::string& part) {
    CAPTURE(text);
    CAPTURE(part);
    const bool is_there = text.find(part) != std::string::npos;
    CHECK(is_there);
}

engine::TaskResult observed(const engine::Observations& observations) {
    engine::TaskResult result = done(1);
    result.payload = encode(observations);
    return result;
}

}  // namespace

TEST_CASE("what was in flight when a run died is suspected by the next and recorded at once") {
    const engine::TaskId id = ReplicationId{0, 1}.task_id();
    const Former former([&](Journal& journal) {
        journal.append_result(done(0));
        journal.append_intent(id);
    });
    const std::vector<Suspect> suspects = {{.id = id, .deaths = 1, .blames = 0}};
    for (int resumed = 0; resumed < 2; ++resumed) {  // the second died before it began anything
        const OpenedJournal opened = open_journal(former.path(), plan(), ExistingJournal::resume);
        CHECK(opened.suspects == suspects);
        CHECK(opened.reused == 1);
        CHECK(opened.progress->cells()[0]->fingerprint(0).has_value());
        CHECK(former.content().suspects == suspects);
        CHECK(former.content().in_flight.empty());
    }
}

TEST_CASE("an extended run goes on in its journal and nowhere else") {
    const Former former(one_result());
    const OpenedJournal opened = open_journal(
        former.path(), plan_of(small_campaign("small", 5, 4)), ExistingJournal::extend
    );
    opened.journal->append_result(done(1));
    CHECK(opened.journal->sync().empty());
    CHECK(former.content().results.size() == 2);
    CHECK(former.is_alone());
}

TEST_CASE("a journal of another campaign is not gone on from, nor one that is not there") {
    const Former former(one_result());
    const Plan other_seed = plan_of(small_campaign("small", 6, 3));
    const Plan other_name = plan_of(small_campaign("large", 6, 3));
    check_contains(
        former.refusal(other_seed, ExistingJournal::resume),
        "an earlier version of campaign 'small'"
    );
    check_contains(
        former.refusal(other_name, ExistingJournal::resume), "of campaign 'small', not of 'large'"
    );
    check_contains(
        former.refusal(other_seed, ExistingJournal::extend), "none of its 1 replications belongs"
    );
    std::filesystem::remove(former.path());
    for (const auto existing : {ExistingJournal::resume, ExistingJournal::extend}) {
        check_contains(former.refusal(plan(), existing), "there is no journal to go on from");
    }
}

TEST_CASE("a new run says whether the campaign is complete that it would overwrite") {
    const Former begun(one_result());
    check_contains(begun.refusal(plan(), ExistingJournal::refuse), "a journal is already there");
    const Former complete([](Journal& journal) {
        for (const std::uint32_t replication : {0U, 1U, 2U}) {
            journal.append_result(done(replication));
        }
    });
    check_contains(complete.refusal(plan(), ExistingJournal::refuse), "is complete");
    check_contains(
        complete.refusal(plan_of(small_campaign("small", 6, 3)), ExistingJournal::refuse),
        "an earlier version of campaign 'small'"
    );
}

TEST_CASE("a journal that is being written is not carried over") {
    const Former former(one_result());
    const auto writing = Journal::reopen(former.path(), former.content());
    check_contains(
        former.refusal(plan_of(small_campaign("small", 5, 4)), ExistingJournal::extend),
        "another schedfarm is writing this journal"
    );
}

TEST_CASE("records that no run of the campaign can have written are refused before anything changes"
) {
    const auto refused = [](const char* reason, const Filling& fill) {
        const Former former(fill);
        check_contains(former.refusal(plan(), ExistingJournal::resume), reason);
        check_contains(former.refusal(plan(), ExistingJournal::refuse), "is already there");
        CHECK_THROWS_WITH_AS(
            rebuild(former.path(), "never.h5"), doctest::Contains(reason), engine::JournalError
        );
    };
    const engine::TaskId nowhere = ReplicationId{1, 0}.task_id();
    refused("of cell 1, and the plan has no such cell", [&](Journal& journal) {
        journal.append_intent(nowhere);
    });
    refused("of cell 1, and the plan has no such cell", [&](Journal& journal) {
        journal.append_suspects({{.id = nowhere, .deaths = 1, .blames = 0}});
    });
    refused("of replication 1048576, which no run reached", [](Journal& journal) {
        journal.append_result(failed(1U << 20U));
    });
    engine::Observations observations = decode_observations(done(1).payload);
    engine::Observations fewer = observations;
    fewer.values.pop_back();
    refused(" observations, and cell 0 has ", [&](Journal& journal) {
        journal.append_result(observed(fewer));
    });
    observations.overflow = engine::QueueOverflow{5, 7};
    observations.series = {1};
    refused("with 1 parts and 0 sketches", [&](Journal& journal) {
        journal.append_result(observed(observations));
    });
}

TEST_CASE("a journal whose campaign is no longer accepted does not ask about logs") {
    const Former former(one_result());
    engine::JournalHeader header = former.content().header;
    const std::size_t at = header.campaign.find("fcfs");
    REQUIRE(at != std::string::npos);
    header.campaign.replace(at, 4, "fxfs");
    Journal::replace(former.path(), header);
    try {
        read_campaign_journal(former.path());
        FAIL("the campaign was accepted");
    } catch (const engine::JournalError& error) {
        const std::string text = error.what();
        check_contains(text, "unknown policy 'fxfs'");
        check_contains(
            text, "It was begun by a program that allowed this: begin anew with --fresh"
        );
        CHECK(text.find("Put a log") == std::string::npos);
    }
}

TEST_CASE("a journal whose campaign makes another plan now is refused") {
    const Former former(one_result());
    engine::JournalHeader header = former.content().header;
    header.plan_hash = "0123abcd";
    Journal::replace(former.path(), header);
    CHECK_THROWS_WITH_AS(
        read_campaign_journal(former.path()),
        doctest::Contains("its campaign makes another plan now than when it was begun"),
        engine::JournalError
    );
}
