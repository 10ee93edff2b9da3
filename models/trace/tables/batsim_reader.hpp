// Reads the jobs of Batsim, a JSON text: {"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "res": 2,
// "profile": "d", "walltime": 60}], "profiles": {"d": {"type": "delay", "delay": 30}}}. Profiles of
// other types have no length of their own: their jobs have no run time.
#pragma once

#include <string_view>

#include "models/trace/reading/log_builder.hpp"

namespace schedfarm::models::trace {

/// Fills the log. Throws LogError for what is no such text.
void read_batsim(std::string_view text, LogBuilder& log);

}  // namespace schedfarm::models::trace
