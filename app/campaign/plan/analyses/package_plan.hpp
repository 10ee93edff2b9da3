// What the Python package plans of a campaign (python/src/schedfarm/_planning): its claims, the
// values of its reference, and whether there is what the figures of its report name. Their form is
// checked here, and who asks is the command. Pure.
#pragma once

#include <string>

#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// The reference of a campaign, if it has one.
CsvFile read_reference(const Node& campaign, const CampaignSource& source, Problems& problems);

/// What the package is asked, JSON: the effective configuration, and of the cells levels, columns
/// and which have equal replications. Empty where the campaign has nothing that it plans.
std::string package_question(const Plan& plan);

/// Takes in what it says. Throws ConfigErrors with what it finds wrong.
void take_package_answer(const std::string& answer, Plan& plan);

}  // namespace schedfarm::app
