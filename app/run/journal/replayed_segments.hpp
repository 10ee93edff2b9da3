// When the jobs of a logged replication ran, computed when it is wanted: a log keeps the first
// start and the finish of every job, not its pauses. The result file has all that the replication
// depends on, and says by its fingerprint whether the same schedule came of it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/simulation/logs/node_log.hpp"
#include "engine/simulation/logs/segment_log.hpp"

#include "results_schema/job_logs.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

struct ReplayedSchedule {
    std::vector<engine::RunSegment> segments;  ///< in order of their ends
    std::vector<engine::OutageSpan> outages;
    std::vector<std::uint32_t> clusters;  ///< processors of each
};

struct ReplayedNodes {
    std::vector<engine::NodeSpan> spans;  ///< in order of their ends; none where the policy gives
                                          ///< processors by count
    std::vector<engine::OutageSpan> outages;
};

/// When and where the jobs of a replication of these results ran; `path` is where they were read.
/// Throws ResultError where this program makes another schedule of the campaign in
/// the file, LogError where it lacks a log or finds another in its place. Cost: that of the
/// replication by the general kernel.
ReplayedSchedule replayed_schedule(
    const results_schema::ResultFile& results,
    const results_schema::JobLogId& id,
    const std::filesystem::path& path
);

/// What its nodes did; likewise.
ReplayedNodes replayed_nodes(
    const results_schema::ResultFile& results,
    const results_schema::JobLogId& id,
    const std::filesystem::path& path
);

}  // namespace schedfarm::app
