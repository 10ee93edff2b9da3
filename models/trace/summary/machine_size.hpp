// The size of a log's machine where its header does not say it.
#pragma once

#include <cstdint>

#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// The header says MaxProcs from now on, and jobs that are larger are odd. A header that says a
/// size may say this one only; else throws LogError.
void give_machine_size(Log& log, std::uint32_t processors);

}  // namespace schedfarm::models::trace
