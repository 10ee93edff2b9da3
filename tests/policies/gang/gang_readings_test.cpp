// The readings of gang scheduling that are no default, and lists of slices, by hand: T = 30 and
// c = 1 on 4 processors, so that classes 2, 1 and 0 have slices of 10 s, where nothing else is
// said.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/gang/gang.hpp"
#include "policies/gang/migration_gang.hpp"
#include "policies/gang/switch_cost.hpp"

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

using PlainJobs = std::vector<PlainJob>;
using Readings = std::vector<std::pair<std::string, Value>>;

struct Machine4 {
    std::uint32_t processors = 4;
    double cycle = 30;
    double cost = 1;
};

Times completions(
    const char* name, const Readings& readings, const PlainJobs& jobs, const Machine4& machine = {}
) {
    PolicyUnderTest policy = gang_policy(name, machine.cycle, machine.cost);
    for (const auto& [parameter, value] : readings) {
        policy.parameters.set(parameter, value);
    }
    return gang_completions(policy, machine.processors, jobs);
}

Parameters with_switches(const Readings& readings) {
    Parameters given;
    for (const auto& [parameter, value] : readings) {
        given.set(parameter, value);
    }
    return with_defaults(policies::switch_cost_parameters(), given);
}

Readings row_change() {
    return {{"switch_paid", "row_change"}};
}
Readings outside() {
    return {{"switch_place", "outside"}};
}
Readings idle() {
    return {{"mid_slice", "idle"}};
}
Readings refill() {
    return {{"mid_slice", "refill"}};
}

}  // namespace

// 1–10, then without a switch 10–20 and 20–21; every slice paid: 23.
TEST_CASE("a slice after one of its row is free where only changes are paid") {
    CHECK(completions("vanilla_gang", row_change(), {plain_job(0, 1, 20)}) == Times{21});
    CHECK(completions("push_down_gang", row_change(), {plain_job(0, 1, 20)}) == Times{21});
}

// Class 2: 1–10 (9 of 12); class 0: 11–20 (9 of 15). All are changes: as in the base.
TEST_CASE("slices of rows in turns pay though only changes are paid") {
    const PlainJobs jobs = {plain_job(0, 4, 12), plain_job(0, 1, 15)};
    CHECK(completions("vanilla_gang", row_change(), jobs) == Times{24, 31});
}

// Job 0 is alone: 1–4. Nothing else has run when job 1 comes at 20: 20–23.
TEST_CASE("an empty machine is no change of the row") {
    const PlainJobs jobs = {plain_job(0, 1, 3), plain_job(20, 1, 3)};
    CHECK(completions("vanilla_gang", row_change(), jobs) == Times{4, 23});
    CHECK(completions("push_down_gang", row_change(), jobs) == Times{4, 23});
}

// 6 processors, T = 40. Root slices 1–10 (9 of 12) and 10–13. With job 1 the larger tree has class
// 1 in between: 1–10, root 11–20, class 1 21–24, root 25–28.
TEST_CASE("a root slice pays for a change unless it follows a root slice") {
    const Machine4 six{.processors = 6, .cycle = 40};
    Readings readings = row_change();
    CHECK(completions("push_down_gang", readings, {plain_job(0, 6, 12)}, six) == Times{13});
    readings.emplace_back("root_slice", "in_turn");
    CHECK(
        completions("push_down_gang", readings, {plain_job(0, 6, 12), plain_job(0, 2, 12)}, six)
        == Times{28, 24}
    );
}

// One class only: every slice follows itself. 0–12; every slice paid: 1–10 and 11–14.
TEST_CASE("the grid of a machine with one class never changes its row") {
    const Machine4 one{.processors = 1, .cycle = 10};
    CHECK(completions("migration_gang", row_change(), {plain_job(0, 1, 12)}, one) == Times{12});
    CHECK(completions("migration_gang", {}, {plain_job(0, 1, 12)}, one) == Times{14});
}

// The slices are 11 s long. Vanilla: 1–11, 12–22. In turns: class 2 1–11 (10 of 12), class 0 12–22
// (10 of 15), class 2 23–25, class 0 from 25: 26–31.
TEST_CASE("a slice is longer by a switch outside it") {
    CHECK(completions("vanilla_gang", outside(), {plain_job(0, 1, 20)}) == Times{22});
    CHECK(completions("push_down_gang", outside(), {plain_job(0, 1, 20)}) == Times{22});
    const PlainJobs jobs = {plain_job(0, 4, 12), plain_job(0, 1, 15)};
    CHECK(completions("vanilla_gang", outside(), jobs) == Times{25, 31});
}

