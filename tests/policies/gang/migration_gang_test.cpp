// Gang scheduling with migration by hand: T = 30 and c = 1 on 4 processors, so that rows of 10 s
// serve classes 2, 1, 0, where nothing else is said.
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

Times leaves(const PlainJobs& jobs, int processors = 4, double cycle = 30, double cost = 1) {
    return gang_completions(
        gang_policy("migration_gang", cycle, cost, "order", "leaves"),
        static_cast<std::uint32_t>(processors),
        jobs
    );
}

Times root(const PlainJobs& jobs, int processors = 4, double cycle = 30, double cost = 1) {
    return gang_completions(
        gang_policy("migration_gang", cycle, cost, "order", "root"),
        static_cast<std::uint32_t>(processors),
        jobs
    );
}

}  // namespace

// Row of class 2: job 0 works 1–10, 9 of 12 done. Row of class 1 has no job of its own. From the
// leaves job 1 runs 11–20 and ends in its own row at 21 + 6; job 0 in the row at 30, at 31 + 3.
// From the root job 0 ends in the row of class 1 at 11 + 3; job 1 runs 21–30 and from 31.
TEST_CASE("migration on four processors") {
    const PlainJobs jobs = {plain_job(0, 4, 12), plain_job(0, 1, 15)};
    CHECK(leaves(jobs) == Times{34, 27});
    CHECK(root(jobs) == Times{14, 37});
}

// Rows of 10: 0 root, 10 (8 | 1), 20 (7 | 0), 30 class 6, 40 class 5, 50 class 4 … Root row: job 0
// works 1–10 (9 of 12), again at 101–104. Row 10: class 8 is job 1 (9 of 10); 64 are idle. Leaves:
// class 0, job 5 (9), class 1, job 4, 11–16; then 61 are left: job 2 of class 6 does not fit. Row
// 20: class 7 is job 3, 9 done at 30; job 5, 18. 191 are left: job 2 9. Row 30: own job 2 18; job 5
// 27, job 3 is done; 255 are idle. Row 40: job 5 at 41 + 3; job 2 at 41 + 2 …; job 1 at 51 + 1.
// Root: row 10 job 1, then job 2 (9); row 20 job 3, then job 2 …
TEST_CASE("migration on 320 processors") {
    const PlainJobs jobs = {
        plain_job(0, 320, 12),
        plain_job(0, 256, 10),
        plain_job(0, 64, 20),
        plain_job(0, 65, 9),
        plain_job(0, 2, 5),
        plain_job(0, 1, 30)};
    CHECK(leaves(jobs, 320, 100) == Times{104, 52, 43, 30, 16, 44});
    CHECK(root(jobs, 320, 100) == Times{104, 32, 43, 30, 16, 54});
}

// Job 0 comes at 3: the slice at 10 is the next start; it works 11–16.
TEST_CASE("nothing starts in the middle of a slice") {
    CHECK(leaves({plain_job(3, 1, 5)}) == Times{16});
    CHECK(leaves({plain_job(10, 1, 5)}) == Times{16});  // arrivals up to the start count
    CHECK(leaves({plain_job(11, 1, 5)}) == Times{26});
}

// Both want all 4 processors. Job 0 works 1–4; the rest of the slice is idle although job 1 waits.
TEST_CASE("what becomes idle in the middle of a slice stays idle") {
    CHECK(leaves({plain_job(0, 4, 3), plain_job(0, 4, 3)}) == Times{4, 14});
}

// 9 s fit into a slice to the second: the job ends as the slice does and pays nothing more.
TEST_CASE("a job that ends with its slice is complete") {
    CHECK(leaves({plain_job(0, 2, 9), plain_job(0, 4, 1)}) == Times{20, 2});
    CHECK(leaves({plain_job(0, 2, 10)}) == Times{12});
}

// The last: own class 2 has no job, so job 0 fills every row, 9 s in each.
TEST_CASE("a lone job runs in all rows") {
    CHECK(leaves({plain_job(0, 1, 30)}) == Times{34});
    CHECK(root({plain_job(0, 1, 30)}) == Times{34});
}

