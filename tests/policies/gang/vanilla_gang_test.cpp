// Gang scheduling as it is, by hand: T = 30 and c = 1 on 4 processors, so that classes 2, 1 and 0
// have slices of 10 s, where nothing else is said.
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

using PlainJobs = std::vector<PlainJob>;

template <typename... More>
Times vanilla(const PlainJobs& jobs, More... more) {
    return bound_completions("vanilla_gang", jobs, more...);
}

}  // namespace

// Class 2 at 0: job 0 works 1–10. Class 1 is skipped; class 0 at 10: job 1 works 11–20 (9 of 15).
// Class 2 at 20: 21–24, and nothing is left of the class. Class 0 at 24: 25–31.
TEST_CASE("vanilla on four processors") {
    CHECK(vanilla({plain_job(0, 4, 12), plain_job(0, 1, 15)}) == Times{24, 31});
}

// Slices of its own class follow each other: 1–10, 11–20, 21–23; each switch costs.
TEST_CASE("a lone job pays for every slice of its class") {
    CHECK(vanilla({plain_job(0, 1, 20)}) == Times{23});
}

// Job 1 comes at 5 into the slice of its class, finds a free node and pays nothing.
TEST_CASE("a job that arrives in the slice of its class takes a free node") {
    CHECK(vanilla({plain_job(0, 1, 8), plain_job(5, 1, 3)}) == Times{9, 8});
    // Both at 0: both work from 1.
    CHECK(vanilla({plain_job(0, 1, 8), plain_job(0, 1, 3)}) == Times{9, 4});
}

// 2 processors, T = 20. Class 1 has one node. At 4 job 0 leaves it to job 1, which works at once
// until the slice is over at 10 (6 of 7); then it pays again: 11–12.
TEST_CASE("a freed node takes the head of the queue") {
    CHECK(vanilla({plain_job(0, 2, 3), plain_job(0, 2, 7)}, 2, 20) == Times{4, 12});
}

// At 4 class 2 has finished: class 0 begins at once and works 5–8.
TEST_CASE("a slice without running jobs ends early") {
    CHECK(vanilla({plain_job(0, 4, 3), plain_job(0, 1, 3)}) == Times{4, 8});
}

// Class 0 runs from 0 to 10 although class 2 arrived at 2: 1–10 (9 of 12). Class 2: 11–14. Class 0
// again at 14: 15–18.
TEST_CASE("an arrival of another class waits for its slice") {
    CHECK(vanilla({plain_job(0, 1, 12), plain_job(2, 4, 3)}) == Times{18, 14});
}

// 6 processors, T = 40: rows root, (2 | 0), (1 | 1), (0 | 0). Job 0 has the root slice: 1–4. Row
// (2 | 0) at 4: job 1 of class 2 on 0–3 and job 2 of class 0 on 4: 5–8 and 5–9.
TEST_CASE("a row serves another class on the smaller tree") {
    CHECK(
        vanilla({plain_job(0, 6, 3), plain_job(0, 3, 3), plain_job(0, 1, 4)}, 6, 40)
        == Times{4, 8, 9}
    );
}

// As before without the root job and with three of class 0: in row (2 | 0) at 0 two of them fit on
// the tree of 2 and the third waits until a node of it is free, at 1 + 2: 3–7.
TEST_CASE("only the nodes of the row's trees are given out") {
    CHECK(
        vanilla(
            {plain_job(0, 3, 5), plain_job(0, 1, 2), plain_job(0, 1, 5), plain_job(0, 1, 4)}, 6, 40
        )
        == Times{6, 3, 6, 7}
    );
}

// 2 processors, T = 20. All nodes of a class run together, so that it is all the same which one a
// job has: class 0 at 0: job 1 until 4, job 0 9 of 12. Class 1: 11–16. Class 0 at 16: 17–20.
TEST_CASE("where jobs are bound does not matter on one tree without push-down") {
    const PlainJobs jobs = {plain_job(0, 1, 12), plain_job(0, 1, 3), plain_job(1, 2, 5)};
    CHECK(vanilla(jobs, 2, 20) == Times{20, 4, 16});
    CHECK(vanilla(jobs, 2, 20, "weight") == Times{20, 4, 16});
}

}  // namespace schedfarm::tests
