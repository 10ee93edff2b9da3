// Foreign journals: every command that reads one refuses it and leaves everything as it was, or
// makes good results of it. SCHEDFARM_MUTATIONS sets how many files (1,000 over all tests of this
// program), SCHEDFARM_MUTATION_SEED which.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include <doctest/doctest.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/journal/journal_format.hpp"

#include "results_schema/result_io.hpp"

#include "app/cli/commands/commands.hpp"
#include "app/run/journal/opened_journal.hpp"

#include "tests/app/foreign/damaged_bytes.hpp"
#include "tests/app/foreign/damaged_records.hpp"
#include "tests/app/foreign/foreign_page.hpp"
#include "tests/app/foreign/guarded_command.hpp"
#include "tests/app/foreign/small_journals.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"
#include "tests/support/long_form.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

using app::ExistingJournal;
using app::ExitCode;

const std::vector<SmallJournal>& journals() {
    static const std::vector<SmallJournal> all = small_journals();
    return all;
}

/// Opens the journal as a run does, and closes it as a run that is killed at once does.
ExitCode open(const std::filesystem::path& path, const app::Plan& plan, ExistingJournal existing) {
    app::open_journal(path, plan, existing);
    return ExitCode::done;
}

struct Command {
    std::string name;
    std::function<ExitCode()> run;
};

/// The commands of a folder with a foreign journal beside a good one.
std::vector<Command> commands_on(const TemporaryFolder& folder, const SmallJournal& good) {
    const auto path = folder / "foreign.h5.journal";
    const auto output = folder / "output.h5";
    return {
        {"rebuild",
         [=] {
             return app::rebuild_command({path, output});
         }},
        {"status",
         [=] {
             return app::status_command({path});
         }},
        {"merge",
         [=, &folder] {
             return app::merge_command({output, {folder / "good.h5.journal", path}});
         }},
        {"run",
         [=, &good] {
             return open(path, good.plan, ExistingJournal::refuse);
         }},
        {"resume",
         [=, &good] {
             return open(path, good.plan, ExistingJournal::resume);
         }},
        {"run --extend", [=, &good] {
             return open(path, good.changed, ExistingJournal::extend);
         }}};
}

/// What is wrong with what an accepted command left; empty: nothing.
std::string problem_of_acceptance(const TemporaryFolder& folder) {
    if (std::filesystem::exists(folder / "output.h5")) {
        const auto problems = problems_of_file(folder / "output.h5");
        return problems.empty() ? "" : "wrong results: " + problems.front();
    }
    engine::read_journal(folder / "foreign.h5.journal");
    return "";
}

/// Behind the header, and behind every other record.
std::vector<std::size_t> ends_of_records(const std::string& journal) {
    std::vector<std::size_t> ends;
    const auto bytes = std::as_bytes(std::span(journal));
    std::size_t end = engine::journal_magic.size();
    while (const auto record = engine::next_record(bytes.subspan(end))) {
        end += engine::record_overhead + record->body.size();
        ends.push_back(end);
    }
    return ends;
}

/// All commands on one foreign journal.
void judge(const SmallJournal& good, const std::string& foreign, std::map<std::string, Tally>& by) {
    const TemporaryFolder folder;
    const FolderContent content{{"good.h5.journal", good.bytes}, {"foreign.h5.journal", foreign}};
    for (const Command& command : commands_on(folder, good)) {
        CAPTURE(command.name);
        restore(folder.path(), content);
        const Guarded done = guarded(folder.path(), "foreign.h5", command.run);
        CAPTURE(done.message);
        CHECK(done.problem == "");
        Tally& tally = by[command.name];
        if (done.verdict == Verdict::refused) {
            ++tally.refused;
            continue;
        }
        ++tally.accepted;
        CHECK(problem_of_acceptance(folder) == "");
    }
}

}  // namespace

TEST_CASE("the journals that are damaged here are good ones") {
    for (const SmallJournal& journal : journals()) {
        std::map<std::string, Tally> by;
        CAPTURE(journal.plan.source.files.at("small.yaml"));
        judge(journal, journal.bytes, by);
        for (const char* command : {"rebuild", "status", "merge", "resume", "run --extend"}) {
            CAPTURE(command);
            CHECK(by[command].accepted == 1);
        }
        CHECK(by["run"].refused == 1);
    }
}

TEST_CASE("foreign journals are refused and left as they are or give good results") {
    const std::uint64_t count = mutations(0.6);
    Tallies tallies;
    for (std::uint64_t seed = first_seed(); seed < first_seed() + count; ++seed) {
        const SmallJournal& good = journals()[seed % journals().size()];
        CAPTURE(seed);
        switch (seed / journals().size() % 5) {
            case 0:
                judge(good, noise(good.bytes, seed), tallies["random bytes"]);
                break;
            case 1:
                judge(good, damaged_bytes(good.bytes, seed), tallies["damaged bytes"]);
                break;
            case 2: {
                const auto& other = journals()[(seed + 1) % journals().size()];
                judge(good, other.bytes, tallies["another campaign"]);
                break;
            }
            default:
                judge(good, damaged_records(good.bytes, seed), tallies["foreign records"]);
                break;
        }
    }
    record_tallies("Journals", count, tallies);
    CHECK(tallies["random bytes"]["rebuild"].accepted == 0);
    CHECK(tallies["another campaign"]["resume"].accepted == 0);
}

TEST_CASE("a journal cut at any byte resumes from the records before the cut or is refused") {
    const SmallJournal& good = journals().front();
    const std::vector<std::size_t> ends = ends_of_records(good.bytes);
    const TemporaryFolder folder;
    const auto path = folder / "foreign.h5.journal";
    const std::size_t step = short_or_long(23U, 1U);
    for (std::size_t length = 0; length <= good.bytes.size(); length += step) {
        CAPTURE(length);
        restore(folder.path(), {{"foreign.h5.journal", good.bytes.substr(0, length)}});
        const Guarded done = guarded(folder.path(), "foreign.h5", [&] {
            return open(path, good.plan, ExistingJournal::resume);
        });
        REQUIRE(done.problem == "");
        const auto after = std::upper_bound(ends.begin(), ends.end(), length);
        REQUIRE((done.verdict == Verdict::accepted) == (after != ends.begin()));
        if (done.verdict == Verdict::accepted) {
            // What was whole is there still, and the tail is gone.
            const std::string whole = good.bytes.substr(0, *std::prev(after));
            REQUIRE(content_of(folder.path()).at("foreign.h5.journal").starts_with(whole));
            const engine::JournalContent left = engine::read_journal(path);
            REQUIRE(left.torn_bytes == 0);
            restore(folder.path(), {{"foreign.h5.journal", whole}});
            REQUIRE(left.results.size() == engine::read_journal(path).results.size());
        }
    }
}

TEST_CASE("a journal that another master is writing is not extended") {
    const SmallJournal& good = journals().front();
    const TemporaryFolder folder;
    const auto path = folder / "foreign.h5.journal";
    restore(folder.path(), {{"foreign.h5.journal", good.bytes}});
    const auto writing = engine::Journal::reopen(path, engine::read_journal(path));
    const Guarded done = guarded(folder.path(), "foreign.h5", [&] {
        return open(path, good.changed, ExistingJournal::extend);
    });
    CHECK(done.verdict == Verdict::refused);
    CHECK(done.message.find("another schedfarm is writing") != std::string::npos);
    CHECK(done.problem == "");
}
