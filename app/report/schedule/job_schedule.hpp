// A schedule as charts and exports need it: when each job held which processors. A job is a list of
// segments, one for a rigid job that runs without a break, several for one that is suspended and
// resumed, elsewhere too, or that first loads its program. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/logs/outage_log.hpp"

namespace schedfarm::app {

enum class SegmentKind : std::uint8_t { running, loading };

/// A job on the same processors without a break.
struct JobSegment {
    std::uint32_t job = 0;  ///< index in JobSchedule::jobs
    double begin_s = 0;
    double end_s = 0;
    std::uint32_t processors = 0;                   ///< how many
    std::vector<engine::ProcessorRange> ranges;     ///< which, lowest first, disjoint
    std::vector<engine::ClusterShare> shares = {};  ///< how many of which clusters; empty: unknown
    SegmentKind kind = SegmentKind::running;
    std::uint64_t line = 0;  ///< of its source; 0: it has none
};

struct ScheduledJob {
    std::int64_t number = 0;
    double submit_s = 0;
    std::uint32_t processors = 0;  ///< the most that it held
    std::optional<std::int64_t> user;
    std::optional<std::uint32_t> home = {};  ///< cluster at which it was submitted, from 0
    double start_s = 0;                      ///< of its first segment
    double finish_s = 0;                     ///< of its last
};

struct NamedNode {
    std::string name;
    engine::ProcessorRange processors;
};

struct JobSchedule {
    std::string name;
    std::uint32_t processors = 0;  ///< of the machine, or as many as are held at once if more
    std::uint32_t machine = 0;     ///< processors of the machine; 0: all of them
    std::vector<std::uint32_t> clusters = {};  ///< their processors, in order; empty: one
    std::string time_unit = "s";  ///< of what is called _s; "time units": it has no name
    std::vector<ScheduledJob> jobs;
    std::vector<JobSegment> segments;              ///< in order of time, then of job
    std::vector<engine::OutageSpan> outages = {};  ///< a job may run through one
    std::vector<NamedNode> nodes = {};  ///< of a machine whose nodes have names, in order
    std::vector<std::string> notes;     ///< what the source has beside these jobs, a sentence each

    double begin_s() const;  ///< the first submit
    double end_s() const;    ///< the last finish
};

/// More than any machine has; a chart of more is a mistake in its source.
inline constexpr std::uint32_t most_processors = 1U << 24U;

/// Puts segments in order and tells every job its first start, last finish and most processors.
/// REQUIRES: every job has a segment.
void complete(JobSchedule& schedule);

/// The most processors that are held at one instant; at an instant, ends come first.
/// REQUIRES: segments are in order of time.
std::uint64_t most_held(const JobSchedule& schedule);

/// Gives segments the lowest free processors, in the order of their begins: of the clusters that
/// their shares name, else of the machine. REQUIRES: the schedule is complete and has that many
/// processors; all segments have shares, or none.
void name_processors(JobSchedule& schedule);

/// What the schedule has on the processors of the machine, for drawings: logs may hold many more
/// for a moment.
JobSchedule on_machine(JobSchedule schedule);

/// Two segments that hold a processor at the same time, by index; absent: there are none. What
/// takes no time holds nothing. Cost: O(log ranges) per range.
struct Overlap {
    std::size_t first = 0;
    std::size_t second = 0;
    std::uint32_t processor = 0;
};
std::optional<Overlap> find_overlap(const JobSchedule& schedule);

/// "0-3 7": ranges as Batsim writes them, and the reading of it; absent: they are no ranges, or not
/// in ascending order.
std::string ranges_text(std::span<const engine::ProcessorRange> ranges);
std::optional<std::vector<engine::ProcessorRange>> read_ranges(const std::string& text);

}  // namespace schedfarm::app
