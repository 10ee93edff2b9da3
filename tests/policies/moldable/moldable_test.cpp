// Policies for moldable jobs: schedules by hand, and guarantees on random jobs.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/moldable/task_list.hpp"

#include "tests/policies/moldable/random_moldables.hpp"

namespace schedfarm::tests {

namespace {

using Times = std::vector<double>;

Parameters demt(const char* compaction, int shuffles) {
    return moldable_settings(
        {{"compaction", compaction}, {"shuffles", shuffles}, {"bounds", "makespan"}}
    );
}

}  // namespace

TEST_CASE("a strict list lets nobody pass and a scanned one lets pass what fits") {
    // Three processors: a (2 processors, 4 long), b (3, 1), c (1, 2). In order b waits for a until
    // 4 and c for b, until 5. Scanned, c starts at 0 beside a.
    policies::TaskList list;
    list.add(2, {.task = 0, .time = 4});
    list.add(3, {.task = 1, .time = 1});
    list.add(1, {.task = 2, .time = 2});
    const std::vector<std::uint32_t> order{0, 1, 2};
    const auto strict = policies::strict_schedule(list, order, 3, 0);
    CHECK(strict.starts == std::vector<double>{0, 4, 5});
    CHECK(strict.finish == 7);
    CHECK(strict.weighted_completion == 4 + 5 + 7);
    const auto scanned = policies::graham_schedule(list, order, 3, 10);
    CHECK(scanned.starts == std::vector<double>{10, 14, 10});
    CHECK(scanned.finish == 15);
    CHECK(scanned.weighted_completion == 4 + 5 + 2);
}

TEST_CASE("a strict list leaves what was free for longest or what came free last") {
    // Four processors: a (2, 2 long), b (3, 5), c (1, 1). b starts at 2 beside nobody. It takes the
    // two that were free since 0, and c waits for the one that comes free at 2; or the two of a and
    // one of the others, and c starts at 0.
    policies::TaskList list;
    list.add(2, {.task = 0, .time = 2});
    list.add(3, {.task = 1, .time = 5});
    list.add(1, {.task = 2, .time = 1});
    const std::vector<std::uint32_t> order{0, 1, 2};
    const auto starts = [&](policies::StrictChoice choice) {
        return policies::strict_schedule(list, order, 4, 0, choice).starts;
    };
    CHECK(starts(policies::StrictChoice::freed_first) == std::vector<double>{0, 2, 2});
    CHECK(starts(policies::StrictChoice::freed_last) == std::vector<double>{0, 2, 0});
}

TEST_CASE("DEMT gives two linear tasks on two processors makespan 3 and sum 4") {
    // C* = 2, tmin = 1, K = 1. Batch 0 is 1 long: both tasks need both processors, the first is
    // taken. Batch 1 is 2 long: the second runs on one processor. So 0 … 1 and 1 … 3.
    const std::vector<GivenMoldable> jobs{{.times = {2, 1}}, {.times = {2, 1}}};
    for (const int shuffles : {0, 10}) {
        const MoldableRun run = run_moldable("demt", demt("strict", shuffles), 2, jobs);
        CHECK(run.observations.values[0] == 3);
        CHECK(run.observations.values[1] == 4);
        CHECK(run.observations.values[2] == doctest::Approx(2).epsilon(1e-8));
        CHECK(run.observations.values[3] == doctest::Approx(1.5).epsilon(1e-8));
        CHECK(run.log.size == std::vector<std::uint32_t>{2, 1});
        CHECK(run.log.start == std::vector<double>{0, 1});
    }
}

TEST_CASE("one processor shows that the printed program is no bound") {
    // Times 1 and 2, weights 10 and 1: the best sum is 10 + 3 = 13. C* = 3, tmin = 1: t = 1.5 and 3
    // as printed, 1.5 · 10 + 1.5 · 1 = 16.5. With the interval (0.75, 1.5] before: 0.75 · 10 for
    // the first and 1.5 for the second, 9.
    const std::vector<GivenMoldable> jobs{
        {.times = {1}, .weight = 10}, {.times = {2}, .weight = 1}};
    const MoldableRun run = run_moldable("demt", moldable_settings({{"bounds", "all"}}), 1, jobs);
    const std::vector<double>& values = run.observations.values;
    REQUIRE(values.size() == 10);
    CHECK(values[1] == 13);
    CHECK(values[4] == doctest::Approx(16.5).epsilon(1e-8));
    CHECK(values[5] == doctest::Approx(13 / 16.5).epsilon(1e-8));
    CHECK(values[6] == doctest::Approx(9).epsilon(1e-8));
    CHECK(values[8] <= 13);
    CHECK(values[8] >= values[6]);
}

TEST_CASE("DEMT takes weight first and what is short before") {
    // One processor, times 1, 2, 3 of weights 1, 1, 5: C* = 6, K = 2, batches 1.5, 3 and 6 long.
    // The first holds the first task, the second the heavy one, the third the other: 1, 4, 6.
    const std::vector<GivenMoldable> jobs{
        {.times = {1}, .weight = 1}, {.times = {2}, .weight = 1}, {.times = {3}, .weight = 5}};
    const MoldableRun run = run_moldable("demt", demt("strict", 0), 1, jobs);
    CHECK(run.log.finish == std::vector<double>{1, 6, 4});
    CHECK(run.observations.values[1] == 1 + 6 + 20);
}

TEST_CASE("DEMT stacks short tasks by weight") {
    // One processor, four tasks 1 long, weights 1 … 4: C* = 4, batches 1, 2 and 4 long. The first
    // takes weight 4, the second the stack of weights 3 and 2, the third weight 1.
    std::vector<GivenMoldable> jobs;
    for (const double weight : {1, 2, 3, 4}) {
        jobs.push_back({.times = {1}, .weight = weight});
    }
    const MoldableRun run = run_moldable("demt", demt("graham", 0), 1, jobs);
    CHECK(run.log.finish == std::vector<double>{4, 3, 2, 1});
}

TEST_CASE("DEMT keeps a stack in a row or takes it apart") {
    // Two processors, four tasks 1 long, weights 1 … 4: C* = 2, batches 1 and 2 long. The first
    // takes weights 4 and 3, the second the stack of 2 and 1: one after the other, or at once.
    std::vector<GivenMoldable> jobs;
    for (const double weight : {1, 2, 3, 4}) {
        jobs.push_back({.times = {1, 1}, .weight = weight});
    }
    const auto finishes = [&jobs](const char* stacks) {
        const Parameters given = moldable_settings({{"stacks", stacks}, {"shuffles", 0}});
        return run_moldable("demt", given, 2, jobs).log.finish;
    };
    CHECK(finishes("kept") == std::vector<double>{3, 2, 1, 1});
    CHECK(finishes("taken_apart") == std::vector<double>{2, 2, 1, 1});
}

TEST_CASE("DEMT chooses a stack that is heavier than a longer task") {
    // One processor, C* = 8, batches 1, 2, 4 and 8 long. The first takes weight 9; the second the
    // stack of the two other tasks of 1, weight 6, and not the task of 2, weight 5, which the third
    // takes; the last what is left.
    const std::vector<GivenMoldable> jobs{
        {.times = {2}, .weight = 5},
        {.times = {3}, .weight = 0.1},
        {.times = {1}, .weight = 3},
        {.times = {1}, .weight = 9},
        {.times = {1}, .weight = 3}};
    const MoldableRun run = run_moldable("demt", demt("strict", 0), 1, jobs);
    CHECK(run.log.finish == std::vector<double>{5, 8, 2, 1, 3});
}

TEST_CASE("DEMT starts the denser task of a batch first") {
    // Two processors, C* between 4.5 and 5. The task of 1 has a batch of its own; the two of 4
    // share one: the heavier starts at 0 beside it, the other at 1.
    const std::vector<GivenMoldable> jobs{
        {.times = {4, 4}, .weight = 4},
        {.times = {4, 4}, .weight = 8},
        {.times = {1, 1}, .weight = 20}};
    const MoldableRun run = run_moldable("demt", demt("strict", 0), 2, jobs);
    CHECK(run.log.start == std::vector<double>{1, 0, 0});
}

TEST_CASE("the baselines give three tasks their processors and their order") {
    // Two processors; weights 1, 4, 1. Gang: 4/2, 1/3 and 1/4 per time, so 1, 2, 0 at 0, 2 and 5.
    // Sequential: 6, 5, 2.5 long, the longest first; the last starts when 5 is over.
    const std::vector<GivenMoldable> jobs{
        {.times = {6, 4}, .weight = 1},
        {.times = {2.5, 2}, .weight = 4},
        {.times = {5, 3}, .weight = 1}};
    const MoldableRun gang = run_moldable("moldable_gang", {}, 2, jobs);
    CHECK(gang.log.start == std::vector<double>{5, 0, 2});
    CHECK(gang.log.size == std::vector<std::uint32_t>{2, 2, 2});
    const MoldableRun sequential = run_moldable("moldable_sequential", {}, 2, jobs);
    CHECK(sequential.log.start == std::vector<double>{0, 5, 0});
    // Work 13.5 on one processor each: lambda* is at least 6.75, less than 2.5 + 5, where the long
    // task does not fit beside both others. Everybody is on one processor, but areas and times per
    // weight (6, 0.625, 5) order them.
    const auto list = [&jobs](const char* order) {
        return run_moldable("moldable_list", moldable_settings({{"order", order}}), 2, jobs);
    };
    const MoldableRun largest = list("largest_time");
    CHECK(largest.log.start == Times{0, 5, 0});
    const MoldableRun smallest = list("smallest_area");
    CHECK(smallest.log.start == Times{2.5, 0, 0});
}

TEST_CASE("jobs without weight are reached as well as can be") {
    // Σ weight · completion and its bounds are 0, and 0 of 0 counts as 1.
    const std::vector<GivenMoldable> jobs{
        {.times = {2, 1}, .weight = 0}, {.times = {4, 2}, .weight = 0}};
    const MoldableRun run = run_moldable("demt", moldable_settings({{"bounds", "all"}}), 2, jobs);
    const std::vector<double>& values = run.observations.values;
    REQUIRE(values.size() == 10);
    CHECK(values[1] == 0);
    for (const std::size_t program : {4U, 6U, 8U}) {
        CHECK(values[program] == 0);
        CHECK(values[program + 1] == 1);
    }
}

TEST_CASE("List and LPTF and SAF start three tasks in orders of their own") {
    // Two processors and no speedup, so that everybody has one: times 6, 3, 5 of weights 1, 1/4, 1.
    // The bound is 7, work 14 on two. List and shelves: 6 and 5 are beyond 7/2 and begin, the small
    // one follows at 5. LPTF, time / weight 6, 12, 5: the second and the first, the third at 3.
    // SAF, areas 6, 3, 5: the second and the third, the first at 3.
    const std::vector<GivenMoldable> jobs{
        {.times = {6, 6}}, {.times = {3, 3}, .weight = 0.25}, {.times = {5, 5}}};
    const auto starts = [&jobs](const char* name, const Parameters& given) {
        const MoldableRun run = run_moldable(name, given, 2, jobs);
        CHECK(run.log.size == std::vector<std::uint32_t>{1, 1, 1});
        return run.log.start;
    };
    const auto list = [&starts](const char* order) {
        return starts("moldable_list", moldable_settings({{"order", order}}));
    };
    CHECK(list("shelves") == Times{0, 5, 0});
    CHECK(list("largest_time") == Times{0, 0, 3});
    CHECK(list("smallest_area") == Times{3, 0, 0});
    CHECK(starts("moldable_shelves", {}) == Times{0, 5, 0});
}

TEST_CASE("jobs that arrive while a batch runs wait for the next") {
    // One processor: a job of 4 at 0; two jobs at 1 and 2, the later one heavier; they are planned
    // together at 4, the heavier first.
    const std::vector<GivenMoldable> jobs{
        {.times = {4}},
        {.times = {2}, .weight = 1, .submit_time = 1},
        {.times = {2}, .weight = 3, .submit_time = 2}};
    const MoldableRun run = run_moldable("moldable_gang", {}, 1, jobs, ExperimentKind::open);
    CHECK(run.log.start == std::vector<double>{0, 6, 4});
}

TEST_CASE("a rigid job among moldable ones gets the processors it asks for") {
    const std::vector<GivenMoldable> jobs{
        {.times = {4, 2, 2}}, {.times = {3}, .weight = 1, .submit_time = 0, .rigid = 2}};
    for (const char* name : moldable_policies) {
        CAPTURE(name);
        const MoldableRun run = run_moldable(name, {}, 3, jobs);
        CHECK(run.log.size[1] == 2);
        CHECK(run.log.service[1] == 3);
    }
}

TEST_CASE("makespans keep to their multiples of the bound") {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(12);
        std::vector<GivenMoldable> jobs;
        const std::uint32_t count = 1 + dice.below(30);
        for (std::uint32_t i = 0; i < count; ++i) {
            jobs.push_back(random_moldable(dice, processors));
        }
        const Parameters bounds = moldable_settings({{"bounds", "makespan"}});
        const auto ratio = [&](const char* name, const Parameters& given) {
            const MoldableRun run = run_moldable(name, given, processors, jobs);
            const double expected = run.observations.values[0] / run.observations.values[2];
            CHECK(run.observations.values[3] == doctest::Approx(expected).epsilon(1e-12));
            return run.observations.values[3];
        };
        CHECK(ratio("demt", demt("strict", 0)) <= 2);
        CHECK(ratio("demt", demt("strict", 10)) <= 2);
        CHECK(ratio("moldable_shelves", bounds) <= 1.5 * (1 + 1e-8));
        CHECK(ratio("moldable_gang", bounds) >= 1);
    }
}

TEST_CASE("on-line batches of shelves end within three times the off-line bound") {
    // 2 ρ with ρ = 3/2. The bound: all jobs at time 0, and every job alone from its arrival on.
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(9);
        std::vector<GivenMoldable> jobs = random_moldables(dice, 1 + dice.below(25), processors);
        std::erase_if(jobs, [](const GivenMoldable& job) { return job.rigid > 0; });
        if (jobs.empty()) {
            continue;
        }
        const Parameters bounds = moldable_settings({{"bounds", "makespan"}});
        double bound =
            run_moldable("moldable_shelves", bounds, processors, jobs).observations.values[2];
        for (const GivenMoldable& job : jobs) {
            bound = std::max(bound, job.submit_time + job.times.back());
        }
        const MoldableRun run =
            run_moldable("moldable_shelves", {}, processors, jobs, ExperimentKind::open);
        const double finish = *std::max_element(run.log.finish.begin(), run.log.finish.end());
        CHECK(finish <= 3 * bound * (1 + 1e-8));
    }
}

}  // namespace schedfarm::tests