// Slices at 0, 11, 22, 33. Job 0 works 1–11, 12–22, 23–33. Who comes at 3 starts at 11.
TEST_CASE("the grid is longer by the switches outside its slices") {
    CHECK(completions("migration_gang", outside(), {plain_job(0, 1, 30)}) == Times{33});
    CHECK(completions("migration_gang", outside(), {plain_job(3, 1, 5)}) == Times{17});
    CHECK(completions("migration_gang", outside(), {plain_job(34, 1, 5)}) == Times{50});
}

// A quantum of 10 s would not outlast a switch of 15 s inside: 15–25, 40–50.
TEST_CASE("a switch outside the slices may be longer than they are") {
    const Machine4 slow{.cost = 15};
    CHECK(completions("vanilla_gang", outside(), {plain_job(0, 1, 20)}, slow) == Times{50});
}

// The first slice is 1 s longer, the second is free: 1–11 and 11–21.
TEST_CASE("only slices that pay are longer") {
    const Readings both = {{"switch_paid", "row_change"}, {"switch_place", "outside"}};
    CHECK(completions("vanilla_gang", both, {plain_job(0, 1, 20)}) == Times{21});
}

// Job 1 comes at 5 and waits until job 0 has ended its slice at 9: another one, 10–13.
TEST_CASE("vanilla may leave what is idle in mid-slice idle") {
    const PlainJobs jobs = {plain_job(0, 1, 8), plain_job(5, 1, 3)};
    CHECK(completions("vanilla_gang", idle(), jobs) == Times{9, 13});
    CHECK(completions("vanilla_gang", refill(), jobs) == Times{9, 8});
}

// Job 1 does not fill the slice of job 0 in which it arrives: class 0 at 10, 11–14.
TEST_CASE("push-down may leave what is idle in mid-slice idle") {
    const PlainJobs jobs = {plain_job(0, 2, 9), plain_job(4, 1, 3)};
    CHECK(completions("push_down_gang", idle(), jobs) == Times{10, 14});
    CHECK(completions("push_down_gang", refill(), jobs) == Times{10, 7});
}

// Job 0 works 1–4, job 1 takes its place at 4 and has nothing to pay: 4–7. The next slice: 14.
TEST_CASE("migration may refill what is freed in mid-slice") {
    const PlainJobs jobs = {plain_job(0, 4, 3), plain_job(0, 4, 3)};
    CHECK(completions("migration_gang", refill(), jobs) == Times{4, 7});
    CHECK(completions("migration_gang", idle(), jobs) == Times{4, 14});
}

// c = 2: the slice at 0 works from 2 on. 2–7; at 3: 3–8; at 28 2 of 5, then from 32.
TEST_CASE("who refills pays the rest of the switch only") {
    const Machine4 two{.cost = 2};
    CHECK(completions("migration_gang", refill(), {plain_job(1, 1, 5)}, two) == Times{7});
    CHECK(completions("migration_gang", refill(), {plain_job(3, 1, 5)}, two) == Times{8});
    CHECK(completions("migration_gang", refill(), {plain_job(28, 1, 5)}, two) == Times{35});
}

// From the leaves jobs 0 to 3 have processors 0 to 3. At 4 jobs 0 and 2 are done: 2 processors are
// idle, but no node of 2. Job 4 has its own row at 10: 11–15.
TEST_CASE("idle processors that are no node are not refilled") {
    const PlainJobs jobs = {
        plain_job(0, 1, 3),
        plain_job(0, 1, 9),
        plain_job(0, 1, 3),
        plain_job(0, 1, 9),
        plain_job(0, 2, 4)};
    CHECK(completions("migration_gang", refill(), jobs) == Times{4, 10, 4, 10, 15});
}

