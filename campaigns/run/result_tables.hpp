// From the progress of a campaign to the tables of its result file.
#pragma once

#include <string>
#include <vector>

#include "engine/farm/farm.hpp"

#include "results_schema/table.hpp"

#include "campaigns/plan/plan.hpp"
#include "campaigns/run/campaign_work.hpp"
#include "campaigns/run/cell_summary.hpp"

namespace schedfarm::campaigns {

/// When, where and by whom a result file was made; not part of the payload.
struct Provenance {
    std::string started;  ///< UTC, ISO 8601
    std::string finished;
    engine::FarmReport farm;
    std::uint32_t ranks = 1;
};

results_schema::ResultFile build_results(
    const Plan& plan,
    const CampaignProgress& progress,
    const std::vector<CellSummary>& summaries,
    const Provenance& provenance
);

}  // namespace schedfarm::campaigns
