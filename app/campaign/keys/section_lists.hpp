// The sections that schema.cpp puts together, each described where it is read.
#pragma once

#include <vector>

#include "app/campaign/keys/schema.hpp"

namespace schedfarm::app {

std::vector<Section> system_sections();
std::vector<Section> load_sections();
std::vector<Section> horizon_sections();
std::vector<Section> random_sections();
std::vector<Section> replication_sections();
std::vector<Section> analysis_sections();
std::vector<Section> certificate_sections();
std::vector<Section> report_sections();
std::vector<Section> claim_sections();

}  // namespace schedfarm::app
