// The values of a cell that its replications depend on, described once: hashed they are its
// identity, as bytes they travel to the workers, as YAML they stand in the result file. Numbers are
// hashed as values (1000 is 1000.0), names as text, parameters in the order of their names: how a
// campaign was written is no part of its identity.
#pragma once

#include <cstdint>
#include <string>

#include "engine/farm/task.hpp"

#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// All that run_replication() needs of a cell; decode_cell() gives a cell with nothing else in it.
engine::Bytes encode_cell(const Cell& cell);
/// Throws SerializationError where the bytes are no cell.
Cell decode_cell(const engine::Bytes& bytes);

/// The values as one YAML flow mapping, for readers of results.
std::string resolved_text(const Cell& cell);

/// What is simulated: canonical bytes of everything but probes and the length of the series.
/// `pilot`: the cell that estimates the saturation point by which the load is placed; null where
/// none is.
engine::Bytes simulation_bytes(const Cell& cell, const Cell* pilot);

/// What is observed of it: canonical bytes of probes and the length of the series.
engine::Bytes observation_bytes(const Cell& cell);

/// When a cell has enough replications, as canonical bytes.
engine::Bytes replications_bytes(const ReplicationPlan& plan);

/// By which keys of cells and plans know a column: the wait by the word of its first ones, so that
/// keys stay. "wait.mean" → "queueing_time.mean".
std::string lasting_name(std::string column);

}  // namespace schedfarm::app
