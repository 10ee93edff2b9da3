// Identities: the canonical text of a cell and the hashes that say what may be reused.
#pragma once

#include <cstdint>
#include <string>

#include "app/config/cell_settings.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// Everything that a replication depends on but seed and index, as YAML. `pilot`: the cell that
/// estimates the saturation point by which the load is placed; null where none is.
/// REQUIRES: all parts are there.
std::string cell_text(const CellSettings& settings, const Cell* pilot);

/// SHA-256 over results version, the campaign's seed and the cell's text.
std::string replication_key(const std::string& cell_text, std::uint64_t seed);

/// The seed of a cell whose streams are independent: the first 64 bits of its replication key.
std::uint64_t independent_seed(const std::string& replication_key);

/// When a cell has enough replications, as text.
std::string replications_text(const ReplicationPlan& plan);

/// SHA-256 over seed, cells, levels, targets, caps, and what is made of the replications.
std::string plan_hash(const Plan& plan);

}  // namespace schedfarm::app
