#include "engine/optimization/nested_assignment.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

/// What tasks pay in an interval.
struct PricedInterval {
    const double* costs;
    const double* areas;
    double price;
    std::uint64_t interval;
};

SCHEDFARM_VECTOR_CLONES
void take_better(
    double* __restrict best,
    std::uint64_t* __restrict best_interval,
    const PricedInterval& offer,
    std::size_t count
) {
    const double* __restrict const costs = offer.costs;
    const double* __restrict const areas = offer.areas;
    const double price = offer.price;
    const std::uint64_t interval = offer.interval;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = costs[i] + price * areas[i];
        best_interval[i] = value < best[i] ? interval : best_interval[i];
        best[i] = value < best[i] ? value : best[i];
    }
}

void add_share(const AssignedShare& share, std::vector<AssignedShare>& to) {
    const auto same = std::find_if(to.begin(), to.end(), [&share](const AssignedShare& other) {
        return other.task == share.task;
    });
    if (same == to.end()) {
        to.push_back(share);
    } else {
        same->fraction += share.fraction;
    }
}

}  // namespace

void find_cheapest(
    const NestedAssignment& problem, std::span<const double> prices, CheapestIntervals& result
) {
    const std::size_t tasks = problem.tasks;
    result.payments.assign(tasks, std::numeric_limits<double>::infinity());
    result.intervals.assign(tasks, 0);
    for (std::size_t j = 0; j < problem.intervals; ++j) {
        const double* const costs = &problem.costs[j * tasks];
        const double* const areas = &problem.areas[j * tasks];
        const PricedInterval offer{costs, areas, prices[j], j};
        take_better(result.payments.data(), result.intervals.data(), offer, tasks);
    }
}

double proven_bound(const NestedAssignment& problem, std::span<const double> prices) {
    SCHEDFARM_EXPECT(prices.size() == problem.intervals, "a price for each interval");
    double capacity = 0;
    double paid_for_rows = 0;
    for (std::size_t j = 0; j < problem.intervals; ++j) {
        const bool has_row = j < problem.rows();
        SCHEDFARM_EXPECT(prices[j] >= 0 && (has_row || prices[j] == 0), "prices of rows");
        SCHEDFARM_EXPECT(j == 0 || prices[j] <= prices[j - 1], "prices never rise");
        if (has_row) {
            paid_for_rows += (problem.capacities[j] - capacity) * prices[j];
            capacity = problem.capacities[j];
        }
    }
    CheapestIntervals cheapest;
    find_cheapest(problem, prices, cheapest);
    double payments = 0;
    for (const double payment : cheapest.payments) {
        payments += payment;
    }
    // With u half a unit in the last place of 1, payments are at most (tasks + 1) u above, the rows
    // (rows + 2) u below, and the doubles of a cost sum up to tasks · u less; one epsilon is 2 u.
    const double rounding = static_cast<double>(problem.tasks + problem.rows() + 2)
                            * std::numeric_limits<double>::epsilon();
    return payments - paid_for_rows - rounding * (payments + paid_for_rows);
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

std::vector<AssignedShare> put_off(
    const NestedAssignment& problem, std::span<const AssignedShare> shares
) {
    std::vector<double> given(problem.tasks, 0);
    for (const AssignedShare& share : shares) {
        given[share.task] += std::max(share.fraction, 0.0);
    }
    std::vector<std::vector<AssignedShare>> held(problem.intervals);
    for (const AssignedShare& share : shares) {
        if (share.fraction > 0) {
            held[share.interval].push_back(share);
            held[share.interval].back().fraction /= given[share.task];
        }
    }
    double used = 0;
    for (std::uint32_t j = 0; j + 1 < problem.intervals && j < problem.rows(); ++j) {
        const auto rise = [&](const AssignedShare& share) {
            return (problem.cost(share.task, j + 1) - problem.cost(share.task, j))
                   / problem.area(share.task, j);
        };
        std::stable_sort(held[j].begin(), held[j].end(), [&](const auto& a, const auto& b) {
            return rise(a) < rise(b);
        });
        for (const AssignedShare& share : held[j]) {
            used += problem.area(share.task, j) * share.fraction;
        }
        for (AssignedShare& share : held[j]) {
            const double area = problem.area(share.task, j);
            if (used > problem.capacities[j] && area > 0) {
                const double part = std::min(share.fraction, (used - problem.capacities[j]) / area);
                used -= part * area;
                share.fraction -= part;
                add_share({share.task, j + 1, part}, held[j + 1]);
            }
        }
    }
    std::vector<AssignedShare> result;
    for (const std::vector<AssignedShare>& in_interval : held) {
        result.insert(result.end(), in_interval.begin(), in_interval.end());
    }
    return result;
}

}  // namespace schedfarm::engine
