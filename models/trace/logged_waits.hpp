// The waits that a log records, by groups of its jobs: all, those of a partition, of a queue, of a
// size, of a length; and beside them those of a replay of the log. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/statistics/agreement.hpp"

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

struct PreparedLog;    // models/trace/prepared_log.hpp
struct TraceSettings;  // models/trace/trace_settings.hpp

/// What tells jobs of a log apart: partitions, queues, QOS, who started them. One name is there
/// only where the log has it as a text.
struct JobLabels {
    std::string kind;                   ///< "queue"
    std::vector<std::string> names;     ///< "queue 3 (night)"
    std::vector<std::uint32_t> of_job;  ///< a place in `names`
};

/// Of which jobs waits are set side by side: of all alone, or also by groups of them.
enum class WaitGroups : std::uint8_t { all_jobs, of_every_kind };

/// Columns by job of a list; the last two only where groups are asked for.
struct LoggedWaits {
    Column<double> wait_s;  ///< from the submit of the list; -1: not known; of size 0: none is
    WaitGroups groups = WaitGroups::all_jobs;
    std::vector<double> run_s;  ///< before anything was cut or raised
    std::vector<JobLabels> labels;
};

/// REQUIRES: jobs of the log.
LoggedWaits logged_waits(
    const Log& log, const JobList& jobs, WaitGroups groups = WaitGroups::of_every_kind
);

struct JobGroup {
    std::string kind;                 ///< "all", that of a label, "size", "run time"
    std::string name;                 ///< "all jobs", "queue 3 (night)", "3 to 4 processors"
    std::vector<std::uint32_t> jobs;  ///< their numbers in the list; may be none
};

/// First all jobs; where groups are asked for then by each label of several names those of the
/// names with most jobs, at most 20, and all others; sizes 1, 2, 3 to 4, 5 to 8 and so on; logged
/// run times by the bounds of a log's summary.
std::vector<JobGroup> job_groups(const JobList& jobs, const LoggedWaits& logged);

/// A simulated wait counts as the logged one within 10 % or 60 s.
inline constexpr engine::Tolerance same_wait{.relative = 0.1, .absolute = 60};

/// Whether a replay with these settings is of the whole log at its own load and machine: not
/// resampled, shaken, scaled, or cut by sizes, run times, CPU times or statuses, nor by dates
/// unless it is to be dense. A machine of which the log does not say the size is its own.
bool is_own_replay(const TraceSettings& settings, const PreparedLog& log, std::uint32_t processors);

/// By group, without empty ones, the logged waits beside the simulated ones, of those jobs whose
/// wait the log knows. Where it knows none: the group of all, n = 0.
std::vector<engine::GroupAgreement> compared_waits(
    const PreparedLog& log, std::span<const double> submit, std::span<const double> start
);

}  // namespace schedfarm::models::trace
