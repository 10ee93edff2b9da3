// Which jobs of a log are simulated, and as what. The defaults are the normalisation most studies
// use: jobs with processors, run time and requested time above 0 are kept; processors are those
// allocated, else those requested; a job ends when its requested time is over. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// low <= value <= high; what is missing in the log lies in no interval but the whole line.
struct Interval {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool is_everything() const {
        return low == -std::numeric_limits<double>::infinity()
               && high == std::numeric_limits<double>::infinity();
    }
    bool contains(double value) const { return value >= low && value <= high; }
};

/// Which jobs are kept, judged by what the log says of them (size: by the rule of Filling).
struct Selection {
    double submit_from = -std::numeric_limits<double>::infinity();   ///< s of the log, included
    double submit_before = std::numeric_limits<double>::infinity();  ///< s of the log, excluded
    Interval size = {};                                              ///< processors
    Interval run_time = {};                                          ///< s
    Interval cpu_time = {};                                          ///< s per processor
    /// Empty: all but partial executions, which the line of the whole job counts already.
    std::vector<Status> statuses = {};
    std::vector<std::int64_t> left_out = {};  ///< numbers of jobs, rising
};

enum class ProcessorsRule : std::uint8_t {
    allocated_else_requested,
    requested_else_allocated,
    allocated,
    requested,
    nodes,  ///< allocated, else requested: a processor is a node
};

/// A job that ran longer than it requested.
enum class OverrunRule : std::uint8_t {
    killed,          ///< run := min(run, request)
    runs_on,         ///< both stay; the policy sees a job outlive its estimate
    request_raised,  ///< request := max(request, run)
};

/// A job without a requested time.
enum class RequestRule : std::uint8_t {
    dropped,
    run_time,  ///< request := run
    given,     ///< request := Filling::request_s
};

/// When a job comes, to be scheduled.
enum class ArrivalRule : std::uint8_t {
    eligible,  ///< when nothing kept it back any more; else its submit time
    submit,
};

/// What becomes of jobs that left while they waited: that were cancelled, mostly.
enum class LeftRule : std::uint8_t {
    of_tables,  ///< they wait anew in the simulation of a table that says when they left
    replayed,   ///< those of an SWF too: status 5, which waited for field 3 and did not run
    dropped,
};

/// Of jobs of a partition that asked for none, and that asked for one without end.
struct PartitionLimits {
    double usual_s = 0;
    double most_s = 0;
};

/// What jobs become.
struct Filling {
    LeftRule left = LeftRule::of_tables;
    ArrivalRule arrival = ArrivalRule::eligible;
    ProcessorsRule processors = ProcessorsRule::allocated_else_requested;
    std::optional<double> zero_run_s = {};  ///< run time of a job whose log says 0; absent: dropped
    RequestRule missing_request = RequestRule::dropped;
    double request_s = 0;  ///< positive where needed
    OverrunRule overrun = OverrunRule::killed;
    std::map<std::string, PartitionLimits> limits = {};  ///< "": of others; empty: not known
};

/// Why a job is not kept: the first reason in this order.
enum class Dropped : std::uint8_t {
    no_submit_time,
    outside_dates,
    status,
    partial_execution,
    still_running,
    no_processors,
    size,
    no_run_time,
    zero_run_time,
    run_time,
    cpu_time,
    no_requested_time,
    left_out,
};

inline constexpr std::size_t dropped_reasons = 13;

/// "no run time"
std::string_view meaning(Dropped reason);

using DroppedCounts = std::array<std::uint64_t, dropped_reasons>;  ///< by reason

/// "3000 run time 0, 2 status"; `size`: what is said of those left out for their size.
std::string dropped_text(const DroppedCounts& dropped, std::string_view size);

/// How most of these could be kept: a question to who left them out.
std::string_view way_to_keep(const DroppedCounts& dropped);

/// Whether so many of a log's lines are left out for want of a requested time, a tenth or more,
/// that another rule should be thought of: missing_request.
bool lacks_requested_times(const DroppedCounts& dropped, std::uint64_t lines);

/// A job that waited or ran when the log was written.
struct UnfinishedJob {
    double submit = 0;
    double requested = 0;  ///< processor seconds
};

struct SelectedJobs {
    JobList jobs;
    JobList left;  ///< jobs that left while they waited; `run` is how long they did
    DroppedCounts dropped{};
    std::vector<UnfinishedJob> unfinished = {};
};

/// REQUIRES: request_s positive where it is used.
SelectedJobs select(const Log& log, const Selection& selection = {}, const Filling& filling = {});

}  // namespace schedfarm::models::trace
