// What the selection procedures share: the walk through the ordered prefixes of k systems. It holds
// the statistics of each system over the replications that the decision has used so far, with
// observations turned so that the larger mean is the better one. A walk starts anew at each
// decision and is a function of the prefixes alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/selection/selection.hpp"

namespace schedfarm::engine {

class SelectionWalk {
  public:
    SelectionWalk(
        std::span<const std::span<const double>> systems, const SelectionSettings& settings
    );

    std::size_t systems() const { return prefixes_.size(); }
    /// Not eliminated, by position.
    const std::vector<std::size_t>& survivors() const { return survivors_; }

    /// The n-th observation and the statistics of those used.
    double observation(std::size_t system, std::uint64_t n) const;
    double mean(std::size_t system) const { return *used_[system].mean(); }
    double variance(std::size_t system) const { return *used_[system].variance(); }

    /// Says that the system's next decision needs n observations.
    void want(std::size_t system, std::uint64_t n);
    enum class Progress : std::uint8_t { advanced, waits };
    /// Uses of every survivor the observations that it wants, if all of them are there.
    Progress advance();
    Progress advance_all_to(std::uint64_t n);

    /// Eliminates each survivor that loses(survivor, other) to another one; all are compared before
    /// any is eliminated.
    template <typename Loses>
    void screen(Loses&& loses) {
        std::vector<std::size_t> kept;
        for (const std::size_t i : survivors_) {
            bool is_lost = false;
            for (const std::size_t j : survivors_) {
                is_lost = is_lost || (i != j && loses(i, j));
            }
            status_[i].eliminated = is_lost;
            if (!is_lost) {
                kept.push_back(i);
            }
        }
        survivors_ = kept;
    }

    SelectionDecision undecided() const { return {SelectionState::go_on, std::nullopt, status_}; }
    /// Ends with the survivor of the best mean, the first of equals. A survivor with a NaN is not
    /// selected and leaves open whether it was the best: the state is then cap_reached. A system
    /// that is its equal to the bit is marked, also where it was eliminated as the later of the
    /// two.
    SelectionDecision end(SelectionState state) const;

  private:
    bool are_equal(std::size_t a, std::size_t b) const;

    std::span<const std::span<const double>> prefixes_;
    double sign_ = 1;
    std::vector<Accumulator> used_;
    std::vector<SystemStatus> status_;
    std::vector<std::size_t> survivors_;
};

/// The end of the next round, settings.max at most.
std::uint64_t end_of_round(std::uint64_t n, const SelectionSettings& settings);

/// h² = 2 η (n0 − 1) of Kim & Nelson (2001) with c = 1, η = ((2 α / (k − 1))^(−2/(n0 − 1)) − 1) /
/// 2, which allows for common random numbers. 0 where α >= (k − 1) / 2. REQUIRES: systems >= 2,
/// first_stage >= 2, 0 < confidence < 1.
double kn_constant(std::size_t systems, std::uint64_t first_stage, double confidence);

SelectionDecision select_kn(SelectionWalk walk, const SelectionSettings& settings);

}  // namespace schedfarm::engine
