// KN (Kim & Nelson, ACM TOMACS 11, 2001) with c = 1, looking only at ends of rounds. This keeps the
// guarantee of correct selection where the best is ahead by δ, for normal observations and a cap
// that is not reached (for others as δ falls): the error of a pair is bounded by that of a Brownian
// motion with drift that leaves a triangle on the wrong side, and a motion that is inspected at a
// set of times fixed in advance errs no more often than one that is watched all the time (Jennison,
// Johnstone & Turnbull 1982, which the proof uses for the integers already). The times n0 + round ·
// i are fixed in advance. The pairs' variances are those of the differences, so that common random
// numbers may be used.

#include <algorithm>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/selection/selection_walk.hpp"

namespace schedfarm::engine {

namespace {

/// h² S² / δ of every pair; the width of the continuation region at n is (h² S² / δ − δ n) / (2 n).
class Regions {
  public:
    Regions(const SelectionWalk& walk, const SelectionSettings& settings)
        : systems_(walk.systems())
        , indifference_(settings.indifference)
        , reaches_(systems_ * systems_) {
        const double scale =
            kn_constant(systems_, settings.first_stage, settings.confidence) / indifference_;
        for (std::size_t i = 0; i < systems_; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                Accumulator differences;
                for (std::uint64_t n = 0; n < settings.first_stage; ++n) {
                    differences.add(walk.observation(i, n) - walk.observation(j, n));
                }
                reaches_[i * systems_ + j] = reaches_[j * systems_ + i] =
                    scale * *differences.variance();
            }
        }
    }

    /// By how much the mean of i may lie below that of j after n replications; NaN if undefined.
    double width(std::size_t i, std::size_t j, std::uint64_t n) const {
        const auto replications = static_cast<double>(n);
        const double open = reaches_[i * systems_ + j] - indifference_ * replications;
        return open < 0 ? 0 : open / (2 * replications);
    }

  private:
    std::size_t systems_;
    double indifference_;
    std::vector<double> reaches_;
};

}  // namespace

double kn_constant(std::size_t systems, std::uint64_t first_stage, double confidence) {
    SCHEDFARM_EXPECT(systems >= 2, "a selection among fewer than two systems");
    SCHEDFARM_EXPECT(first_stage >= 2, "a first stage without a variance");
    SCHEDFARM_EXPECT(confidence > 0 && confidence < 1, "the confidence is not between 0 and 1");
    const double share = 2 * (1 - confidence) / static_cast<double>(systems - 1);
    const auto v = static_cast<double>(first_stage - 1);
    return std::max(0., (power(share, -2 / v) - 1) * v);
}

SelectionDecision select_kn(SelectionWalk walk, const SelectionSettings& settings) {
    const Regions regions(walk, settings);
    for (std::uint64_t n = settings.first_stage;;) {
        walk.screen([&](std::size_t i, std::size_t j) {
            const double width = regions.width(i, j, n);
            const double behind = walk.mean(j) - walk.mean(i);
            // Where the region is closed, the first of two equal systems stays.
            return behind > width || (width == 0 && behind == 0 && j < i);
        });
        if (walk.survivors().size() == 1) {
            return walk.end(SelectionState::selected);
        }
        if (n == settings.max) {
            return walk.end(SelectionState::cap_reached);
        }
        n = end_of_round(n, settings);
        if (walk.advance_all_to(n) == SelectionWalk::Progress::waits) {
            return walk.undecided();
        }
    }
}

}  // namespace schedfarm::engine
