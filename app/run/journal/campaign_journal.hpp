// A journal and the campaign in its header: the plan that it was begun with, and its damage. What
// of its results a plan can use is found by Gathering.
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

/// Reads a journal. Throws JournalError: the file is none, or this program makes another plan of
/// its campaign. The file is never changed.
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

}  // namespace schedfarm::app
