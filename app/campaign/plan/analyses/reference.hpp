// The values that a paper prints: a CSV file beside the campaign, one row per value. Columns:
// factors of the campaign (enough of them to name one cell), metric, known_label, value, runs,
// column, note.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// Half a unit of the last digit printed: 0.0005 for "0.031" and 0.005 for "1.20", 5 for "1.2e2".
/// Absent when the text is no decimal number.
std::optional<double> rounding_of(const std::string& printed);

/// Reads the reference of a campaign, if it has one, and matches its rows to the cells.
std::vector<ReferenceValue> read_references(
    const Node& campaign,
    const CampaignSource& source,
    const std::vector<Cell>& cells,
    Problems& problems
);

}  // namespace schedfarm::app
