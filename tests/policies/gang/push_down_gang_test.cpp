// Gang scheduling with push-down by hand: T = 30 and c = 1 on 4 processors, so that classes 2, 1
// and 0 have slices of 10 s, where nothing else is said.
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

using PlainJobs = std::vector<PlainJob>;

Times push_down_in_turn(const PlainJobs& jobs) {
    PolicyUnderTest policy = gang_policy("push_down_gang", 40, 1);
    policy.parameters.set("root_slice", "in_turn");
    return gang_completions(policy, 6, jobs);
}

template <typename... More>
Times push_down(const PlainJobs& jobs, More... more) {
    return bound_completions("push_down_gang", jobs, more...);
}

}  // namespace

// Class 2 leaves nothing idle, and nothing is below class 0: as vanilla.
TEST_CASE("push-down without idle processors is vanilla") {
    CHECK(push_down({plain_job(0, 4, 12), plain_job(0, 1, 15)}) == Times{24, 31});
}

// The slice of class 1 at 0: job 0 on 0–1 works 1–10, job 1 fills on 2 and works 1–6. Class 1 again
// at 10: 11–14.
TEST_CASE("idle processors of a slice serve smaller classes") {
    CHECK(push_down({plain_job(0, 2, 12), plain_job(0, 1, 5)}) == Times{14, 6});
}

// Job 0 ends at 4, with it the slice of class 1, though job 1 fills it (3 of 12). Class 0 at 4: job
// 1 works 5–14.
TEST_CASE("jobs that fill do not keep a slice alive") {
    CHECK(push_down({plain_job(0, 2, 3), plain_job(0, 1, 12)}) == Times{4, 14});
}

// Job 1 fills on 2; job 2 of class 1 comes at 5 and would have 2–3. At 9 job 0 leaves 0–1 to it:
// 9–10 (1 of 2). At 10 job 1 has 9 of 12; class 0: 11–14. Class 1 at 14: 15–16.
TEST_CASE("jobs that fill are not displaced inside a slice") {
    CHECK(
        push_down({plain_job(0, 2, 8), plain_job(0, 1, 12), plain_job(5, 2, 2)}) == Times{9, 14, 16}
    );
}

// The slice of class 1 at 0 has 2–3 idle when job 1 of class 0 comes at 4: 4–7, nothing to pay.
TEST_CASE("an arrival fills a running slice") {
    CHECK(push_down({plain_job(0, 2, 9), plain_job(4, 1, 3)}) == Times{10, 7});
}

// Class 0 at 0: job 0 is bound to 0 and works 1–10 (9 of 20). Class 1 at 10: job 1 works 11–20.
// First fit binds it to 0–1, and job 0 goes on at 20: 21–30, 31–33. By weight it gets 2–3, where
// nobody is bound: job 0 fills 11–20 and ends in its own slice at 23.
TEST_CASE("a node where nobody is bound leaves others to fill") {
    const PlainJobs jobs = {plain_job(0, 1, 20), plain_job(2, 2, 9)};
    CHECK(push_down(jobs) == Times{33, 20});
    CHECK(push_down(jobs, 4, 30, "weight") == Times{23, 20});
}

// 6 processors, T = 40: trees 0–3 and 4–5. The larger has class 2, 1–10 and 11–14; the smaller has
// class 1 at the same time, 1–4.
TEST_CASE("trees go through their classes on their own") {
    CHECK(push_down({plain_job(0, 4, 12), plain_job(0, 2, 3)}, 6, 40) == Times{14, 4});
}

// Job 1 of class 0 is served by the larger tree, 1–3; the smaller waits from 0 on. At 3 both wait:
// root slice, 4–7.
TEST_CASE("the root class has a slice when all trees wait") {
    CHECK(push_down_in_turn({plain_job(0, 5, 3), plain_job(0, 1, 2)}) == Times{7, 3});
}

// P = 3, T = 30, nothing to pay: trees 0–1 and 2, rows of 10 s. No tree serves at 0: the root slice
// is 0–5, class 0 follows, 5–10. In turn the tree 0–1 serves job 1 first, 0–5, while 2 waits.
TEST_CASE("a job of the root class has its slice at once where no tree serves") {
    const PlainJobs jobs = {plain_job(0, 3, 5), plain_job(0, 1, 5)};
    PolicyUnderTest policy = gang_policy("push_down_gang", 30, 0);
    CHECK(gang_completions(policy, 3, jobs) == Times{5, 10});
    policy.parameters.set("root_slice", "in_turn");
    CHECK(gang_completions(policy, 3, jobs) == Times{10, 5});
}

// Tree 0–1 serves job 0 at 0–5. At 2 the root job comes: tree 2 waits, and the root slice is 5–10.
TEST_CASE("a job of the root class does not end the slice of a tree that serves") {
    CHECK(
        gang_completions(
            gang_policy("push_down_gang", 30, 0), 3, {plain_job(0, 1, 5), plain_job(2, 3, 5)}
        )
        == Times{5, 10}
    );
}

// The larger tree: class 1, 1–10 (9 of 12), then it waits. Root slice at 10: 11–20 (9 of 12). At 20
// from the top: class 1, 21–24. Both wait: root slice at 24, 25–28.
TEST_CASE("after a root slice all trees begin again with their largest class") {
    CHECK(push_down_in_turn({plain_job(0, 6, 12), plain_job(0, 2, 12)}) == Times{28, 24});
}

}  // namespace schedfarm::tests
