// What a rank did with its time in the farm; none of it is part of the payload. Rank 0 is the
// master; the workers are counted from 1, several children of one rank of MPI one after the other.
// The four kinds of seconds are disjoint and add up to the rank's time in the farm: from the
// worker's hello to the order to stop as the master sees them, or the wall time of the run for the
// master.
#pragma once

#include <cstdint>
#include <string>

namespace schedfarm::engine {

struct RankOverhead {
    std::uint32_t rank = 0;
    std::string host;
    std::uint64_t tasks = 0;
    /// Executing tasks, by the rank's own clock.
    double busy_seconds = 0;
    /// Nothing to do. Worker: the source had no task for it. Master: asleep until the next message.
    double idle_seconds = 0;
    /// Worker: neither busy nor idle, that is waiting for an answer, and messages on their way.
    /// Master: in its state machine and in the transport.
    double dispatch_seconds = 0;
    /// Master: in the source of work and in the hooks, which write and sync the journal, judge stop
    /// rules and show progress. 0 on other ranks.
    double io_seconds = 0;
};

}  // namespace schedfarm::engine
