// Reads what is to be made of the replications: `comparison`, `selection` and `control_variates` of
// a campaign. Factors, labels and metrics are as written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/selection/selection.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

struct ComparisonRequest {
    std::string factor;
    std::string metric;
    std::optional<std::string> baseline = {};  ///< label of a level; absent: every pair
    double confidence = 0.95;                  ///< of the family
    std::optional<engine::PrecisionTarget> target = {};
};

struct SelectionRequest {
    std::string factor;
    std::string metric;
    engine::SelectionSettings rule;
};

struct ControlRequest {
    std::string metric;
    std::vector<std::string> controls;
};

struct AnalysisRequests {
    std::optional<ComparisonRequest> comparison;
    std::optional<SelectionRequest> selection;
    std::optional<ControlRequest> controls;
};

AnalysisRequests read_analyses(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
