#include "engine/optimization/coarse_assignment.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "engine/optimization/greedy_assignment.hpp"
#include "engine/optimization/gub_simplex.hpp"

namespace schedfarm::engine {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Two tasks, intervals of rooms 1, 3, 6, 10 and one without limit.
NestedAssignment five_intervals() {
    return {
        2, 5, {never, 1, 2, 3, 4, 5, 7, 8, 10, 11}, {9, 9, 8, 8, 7, 7, 6, 6, 5, 5}, {1, 3, 6, 10}};
}

}  // namespace

TEST_CASE("two intervals become one with the later end and the mean of the costs") {
    // Of five the first stays alone; (2, 4) and (3, 5) make 3 and 4; (7, 10) and (8, 11) make 8.5
    // and 9.5. The last keeps having no limit.
    const NestedAssignment coarse = coarse_assignment(five_intervals());
    CHECK(coarse.tasks == 2);
    CHECK(coarse.intervals == 3);
    CHECK(coarse.costs == std::vector<double>{never, 1, 3, 4, 8.5, 9.5});
    CHECK(coarse.areas == std::vector<double>{9, 9, 7, 7, 5, 5});
    CHECK(coarse.capacities == std::vector<double>{1, 6});
}

TEST_CASE("a task that may go to the later of two intervals only costs there what it costs") {
    NestedAssignment problem = five_intervals();
    problem.costs[4] = never;
    problem.costs[2] = never;
    CHECK(coarse_assignment(problem).costs == std::vector<double>{never, 1, never, 4, 8.5, 9.5});
    problem.costs[4] = 4;
    CHECK(coarse_assignment(problem).costs == std::vector<double>{never, 1, 4, 4, 8.5, 9.5});
}

TEST_CASE("prices of two intervals lean towards their neighbours") {
    // 16 alone: 3/4 · 16 + 1/4 · 8. Of 8: 6 + 16/4 and 6 + 0. Of the last: 0 + 8/4 and 0.
    CHECK(fine_prices(std::vector<double>{16, 8, 0}, 5) == std::vector<double>{14, 10, 6, 2, 0});
    // The first of six has no neighbour before it: 12 + 4.
    CHECK(
        fine_prices(std::vector<double>{16, 8, 0}, 6) == std::vector<double>{16, 14, 10, 6, 2, 0}
    );
}

TEST_CASE("at the right prices a greedy start is the solution") {
    // Areas 1 each, room for one in each interval, then no limit; the costs of delay are 5, 3 and 1
    // per interval, so that the tasks go in that order. Without prices as well; at prices that say
    // the first two intervals are too dear, all wait for the last.
    const NestedAssignment problem{
        3, 3, {0, 0, 0, 1, 3, 5, 2, 6, 10}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 2}};
    CHECK(greedy_assignment(problem) == std::vector<std::uint32_t>{2, 1, 0});
    CHECK(
        greedy_assignment(problem, std::vector<double>{4, 2, 0})
        == std::vector<std::uint32_t>{2, 1, 0}
    );
    CHECK(
        greedy_assignment(problem, std::vector<double>{99, 99, 0})
        == std::vector<std::uint32_t>{2, 2, 2}
    );
    CHECK(solve(problem).bound == doctest::Approx(5).epsilon(1e-13));
}

}  // namespace schedfarm::engine
