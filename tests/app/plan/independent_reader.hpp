// A second reading of campaign files that shares no code with campaigns/: plain walks over YAML
// nodes. It expects a campaign that was accepted, and says in what a plan differs from it.
#pragma once

#include <string>

#include "app/plan/plan.hpp"

namespace schedfarm::app::tests {

/// "" when the plan's cells are what the source says, else the first difference.
std::string difference(const CampaignSource& source, const Plan& plan);

}  // namespace schedfarm::app::tests
