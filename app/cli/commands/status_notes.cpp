#include "app/cli/commands/status_notes.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/processes/drain_notice.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/run_totals.hpp"
#include "app/cli/launch.hpp"
#include "app/cli/progress_text.hpp"
#include "app/report/text_table.hpp"
#include "app/run/cell_share.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

constexpr double seconds_of_hour = 3600;

/// The run that computed last, as far as the journal tells.
struct LastRun {
    double began_s = 0;        ///< since 1970; 0: not known
    double last_result_s = 0;  ///< the same
    double core_hours = 0;
    double longest_s = 0;  ///< of the replications of any run
    std::set<std::uint32_t> workers;
};

LastRun last_run_of(const CampaignProgress& progress) {
    LastRun run;
    for (const auto& cell : progress.cells()) {
        for (const IndexedOutcome& outcome : cell->all_outcomes()) {
            const ReplicationTiming& timing = outcome.timing;
            run.longest_s = std::max(run.longest_s, timing.seconds);
            if (timing.run_began_s > run.began_s) {
                run = {.began_s = timing.run_began_s, .longest_s = run.longest_s, .workers = {}};
            }
            if (run.began_s > 0 && timing.run_began_s == run.began_s) {
                run.last_result_s = std::max(run.last_result_s, timing.began_s + timing.seconds);
                run.core_hours += timing.seconds / seconds_of_hour;
                run.workers.insert(timing.rank);
            }
        }
    }
    return run;
}

double now_s() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

std::string progress_text(const engine::JournalContent& content, const RunTotals& totals) {
    const bool is_decided = totals.decided == totals.cells;
    return fmt::format(
        "{} of {} decided; {}{}{}{}.",
        totals.decided,
        engine::counted(totals.cells, "cell"),
        is_decided ? "" : fmt::format("{} of ", totals.computed),
        engine::counted(is_decided ? totals.computed : totals.predicted, "replication"),
        totals.is_lower_bound ? " or more" : "",
        content.in_flight.empty() ? "" : fmt::format(", {} handed out", content.in_flight.size())
    );
}

/// As the progress line reckons it; absent where nothing is left or it is not known.
std::optional<double> seconds_left_of(const LastRun& run, const RunTotals& totals, double until_s) {
    if (totals.is_lower_bound || totals.core_hours_left <= 0) {
        return std::nullopt;
    }
    const double one_core_s = totals.core_hours_left * seconds_of_hour;
    if (run.workers.empty()) {
        return one_core_s;
    }
    return std::max(
        1.0,
        seconds_left(totals, run.core_hours, until_s - run.began_s)
            .value_or(one_core_s / static_cast<double>(run.workers.size()))
    );
}

/// "About 40 s left on 2 workers."; empty where nothing is left.
std::string time_left_text(
    const LastRun& run, const RunTotals& totals, const std::optional<double>& seconds
) {
    if (totals.is_lower_bound) {
        return "How long it takes is not known yet.";
    }
    if (!seconds) {
        return "";
    }
    const std::string cost = run.workers.empty() || totals.core_hours_left < 1
                                 ? ""
                                 : fmt::format(" ({:.2g} core-hours)", totals.core_hours_left);
    return fmt::format(
        "About {} left {}{}.",
        duration_text(*seconds),
        run.workers.empty() ? "for one core"
                            : "on " + engine::counted(run.workers.size(), "worker"),
        cost
    );
}

void add_failures(std::vector<std::string>& notes, const CampaignProgress& progress) {
    constexpr std::uint64_t most_listed = 5;
    std::uint64_t failed = 0;
    std::vector<std::string> listed;
    for (const auto& cell : progress.cells()) {
        for (const auto& [i, timing, failure] : cell->all_outcomes()) {
            if (failure != nullptr && ++failed <= most_listed) {
                listed.push_back(fmt::format(
                    "cell {}, replication {} {}: {}",
                    cell->cell().index,
                    i,
                    failure->status,
                    failure->message
                ));
            }
        }
    }
    if (failed == 0) {
        return;
    }
    notes.push_back(engine::counted(failed, "replication") + " failed:");
    notes.insert(notes.end(), listed.begin(), listed.end());
    if (failed > most_listed) {
        notes.push_back(fmt::format("and {} more.", failed - most_listed));
    }
}

/// Says that nothing comes in any more, where that is long for this campaign; else empty.
std::string quiet_note(const engine::JournalContent& content, const LastRun& run) {
    const double quiet_s = now_s() - run.last_result_s;
    if (run.last_result_s <= 0 || content.in_flight.empty()
        || quiet_s < patience_s(run.longest_s)) {
        return "";
    }
    ReplicationId first = ReplicationId::of(content.in_flight.front());
    for (const engine::TaskId id : content.in_flight) {  // cells take turns, replications in order
        const ReplicationId other = ReplicationId::of(id);
        first = other.replication < first.replication ? other : first;
    }
    return fmt::format(
        "But {} (the others took {} at most). If {} hangs: stop the run, and resume it with "
        "--time-limit SECONDS, which ends such replications.",
        quiet_text(quiet_s, first, content.in_flight.size()),
        measured_text(run.longest_s),
        content.in_flight.size() > 1 ? "one of them, not always the oldest," : "it"
    );
}

/// What a run waits for that was told to stop.
std::string draining_text(std::uint64_t awaited, const LastRun& run) {
    if (awaited == 0) {
        return "It was told to stop and is saving its results.";
    }
    std::string text = fmt::format(
        "It was told to stop: it ends, with everything saved, when {} under way {} back.",
        awaited == 1 ? "the replication" : fmt::format("the {} replications", awaited),
        awaited == 1 ? "is" : "are"
    );
    const double quiet_s = now_s() - run.last_result_s;
    if (run.last_result_s > 0 && quiet_s > patience_s(0)) {
        text += fmt::format(
            " No result for {}; telling it once more (Ctrl-C or TERM) stops it at once.",
            duration_text(quiet_s)
        );
    }
    return text;
}

