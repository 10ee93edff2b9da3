// Parts of a run made one, from real journals, and a journal carried over to a changed plan.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/app/run/small_campaign.hpp"
#include "tests/engine/farm/journal_support.hpp"
#include "tests/support/file_bytes.hpp"
#include "tests/support/sync_log.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

using engine::TaskResult;

class Folder {
  public:
    std::filesystem::path part(
        const char* name, const std::vector<TaskResult>& results, const Plan& of = plan()
    ) const {
        const auto path = folder_ / (std::string(name) + ".h5.journal");
        const auto opened = open_journal(path, of, ExistingJournal::refuse);
        for (const TaskResult& result : results) {
            opened.journal->append_result(result);
        }
        return path;
    }
    RunSummary joined(const std::vector<std::filesystem::path>& parts) const {
        return merge(parts, output());
    }
    /// What the error says; nothing may be left behind.
    std::string refusal(const std::vector<std::filesystem::path>& parts) const {
        const std::set<std::filesystem::path> before = files();
        std::string text = "nothing refused";
        try {
            merge(parts, output());
        } catch (const std::runtime_error& error) {
            text = error.what();
        }
        CHECK(files() == before);
        return text;
    }
    std::filesystem::path output() const { return folder_ / "all.h5"; }
    engine::JournalContent journal() const { return engine::read_journal(journal_of(output())); }

  private:
    std::set<std::filesystem::path> files() const {
        const std::filesystem::directory_iterator all(folder_ / "");
        return {begin(all), end(all)};
    }

    TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
    CAPTURE(text);
    CAPTURE(part);
    const bool is_there = text.find(part) != std::string::npos;
    CHECK(is_there);
    return is_there;
}

}  // namespace

TEST_CASE("parts joined are the run that computed their replications, whatever was computed twice"
) {
    const Folder folder;
    const auto whole = folder.part("whole", {done(0), done(1), done(2)});
    const auto first = folder.part("first", {done(2), done(0)});
    const auto second = folder.part("second", {done(1), done(2)});
    const RunSummary summary = folder.joined({second, first});
    CHECK(summary.payload_hash == rebuild(whole, folder.output()).payload_hash);
    CHECK(summary.undecided_cells == 0);
    CHECK(summary.warnings.empty());
    const engine::JournalContent content = folder.journal();
    REQUIRE(content.results.size() == 3);  // as the parts have them, each once
    for (std::size_t i = 0; const std::uint32_t replication : {1U, 2U, 0U}) {
        CHECK(same_result(as_list(content.results)[i++], done(replication)));
    }
}

TEST_CASE("a replication that failed in one part and succeeded in another has succeeded") {
    for (const bool is_first : {true, false}) {
        CAPTURE(is_first);
        const Folder folder;
        const auto broken = folder.part("broken", {done(0), failed(1)});
        const auto good = folder.part("good", {done(1), done(2)});
        const RunSummary summary =
            is_first ? folder.joined({broken, good}) : folder.joined({good, broken});
        CHECK(summary.failed == 0);
        CHECK(summary.undecided_cells == 0);
        const auto joined = as_list(folder.journal().results);
        CHECK(joined.size() == 3);
        CHECK(
            std::count_if(
                joined.begin(),
                joined.end(),
                [](const TaskResult& result) { return same_result(result, done(1)); }
            )
            == 1
        );
    }
    const Folder folder;
    const auto twice = folder.part("twice", {done(0), failed(1)});
    CHECK(folder.joined({twice, folder.part("again", {failed(1)})}).failed == 1);
}

TEST_CASE("parts that disagree about a replication are refused by its name") {
    const Folder folder;
    TaskResult other = done(1);
    other.payload = done(2).payload;
    const auto first = folder.part("first", {done(0), done(1)});
    const auto second = folder.part("second", {done(0), other});
    contains(folder.refusal({first, second}), "second.h5.journal: replication 1 of cell 0 differs");
}

