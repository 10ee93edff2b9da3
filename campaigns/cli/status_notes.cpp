#include "campaigns/cli/status_notes.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/farm/journal.hpp"

#include "campaigns/cli/commands.hpp"
#include "campaigns/cli/supervise.hpp"

namespace schedfarm::campaigns {

namespace {

namespace fs = std::filesystem;

constexpr double seconds_per_hour = 3600;

/// 0 where the journal does not tell.
std::size_t workers_of_last_run(const engine::JournalContent& content) {
    std::map<double, std::set<std::uint32_t>> ranks;  // by when their run began
    for (const engine::TaskResult& result : content.results) {
        ranks[result.run_began_s].insert(result.rank);
    }
    return ranks.empty() || ranks.rbegin()->first <= 0 ? 0 : ranks.rbegin()->second.size();
}

std::string rough_duration(double seconds) {
    if (seconds < 100) {
        return fmt::format("{:.0f} s", seconds < 1 ? 1 : seconds);
    }
    return seconds < 2 * seconds_per_hour ? fmt::format("{:.0f} min", seconds / 60)
                                          : fmt::format("{:.1f} h", seconds / seconds_per_hour);
}

}  // namespace

fs::path journal_meant(const fs::path& given) {
    if (given.extension() != ".yaml" && given.extension() != ".yml") {
        return journal_of(given);
    }
    RunCommand run;
    run.campaign = given;
    fs::path journal = journal_path(output_of(run));
    if (!fs::exists(journal)) {
        throw engine::JournalError(fmt::format(
            "{}: there is no journal of this campaign's default output here (no {}). Name the "
            "result file that the run was told to write",
            given.string(),
            journal.string()
        ));
    }
    return journal;
}

std::string time_left_text(const engine::JournalContent& content, double core_hours) {
    const std::size_t workers = workers_of_last_run(content);
    const double core_seconds = core_hours * seconds_per_hour;
    std::string text = workers == 0
                           ? fmt::format("About {} left for one core", rough_duration(core_seconds))
                           : fmt::format(
                               "About {} left on {} worker{}",
                               rough_duration(core_seconds / static_cast<double>(workers)),
                               workers,
                               workers == 1 ? "" : "s"
                           );
    return core_hours < 1 ? text + "." : fmt::format("{} ({:.2g} core-hours).", text, core_hours);
}

std::string next_step_text(const fs::path& journal, const Plan& plan, bool is_decided) {
    const std::optional<bool> is_running = engine::is_being_written(journal);
    if (is_running.value_or(true)) {
        return is_running ? "It is running." : "";
    }
    RunCommand run;
    run.campaign = plan.source.main_file;
    run.output = journal;
    run.output.replace_extension();  // drops ".journal"
    if (!is_decided) {
        return "Nobody is running it; go on with: " + resume_text(run);
    }
    if (fs::exists(run.output)) {
        return fmt::format("It is complete: see `schedfarm report {}`.", run.output.string());
    }
    return fmt::format(
        "It is complete and its result file is not there: `schedfarm rebuild {}` writes it.",
        journal.string()
    );
}

}  // namespace schedfarm::campaigns
