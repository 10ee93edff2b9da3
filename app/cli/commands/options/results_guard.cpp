#include "app/cli/commands/options/results_guard.hpp"

#include <set>
#include <system_error>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/foundation/message_text.hpp"

#include "results_schema/result_io.hpp"

#include "app/cli/commands/status_notes.hpp"
#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

namespace fs = std::filesystem;

void expect_results(const fs::path& results) {
    std::error_code error;  // the reader of results explains it
    if (results.extension() == ".journal" && fs::exists(results, error)) {
        fs::path meant = results;
        meant.replace_extension();
        throw results_schema::ResultError(fmt::format(
            "{}: this is a journal, not a result file. Name {}, or see how far it is with `{}`",
            results.string(),
            meant.string(),
            engine::program_command({"status", results})
        ));
    }
    const fs::path journal = journal_path(results);
    if (!fs::exists(results, error) && fs::exists(journal, error)) {
        const bool is_running = engine::is_being_written(journal).value_or(false);
        throw results_schema::ResultError(fmt::format(
            "{}: there is no such file, but there is a journal beside it ({}). {} with `{}`, or "
            "make "
            "a provisional file with `{}`",
            results.string(),
            is_running ? "of a run that goes on" : "a killed run leaves one",
            is_running ? "See how far it is" : "Go on",
            is_running ? engine::program_command({"status", results}) : resume_command(journal),
            engine::program_command({"rebuild", journal})
        ));
    }
}

std::string newer_journal_text(const fs::path& results, std::uint64_t replications) {
    const fs::path journal = journal_path(results);
    std::error_code error;
    const auto written = fs::last_write_time(results, error);
    if (error || !(fs::last_write_time(journal, error) > written) || error) {
        return "";
    }
    try {
        std::set<engine::TaskId> known;  // a replication that failed may be there again
        for (const engine::TaskResult& result : engine::read_journal(journal).results) {
            known.insert(result.id);
        }
        return known.size() <= replications
                   ? ""
                   : fmt::format(
                       "The run has come farther since ({}, {} here). See `{}`",
                       engine::counted(known.size(), "replication"),
                       replications,
                       engine::program_command({"status", results})
                   );
    } catch (const engine::JournalError&) {
        return "";  // what it is worth is for those to say who go on from it
    }
}

}  // namespace schedfarm::app
