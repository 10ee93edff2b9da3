// Logs to be looked at or written: one that is there, normalised, or one that a workload model
// generates.
#pragma once

#include <string>
#include <string_view>

#include "models/trace/log.hpp"

#include "app/simulate/request.hpp"

namespace schedfarm::app {

/// The jobs of the request's log that its settings keep, as a log of their own, numbered from 1;
/// resampled, shaken, scaled and with modelled estimates where the settings say so: replication 0
/// of the request's seed, as long as the log. The header says how. What follows a compressed log
/// may be jobs, so that this oddity stays. Throws LogError, ConfigErrors.
models::trace::Log normalised_log(const SimulationRequest& request);

/// The line of a header that says what of the jobs the format has no field for.
inline constexpr std::string_view lost_key = "Lost";

/// The jobs of the request's model as a log: submit times, run times, processors, estimates, and
/// users, queues and memory where the model has them. The header says how they were made, and what
/// is lost. Throws ConfigErrors.
models::trace::Log generated_log(const SimulationRequest& request);

/// The log as text in the Standard Workload Format.
std::string swf_text(const models::trace::Log& log);

}  // namespace schedfarm::app
