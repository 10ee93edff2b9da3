// What `status` says below its table: how long it takes still, whether anybody is at it, and what
// to do next.
#pragma once

#include <filesystem>
#include <string>

#include "campaigns/run/campaign_journal.hpp"

namespace schedfarm::campaigns {

/// The journal that is meant by a journal, a result file, or a campaign file: that of its default
/// output in this folder. Throws JournalError where a campaign has none.
std::filesystem::path journal_meant(const std::filesystem::path& given);

/// "About 40 s left on 2 workers.": those that computed in the journal's last run.
std::string time_left_text(const engine::JournalContent& content, double core_hours);

/// Whether the run goes on, as the lock of its journal tells, and the command to go on with. Empty
/// where nothing can be told. `is_decided`: all cells are.
std::string next_step_text(const std::filesystem::path& journal, const Plan& plan, bool is_decided);

}  // namespace schedfarm::campaigns
