// Runs a plan on the farm: journal, workers, result file. The master's part; the other ranks only
// execute replications.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/farm/farm.hpp"
#include "engine/farm/journal/journal.hpp"

#include "results_schema/result_io.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/journal/opened_journal.hpp"
#include "app/run/replication.hpp"

namespace schedfarm::app {

/// What becomes of replications without observations that the journal holds.
enum class FormerFailures : std::uint8_t {
    keep,       ///< none is tried again
    retry,      ///< all but those that crashed
    retry_all,  ///< those that crashed too, isolated, before anything else
};

struct RunOptions {
    std::filesystem::path output;  ///< result file; the journal lies beside it
    ExistingJournal existing_journal = ExistingJournal::refuse;
    SimulatorChoice kernel = SimulatorChoice::automatic;
    std::optional<CellShare> share = {};  ///< the cells that are computed; absent: the journal's
    /// What executes replications where no other rank does; without a server and a function:
    /// replication_function() in this process.
    engine::Workers workers = {};
    std::uint32_t crashes = 2;  ///< a replication that has crashed so often is put aside
    FormerFailures former_failures = FormerFailures::retry;
    /// Called a few times per second with the progress so far.
    std::function<void(const CampaignProgress&)> on_progress;
    /// True: dispatch nothing more, save everything, return.
    std::function<bool()> should_drain;
    /// Asked while it drains; true: return without what is under way (see FarmOptions).
    std::function<bool()> should_abandon = {};
    /// Told of replications that last far longer than was predicted.
    engine::OnOverdueTask on_overdue = {};
    engine::RankWait wait = {};                                   ///< see FarmOptions
    std::function<void(const engine::LostWorker&)> on_lost = {};  ///< likewise
    /// True: bring the journal to the disk now; asked a few times per second.
    std::function<bool()> should_sync = {};
    /// Asked before the results are written: throws where what has their name by then is not to be
    /// replaced.
    std::function<void()> expect_replaceable = {};
    /// Told before anything runs what was wrong with the journal, if anything was.
    std::function<void(const std::string&)> warn = {};
};

struct RunSummary {
    std::uint64_t replications = 0;  ///< computed in this run
    std::uint64_t reused = 0;        ///< taken from the journal
    std::uint64_t left_out = 0;      ///< in the journal, of no use to the plan
    std::uint64_t wasted = 0;        ///< computed beyond the stopping index
    std::uint64_t failed = 0;        ///< without observations
    std::uint64_t suspects = 0;      ///< in flight when an earlier run died
    std::uint64_t unstable_cells = 0;
    std::uint64_t cells_not_stationary = 0;  ///< met their targets, in runs that are too short
    std::uint64_t cells_short_of_target = 0;
    std::uint64_t cells_not_bracketed = 0;  ///< searches whose load lies outside their bounds
    std::uint64_t undecided_cells = 0;
    std::uint64_t cells = 0;
    engine::JournalEnd end = engine::JournalEnd::finished;
    double wall_seconds = 0;
    bool has_lost_ranks = false;
    std::string payload_hash;
    std::filesystem::path output;
    std::vector<std::string> warnings = {};  ///< of journals that were only read: their damage
    std::vector<results_schema::Defect> defects = {};  ///< of the results, in the file, too
};

/// The result file that a campaign writes where none is named: `<its name>.h5` in the current
/// folder.
std::filesystem::path default_output(const std::filesystem::path& campaign);

/// The journal that belongs to a result file: `<output>.journal`.
std::filesystem::path journal_path(const std::filesystem::path& output);

/// The journal that a user means: itself, or that beside a result file.
std::filesystem::path journal_of(const std::filesystem::path& given);

/// The function that workers execute: a task has all that it needs. A log that is missing or has
/// other contents here is no result: WorkerBroken. `groups`: of the waits of replayed logs.
engine::TaskExecutor replication_function(
    SimulatorChoice kernel, models::trace::WaitGroups groups = models::trace::WaitGroups::all_jobs
);

/// REQUIRES: called on the master. Throws JournalError or ResultError when the journal or the
/// result file cannot be written; the journal then still holds everything that was synced.
RunSummary run_campaign(const engine::World& world, Plan plan, const RunOptions& options);

/// Adds to a plan what others plan of it.
using PlanCompletion = std::function<void(Plan&)>;

/// Writes the result file of a journal anew. Throws JournalError or ResultError; the former also
/// where the result file beside the journal has more replications.
RunSummary rebuild(
    const std::filesystem::path& journal,
    const std::filesystem::path& output,
    const PlanCompletion& complete = nullptr
);

/// Joins what the first part's plan can use of all parts, such as the tasks of a job array or runs
/// on several machines, in the journal of `output`, and writes its result file. A part is a journal
/// or the result file beside one. The payload is that of a single run that computed the same
/// replications. Throws JournalError, and leaves nothing behind, when there are no parts, when one
/// has nothing in common with the first (the text says what differs), when two disagree about a
/// replication, or when a journal of `output` is there already.
RunSummary merge(
    const std::vector<std::filesystem::path>& paths,
    const std::filesystem::path& output,
    const PlanCompletion& complete = nullptr
);

}  // namespace schedfarm::app
