// When jobs start first come, first served on one pool of processors, for several replications side
// by side: one in each lane of a vector, which takes as long as one alone. Their starts are the
// same to the bit as those of a replication by itself.
//
// What has run is kept in slots by finish, last to finish first; a slot also knows how many
// processors it and the slots before it hold. A job starts when it has come, the job before it has
// started, and the first slot has finished that holds, with those before it, more processors than
// the job leaves. It takes the place of the last slot, in order of its finish.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedfarm::policies {

/// Cost of a job in every lane: O(the most that ran at once in a lane), without a branch on it.
class FcfsLanes {
  public:
    static constexpr std::size_t most_lanes = 8;
    /// Lanes of a vector of this processor.
    static std::size_t lanes();

    /// Jobs of one replication in their order, by column.
    struct Jobs {
        const double* submit;
        const double* service;
        const std::uint32_t* size;
        double* start;  ///< is written
    };

    /// All of a system with so many processors is free at time 0.
    explicit FcfsLanes(std::uint32_t processors);

    /// Starts the next `count` jobs in every lane. REQUIRES: no size is larger than the system; the
    /// columns of a lane without jobs hold zeros.
    void start_next(const std::array<Jobs, most_lanes>& jobs, std::size_t count);

    /// What the functions for each instruction set share: rows of a value for each lane.
    struct State {
        double processors = 0;
        std::size_t slots = 1;
        double* finish = nullptr;  ///< row 0: infinity; row k: of slot k
        double* held = nullptr;    ///< row 0: 0; row k: processors of the slots 1 … k
        double* start = nullptr;   ///< of the last job
    };

  private:
    State state_;
    std::vector<double> rows_;
};

}  // namespace schedfarm::policies
