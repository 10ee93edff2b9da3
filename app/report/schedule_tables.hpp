// Tables of schedules for the Python package, which draws them: job,submit,start,finish,processors,
// ranges,kind and, where somebody knows them, user and home (from 1), a line per stretch of a job
// on the same processors. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/logs/outage_log.hpp"
#include "engine/simulation/logs/segment_log.hpp"

#include "models/trace/log.hpp"

namespace schedfarm::app {

/// "0-3 7": ranges as Batsim writes them.
std::string ranges_text(std::span<const engine::ProcessorRange> ranges);

/// What a job is called, and when it was submitted.
struct NamedJob {
    std::int64_t number = 0;
    double submit = 0;
};

/// The segments in order of time. Where they say how many processors of which clusters, these are
/// the lowest free ones of each. Homes where there are several clusters; outages behind, as job -1
/// of kind out_of_order.
std::string segments_table(
    std::vector<engine::RunSegment> segments,
    const std::vector<std::uint32_t>& clusters,
    const std::function<NamedJob(const engine::RunSegment&)>& job_of,
    const std::vector<engine::OutageSpan>& outages = {}
);

/// The jobs of a log that can be drawn: start = submit + wait, finish = start + run. Where the log
/// names the nodes of every job, ranges are of these nodes, in the order of their names with
/// numbers as numbers, and a line of kind node has the name of each. The last line is of kind
/// machine and has its processors, 0 where the log does not say. What was left out, and why, goes
/// to `left_out`. Throws LogError where nothing is left.
std::string log_table(const models::trace::Log& log, std::string& left_out);

/// The line of a node with a name.
std::string node_line(const std::string& name, const engine::ProcessorRange& processors);

}  // namespace schedfarm::app
