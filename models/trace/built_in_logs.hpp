// Logs that the program carries with it. Generated; they model no real machine. `example`, for
// first tries and for tests: 25 users of 64 processors in 12 weeks, with a daily and a weekly
// cycle. `mm1_weeks.1`, `mm1_weeks.2` and so on, for certificates: ten weeks of the queue M/M/1 at
// load .8, each number another one, `mm1_weeks` that of the campaign's seed: one processor, 6,000
// jobs on average by 50 users of equal weight, a mean response time of 4,032 s.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

bool is_built_in_log(std::string_view name);

/// The same jobs at every call. REQUIRES: is_built_in_log(name).
Log built_in_log(std::string_view name);

/// The name of the log that a campaign with this seed means by a name without a number; absent
/// where that means one log only.
std::optional<std::string> log_of_seed(std::string_view name, std::uint64_t seed);

}  // namespace schedfarm::models::trace