TEST_CASE("parts without a common replication are refused by what differs") {
    const Folder folder;
    const auto first = folder.part("first", {done(0)});
    const Plan other_seed = plan_of(small_campaign("small", 6, 3));
    const Plan other_name = plan_of(small_campaign("large", 6, 3));
    const auto seed = folder.part("seed", {done(1, other_seed)}, other_seed);
    const auto name = folder.part("name", {done(1, other_name)}, other_name);
    contains(folder.refusal({first, seed}), "two versions of campaign 'small', or of a log of it");
    contains(folder.refusal({first, name}), "campaigns 'small' and 'large'");
    contains(folder.refusal({}), "nothing to merge");
}

TEST_CASE("a part of another version of the campaign gives what the first part's plan can use") {
    const Folder folder;
    const Plan longer = plan_of(small_campaign("other name", 5, 9));
    const auto first = folder.part("first", {done(0)});
    const auto second =
        folder.part("second", {done(1, longer), failed(5), done(2, longer)}, longer);
    const RunSummary summary = folder.joined({first, second});
    CHECK(summary.reused == 3);
    CHECK(summary.left_out == 1);
    CHECK(summary.undecided_cells == 0);
    CHECK(folder.journal().header.plan_hash == plan().plan_hash);
}

TEST_CASE("a part with records of no replication of the campaign is refused by its own name") {
    const Folder folder;
    TaskResult nowhere = done(1);
    nowhere.id = ReplicationId{1, 1}.task_id();
    const auto first = folder.part("first", {done(0)});
    const auto second = folder.part("second", {nowhere});
    contains(
        folder.refusal({first, second}), "second.h5.journal: there is a record in it of cell 1"
    );
}

TEST_CASE("a merge that cannot write its results leaves no journal") {
    const Folder folder;
    const auto first = folder.part("first", {done(0)});
    std::filesystem::create_directory(folder.output());
    contains(folder.refusal({first}), "all.h5");
}

TEST_CASE("damage of a part is told with what was joined of it") {
    const Folder folder;
    const auto good = folder.part("good", {done(0)});
    const auto bad = folder.part("bad", {done(1), done(2), done(0)});
    std::string bytes = bytes_of(bad);
    const std::string last = bytes_of(good).substr(bytes_of(folder.part("empty", {})).size());
    bytes[bytes.size() - last.size() - 1] ^= 1;  // the end of the second result
    write_file(bad, bytes);
    const RunSummary summary = folder.joined({good, bad});
    REQUIRE(summary.warnings.size() == 1);
    contains(summary.warnings[0], "bad.h5.journal: damaged at byte ");
    contains(summary.warnings[0], ": 1 result before it is kept");
    CHECK(folder.journal().results.size() == 2);
    CHECK(bytes_of(bad) == bytes);
}

TEST_CASE("a changed plan takes over the observations of a journal and tries failures again") {
    const Folder folder;
    const auto path = folder.part("a", {done(0), failed(1), done(2)});
    const Plan longer = plan_of(small_campaign("small", 5, 4));
    take_synced();
    const OpenedJournal opened = open_journal(path, longer, ExistingJournal::extend);
    const std::vector<Synced> synced = take_synced();
    CHECK(opened.left_out == 1);
    CHECK(opened.reused == 2);
    const engine::JournalContent content = engine::read_journal(path);
    CHECK(content.header.plan_hash == longer.plan_hash);
    REQUIRE(content.results.size() == 2);
    CHECK(same_result(as_list(content.results)[0], done(0)));
    CHECK(same_result(as_list(content.results)[1], done(2)));
    // It is on the disk whole, then under its name, under which the run goes on.
    REQUIRE(synced.size() >= 3);
    const Synced& whole = synced[synced.size() - 3];
    CHECK(whole.name.starts_with("a.h5.journal."));
    CHECK(whole.bytes == std::filesystem::file_size(path));
    CHECK(synced[synced.size() - 2] == Synced{path.parent_path().filename().string()});
    CHECK(synced.back() == Synced{"a.h5.journal", whole.bytes});
}
