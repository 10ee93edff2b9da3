// Identities: hashes of the values of cells and plans that say what may be reused, and the seeds
// that follow from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/farm/task.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/simulation/system.hpp"

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// SHA-256 over results version, seed of the campaign and what is simulated. `pilot`: the cell that
/// estimates the saturation point by which the load is placed; null where none is.
std::string simulation_key(const Cell& cell, const Cell* pilot, std::uint64_t campaign_seed);

/// The first 64 bits of a hash in hexadecimal digits.
std::uint64_t seed_of(const std::string& hash);

/// What goes into the keys of cells that differ in their random numbers alone, hashed once.
struct CellIdentity {
    engine::Sha256 begun;    ///< what is simulated, up to its random numbers
    engine::Bytes pilot;     ///< by which the load is placed
    engine::Bytes observed;  ///< what is measured
    StreamSharing streams = StreamSharing::common;
};

/// REQUIRES: all parts of the cell but its seed and key are there; the pilot has its key.
CellIdentity identity_of(const Cell& cell, const Cell* pilot, StreamSharing streams);

/// Gives a cell its seed and its replication key. The seed of independent streams is the first 64
/// bits of the simulation key: what is only measured changes no number. The replication key is the
/// SHA-256 of what is simulated with that seed, and of what is observed.
/// REQUIRES: the identity is that of this cell, or of one that differs in its seed alone.
void identify(Cell& cell, const CellIdentity& identity, std::uint64_t campaign_seed);

/// When a cell has enough replications, as bytes that are equal where the values are.
engine::Bytes replications_bytes(const ReplicationPlan& plan);

std::string digest_of(const std::vector<engine::Outage>& outages);

/// By which keys of cells and plans know a column: the wait by the word of its first ones, so that
/// keys stay. "wait.mean" → "queueing_time.mean".
std::string lasting_name(std::string column);

/// SHA-256 over seed, cells, targets, caps, and what is made of the replications.
std::string plan_hash(const Plan& plan);

}  // namespace schedfarm::app
