// The version of the numbers: raised whenever an equal campaign would give other results
// (CHANGELOG, "Changed results"), so that replications of an older version are never taken for
// those of this one.
#pragma once

namespace schedfarm::campaigns {

inline constexpr const char* results_version = "2";

}  // namespace schedfarm::campaigns