// 6 processors, T = 40, root row at 0: job 0 works 1–4. Then job 1 of the root class, 4–7, and only
// then job 2: 7–10. Without refilling: job 1 in the next root row, job 2 in the row at 10.
TEST_CASE("the root row is refilled with root jobs first") {
    const Machine4 six{.processors = 6, .cycle = 40};
    const PlainJobs jobs = {plain_job(0, 5, 3), plain_job(0, 6, 3), plain_job(0, 1, 3)};
    CHECK(completions("migration_gang", refill(), jobs, six) == Times{4, 7, 10});
    CHECK(completions("migration_gang", idle(), jobs, six) == Times{4, 44, 14});
}

// Class 1 is served 1–4, then nothing is there. At 20 jobs of classes 0 and 2 come: after class 1
// it is class 0's turn, 21–24, and class 2 25–28; from the top class 2 is first.
TEST_CASE("after an empty machine slices go on or begin at the top") {
    const PlainJobs jobs = {plain_job(0, 2, 3), plain_job(20, 1, 3), plain_job(20, 4, 3)};
    for (const char* name : {"vanilla_gang", "push_down_gang"}) {
        CAPTURE(name);
        CHECK(completions(name, {{"after_empty", "next"}}, jobs) == Times{4, 24, 28});
        CHECK(completions(name, {{"after_empty", "top"}}, jobs) == Times{4, 28, 24});
    }
}

// Slices of class 0 5 s, class 2 10, class 0 5, class 1 10. Job 1: 1–5 (4 of 9). Job 0: 6–15 (9 of
// 12). Job 1: 16–20 (8). Class 1 has no job. Job 1: 21–22; job 0 from 22: 23–26.
TEST_CASE("a class may have several slices in a cycle in any order") {
    const Readings listed = {
        {"quanta_classes", Value::List{0, 2, 0, 1}}, {"quanta_s", Value::List{5, 10, 5, 10}}};
    const PlainJobs jobs = {plain_job(0, 4, 12), plain_job(0, 1, 9)};
    CHECK(completions("vanilla_gang", listed, jobs) == Times{26, 22});
    CHECK(completions("push_down_gang", listed, jobs) == Times{26, 22});
}

// 2 processors: class 1 for 6 s, class 0 for 7 and again for 7. Every slice paid: 1–6 (5), 7–13
// (11), 14–20 (17), 21–26 (22), 27–33 (28), 34–36. The second of class 0 free: 1–6 (5), 7–13 (11),
// 13–20 (18), 21–26 (23), 27–33 (29), 33–34.
TEST_CASE("a grid of listed slices pays for them or for changes of the row") {
    Readings listed = {
        {"quanta_classes", Value::List{1, 0, 0}}, {"quanta_s", Value::List{6, 7, 7}}};
    const Machine4 two{.processors = 2, .cycle = 20};
    CHECK(completions("migration_gang", listed, {plain_job(0, 1, 30)}, two) == Times{36});
    listed.emplace_back("switch_paid", "row_change");
    CHECK(completions("migration_gang", listed, {plain_job(0, 1, 30)}, two) == Times{34});
}

// 6 processors, trees 0–3 and 4–5, slices of class 2, root, 1, 0. The larger tree serves job 1:
// 1–4; the smaller comes to the root slice at once. At 4 both wait: root 5–8. Then they go on
// behind it: class 1 of the larger tree, 9–12.
TEST_CASE("after a root slice in the middle of a cycle trees go on behind it") {
    const Readings listed = {
        {"quanta_classes", Value::List{2, 3, 1, 0}}, {"root_slice", "in_turn"}};
    const Machine4 six{.processors = 6, .cycle = 40};
    CHECK(
        completions(
            "push_down_gang",
            listed,
            {plain_job(0, 6, 3), plain_job(0, 4, 3), plain_job(0, 2, 3)},
            six
        )
        == Times{8, 4, 12}
    );
}

// Halves: class 0 against class 2. Cycle 0: 4 processors against 1, from the root: job 0 1–10 and
// 11–14, job 1 from 20: 21–30. Cycle 1, from the leaves: 31–37.
TEST_CASE("adaptive migration goes from the root where large jobs ask for more") {
    const Readings adaptive = {{"order", "adaptive"}};
    CHECK(
        completions("migration_gang", adaptive, {plain_job(0, 4, 12), plain_job(0, 1, 15)})
        == Times{14, 37}
    );
}

