// What `status` says below its table: how far the run is, how long it takes still, what failed,
// whether anybody is at it, and what to do next. Commands are notes of their own, to be copied
// whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/report/json.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/cell_share.hpp"
#include "app/run/journal/campaign_journal.hpp"

namespace schedfarm::app {

/// Notes of a table. `progress` has the journal's share and has taken its results. Reads
/// the clock, and asks the journal's lock whether the run goes on.
std::vector<std::string> status_notes(
    const std::filesystem::path& journal,
    const engine::JournalContent& content,
    const CampaignProgress& progress
);

/// The same for scripts: members of an object, with the last line of the notes as `command`.
Json status_json(
    const std::filesystem::path& journal,
    const engine::JournalContent& content,
    const CampaignProgress& progress
);

/// The command that goes on with the run of a journal; with CAMPAIGN for what cannot be read there.
std::string resume_command(const std::filesystem::path& journal);

}  // namespace schedfarm::app
