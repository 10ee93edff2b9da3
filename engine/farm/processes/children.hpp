// The children of processes, as the system lists them.
#pragma once

#include <vector>

#include <sys/types.h>

namespace schedfarm::engine {

/// Those that have ended and are not awaited among them.
std::vector<pid_t> children_of(pid_t process);

/// Kills and awaits all children of this process, and those that come to it when their parents end.
void end_children();

}  // namespace schedfarm::engine
