#include "engine/optimization/dual_approximation.hpp"

#include <algorithm>

#include "engine/optimization/monotone_hull.hpp"

namespace schedfarm::engine {

namespace {

constexpr double relative_precision = 1e-9;

struct Bracket {
    double refused = 0;  ///< no schedule ends before
    double accepted = 0;
};

/// What no schedule undercuts, whatever the test says: the longest task on all processors and the
/// least work spread evenly.
double trivial_bound(const MoldableInstance& instance) {
    double longest = 0;
    double work = 0;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        longest = std::max(longest, instance.time(i, instance.processors()));
        work += instance.time(i, 1);
    }
    return std::max(longest, work / instance.processors());
}

Bracket bisection(const MoldableInstance& instance, ShelfTest& test) {
    Bracket bracket;
    bracket.refused = trivial_bound(instance);
    bracket.accepted = bracket.refused;
    while (!test.accepts(bracket.accepted)) {
        bracket.refused = bracket.accepted;
        bracket.accepted *= 2;
    }
    while (bracket.accepted - bracket.refused > relative_precision * bracket.accepted) {
        const double middle = bracket.refused + (bracket.accepted - bracket.refused) / 2;
        (test.accepts(middle) ? bracket.accepted : bracket.refused) = middle;
    }
    return bracket;
}

DualApproximation of_monotone(const MoldableInstance& instance) {
    ShelfTest test(instance);
    const Bracket bracket = bisection(instance, test);
    DualApproximation result;
    result.lambda = bracket.accepted;
    result.lower_bound = bracket.refused;
    result.shelves = test.partition(result.lambda);
    result.schedule = shelf_schedule(instance, result.lambda, result.shelves);
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
        result.lower_bound = bisection(below.instance(), test).refused;
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
