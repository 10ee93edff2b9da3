// Identities: the canonical text of a cell and the hashes that say what may be reused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/config/cell_settings.hpp"
#include "campaigns/plan/plan.hpp"

namespace schedfarm::campaigns {

/// Everything that a replication depends on but seed and index, as YAML. REQUIRES: all parts are
/// there.
std::string cell_text(const CellSettings& settings);

/// SHA-256 over results version, seed and the cell's text.
std::string replication_key(const Cell& cell, std::uint64_t seed);

/// SHA-256 over seed, cells, levels, targets and caps.
std::string plan_hash(const Plan& plan);

}  // namespace schedfarm::campaigns
