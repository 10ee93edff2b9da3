#include "engine/optimization/dual_approximation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/optimization/monotone_hull.hpp"

namespace schedfarm::engine {

namespace {

constexpr double relative_precision = 5e-10;
constexpr double greatest_room = 1e-10;  // that a schedule may need beside, relative
/// What a refused guess proves may be less than the guess, by the rounding of the work of many
/// tasks and by areas that fall: by more than the precision, so that the search goes by the
/// guesses.
constexpr double greatest_undercut = relative_precision / 4;

struct Bracket {
    double proven = 0;   ///< no schedule ends before
    double refused = 0;  ///< at least that, and a refused guess less the greatest undercut
    double accepted = 0;
};

/// The longest task at its fastest and the least work spread evenly: what no schedule undercuts,
/// whatever the test says.
struct TrivialBound {
    double proven = 0;
    double guess = 0;  ///< without the margin for rounding
};

TrivialBound trivial_bound(const MoldableInstance& instance) {
    double longest = 0;
    double work = 0;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        longest = std::max(longest, instance.least_time(i));
        work += instance.time(i, 1);
    }
    return {
        std::max(longest, mean_load_bound(instance, work)),
        std::max(longest, work / instance.processors())};
}

/// A step up from a refused guess, as long as none was accepted: with the mean load as guess the
/// load is not higher, so that it is accepted.
double guess_above(double refused, double load) {
    return std::isfinite(load) ? std::max(load, refused * (1 + relative_precision)) : 2 * refused;
}

/// Bisection in turns with guesses at the last mean load: that at an accepted guess is a bound
/// itself, for below it loads are no lower, and the one at a refused guess is accepted.
Bracket search(const MoldableInstance& instance, ShelfTest& test) {
    const TrivialBound trivial = trivial_bound(instance);
    double guess = trivial.guess;
    Bracket bracket{trivial.proven, trivial.proven, std::numeric_limits<double>::infinity()};
    bool was_load = false;
    while (true) {
        const double work = test.least_work(guess);
        const double load = work / instance.processors();
        if (load <= guess) {
            bracket.accepted = guess;
        } else {
            bracket.refused = std::max(bracket.refused, guess * (1 - greatest_undercut));
        }
        bracket.proven = std::max(bracket.proven, std::min(guess, mean_load_bound(instance, work)));
        bracket.refused = std::max(bracket.refused, bracket.proven);
        if (std::isinf(bracket.accepted)) {
            guess = guess_above(bracket.refused, load);
        } else if (bracket.accepted * (1 - relative_precision) <= bracket.refused) {
            return bracket;
        } else if (!was_load && load >= bracket.refused && load < bracket.accepted) {
            guess = load;
            was_load = true;
        } else {
            guess = bracket.refused + (bracket.accepted - bracket.refused) / 2;
            was_load = false;
        }
    }
}

/// At λ*, or the least more that makes up for rounding.
DualApproximation of_monotone(const MoldableInstance& instance) {
    ShelfTest test(instance);
    const Bracket bracket = search(instance, test);
    DualApproximation result;
    result.lower_bound = bracket.proven;
    std::optional<std::vector<PlacedTask>> schedule;
    for (double room = 0; !schedule; room = std::max(1e-13, 10 * room)) {
        SCHEDFARM_EXPECT(room <= greatest_room, "accepted guesses have schedules");
        result.lambda = bracket.accepted * (1 + room);
        result.shelves = test.partition(result.lambda);
        schedule = shelf_schedule(instance, result.lambda, result.shelves);
    }
    result.schedule = std::move(*schedule);
    return result;
}

/// On the processors that make the task fastest, for its own time.
void use_best_parts(const MoldableInstance& instance, DualApproximation& result) {
    for (std::size_t i = 0; i < instance.size(); ++i) {
        PlacedTask& placed = result.schedule[i];
        placed.processors = best_part(instance, i, placed.processors);
        placed.finish = placed.start + instance.time(i, placed.processors);
        result.shelves[i].processors = best_part(instance, i, result.shelves[i].processors);
    }
}

}  // namespace

DualApproximation dual_approximation(const MoldableInstance& instance) {
    DualApproximation result;
    if (instance.is_monotone()) {
        result = of_monotone(instance);
    } else {
        const MonotoneInstance below = MonotoneInstance::below(instance);
        const MonotoneInstance above = MonotoneInstance::above(instance);
        result = of_monotone(above.instance());
        ShelfTest test(below.instance());
        result.lower_bound = search(below.instance(), test).proven;
        use_best_parts(instance, result);
    }
    for (const PlacedTask& task : result.schedule) {
        result.makespan = std::max(result.makespan, task.finish);
    }
    return result;
}

std::vector<std::uint32_t> DualApproximation::shelf_order() const {
    std::vector<std::uint32_t> result;
    result.reserve(shelves.size());
    for (const Shelf shelf : {Shelf::first, Shelf::second, Shelf::small}) {
        for (std::uint32_t i = 0; i < shelves.size(); ++i) {
            if (shelves[i].shelf == shelf) {
                result.push_back(i);
            }
        }
    }
    return result;
}

}  // namespace schedfarm::engine
