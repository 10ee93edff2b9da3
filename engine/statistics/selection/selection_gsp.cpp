// GSP (Ni, Ciocan, Henderson & Hunter, Oper. Res. 65, 2017) with half of the error for the
// screening and half for Rinott's second stage. The rounds give every survivor equally many
// replications. (The paper lets them grow with the standard deviation. With equal numbers the ratio
// of the true to the estimated information of a pair is the same at all looks, as the bound of the
// screening by a Brownian motion with one boundary supposes.) The best system survives the
// screening with probability 1 − α/2 whatever the means are; Rinott's means over N_i >= (h S_i /
// δ)² then choose one within δ of the best with probability 1 − α/2. h counts all systems, as the
// number of survivors is random.
#include <algorithm>
#include <cmath>

#include "engine/statistics/selection/selection_constants.hpp"
#include "engine/statistics/selection/selection_walk.hpp"

namespace schedfarm::engine {

namespace {

double half_confidence(const SelectionSettings& settings) {
    return 1 - (1 - settings.confidence) / 2;
}

std::vector<double> variances_of(const SelectionWalk& walk) {
    std::vector<double> variances;
    for (std::size_t i = 0; i < walk.systems(); ++i) {
        variances.push_back(walk.variance(i));
    }
    return variances;
}

std::uint64_t last_look(const SelectionSettings& settings) {
    std::uint64_t n = settings.first_stage;
    for (std::uint64_t round = 0; round < settings.screening_rounds && n < settings.max; ++round) {
        n = end_of_round(n, settings);
    }
    return n;
}

/// The paper's test Y < −a with equal numbers n of both systems, N at the last look: i is lost
/// where n (mean j − mean i) > η sqrt((n0 − 1) N (S_i² + S_j²)).
class Screen {
  public:
    Screen(const SelectionWalk& walk, const SelectionSettings& settings)
        : variances_(variances_of(walk))
        , scale_(
              screening_constant(walk.systems(), settings.first_stage, half_confidence(settings))
              * std::sqrt(
                  static_cast<double>(settings.first_stage - 1)
                  * static_cast<double>(last_look(settings))
              )
          ) {}

    void operator()(SelectionWalk& walk, std::uint64_t n) const {
        walk.screen([&](std::size_t i, std::size_t j) {
            const double behind = static_cast<double>(n) * (walk.mean(j) - walk.mean(i));
            return behind > scale_ * std::sqrt(variances_[i] + variances_[j]);
        });
    }

  private:
    std::vector<double> variances_;
    double scale_;
};

/// Gives each survivor max(n, ceil((h S / δ)²)) replications, as far as the cap allows.
SelectionDecision select_rinott(
    SelectionWalk walk,
    const std::vector<double>& variances,
    std::uint64_t n,
    const SelectionSettings& settings
) {
    const double h =
        rinott_constant(walk.systems(), settings.first_stage, half_confidence(settings));
    SelectionState state = SelectionState::selected;
    for (const std::size_t i : walk.survivors()) {
        const double needed =
            std::ceil(h * h * variances[i] / (settings.indifference * settings.indifference));
        const bool fits = needed <= static_cast<double>(settings.max);
        walk.want(i, fits ? std::max(n, static_cast<std::uint64_t>(needed)) : settings.max);
        state = fits ? state : SelectionState::cap_reached;
    }
    return walk.advance() == SelectionWalk::Progress::waits ? walk.undecided() : walk.end(state);
}

}  // namespace

SelectionDecision select_gsp(SelectionWalk walk, const SelectionSettings& settings) {
    const std::vector<double> variances = variances_of(walk);
    const Screen screen(walk, settings);
    const std::uint64_t last = last_look(settings);
    for (std::uint64_t n = settings.first_stage;; n = end_of_round(n, settings)) {
        screen(walk, n);
        if (walk.survivors().size() == 1) {
            return walk.end(SelectionState::selected);
        }
        if (n == last) {
            return select_rinott(std::move(walk), variances, n, settings);
        }
        if (walk.advance_all_to(end_of_round(n, settings)) == SelectionWalk::Progress::waits) {
            return walk.undecided();
        }
    }
}

}  // namespace schedfarm::engine
