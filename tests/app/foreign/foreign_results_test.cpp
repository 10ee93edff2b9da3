// Foreign result files: every command that reads one refuses it, or reads it without harm; only a
// file that agrees with the schema passes the check. See foreign_journal_test.cpp for the numbers.
#include <fstream>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"

#include "app/cli/commands/commands.hpp"

#include "tests/app/foreign/damaged_bytes.hpp"
#include "tests/app/foreign/damaged_tables.hpp"
#include "tests/app/foreign/foreign_page.hpp"
#include "tests/app/foreign/guarded_command.hpp"
#include "tests/app/foreign/small_journals.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

using app::ExitCode;

/// The result files of the small journals.
const std::vector<std::string>& result_files() {
    static const std::vector<std::string> all = [] {
        const TemporaryFolder folder;
        std::vector<std::string> files;
        for (const SmallJournal& journal : small_journals()) {
            put_bytes(folder / "good.journal", journal.bytes);
            app::rebuild(folder / "good.journal", folder / "good.h5");
            files.push_back(bytes_of(folder / "good.h5"));
        }
        return files;
    }();
    return all;
}

struct Command {
    std::string name;
    std::function<ExitCode()> run;
};

/// What the program itself reads of a result file; the package's commands become a python, and
/// tests/python/foreign_test.py damages files for them.
std::vector<Command> commands_on(const TemporaryFolder& folder) {
    const auto path = folder / "foreign.h5";
    app::ReportCommand plain;
    plain.results = path;
    plain.is_plain = true;
    return {
        {"report --plain",
         [=] {
             return app::report_command(plain, {});
         }},
        {"checks of the program", [=] {
             return problems_of_file(path).empty() ? ExitCode::done : ExitCode::finished_short;
         }}};
}

/// All commands on the foreign file of the folder. Returns how many refused it.
std::size_t judge(const TemporaryFolder& folder, std::map<std::string, Tally>& by) {
    std::size_t refusals = 0;
    for (const Command& command : commands_on(folder)) {
        CAPTURE(command.name);
        const FolderContent before = content_of(folder.path());
        const Guarded done = guarded(folder.path(), "foreign.h5", command.run);
        CAPTURE(done.message);
        CHECK(done.problem == "");
        CHECK(content_of(folder.path()) == before);
        const bool is_refused = done.verdict == Verdict::refused;
        refusals += is_refused ? 1U : 0U;
        ++(is_refused ? by[command.name].refused : by[command.name].accepted);
    }
    return refusals;
}

/// Tables have checksums; a text beside them or a byte between them may be damaged unseen, and then
/// the payload is what it was.
bool has_payload_of(const std::filesystem::path& damaged, const std::filesystem::path& good) {
    const auto hash = [](const std::filesystem::path& path) {
        return results_schema::payload_hash(results_schema::read_results(path));
    };
    try {
        return hash(damaged) == hash(good);
    } catch (const std::exception&) {
        return true;  // refused where it is read whole
    }
}

}  // namespace

TEST_CASE("the result files that are damaged here are good ones") {
    for (const std::string& file : result_files()) {
        const TemporaryFolder folder;
        put_bytes(folder / "good.h5", file);
        put_bytes(folder / "foreign.h5", file);
        CHECK(problems_of_file(folder / "foreign.h5").empty());
        std::map<std::string, Tally> by;
        judge(folder, by);
        for (const char* command : {"report --plain", "checks of the program"}) {
            CAPTURE(command);
            CHECK(by[command].accepted == 1);
        }
    }
}

TEST_CASE("damaged result files are refused, or their tables are whole") {
    const std::uint64_t count = mutations(0.03);
    Tallies tallies;
    for (std::uint64_t seed = first_seed(); seed < first_seed() + count; ++seed) {
        CAPTURE(seed);
        const std::string& good = result_files()[seed % result_files().size()];
        const bool is_noise = seed % 5 == 0;
        const std::string foreign = is_noise ? noise(good, seed) : damaged_bytes(good, seed);
        const TemporaryFolder folder;
        put_bytes(folder / "good.h5", good);
        put_bytes(folder / "foreign.h5", foreign);
        std::map<std::string, Tally>& by = tallies[is_noise ? "random bytes" : "damaged bytes"];
        const std::size_t refusals = judge(folder, by);
        const bool is_refused = refusals == commands_on(folder).size();
        CHECK((is_refused || !is_noise));
        CHECK((is_refused || has_payload_of(folder / "foreign.h5", folder / "good.h5")));
    }
    record_tallies("Result files, damaged", count, tallies);
}

TEST_CASE("result files that other programs have changed are refused or read without harm") {
    const std::uint64_t count = mutations(0.25);
    Tallies tallies;
    for (std::uint64_t seed = first_seed(); seed < first_seed() + count; ++seed) {
        CAPTURE(seed);
        const TemporaryFolder folder;
        const std::string& good = result_files()[seed % result_files().size()];
        put_bytes(folder / "good.h5", good);
        put_bytes(folder / "foreign.h5", good);
        damage_tables(folder / "foreign.h5", seed);
        judge(folder, tallies["changed through HDF5"]);
    }
    record_tallies("Result files, changed", count, tallies);
}
