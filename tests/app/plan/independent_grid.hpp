// The grid of a campaign by the second reading: one YAML tree per cell.
#pragma once

#include <vector>

#include <yaml-cpp/yaml.h>

#include "app/config/yaml/source.hpp"

namespace schedfarm::app::tests {

struct IndependentCell {
    YAML::Node tree;
    /// A load placed by the program: the fraction of the maximal utilization; 0: none is.
    double saturation_fraction = 0;
};

struct IndependentCampaign {
    YAML::Node tree;  ///< includes merged
    std::size_t cell_count = 0;
    std::vector<IndependentCell> cells;  ///< the first 2,000
};

IndependentCampaign read_independently(const CampaignSource& source);

double number_of(const YAML::Node& node);

}  // namespace schedfarm::app::tests
