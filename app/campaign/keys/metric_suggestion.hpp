// The experiment of a cell, and what messages write where a section needs a metric and names none:
// one wording for precision, comparison, selection, control variates and certificates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/simulation/experiment.hpp"

#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

/// What `experiment` names; absent: nothing.
std::optional<engine::ExperimentKind> experiment_of(const Node& cell);

/// A metric that the cell or campaign may ask for: its first probe, or what its experiment
/// measures.
std::string observed_metric(const Node& cell);

/// Of a saturated experiment: a utilization of all replications, not of each.
bool is_ratio_of_sums(const engine::ExperimentKind& experiment, std::string_view metric);

/// One that every replication has a value of.
std::string compared_metric(const Node& campaign);

/// `{metric: response_time, relative: 0.05}`.
std::string target_text(const std::string& metric);

}  // namespace schedfarm::app
