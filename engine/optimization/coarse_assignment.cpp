#include "engine/optimization/coarse_assignment.hpp"

#include <algorithm>
#include <cmath>

namespace schedfarm::engine {

namespace {

/// The later of the two intervals that are interval `coarse` of half as many.
std::size_t later_of(std::size_t coarse, std::size_t intervals) {
    return 2 * coarse + (intervals % 2 == 0 ? 1 : 0);
}

}  // namespace

NestedAssignment coarse_assignment(const NestedAssignment& problem) {
    NestedAssignment result;
    result.tasks = problem.tasks;
    result.intervals = (problem.intervals + 1) / 2;
    result.costs.reserve(result.tasks * result.intervals);
    result.areas.reserve(result.tasks * result.intervals);
    for (std::size_t c = 0; c < result.intervals; ++c) {
        const std::size_t later = later_of(c, problem.intervals);
        const std::size_t earlier = std::max<std::size_t>(later, 1) - 1;
        for (std::size_t i = 0; i < problem.tasks; ++i) {
            const double cost = problem.cost(i, later);
            const double before = problem.cost(i, earlier);
            result.costs.push_back(std::isfinite(before) ? (before + cost) / 2 : cost);
            result.areas.push_back(problem.area(i, later));
        }
        if (later < problem.rows()) {
            result.capacities.push_back(problem.capacities[later]);
        }
    }
    return result;
}

std::vector<double> fine_prices(std::span<const double> coarse_prices, std::size_t intervals) {
    const std::size_t last = coarse_prices.size() - 1;
    std::vector<double> result(intervals);
    for (std::size_t c = 0; c <= last; ++c) {
        const std::size_t later = later_of(c, intervals);
        const double own = 0.75 * coarse_prices[c];
        if (later > 0) {
            result[later - 1] = own + 0.25 * coarse_prices[std::max<std::size_t>(c, 1) - 1];
        }
        result[later] = own + 0.25 * coarse_prices[std::min(c + 1, last)];
    }
    return result;
}

}  // namespace schedfarm::engine
