// Selection of the best of k systems with an indifference zone, for normal observations. What is
// proven differs: kn selects the best with at least the confidence where it is better than every
// other by δ or more; where others come closer, no bound is proven on how far from the best the one
// selected is. gsp selects one within δ of the best with at least the confidence, whatever the
// means. Pure functions of the ordered prefixes; both procedures advance in rounds whose size does
// not depend on who computes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedfarm::engine {

enum class SelectionProcedure : std::uint8_t {
    kn,   ///< Kim & Nelson 2001: fully sequential elimination; common random numbers pay;
          ///< correct selection proven, good selection not
    gsp,  ///< Ni, Ciocan, Henderson & Hunter 2017: screening, then Rinott's second stage;
          ///< needs independent streams; good selection proven
};

enum class Best : std::uint8_t { smallest, largest };

struct SelectionSettings {
    SelectionProcedure procedure = SelectionProcedure::kn;
    Best best = Best::smallest;
    double indifference = 0;  ///< δ > 0, in the metric's unit
    double confidence = 0.95;
    std::uint64_t first_stage = 64;       ///< n0 >= 2
    std::uint64_t round = 16;             ///< replications per surviving system and round, >= 1
    std::uint64_t screening_rounds = 10;  ///< gsp: rounds before the second stage
    std::uint64_t max = 100000;           ///< replications of a system at most, >= 1
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
/// lies beyond. Systems are looked at together, at first_stage + i · round replications and at max;
/// gsp, after its screening rounds, once more where each survivor has Rinott's number. Of equal
/// systems the first is selected. A NaN neither eliminates nor is eliminated, and its selection
/// ends as cap_reached with the best of the others. REQUIRES: at least two systems, settings within
/// their ranges. Costs O(n) for each system and O(k²) for each round; kn O(k² first_stage) more.
SelectionDecision select(
    std::span<const std::span<const double>> systems, const SelectionSettings& settings
);

/// Rinott's constant h (Ann. Stat. 6, 1978) for k systems, n0 replications and this confidence:
/// E[(E[Φ(h / sqrt((n0 − 1)(1/X + 1/Y))) | Y])^(k − 1)] = confidence, X and Y independent
/// chi-squares of n0 − 1 degrees of freedom. Takes about a millisecond; a tenth of a second for n0
/// = 2. REQUIRES: systems >= 2, first_stage >= 2, 0 < confidence < 1.
double rinott_constant(std::size_t systems, std::uint64_t first_stage, double confidence);

}  // namespace schedfarm::engine
