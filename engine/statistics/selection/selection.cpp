#include "engine/statistics/selection/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/selection/selection_walk.hpp"

namespace schedfarm::engine {

SelectionWalk::SelectionWalk(
    std::span<const std::span<const double>> systems, const SelectionSettings& settings
)
    : prefixes_(systems)
    , sign_(settings.best == Best::largest ? 1 : -1)
    , used_(systems.size())
    , status_(systems.size())
    , survivors_(systems.size()) {
    std::iota(survivors_.begin(), survivors_.end(), std::size_t{0});
}

double SelectionWalk::observation(std::size_t system, std::uint64_t n) const {
    return sign_ * prefixes_[system][n];
}

void SelectionWalk::want(std::size_t system, std::uint64_t n) {
    status_[system].wanted = n;
}

SelectionWalk::Progress SelectionWalk::advance() {
    for (const std::size_t i : survivors_) {
        if (prefixes_[i].size() < status_[i].wanted) {
            return Progress::waits;
        }
    }
    for (const std::size_t i : survivors_) {
        for (std::uint64_t n = status_[i].n; n < status_[i].wanted; ++n) {
            used_[i].add(observation(i, n));
        }
        status_[i].n = status_[i].wanted;
    }
    return Progress::advanced;
}

SelectionWalk::Progress SelectionWalk::advance_all_to(std::uint64_t n) {
    for (const std::size_t i : survivors_) {
        want(i, n);
    }
    return advance();
}

bool SelectionWalk::are_equal(std::size_t a, std::size_t b) const {
    const std::uint64_t n = std::min(status_[a].n, status_[b].n);
    return n > 0 && std::ranges::equal(prefixes_[a].first(n), prefixes_[b].first(n));
}

SelectionDecision SelectionWalk::end(SelectionState state) const {
    SelectionDecision decision{state, std::nullopt, status_};
    for (const std::size_t i : survivors_) {
        if (std::isnan(mean(i))) {
            decision.state = SelectionState::cap_reached;
        } else if (!decision.selected || mean(i) > mean(*decision.selected)) {
            decision.selected = i;
        }
    }
    for (std::size_t i = 0; decision.selected && i < systems(); ++i) {
        decision.systems[i].equals_best =
            i != *decision.selected && are_equal(i, *decision.selected);
    }
    return decision;
}

std::uint64_t end_of_round(std::uint64_t n, const SelectionSettings& settings) {
    return settings.max - n < settings.round ? settings.max : n + settings.round;
}

SelectionDecision select(
    std::span<const std::span<const double>> systems, const SelectionSettings& settings
) {
    SCHEDFARM_EXPECT(systems.size() >= 2, "a selection among fewer than two systems");
    SCHEDFARM_EXPECT(settings.indifference > 0, "the indifference zone is empty");
    SCHEDFARM_EXPECT(settings.first_stage >= 2, "a first stage without a variance");
    SCHEDFARM_EXPECT(settings.round >= 1, "a round without replications");
    SCHEDFARM_EXPECT(settings.max >= 1, "a selection without replications");
    SelectionWalk walk(systems, settings);
    const std::uint64_t first = std::min(settings.first_stage, settings.max);
    if (walk.advance_all_to(first) == SelectionWalk::Progress::waits) {
        return walk.undecided();
    }
    if (first < settings.first_stage) {
        return walk.end(SelectionState::cap_reached);
    }
    return select_kn(std::move(walk), settings);
}

}  // namespace schedfarm::engine