// Cycle 0: 5 processors against 4, from the leaves: job 0 1–10, jobs 1 to 4 11–20 and 21–27; job 5
// waits. Cycle 1: 1 against 4, from the root: job 0 31–34, job 5 41–50 and 51–57.
TEST_CASE("adaptive migration goes from the leaves where small jobs ask for more") {
    PlainJobs jobs = {plain_job(0, 4, 12)};
    jobs.resize(6, plain_job(0, 1, 15));
    const Readings adaptive = {{"order", "adaptive"}};
    CHECK(completions("migration_gang", adaptive, jobs) == Times{34, 27, 27, 27, 27, 57});
}

// Cycle 0 began empty: from the leaves. Row of class 1 at 10: job 1 11–14; job 0 does not fit until
// 20: 21–24.
TEST_CASE("adaptive migration goes from the leaves in a cycle that begins empty") {
    const Readings adaptive = {{"order", "adaptive"}};
    const PlainJobs jobs = {plain_job(5, 4, 3), plain_job(5, 1, 3)};
    CHECK(completions("migration_gang", adaptive, jobs) == Times{24, 14});
    CHECK(completions("migration_gang", {{"order", "root"}}, jobs) == Times{14, 24});
}

// 64 MB are 16,000 pages of 4 KB, at 1,000 a second 16 s; 25 % of them 4 s.
TEST_CASE("a switch lasts as long as a working set is loaded") {
    using policies::switch_cost;
    CHECK(switch_cost(with_switches({})).seconds == 1);
    CHECK(switch_cost(with_switches({{"switch_model", "paging"}})).seconds == 16);
    Readings blocks = {{"switch_model", "block_paging"}, {"prefetched_fraction", 0.75}};
    CHECK(switch_cost(with_switches(blocks)).seconds == 4);
    blocks.emplace_back("working_set_mb", 32);
    blocks.emplace_back("page_kb", 8);
    blocks.emplace_back("pages_per_s", 500);
    CHECK(switch_cost(with_switches(blocks)).seconds == 2);
}

// Slices of 30 s: 16–30 (14 of 20), 46–52; with blocks 4–24.
TEST_CASE("block paging gives jobs back what paging takes") {
    const Machine4 long_slices{.cycle = 90};
    const PlainJobs jobs = {plain_job(0, 1, 20)};
    Readings model = {{"switch_model", "paging"}};
    CHECK(completions("vanilla_gang", model, jobs, long_slices) == Times{52});
    model = {{"switch_model", "block_paging"}, {"prefetched_fraction", 0.75}};
    CHECK(completions("vanilla_gang", model, jobs, long_slices) == Times{24});
}

// Day 0: 25 s on 4 processors, 150 on 2, 600 on 1: w = 100, 300, 600. With two slices of class 0:
// 920 s above the least for 100, 300, 300, 300.
TEST_CASE("the quanta of a day follow the work of the day before in whole seconds") {
    policies::GangSettings settings{.rule = policies::QuantaRule::utilization};
    const auto second_day = [&settings] {
        policies::GangQuanta quanta(settings, BuddyTrees(4));
        quanta.arrive(0, 25, 2);
        quanta.arrive(10, 150, 1);
        quanta.arrive(86399, 600, 0);
        quanta.arrive(86400, 1000, 0);
        CHECK(quanta.of_cycle(86399) == policies::uniform_quanta(1000, quanta.slices()));
        return quanta.of_cycle(86400);
    };
    CHECK(second_day() == std::vector<double>{114, 302, 584});
    settings.quanta_classes = {2, 1, 0, 0};
    CHECK(second_day() == std::vector<double>{112, 296, 296, 296});
}

TEST_CASE("cycles that leave out a class or name one that is not there are refused") {
    const PolicyDescription& policy = policy_named("vanilla_gang");
    SystemDescription system;
    system.clusters = {4};
    const auto problems_of = [&](const Value::List& classes) {
        Parameters given = gang_policy("vanilla_gang", 30, 1).parameters;
        given.set("quanta_classes", classes);
        return policy.check_system(with_defaults(policy.alternative.parameters, given), system);
    };
    CHECK(problems_of({0, 1, 0, 2}).empty());
    REQUIRE(problems_of({0, 1, 0}).size() == 1);
    CHECK(problems_of({0, 1, 0}).front().reason.find("class 2 has no time slice") == 0);
    CHECK(problems_of({0, 1, 2, 3}).front().reason.find("there is no class 3") == 0);
}

}  // namespace schedfarm::tests
