// A journal that has been understood: its records are results of the campaign in its header. A
// checksum says only that a record is what some program wrote; a journal of another version of the
// program, or one that was tampered with, is found out here, before anything is made of it and
// before the file is changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/farm/journal/journal.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

struct CampaignJournal {
    engine::JournalContent content;
    Plan plan;  ///< the one that the journal was begun with
};

/// Reads a journal. Throws JournalError: the file is none, this program makes another plan of its
/// campaign, or expect_results_of() does. The file is never changed.
CampaignJournal read_campaign_journal(const std::filesystem::path& path);

/// The campaign that a journal was begun with. Throws SerializationError.
CampaignSource source_in(const engine::JournalHeader& header);

/// What becomes of the results behind the damage of a journal.
enum class BehindDamage : std::uint8_t {
    is_computed_again,     ///< the journal is mended and gone on from
    waits_for_the_resume,  ///< the journal was looked at only
    is_missing,            ///< from a file made of the journal, which stays as it is
};

/// "k.h5.journal: damaged at byte 7391: 111 results before it are kept, ..."; empty: it is not.
std::string damage_text(
    const std::filesystem::path& path, const engine::JournalContent& content, BehindDamage rest
);

/// Throws JournalError unless every record can stem from a run of the plan: its cell exists, its
/// index is one that was reached, its observations are those of the cell, and the plan's rules
/// take it. Cost: that of taking all results once. `path` is for the message.
void expect_results_of(
    const std::filesystem::path& path, const engine::JournalContent& content, const Plan& plan
);

}  // namespace schedfarm::app