/// Whether all that a cell waits for is a replication that was put aside.
bool waits_for_crashed(const CellProgress& cell) {
    const auto hole = cell.hole();
    return hole && cell.ready() == 0 && cell.outcomes().failure(*hole)->status == "crashed";
}

std::string share_text(const CellShare& share) {
    return fmt::format("Share {} of the cells", text_of(share));
}

/// What there is still to do.
struct Rest {
    std::size_t open = 0;     ///< cells that can go on
    std::size_t waiting = 0;  ///< cells that wait for what crashed
    CellShare share;          ///< of the cells, whose journal it is
};

Rest rest_of(const CampaignProgress& progress, const CellShare& share) {
    Rest rest;
    rest.share = share;
    for (const auto& cell : progress.cells()) {
        if (progress.is_ours(cell->cell()) && cell->decision().is_open()) {
            ++(waits_for_crashed(*cell) ? rest.waiting : rest.open);
        }
    }
    return rest;
}

RunCommand run_of(const fs::path& journal, const engine::JournalHeader& header) {
    RunCommand run;
    run.campaign = source_in(header).main_file;
    run.output = journal;
    run.output.replace_extension();  // drops ".journal"
    return run;
}

/// What to do with a run that nobody is at.
struct NextStep {
    std::string text;
    std::string command;
};

NextStep next_step_of(
    const fs::path& journal, const engine::JournalHeader& header, const Rest& rest
) {
    const RunCommand run = run_of(journal, header);
    if (rest.open > 0) {
        return {"Nobody is running it; go on with:", resume_text(run)};
    }
    if (rest.waiting > 0) {
        return {
            "Nobody is running it; what is left waits for replications that crashed and were put "
            "aside. When the cause is mended, try them again with:",
            resume_text(run) + " --retry-quarantined"};
    }
    const std::string whole =
        rest.share.is_whole()
            ? "It is complete"
            : share_text(rest.share) + " is complete (merge joins it with the others)";
    if (fs::exists(run.output)) {
        return {whole + ". See:", engine::program_command({"report", run.output})};
    }
    return {
        whole + ", and its result file is not there. Write it with:",
        engine::program_command({"rebuild", journal})};
}

/// What both forms say.
struct Facts {
    std::optional<bool> is_running;             ///< absent: the file system cannot tell
    std::optional<std::uint64_t> awaited = {};  ///< of a run that was told to stop
    CellShare share = {};
    RunTotals totals = {};
    LastRun run = {};
    std::optional<double> seconds_left = {};
    NextStep next = {};  ///< where nobody is at it
};

Facts facts_of(
    const fs::path& journal, const engine::JournalContent& content, const CampaignProgress& progress
) {
    Facts facts{.is_running = engine::is_being_written(journal)};
    facts.share = share_in(content);
    facts.totals = totals_of(progress);
    facts.run = last_run_of(progress);
    const bool is_running = facts.is_running.value_or(false);
    facts.seconds_left =
        seconds_left_of(facts.run, facts.totals, is_running ? now_s() : facts.run.last_result_s);
    if (is_running) {
        facts.awaited = engine::read_drain_notice(journal);
    } else if (facts.is_running) {
        facts.next = next_step_of(journal, content.header, rest_of(progress, facts.share));
    }
    return facts;
}

}  // namespace

std::vector<std::string> status_notes(
    const fs::path& journal, const engine::JournalContent& content, const CampaignProgress& progress
) {
    const Facts facts = facts_of(journal, content, progress);
    const bool is_running = facts.is_running.value_or(false);
    const std::string quiet = is_running ? quiet_note(content, facts.run) : "";
    std::vector<std::string> notes{
        (facts.share.is_whole() ? "" : share_text(facts.share) + ": ")
        + progress_text(content, facts.totals)};
    const std::string time_left = time_left_text(facts.run, facts.totals, facts.seconds_left);
    if (!time_left.empty() && quiet.empty() && !facts.awaited) {
        notes.push_back(time_left);
    }
    add_failures(notes, progress);
    if (is_running) {
        notes.push_back(
            facts.awaited ? draining_text(*facts.awaited, facts.run) : "It is running."
        );
        if (!quiet.empty()) {
            notes.push_back(quiet);
        }
    } else if (facts.is_running) {
        notes.push_back(facts.next.text);
        notes.push_back(std::string(verbatim) + facts.next.command);
    }
    return notes;
}

Json status_json(
    const fs::path& journal, const engine::JournalContent& content, const CampaignProgress& progress
) {
    const Facts facts = facts_of(journal, content, progress);
    Json json = progress_json(facts.totals, facts.seconds_left);
    json["campaign"] = progress.plan().name;
    json["journal"] = journal.string();
    json["share"] = text_of(facts.share);
    json["handed_out"] = content.in_flight.size();
    json["is_running"] = facts.is_running ? Json(*facts.is_running) : Json(nullptr);
    json["is_stopping"] = facts.awaited.has_value();
    json["command"] = facts.next.command.empty() ? Json(nullptr) : Json(facts.next.command);
    return json;
}

std::string resume_command(const fs::path& journal) {
    try {
        return resume_text(run_of(journal, engine::read_journal(journal).header));
    } catch (const std::runtime_error&) {
        return "schedfarm resume CAMPAIGN";
    }
}

}  // namespace schedfarm::app
