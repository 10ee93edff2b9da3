// Gang scheduling with push-up, and both ways, by hand: T = 30 and c = 1 on 4 processors, so that
// classes 2, 1 and 0 have slices of 10 s, where nothing else is said.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/gang/pushing_gang.hpp"

#include "tests/policies/gang/gang_runs.hpp"
#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using PlainJobs = std::vector<PlainJob>;

Times push_up(const PlainJobs& jobs, std::uint32_t processors = 4, double cycle = 30) {
    return gang_completions(gang_policy("push_up_gang", cycle, 1), processors, jobs);
}

Times push_both(const PlainJobs& jobs, std::uint32_t processors = 4, double cycle = 30) {
    return gang_completions(gang_policy("push_both_gang", cycle, 1), processors, jobs);
}

}  // namespace

// Class 0 has its slice at 0: job 0 on 0, 1–10. Job 1 finds 2 and 3 idle and fills 2–7.
TEST_CASE("idle siblings of a slice combine for the class above") {
    CHECK(push_up({plain_job(0, 1, 9), plain_job(2, 2, 5)}) == Times{10, 7});
}

// Class 1 comes first: job 1 1–6. Job 0 has to wait for class 0: 7–16 (9 of 12), 17–20.
TEST_CASE("push-up leaves smaller classes waiting") {
    CHECK(push_up({plain_job(0, 1, 12), plain_job(0, 2, 5)}) == Times{20, 6});
}

// Job 1 fills 2–4, and with job 0 the slice of class 0 ends (2 of 12). Class 1 at 4: 5–14, at 14:
// 15–16.
TEST_CASE("larger jobs that fill do not keep a slice alive") {
    CHECK(push_up({plain_job(0, 1, 3), plain_job(2, 2, 12)}) == Times{4, 16});
}

// Job 1 fills 2–3 from 2 on. At 3 job 2 takes 1; job 3 finds no node idle until 7 and has 3 of 4 at
// 10, job 1 8 of 20. Class 1 at 10: 17 of 20. Class 0 at 20: job 3 21–22, job 1 fills again (18).
// Class 1 at 22: 23–25.
TEST_CASE("larger jobs that fill are not displaced inside a slice") {
    CHECK(
        push_up({plain_job(0, 1, 9), plain_job(2, 2, 20), plain_job(3, 1, 4), plain_job(3, 1, 4)})
        == Times{10, 25, 7, 22}
    );
}

// 8 processors, T = 40. Job 0 of class 0 has 0. At 1 jobs 2 and 3 of class 1 take 2–3 and 4–5 and
// leave job 1 of class 2 no node; at 6 it has 4–7: 6–10 (4 of 6). Class 2 at 10: 11–13.
TEST_CASE("the next larger class comes first") {
    CHECK(
        push_up(
            {plain_job(0, 1, 9), plain_job(1, 4, 6), plain_job(1, 2, 5), plain_job(1, 2, 5)}, 8, 40
        )
        == Times{10, 13, 6, 6}
    );
}

// 8 processors, T = 40. Job 0 of class 1 has 0–1. At 1 class 0 has three jobs and class 2 one: 2, 3
// and 4 go to class 0, 1–7. At 7 job 1 has 4–7: 7–10 (3 of 6). Class 2 at 10: 11–14.
TEST_CASE("both ways the class with more jobs comes first: the smaller") {
    CHECK(
        push_both(
            {plain_job(0, 2, 9),
             plain_job(1, 4, 6),
             plain_job(1, 1, 6),
             plain_job(1, 1, 6),
             plain_job(1, 1, 6)},
            8,
            40
        )
        == Times{10, 14, 7, 7, 7}
    );
}

// The same with four jobs of class 2: the first has 4–7 at 1, class 0 2 and 3, and its third job
// waits. At 7 the second of class 2 has 4–7 and the third of class 0 has 2, both 3 of 6 at 10.
// Class 0 at 10: both 11–14, for class 2 has the most jobs. Class 2 at 14: the others 15–21.
TEST_CASE("both ways the class with more jobs comes first: the larger") {
    CHECK(
        push_both(
            {plain_job(0, 2, 9),
             plain_job(1, 4, 6),
             plain_job(1, 4, 6),
             plain_job(1, 4, 6),
             plain_job(1, 4, 6),
             plain_job(1, 1, 6),
             plain_job(1, 1, 6),
             plain_job(1, 1, 6)},
            8,
            40
        )
        == Times{10, 7, 14, 21, 21, 7, 7, 14}
    );
}

// Class 1 at 0: job 0 on 0–1, 1–10 (9 of 12); job 1 fills 1–6. Class 0 at 10: nobody; class 1 at
// 10: 11–14. With job 1 until 15 class 0 follows: it has 9 of 15 at 10, 11–17, job 0 fills 11–14.
TEST_CASE("both ways a slice is filled from below and from above") {
    CHECK(push_both({plain_job(0, 2, 12), plain_job(0, 1, 5)}) == Times{14, 6});
    CHECK(push_both({plain_job(0, 2, 12), plain_job(0, 1, 15)}) == Times{14, 17});
}

TEST_CASE("the verifier of pushing objects to the other direction") {
    const auto objection = [](const char* policy, policies::PushDirection direction) {
        const TestCell cell = gang_cell(4, {plain_job(0, 1, 9), plain_job(2, 2, 5)});
        const auto verifier = make_pushing_verifier(
            {.gang = {.cycle_s = 30}}, direction, policies::RootSlice::first, BuddyTrees(4)
        );
        try {
            run_general(gang_policy(policy, 30, 1), cell, verifier.get());
        } catch (const ScheduleError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using policies::PushDirection;
    CHECK(objection("push_up_gang", PushDirection::up).empty());
    CHECK(objection("push_up_gang", PushDirection::both).empty());
    CHECK(objection("push_up_gang", PushDirection::down) == "at time 2: job 1 fills but may not");
    CHECK(objection("push_down_gang", PushDirection::up) == "at time 2: job 1 is neglected");
}

// Four jobs of class 2 and three of class 0 come into a slice of class 1: push-down gives the
// smaller ones 2, 3 and 4, which leaves class 2 no node.
TEST_CASE("the verifier of pushing both ways objects to another order of the classes") {
    PlainJobs jobs = {plain_job(0, 2, 9)};
    jobs.insert(jobs.end(), 4, plain_job(1, 4, 6));
    jobs.insert(jobs.end(), 3, plain_job(1, 1, 6));
    const auto both = make_pushing_verifier(
        {.gang = {.cycle_s = 40}},
        policies::PushDirection::both,
        policies::RootSlice::first,
        BuddyTrees(8)
    );
    CHECK_THROWS_WITH_AS(
        run_general(gang_policy("push_down_gang", 40, 1), gang_cell(8, jobs), both.get()),
        "at time 1: job 1 is neglected",
        ScheduleError
    );
}

}  // namespace schedfarm::tests
