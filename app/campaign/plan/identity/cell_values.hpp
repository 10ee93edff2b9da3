// The values of a cell that its replications depend on, as one tree: as bytes it travels to the
// workers, as JSON it stands in the result file. What of them is hashed: keys.hpp.
#pragma once

#include <string>

#include "engine/farm/task.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// All that run_replication() needs of a cell; decode_cell() gives a cell with nothing else in it.
engine::Bytes encode_cell(const Cell& cell);
/// Throws SerializationError where the bytes are no cell.
Cell decode_cell(const engine::Bytes& bytes);

/// For readers of results: JSON, without what is absent.
std::string resolved_text(const Cell& cell);

}  // namespace schedfarm::app
