// A task as it travels to a worker: which replication, and the values of its cell, so that workers
// need no plan.
#pragma once

#include "engine/farm/task.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/journal/outcome_codec.hpp"

namespace schedfarm::app {

/// `cell`: of encode_cell().
engine::Bytes task_message(const ReplicationTask& task, const engine::Bytes& cell);

struct ReceivedTask {
    ReplicationTask task;
    engine::Bytes cell;  ///< for decode_cell()
};

/// A worker lacks a log, or finds other contents of it, and can execute nothing more.
class LogMissing : public engine::WorkerBroken {
  public:
    using engine::WorkerBroken::WorkerBroken;
};

/// Throws SerializationError when the bytes are no such message.
ReceivedTask read_task_message(const engine::Bytes& message);

}  // namespace schedfarm::app
