// The usual metrics of a schedule, from its job log. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/logs/job_log.hpp"

#include "app/simulate/job_quantities.hpp"

namespace schedfarm::app {

struct ScheduleSummary {
    std::uint64_t jobs = 0;
    double first_submit = 0;
    double last_submit = 0;
    double last_finish = 0;
    double makespan = 0;  ///< last_finish - first_submit
    double utilization =
        0;  ///< sum of size * service / (processors * makespan); 0 without makespan
    /// Busy processor time / (processors * length), and processor time that is idle while a job
    /// waits / the same, both from the first submission to the last; off-line from 0 to the last
    /// finish. Absent where that is no time, and where jobs may pause, for the log does not say
    /// when they do.
    std::optional<double> gross_utilization;
    std::optional<double> loss_of_capacity;
    Quantity wait;              ///< start - submit
    Quantity response;          ///< finish - submit
    Quantity slowdown;          ///< response / service; without service 1 or infinite
    Quantity bounded_slowdown;  ///< max(1, response / max(service, threshold))
};

/// Whether jobs hold their processors from start to finish.
enum class Occupation : std::uint8_t { unbroken, with_pauses };

/// REQUIRES: at least one job, all with a record, in the order of their submission.
/// Cost: O(1) per job, but O(log waiting periods) for the loss of capacity.
ScheduleSummary summarise_schedule(
    const engine::JobLog& log,
    std::uint32_t processors,
    Occupation occupation,
    engine::ExperimentKind experiment = engine::ExperimentKind::trace,
    double threshold = 10
);

}  // namespace schedfarm::app
