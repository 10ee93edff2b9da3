// The journal of a run: begun, gone on with, replaced, or carried over to a changed plan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/farm/journal/journal.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/cell_share.hpp"

namespace schedfarm::app {

/// What to do with a journal that is already there.
enum class ExistingJournal : std::uint8_t {
    refuse,   ///< an error: nothing is overwritten
    resume,   ///< go on from it; it must belong to the same plan
    extend,   ///< go on from it under a changed plan: what the plan can use is kept
    replace,  ///< remove it and begin anew
};

struct OpenedJournal {
    std::unique_ptr<engine::Journal> journal;
    std::unique_ptr<CampaignProgress> progress;  ///< with the journal's observations
    std::uint64_t reused = 0;                    ///< observations taken
    std::uint64_t left_out = 0;                  ///< results that the plan has no use for
    std::vector<engine::Suspect> suspects = {};  ///< in flight when an earlier run died
    /// The last of each replication without observations; not taken.
    std::map<engine::TaskId, engine::TaskResult> failures = {};
    std::string warning = {};  ///< what was wrong with it and is mended; or empty
};

/// A sentence on the results that OpenedJournal has left out.
std::string left_out_text(std::uint64_t replications);

/// Throws JournalError where the journal cannot be read, or is of another plan without the cell.
void expect_run_of(const std::filesystem::path& path, const Plan& plan, const Cell& cell);

/// Throws JournalError where the journal was begun by this program for the plan's campaign, with
/// other contents of its logs. Returns false where it is of another campaign or version that does
/// not have the cell, over the same logs; true where there is none, or no log.
bool expect_same_logs(const std::filesystem::path& path, const Plan& plan, const Cell& cell);

/// Opens or begins the journal of a plan, which outlives what is returned. Extending writes a new
/// journal beside the old one and puts it in its place when it is complete: nothing is lost if that
/// fails. Resuming records the suspects: what was in flight when the run before died. `share`: the
/// cells that are computed; absent: those of the journal. Throws JournalError, and has changed
/// nothing then: none to go on from, another campaign's, none to be overwritten, records that are
/// none of the campaign's, or nothing that the plan can use.
OpenedJournal open_journal(
    const std::filesystem::path& path,
    const Plan& plan,
    ExistingJournal existing,
    const std::optional<CellShare>& share = std::nullopt
);

}  // namespace schedfarm::app
