// Tasks and results as bytes: one form for messages and for the journal, and the earlier form of
// results for journals that were begun with it.
#pragma once

#include "engine/farm/serialization.hpp"
#include "engine/farm/task.hpp"

namespace schedfarm::engine {

enum class ResultForm : std::uint8_t {
    undated,  ///< does not say when task and run began
    dated,
};

void write(ByteWriter& writer, const Task& task);
void write(ByteWriter& writer, const TaskResult& result, ResultForm form = ResultForm::dated);

/// Throw SerializationError when the bytes are no task or result.
Task read_task(ByteReader& reader);
TaskResult read_task_result(ByteReader& reader, ResultForm form = ResultForm::dated);

}  // namespace schedfarm::engine
