// The changes of a TrialProfile: its blocks, by ways for AVX-512, for AVX2 and for any processor
// (engine/foundation/vector_ways.hpp); all do the same to the bit. For trial_profile.cpp.
//
// Cost: O(blocks).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/planning/trial_profile.hpp"

namespace schedfarm::engine {

/// `amount` is added at begin <= t < end.
struct TrialAddition {
    double begin;
    double end;
    std::int32_t amount;
};

/// Whether steps were there, at the two ends.
struct TrialSteps {
    bool begin = false;
    bool end = false;
};

/// Adds to the stretches that begin within; steps stay as they are.
TrialSteps add_between(
    TrialProfile::Block* blocks, std::size_t count, const TrialAddition& addition
);

/// What is added from stretch `first` up to `end`, where a step comes in unless there is one.
struct TrialInsertion {
    std::size_t first;
    double end;
    std::int32_t amount;
};

/// Blocks, and where they go: to themselves or others.
struct TrialBlocks {
    const TrialProfile::Block* from;
    TrialProfile::Block* to;
    std::size_t count;
};

/// Returns whether there was a step at the end. REQUIRES: room for one more.
bool insert_change(const TrialBlocks& blocks, const TrialInsertion& what);

}  // namespace schedfarm::engine
