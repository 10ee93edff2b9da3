// The version of the numbers: raised where an equal campaign would give other results (CHANGELOG,
// "Changed results"), so that replications of an older release are never taken for those of this
// one. Between two releases once: states of the program in between are not told apart.
#pragma once

namespace schedfarm::app {

inline constexpr const char* results_version = "1";

}  // namespace schedfarm::app