// T = 32 on 4 processors: rows of 11, 11 and 10 s. The lone job works 1–11, 12–22, 23–32 (29 of
// 30) and 33–34.
TEST_CASE("the first rows of an uneven cycle are longer by a second") {
    CHECK(leaves({plain_job(0, 1, 30)}, 4, 32) == Times{34});
    CHECK(uniform_quanta(32, 3) == std::vector<double>{11, 11, 10});
    CHECK(uniform_quanta(1000, 10) == std::vector<double>(10, 100));
    CHECK(uniform_quanta(0.75, 3) == std::vector<double>(3, 0.25));
    CHECK(uniform_quanta(2, 4) == std::vector<double>(4, 0.5));
    CHECK(uniform_quanta(4, 4) == std::vector<double>(4, 1));
}

// 6 processors: rows root, (2 | 0), (1 | 1), (0 | 0), 10 s each at T = 40. Job 0 of 5 processors
// has the root row alone: job 1 waits though one processor is idle. Row 10: job 1 fills. Root class
// never fills, so job 0 goes on at 40.
TEST_CASE("a root job is alone in its row and fills no other") {
    const PlainJobs jobs = {plain_job(0, 5, 12), plain_job(0, 1, 3)};
    CHECK(leaves(jobs, 6, 40) == Times{44, 14});
    CHECK(root(jobs, 6, 40) == Times{44, 14});
}

// Without a root job its row is filled: job 0 of 2 processors at 1–4.
TEST_CASE("the root row without root jobs is filled") {
    CHECK(leaves({plain_job(0, 2, 3)}, 6, 40) == Times{4});
}

// Row of class 2 on 4 processors. From the leaves jobs 1 to 3 of class 0 fill and leave 1: job 0 of
// class 1 waits for its own row at 10 and works 11–14. From the root job 0 comes first; of class 0
// the jobs 1 and 2 fit, job 3 follows at 10.
TEST_CASE("leaves and root give idle processors to other ends of the classes") {
    const PlainJobs jobs = {
        plain_job(0, 2, 3), plain_job(0, 1, 3), plain_job(0, 1, 4), plain_job(0, 1, 5)};
    CHECK(leaves(jobs) == Times{14, 4, 5, 6});
    CHECK(root(jobs) == Times{4, 4, 5, 16});
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

// Quanta 5, 10 and 15 for classes 2, 1 and 0: the lone job works 1–5, 6–15, 16–18.
TEST_CASE("every row may have a quantum of its own") {
    Parameters parameters;
    parameters.set("timeplexing_cycle_s", 30);
    parameters.set("quanta_s", Value::List{5, 10, 15});
    const PolicyUnderTest policy(policy_named("migration_gang"), parameters);
    CHECK(gang_completions(policy, 4, {plain_job(0, 4, 15)}) == Times{18});
    // Class 0 alone fills: 4 + 9 + 2. From 6 on class 1 would be first, from 16 class 0.
    CHECK(gang_completions(policy, 4, {plain_job(0, 4, 5), plain_job(0, 4, 4)}) == Times{7, 20});
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

// T = 30 on 4 processors with quanta of 2 at least: on day 0 rows of 10. Only class 1 works on day
// 0, so that day 1 has rows of 2, 26 and 2: 24 s go to class 1. 86400 is the start of a cycle. Job
// 1 of class 2 comes there: 86401–86402 (1 of 30), 86403–86428 (25), 86429–86430 (1), 86431–86432
// (1), 86433–86435 (2).
TEST_CASE("quanta by utilization follow the day before") {
    Parameters parameters;
    parameters.set("timeplexing_cycle_s", 30);
    parameters.set("quanta", "utilization");
    parameters.set("smallest_quantum_s", 2);
    const PolicyUnderTest policy(policy_named("migration_gang"), parameters);
    const PlainJobs jobs = {plain_job(0, 2, 5), plain_job(86400, 4, 30)};
    CHECK(gang_completions(policy, 4, jobs) == Times{6, 86435});
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

TEST_CASE("jobs that gang scheduling cannot serve are refused") {
    CHECK_THROWS_AS(leaves({plain_job(0, 5, 1)}), std::runtime_error);
}

}  // namespace schedfarm::tests
