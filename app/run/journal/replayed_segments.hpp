// When the jobs of a logged replication ran, computed when it is wanted: a log keeps the first
// start and the finish of every job, not its pauses. The result file has all that the replication
// depends on, and says by its fingerprint whether the same schedule came of it again.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/simulation/logs/node_log.hpp"
#include "engine/simulation/logs/segment_log.hpp"

#include "results_schema/job_logs.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

/// The segments of a replication of these results, in order of their ends; `path` is where they
/// were read. Throws ResultError where this program makes another schedule of the campaign in
/// the file, LogError where it lacks a log or finds another in its place. REQUIRES: the results
/// have the replication. Cost: that of the replication by the general kernel.
std::vector<engine::RunSegment> replayed_segments(
    const results_schema::ResultFile& results,
    const results_schema::JobLogId& id,
    const std::filesystem::path& path
);

/// What its nodes did, in order of the ends; likewise. Empty where the policy gives processors by
/// count.
std::vector<engine::NodeSpan> replayed_nodes(
    const results_schema::ResultFile& results,
    const results_schema::JobLogId& id,
    const std::filesystem::path& path
);

}  // namespace schedfarm::app
