// What processes of this program say to those that they start, by variables of the environment.
// They are an agreement between two processes of one program, not for users: see also
// docs/reference/command-line.md. Not by a descriptor: mpirun closes all but the standard ones, and
// ranks may be on another machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace schedfarm::app {

/// Absent where the environment has no such variable.
std::optional<std::string> variable(const char* name);

/// Of ranks: `schedfarm run` has started them, has reserved and begun their journal, and goes on
/// with it when they die. Travels as SCHEDFARM_SUPERVISION.
struct Supervision {
    double begun_ago_s = 0;        ///< since when the whole run lasts
    std::uint64_t begun_with = 0;  ///< results in the journal at its beginning
    bool is_restart = false;       ///< ranks have died before these were started
    bool is_terminal = false;      ///< the supervisor's standard error is one
};

/// "SCHEDFARM_SUPERVISION=<values>".
std::string assignment_of(const Supervision& supervision);

/// Absent where ranks were started by hand. Throws UsageError where the variable is in disorder.
std::optional<Supervision> supervision_of_this_process();

}  // namespace schedfarm::app
