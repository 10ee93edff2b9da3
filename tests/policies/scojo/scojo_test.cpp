// Scojo-PECT by hand: 4 nodes and slices of 600, 1200 and 1800 s for jobs shorter than 600 s, than
// 10800 s and all others, loads of 4 units a second, first-free nodes, where nothing else is said.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/scojo/scojo_pect.hpp"

#include "tests/policies/scojo/scojo_runs.hpp"

namespace schedfarm::tests {

namespace {

using Jobs = std::vector<ScojoJob>;

ScojoCell with_memory(int nodes = 4) {
    ScojoCell cell;
    cell.nodes = nodes;
    cell.memory = 400;
    return cell;
}

Spans without_memory(const Jobs& jobs, bool is_easy = false) {
    ScojoCell cell;
    cell.is_easy = is_easy;
    return scojo_spans(cell, jobs);
}

}  // namespace

// Loaded in 100 s, in a foreign slice; nobody takes its nodes at any begin of a slice.
TEST_CASE("a job alone runs through all slices") {
    CHECK(scojo_spans(with_memory(), {scojo_job(0, 4, 10800, 400)}) == Spans{{0, 10900}});
}

// Job 1 is loaded 600–650 and displaces 200 of job 0, which has run 500 s and is charged 50 s. It
// runs to 1800. Job 0: loaded 1800–1850, displaces 200 of job 1 (50 s), runs to 3600: 8600 s left.
// Then job 1 comes first: loaded to 3650 (job 0: 8650 s), 100 s left. Job 0: loaded 3750–3800.
TEST_CASE("two jobs that displace each other") {
    CHECK(
        scojo_spans(with_memory(), {scojo_job(0, 4, 10800, 400), scojo_job(300, 4, 1200, 200)})
        == Spans{{0, 12450}, {600, 3750}}
    );
}

// The fourth would delay the third, which has all nodes from 200. Under EASY only the second has a
// reservation, 100–200, and leaves a node over; the third finds four nodes at 453.
TEST_CASE("jobs of one type in its slice") {
    const Jobs jobs = {
        scojo_job(0, 2, 100), scojo_job(1, 3, 100), scojo_job(2, 4, 100), scojo_job(3, 1, 450)};
    CHECK(without_memory(jobs) == Spans{{0, 100}, {100, 200}, {200, 300}, {300, 750}});
    CHECK(without_memory(jobs, true) == Spans{{0, 100}, {100, 200}, {453, 553}, {3, 453}});
}

// Job 0 begins to be loaded at 3550. At 3600 job 1 takes the nodes: half of job 0 is there. It
// needs no memory: at 3700 the other half is loaded, 3700–3750. With 400 it displaces the half and
// charges 50 s for it: loaded 3600–3700, runs to 3800; then job 0 is loaded whole, to 3900.
TEST_CASE("a load cut by the end of a slice keeps its part") {
    const ScojoJob cut = scojo_job(3550, 4, 12000, 400);
    CHECK(
        scojo_spans(with_memory(), {cut, scojo_job(3560, 4, 100)})
        == Spans{{3550, 15750}, {3600, 3700}}
    );
    CHECK(
        scojo_spans(with_memory(), {cut, scojo_job(3560, 4, 100, 400)})
        == Spans{{3550, 15950}, {3600, 3800}}
    );
}

// One node. Job 0 (200) runs 50–600; job 1 (150) is loaded beside it, 600–638, and runs to 1800,
// 838 s left; job 0 to 3600, 9650 s left. Job 2 needs 400: job 0 gives way (50 s), then job 1 (38
// s). Loaded 3600–3700, done at 4200 with its slice. Job 1: loaded to 4238, done 876 s later. Job
// 0: loaded 5114–5164, 9700 s.
TEST_CASE("a load displaces two jobs") {
    CHECK(
        scojo_spans(
            with_memory(1),
            {scojo_job(0, 1, 12000, 200), scojo_job(10, 1, 2000, 150), scojo_job(1700, 1, 500, 400)}
        )
        == Spans{{0, 14864}, {600, 5114}, {3600, 4200}}
    );
}

// As before with 300 for job 2: 50 are free, job 0, whose load began first, gives all its 200 and
// job 1 only 50 (13 s). Job 2: 3675–4175. Job 1: 50 missing, loaded to 4188, 851 s. Job 0: loaded
// 5039–5089.
TEST_CASE("who was loaded first gives way first, and no more than is needed") {
    CHECK(
        scojo_spans(
            with_memory(1),
            {scojo_job(0, 1, 12000, 200), scojo_job(10, 1, 2000, 150), scojo_job(1700, 1, 500, 300)}
        )
        == Spans{{0, 14789}, {600, 5039}, {3600, 4175}}
    );
}

// Job 0 (250) is loaded in 63 s. 150 beside it fill the node: nothing gives way, and at 1638 it
// goes on at once with 11463 s. 151 displace one unit: 1 s to run and 1 s to load more.
TEST_CASE("a node filled exactly") {
    const ScojoJob first = scojo_job(0, 1, 12000, 250);
    CHECK(
        scojo_spans(with_memory(1), {first, scojo_job(10, 1, 1000, 150)})
        == Spans{{0, 13101}, {600, 1638}}
    );
    CHECK(
        scojo_spans(with_memory(1), {first, scojo_job(10, 1, 1000, 151)})
        == Spans{{0, 13103}, {600, 1638}}
    );
}

// Two nodes, job 0 (300) on both: 11475 s left at 600. One job of 200 on both displaces 100 of each
// node: 25 s once. Two jobs of 200 and 400 on a node each: 25 s and 75 s; then it is loaded for as
// long as the fuller one takes, 1700–1775.
TEST_CASE("a load charges for the most that it displaces on a node") {
    const ScojoJob wide = scojo_job(0, 2, 12000, 300);
    CHECK(
        scojo_spans(with_memory(2), {wide, scojo_job(600, 2, 1000, 200)})
        == Spans{{0, 13175}, {600, 1650}}
    );
    CHECK(
        scojo_spans(
            with_memory(2), {wide, scojo_job(600, 1, 1000, 200), scojo_job(600, 1, 1000, 400)}
        )
        == Spans{{0, 13350}, {600, 1650}, {600, 1700}}
    );
}

// At 600 job 0 has 90 s left and is off: job 1 has nodes 0 and 1 to 1800. Job 2 would delay job 0,
// which has all nodes in the short jobs' own time, but is done by 1800. A second longer, it waits:
// job 0 goes on 1800–1890, job 1 from then on, and job 2 beside it.
TEST_CASE("a transient start just fits") {
    const ScojoJob off = scojo_job(100, 4, 590);
    const ScojoJob medium = scojo_job(200, 2, 1500);
    CHECK(
        without_memory({off, medium, scojo_job(1300, 2, 500)})
        == Spans{{100, 1890}, {600, 2190}, {1300, 1800}}
    );
    CHECK(
        without_memory({off, medium, scojo_job(1300, 2, 501)})
        == Spans{{100, 1890}, {600, 2190}, {1890, 2391}}
    );
    // With a load of 10 s.
    CHECK(
        scojo_spans(with_memory(), {off, medium, scojo_job(1300, 2, 490, 40)})
        == Spans{{100, 1890}, {600, 2190}, {1300, 1800}}
    );
    CHECK(
        scojo_spans(with_memory(), {off, medium, scojo_job(1300, 2, 491, 40)})
        == Spans{{100, 1890}, {600, 2190}, {1890, 2391}}
    );
}

// From 600 job 1 has nodes 0–2 and job 0, with 90 s left, is off: it holds 0 and 1. Node 3 is free.
// In the short jobs' own time job 2 is planned 90–390 (three nodes), job 3 at 390 (all). Job 4
// would delay job 3 and is not done by 1800: conservative holds it back to 1800, when it is a
// transient start on node 2, which keeps job 1 off to 2200. EASY: it delays only job 3, starts at
// 1500 on node 3, goes on at 1800.
TEST_CASE("conservative and EASY backfilling in a foreign slice") {
    const Jobs jobs = {
        scojo_job(100, 2, 590),
        scojo_job(200, 3, 1500),
        scojo_job(1498, 3, 300),
        scojo_job(1499, 4, 100),
        scojo_job(1500, 1, 400)};
    CHECK(
        without_memory(jobs)
        == Spans{{100, 1890}, {600, 2500}, {1890, 2190}, {2500, 2600}, {1800, 2200}}
    );
    CHECK(
        without_memory(jobs, true)
        == Spans{{100, 1890}, {600, 2190}, {2190, 2490}, {2490, 2590}, {1500, 1900}}
    );
}

// First-free puts job 1 onto the nodes of job 0, which is off for 1000 s.
TEST_CASE("intelligent node selection leaves the nodes of other types alone") {
    const Jobs jobs = {scojo_job(0, 2, 20000), scojo_job(600, 2, 1000)};
    CHECK(without_memory(jobs) == Spans{{0, 21000}, {600, 1600}});
    ScojoCell cell;
    cell.allocator = "intelligent";
    CHECK(scojo_spans(cell, jobs) == Spans{{0, 20000}, {600, 1600}});
}

// Three nodes, job 0 (300) on node 0. Job 1 (100) fits everywhere: best fit takes node 0, where
// both stay in memory and job 0 is off 600–1625, worst fit node 1.
TEST_CASE("memory-aware nodes with room: best and worst fit") {
    ScojoCell cell = with_memory(3);
    cell.allocator = "memory_aware";
    const Jobs jobs = {scojo_job(0, 1, 20000, 300), scojo_job(600, 1, 1000, 100)};
    CHECK(scojo_spans(cell, jobs) == Spans{{0, 21100}, {600, 1625}});
    cell.first_stage = "worst_fit";
    CHECK(scojo_spans(cell, jobs) == Spans{{0, 20075}, {600, 1625}});
}

// No node has room for job 3 (200): it gets that of job 1, which has the least left to run. 100 are
// displaced, for 25 s; loaded again 1650–1675, job 1 has 10500 s left.
TEST_CASE("memory-aware nodes without room: where it suffices first") {
    ScojoCell cell = with_memory(3);
    cell.allocator = "memory_aware";
    CHECK(
        scojo_spans(
            cell,
            {scojo_job(0, 1, 20000, 300),
             scojo_job(0, 1, 11000, 300),
             scojo_job(0, 1, 15000, 300),
             scojo_job(600, 1, 1000, 200)}
        )
        == Spans{{0, 20075}, {0, 12175}, {0, 15075}, {600, 1650}}
    );
}

// Job 0 moves to nodes 2 and 3 at 600. Without memory that costs nothing. With 300 units it is
// loaded whole, 600–675, has run 75–600 before and runs on to the end: 75 s more than its first
// load.
TEST_CASE("a preempted job is relocated at the price of a full load") {
    ScojoCell cell;
    cell.relocates = true;
    const ScojoJob medium = scojo_job(600, 2, 1000);
    CHECK(scojo_spans(cell, {scojo_job(0, 2, 20000), medium}) == Spans{{0, 20000}, {600, 1600}});
    cell.memory = 400;
    CHECK(
        scojo_spans(cell, {scojo_job(0, 2, 20000, 300), medium}) == Spans{{0, 20150}, {600, 1600}}
    );
    cell.relocates = false;
    CHECK(
        scojo_spans(cell, {scojo_job(0, 2, 20000, 300), medium}) == Spans{{0, 21075}, {600, 1600}}
    );
}

// Job 0 has run 75–600. Job 2 leaves nodes 2 and 3 at 1725: a load of 75 s takes all that is left
// of the slice, so that job 0 goes on on its own nodes at 1800, and job 1, which has no memory,
// moves to 2 and 3. A second earlier job 0 moves, at 1724, and runs 1799–1800 and on.
TEST_CASE("a relocated job must be loaded within the slice") {
    ScojoCell cell = with_memory();
    cell.relocates = true;
    const ScojoJob off = scojo_job(0, 2, 20000, 300);
    const ScojoJob on = scojo_job(600, 2, 2000);
    CHECK(
        scojo_spans(cell, {off, on, scojo_job(600, 2, 1125)})
        == Spans{{0, 21275}, {600, 2600}, {600, 1725}}
    );
    CHECK(
        scojo_spans(cell, {off, on, scojo_job(600, 2, 1124)})
        == Spans{{0, 21274}, {600, 2600}, {600, 1724}}
    );
}

// One node. Job 0 (300) has run 75–600 and loses 200 to job 1, loaded 600–675 (50 s): 11525 s left.
// Job 1 leaves at 1675; then job 2 (100) is loaded to 1700. From 1750 on the missing 200 of job 0
// fit beside the two: at 1800 it goes on at once. With 30 s for it 80 are missing, a load of 20 s;
// without, 50 s. Job 2 has 1900 s left at 1800: 3600–5400, 7200–7300, where job 0 is off.
TEST_CASE("what is missing of the next type's jobs is loaded before the switch") {
    const Jobs jobs = {
        scojo_job(0, 1, 12000, 300), scojo_job(10, 1, 1000, 300), scojo_job(1600, 1, 2000, 100)};
    const auto end_of_first = [&jobs](int prefetch) {
        ScojoCell cell = with_memory(1);
        cell.prefetch = prefetch;
        const Spans spans = scojo_spans(cell, jobs);
        CHECK(spans[1] == Span{600, 1675});
        CHECK(spans[2] == Span{1675, 7300});
        return spans[0].completion;
    };
    CHECK(end_of_first(0) == 15275);
    CHECK(end_of_first(30) == 15245);
    CHECK(end_of_first(50) == 15225);
    CHECK(end_of_first(99) == 15225);
}

// One node. Job 0 (200) and job 1 (200) fill it. Job 2 (100), loaded 3600–3625, displaces 100 of
// job 0 (25 s) and is off from 4200 with 24 s left. At 5400 job 0 has 675 s left. Without
// prefetching its load displaces 100 of job 1, which was loaded before job 2: job 0 5425–6100, job
// 2 to 6124, job 1 (475 s) loaded to 6149. Prefetching at 5350 may not displace job 1, which runs:
// job 2 gives way (25 s), and job 0 goes on at 5400. Job 2: loaded 6075–6100, 49 s. Job 1 has lost
// nothing: 450 s.
TEST_CASE("prefetching displaces who neither runs nor comes next") {
    ScojoCell cell = with_memory(1);
    cell.thresholds = {600, 2900};
    const Jobs jobs = {
        scojo_job(0, 1, 3000, 200), scojo_job(10, 1, 2800, 200), scojo_job(3000, 1, 599, 100)};
    CHECK(scojo_spans(cell, jobs) == Spans{{0, 6100}, {600, 6624}, {3600, 6124}});
    cell.prefetch = 50;
    CHECK(scojo_spans(cell, jobs) == Spans{{0, 6075}, {600, 6599}, {3600, 6149}});
}

// The two jobs that displace each other. Job 0: loads of 100, 50 and 50 s, charged 50 s twice. Job
// 1: loads of 50 s, twice, charged 50 s. Of 450 s all but the first loads, 100 and 50 s, are
// reducible.
TEST_CASE("overhead is published with and without first loads") {
    const TestCell cell =
        test_cell(with_memory(), {scojo_job(0, 4, 10800, 400), scojo_job(300, 4, 1200, 200)});
    const PolicyUnderTest policy = scojo_policy(with_memory());
    const std::vector<double> values = run_general(policy, cell).values;
    const std::vector<double> published(values.end() - 10, values.end());
    CHECK(published == std::vector<double>{450, 300, 1800, 1200, 0, 0, 150, 100, 300, 200});
}

// A slice of 150 s is enough to be loaded and run 50 s; 100 s are charged.
TEST_CASE("jobs that displace each other in short slices end the replication") {
    ScojoCell cell = with_memory(1);
    cell.slices = {150, 150, 150};
    CHECK_THROWS_AS(
        scojo_spans(
            cell,
            {scojo_job(0, 1, 500, 400), scojo_job(0, 1, 1000, 400), scojo_job(0, 1, 12000, 400)}
        ),
        policies::LivelockError
    );
}

// Slices of 250 s are longer than two loads. But two jobs displace job 0, each on a node of its
// own: it is loaded 100 s, runs 150 s and is charged 200 s. At 750 k it has 649 + 50 (k − 1) s
// left; its 101st slice without progress after 750 begins at k = 102. Overhead: 300 s an interval
// from 0.
TEST_CASE("a wide job may be displaced more often than it is loaded") {
    ScojoCell cell = with_memory(2);
    cell.slices = {250, 250, 250};
    const Jobs jobs = {
        scojo_job(0, 2, 599, 400),
        scojo_job(0, 1, 9000, 400),
        scojo_job(0, 1, 9000, 400),
        scojo_job(0, 2, 12000, 400)};
    CHECK_THROWS_WITH_AS(
        scojo_spans(cell, jobs),
        "at time 76500: job 0 has 5699 s left to run and has not progressed since time 750, in 101 "
        "of its slices of 250 s and with 101 loads (a whole load takes 100 s; 30600 s of overhead "
        "so far). Give longer slices or a higher load_rate.",
        policies::LivelockError
    );
    cell.slices = {301, 301, 301};
    CHECK(scojo_spans(cell, jobs) == plain_spans(cell, jobs));
}

TEST_CASE("slices that cannot work are refused with the way out") {
    const PolicyDescription& policy = policy_named("scojo_pect");
    const auto problem = [&policy](const ScojoCell& cell, double interval) {
        Parameters given = scojo_policy(cell).parameters;
        given.set("interval_s", interval);
        const auto own = policy.alternative.check(given);
        if (!own.empty()) {
            return own.front().reason;
        }
        const auto found =
            policy.check_system(given, {.clusters = {4}, .memory_per_processor = 400});
        return found.empty() ? std::string() : found.front().reason;
    };
    ScojoCell cell;
    CHECK(problem(cell, 3600).empty());
    CHECK(
        problem(cell, 3000)
        == "the slices add up to 3600 s and the interval has 3000 s (they divide it)"
    );
    cell.slices = {200, 1200, 1800};
    CHECK(
        problem(cell, 3200)
        == "a slice of 200 s is no longer than twice the load of a whole node, 100 s (jobs that "
           "displace each other would never get on: one load, and as long again for having made "
           "room)"
    );
    cell.slices = {201, 1200, 1800};
    CHECK(problem(cell, 3201).empty());
    cell.thresholds = {600, 600};
    CHECK(problem(cell, 3201).starts_with("the thresholds do not increase"));
    cell.thresholds = {600};
    CHECK(problem(cell, 3201).starts_with("there are 3 slices and 1 thresholds"));
}

}  // namespace schedfarm::tests
