// Tasks and results as bytes: one form for messages and for the journal.
#pragma once

#include "engine/farm/task.hpp"
#include "engine/farm/transport/serialization.hpp"

namespace schedfarm::engine {

void write(ByteWriter& writer, const Task& task);
void write(ByteWriter& writer, const TaskResult& result);

/// Throw SerializationError when the bytes are no task or result.
Task read_task(ByteReader& reader);
TaskResult read_task_result(ByteReader& reader);
/// Passes over a result whose id is all that is wanted.
TaskId read_id_of_result(ByteReader& reader);

}  // namespace schedfarm::engine
