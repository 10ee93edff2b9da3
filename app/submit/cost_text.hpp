// What a campaign will cost, in words. Pure.
#pragma once

#include <string>

#include "app/submit/cost.hpp"

namespace schedfarm::app {

/// Lines for a terminal of 80 columns: cells, replications and core-hours, with their bounds where
/// they are not known exactly, and what they rest on.
std::string cost_text(const CampaignCost& cost);

}  // namespace schedfarm::app
