// Quanta of gang scheduling with migration, and a machine of many small jobs. Schedules by hand:
// tests/cases.
#include "policies/gang/migration_gang.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "policies/gang/gang.hpp"

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

using policies::uniform_quanta;
using policies::weighted_quanta;
using PlainJobs = std::vector<PlainJob>;

Times root(const PlainJobs& jobs, int processors, double cycle) {
    return gang_completions(
        gang_policy("migration_gang", cycle, 1, "order", "root"),
        static_cast<std::uint32_t>(processors),
        jobs
    );
}

}  // namespace

TEST_CASE("the first rows of an uneven cycle are longer by a second") {
    CHECK(uniform_quanta(32, 3) == std::vector<double>{11, 11, 10});
    CHECK(uniform_quanta(1000, 10) == std::vector<double>(10, 100));
    CHECK(uniform_quanta(0.75, 3) == std::vector<double>(3, 0.25));
    CHECK(uniform_quanta(2, 4) == std::vector<double>(4, 0.5));
    CHECK(uniform_quanta(4, 4) == std::vector<double>(4, 1));
}

// 320 processors, T = 100, the row (8 | 1) at 10: class 1 is the row's own on the tree of 64, but
// only 32 of its nodes; with 33 jobs of class 1 and 256 taken by class 8 the last waits. The root
// row at 0 is filled from the root: job 0 of class 8, then 32 jobs of class 1. Job 0 needs 12: 9 at
// 1–10, 3 at 11–14. The 33rd runs when a class 1 job is done: 32 jobs end at 5; it works 11–15.
TEST_CASE("the smaller tree serves its own classes in the rows of the larger") {
    PlainJobs jobs = {plain_job(0, 256, 12)};
    jobs.resize(34, plain_job(0, 2, 4));
    Times expected(34, 5);
    expected.front() = 14;
    expected.back() = 15;
    CHECK(root(jobs, 320, 100) == expected);
}

// w = 100, 300, 600 share 1000 − 3·20 = 940: 94, 282, 564.
TEST_CASE("quanta by utilization share what the smallest quanta leave over") {
    CHECK(weighted_quanta(1000, 20, {100, 300, 600}) == std::vector<double>{114, 302, 584});
    // 97 is 32 1/3 for each; the first gets the second that is left.
    CHECK(weighted_quanta(100, 1, {5, 5, 5}) == std::vector<double>{34, 33, 33});
    CHECK(weighted_quanta(100, 1, {0, 0, 0}) == std::vector<double>{34, 33, 33});
    // 97·1/7 = 13.86 and 97·6/7 = 83.14: the first has the largest remainder.
    CHECK(weighted_quanta(100, 1, {1, 6, 0}) == std::vector<double>{15, 84, 1});
}

// 9 of 10: a quantum must be longer than a switch.
TEST_CASE("quanta that a switch uses up are refused") {
    const PolicyDescription& policy = policy_named("migration_gang");
    SystemDescription system;
    system.clusters = {4};
    const auto problems_of = [&](double cycle, double cost) {
        return policy.check_system(gang_policy("migration_gang", cycle, cost).parameters, system);
    };
    CHECK(problems_of(30, 9).empty());
    CHECK(problems_of(30, 10).size() == 1);
    system.clusters = {8};
    CHECK(problems_of(30, 9).size() == 1);  // 8, 8, 7 and 7 s
}

}  // namespace schedfarm::tests
