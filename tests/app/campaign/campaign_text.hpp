// Small campaigns for tests: a right one, with lines replaced or added.
#pragma once

#include <map>
#include <string>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app::tests {

/// Line number → text. Lines 1 to 9 stand for a right campaign of one cell; see campaign_text.cpp.
using Lines = std::map<int, std::string>;

std::string campaign_text(const Lines& changes);

/// Changes to a campaign of 2 x 2 cells, two component sizes and two numbers of fills, with this
/// file of reference values.
Lines filling_grid_with(const std::string& reference);

/// The text as file "a.yaml", with further files beside it.
CampaignSource source_of(
    const std::string& text, const std::map<std::string, std::string>& others = {}
);

Plan plan_of(const Lines& changes, const std::map<std::string, std::string>& others = {});

/// All messages, one per line; "" when the campaign is right.
std::string errors_of(const Lines& changes, const std::map<std::string, std::string>& others = {});

}  // namespace schedfarm::app::tests
