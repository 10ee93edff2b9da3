// Selection of the best of k systems with an indifference zone, for normal observations: KN (Kim &
// Nelson 2001), fully sequential elimination, which gains by common random numbers. It selects the
// best with at least the confidence where that is better than every other by δ or more; where
// others come closer, no bound is proven on how far from the best the one selected is. A pure
// function of the ordered prefixes, which advances in rounds whose size does not depend on who
// computes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedfarm::engine {

enum class Best : std::uint8_t { smallest, largest };

struct SelectionSettings {
    Best best = Best::smallest;
    double indifference = 0;  ///< δ > 0, in the metric's unit
    double confidence = 0.95;
    std::uint64_t first_stage = 64;  ///< n0 >= 2
    std::uint64_t round = 16;        ///< replications per surviving system and round, >= 1
    std::uint64_t max = 100000;      ///< replications of a system at most, >= 1
};

enum class SelectionState : std::uint8_t { go_on, selected, cap_reached };

struct SystemStatus {
    bool eliminated = false;   ///< by a screening; a loser of the last comparison is not
    bool equals_best = false;  ///< to the bit, in all replications that both have used
    std::uint64_t n = 0;       ///< replications that its elimination or its mean rests on
    std::uint64_t wanted = 0;  ///< replications that the next decision needs; n when done
};

struct SelectionDecision {
    SelectionState state = SelectionState::go_on;
    std::optional<std::size_t> selected;  ///< the best so far at cap_reached
    std::vector<SystemStatus> systems;
};

/// Walks the rounds as far as every surviving system has the observations (ordered prefixes, of
/// different lengths) and says what it knows: a pure function of the prefixes, the same whatever
/// lies beyond. Systems are looked at together, at first_stage + i · round replications and at max.
/// Of equal systems the first is selected. A NaN neither eliminates nor is eliminated, and its
/// selection ends as cap_reached with the best of the others. REQUIRES: at least two systems,
/// settings within their ranges. Costs O(n) for each system, O(k²) for each round and O(k²
/// first_stage).
SelectionDecision select(
    std::span<const std::span<const double>> systems, const SelectionSettings& settings
);

}  // namespace schedfarm::engine
