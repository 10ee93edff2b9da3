#include "engine/optimization/nested_assignment.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/vector_clones.hpp"

namespace schedfarm::engine {

namespace {

SCHEDFARM_VECTOR_CLONES
void lower_to(
    double* __restrict least,
    const double* __restrict costs,
    const double* __restrict areas,
    double price,
    std::size_t count
) {
    for (std::size_t i = 0; i < count; ++i) {
        const double value = costs[i] + price * areas[i];
        least[i] = value < least[i] ? value : least[i];
    }
}

}  // namespace

double proven_bound(const NestedAssignment& problem, std::span<const double> prices) {
    SCHEDFARM_EXPECT(prices.size() == problem.intervals, "a price for each interval");
    std::vector<double> least(problem.tasks, std::numeric_limits<double>::infinity());
    double capacity = 0;
    double result = 0;
    for (std::size_t j = 0; j < problem.intervals; ++j) {
        const bool has_row = j < problem.rows();
        SCHEDFARM_EXPECT(prices[j] >= 0 && (has_row || prices[j] == 0), "prices of rows");
        SCHEDFARM_EXPECT(j == 0 || prices[j] <= prices[j - 1], "prices never rise");
        const std::size_t at = j * problem.tasks;
        lower_to(least.data(), &problem.costs[at], &problem.areas[at], prices[j], problem.tasks);
        if (has_row) {
            result -= (problem.capacities[j] - capacity) * prices[j];
            capacity = problem.capacities[j];
        }
    }
    for (const double value : least) {
        result += value;
    }
    return result;
}

PrimalCheck primal_check(const NestedAssignment& problem, std::span<const AssignedShare> shares) {
    PrimalCheck result;
    std::vector<double> given(problem.tasks, 0);
    std::vector<double> used(problem.intervals, 0);
    for (const AssignedShare& share : shares) {
        result.cost += problem.cost(share.task, share.interval) * share.fraction;
        result.violation = std::max(result.violation, -share.fraction);
        given[share.task] += share.fraction;
        used[share.interval] += problem.area(share.task, share.interval) * share.fraction;
    }
    for (const double sum : given) {
        result.violation = std::max(result.violation, std::abs(sum - 1));
    }
    double sum = 0;
    for (std::size_t j = 0; j < problem.rows(); ++j) {
        sum += used[j];
        result.violation = std::max(result.violation, sum / problem.capacities[j] - 1);
    }
    return result;
}

}  // namespace schedfarm::engine
