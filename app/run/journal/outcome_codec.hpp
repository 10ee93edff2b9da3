// Tasks and outcomes as bytes: what travels between ranks and lies in the journal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/farm/task.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/statistics/agreement.hpp"

#include "app/run/cell_progress.hpp"

namespace schedfarm::app {

/// Which replication of which cell a task is; packed into the farm's task id.
struct ReplicationId {
    std::uint32_t cell = 0;
    std::uint32_t replication = 0;

    engine::TaskId task_id() const;
    static ReplicationId of(engine::TaskId id);
};

/// A replication to run, with its load where that is not the cell's own.
struct ReplicationTask {
    ReplicationId id;
    std::optional<double> utilization;
    bool is_suspect = false;  ///< may have killed its rank before: to be isolated
};

engine::Bytes encode(const ReplicationTask& task);
/// Throws when the bytes are no task.
ReplicationTask decode_task(const engine::Bytes& bytes);

/// `versions`: of what the policy ran with, where it is code of the user's own.
engine::Bytes encode(
    const engine::Observations& observations,
    std::span<const engine::GroupAgreement> logged_waits = {},
    std::span<const std::string> versions = {}
);
/// Throws when the bytes are no observations.
engine::Observations decode_observations(const engine::Bytes& bytes);

ReplicationOutcome outcome_of(const engine::TaskResult& result);

}  // namespace schedfarm::app
