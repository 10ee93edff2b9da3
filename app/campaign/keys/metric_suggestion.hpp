// The experiment of a cell, and what messages write where a section needs a metric and names none:
// one wording for precision, comparison, selection, control variates and certificates.
#pragma once

#include <optional>
#include <string>

#include "engine/simulation/experiment.hpp"

#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

/// What `experiment` names; absent: nothing.
std::optional<engine::ExperimentKind> experiment_of(const Node& cell);

/// A metric that the cell or campaign may ask for: its first probe, or what its experiment
/// measures.
std::string observed_metric(const Node& cell);

/// One that every replication has a value of: utilizations of a saturated experiment are ratios of
/// sums over all of them.
std::string compared_metric(const Node& campaign);

/// `{metric: response_time, relative: 0.05}`.
std::string target_text(const std::string& metric);

}  // namespace schedfarm::app
