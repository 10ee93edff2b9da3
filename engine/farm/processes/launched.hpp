// Whether a launcher has started this process as a rank of MPI. Variables of the environment say
// that one did; they also stay behind in shells that a launcher has left, so the other end is
// looked for: the server that the variables name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedfarm::engine {

struct Launched {
    bool is_rank = false;     ///< of a launcher that the MPI of this build can join
    std::uint32_t rank = 0;   ///< as the launcher says
    std::uint32_t ranks = 0;  ///< that it promises; 0: it does not say
    /// Not empty: a launcher is there that the MPI of this build cannot join, by its interface.
    std::string stranger = {};
    /// Variables of a launcher that is gone.
    std::vector<std::string> leftovers = {};
};

/// Looks at the environment and for its other end. Takes leftovers out of the environment, where
/// they would mislead a launcher that this process starts. REQUIRES: no other thread.
Launched look_for_launcher();

}  // namespace schedfarm::engine
