// A small log that the program carries with it, for first tries and for tests: 25 users of 64
// processors in 12 weeks, with a daily and a weekly cycle. Generated; it models no real machine.
#pragma once

#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// The same jobs at every call.
Log example_log();

}  // namespace schedfarm::models::trace
