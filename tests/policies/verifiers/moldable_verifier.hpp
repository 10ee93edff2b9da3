// The invariants of policies for moldable jobs, checked on the schedule alone: no job of a batch
// starts before all jobs of the batch before have ended; and what a policy says of its allotments
// and of its starts.
#pragma once

#include <memory>

#include "engine/simulation/system.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::tests {

enum class MoldableAllotment : std::uint8_t {
    any,
    one,  ///< moldable jobs run on one processor
    all,  ///< moldable jobs run on all processors, one after the other
};

enum class MoldableStarts : std::uint8_t {
    any,
    at_ends,       ///< jobs start when their batch begins or something ends
    without_gaps,  ///< and no job that starts later would have fitted before
};

struct MoldableInvariants {
    MoldableAllotment allotment = MoldableAllotment::any;
    MoldableStarts starts = MoldableStarts::any;
};

std::unique_ptr<engine::ScheduleVerifier> make_moldable_verifier(
    const MoldableInvariants& invariants, const engine::SystemDescription& system
);

}  // namespace schedfarm::tests
