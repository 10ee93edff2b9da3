// Several runs of one campaign made one: the tasks of a job array, or runs on several machines.
#pragma once

#include <filesystem>
#include <vector>

#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

/// Joins the journals of the parts into the journal of `output` and writes its result file. A part
/// is a journal or the result file beside one. The payload is that of a single run that computed
/// the same replications. Throws JournalError, and leaves nothing behind, when there are no parts,
/// when they belong to different campaigns (the text says what differs), when two disagree about a
/// replication, or when a journal of `output` is there already.
RunSummary merge(
    const std::vector<std::filesystem::path>& paths, const std::filesystem::path& output
);

}  // namespace schedfarm::app
