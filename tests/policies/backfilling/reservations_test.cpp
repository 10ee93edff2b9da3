// Backfilling with standing reservations by hand. A job is {submit, service, {processors}, class,
// requested time}.
#include <utility>

#include <doctest/doctest.h>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

Times conservative_starts(std::uint32_t processors, Jobs jobs, const Parameters& parameters = {}) {
    return starts_of("conservative", parameters, processors, std::move(jobs));
}

// 4 processors. Job 0 has 3 until 10. Job 1 wants 4 for 10: from 10 to 20. Job 2 wants 2 for 5:
// from 20 to 25. Job 3 wants 1 for 22: beside job 0 it would delay job 1.
Jobs three_waiting() {
    return {{0, 10, {3}}, {1, 10, {4}}, {2, 5, {2}}, {3, 22, {1}}};
}

Parameters reservations(int count) {
    Parameters parameters;
    parameters.set("reservations", count);
    return parameters;
}

}  // namespace

TEST_CASE("conservative backfilling lets no job delay any reservation") {
    // Job 3 fits from 20 on, beside job 2. A job of 1 for 7 at 3 ends at 10: it overtakes at once.
    CHECK(conservative_starts(4, three_waiting()) == Times{0, 10, 20, 20});
    Jobs jobs = three_waiting();
    jobs.push_back({3, 7, {1}});
    CHECK(conservative_starts(4, jobs) == Times{0, 10, 20, 20, 3});
}

TEST_CASE("conservative backfilling keeps the second of the queue where EASY delays it") {
    // 4 processors; job 0 has 3 until 10, job 1 wants 3 for 2, from 10 to 12, and job 2 all 4
    // for 5.
    const Jobs jobs{{0, 10, {3}}, {1, 2, {3}}, {1, 5, {4}}, {2, 30, {1}}};
    // EASY: the head wants 3 at 10 and leaves 1 over: job 3 takes it until 32, and job 2 waits for
    // it.
    CHECK(starts_of("easy", {}, 4, jobs) == Times{0, 10, 32, 2});
    // Conservative: job 2 is promised 12 to 17, and job 3 starts when it has ended.
    CHECK(conservative_starts(4, jobs) == Times{0, 10, 12, 17});
}

TEST_CASE("an early finish compresses the reservations job by job") {
    // Job 0 requests 10 and ends at 4. Job 1 moves from 10 to 4, to end at 14; job 2 to 14 with it,
    // and job 3 too.
    Jobs jobs = three_waiting();
    jobs[0] = {0, 4, {3}, 0, 10};
    CHECK(conservative_starts(4, jobs) == Times{0, 4, 14, 14});
}

TEST_CASE("compression fills the gap with the first of the queue that fits it") {
    // 4 processors: job 0 has 4 until 5 (requested 10), job 1 (4 for 10) is promised 10, jobs 2 and
    // 3 (2 for 4 each) 20. At 5 job 1 moves to 5 and ends at 15; jobs 2 and 3 follow.
    CHECK(
        conservative_starts(4, {{0, 5, {4}, 0, 10}, {1, 10, {4}}, {1, 4, {2}}, {1, 4, {2}}})
        == Times{0, 5, 15, 15}
    );
    // Were job 1 to want 3 with 2 still in use until 10, it could not move; jobs 2 and 3 could: one
    // of them, 5 to 9, for 2 are free.
    CHECK(
        conservative_starts(
            4, {{0, 5, {2}, 0, 10}, {0, 10, {2}}, {1, 10, {3}}, {1, 4, {2}}, {1, 4, {2}}}
        )
        == Times{0, 0, 10, 5, 20}
    );
}

TEST_CASE("a hole that compression opens is closed after the next finish") {
    // 3 processors. Job 0 (1 for 12) ends at 6, job 2 (1 for 7), beside it from 5, too. Job 1 (all
    // for 12) is promised 15, job 3 (2 for 2) 12, job 4 (2 for 8) 27. At 6 job 1 moves to 14, for
    // job 3 is in its way until then; job 3 moves to 6 and job 4 to 26. At 8 job 3 ends as planned
    // and the machine is idle: job 1 moves to 8, job 4 to 20.
    const Jobs jobs{{3, 3, {1}, 0, 12}, {3, 12, {3}}, {5, 1, {1}, 0, 7}, {5, 2, {2}}, {5, 8, {2}}};
    CHECK(conservative_starts(3, jobs) == Times{3, 8, 5, 6, 20});
    const Parameters early = with_words({{"compress", "early_finish"}});
    CHECK(conservative_starts(3, jobs, early) == Times{3, 14, 5, 6, 26});
}

TEST_CASE("a reservation waits for a job that runs longer than it requested") {
    // 4 processors: job 0 has 3 and requests 5, but runs until 9. Job 1 (4 for 5) is promised 5;
    // job 2 (1 for 3) is promised 10, after it. At 5 nothing comes free; at 9 job 1 starts, then
    // job 2. Job 3, at 6, wants 1 for 1: 1 is free, but job 1 may start at any moment.
    CHECK(
        conservative_starts(4, {{0, 9, {3}, 0, 5}, {1, 5, {4}}, {1, 3, {1}, 0, 6}, {6, 1, {1}}})
        == Times{0, 9, 14, 14}
    );
}

TEST_CASE("a job killed at its estimate keeps the promises made for it") {
    // The same, cut at 5: job 1 starts at 5; at 10 jobs 2 and 3.
    CHECK(
        conservative_starts(4, {{0, 5, {3}, 0, 5}, {1, 5, {4}}, {1, 3, {1}, 0, 6}, {6, 1, {1}}})
        == Times{0, 5, 10, 10}
    );
}

TEST_CASE("k reservations protect the first k of the queue") {
    // As above: with one reservation job 3 delays job 2, with two it does not.
    const Jobs jobs{{0, 10, {3}}, {1, 2, {3}}, {1, 5, {4}}, {2, 30, {1}}};
    CHECK(starts_of("k_reservations", reservations(1), 4, jobs) == Times{0, 10, 32, 2});
    CHECK(starts_of("k_reservations", reservations(2), 4, jobs) == Times{0, 10, 12, 17});
    // With none whatever fits starts: job 3 at 2 and job 1 at 10; job 2 after both.
    CHECK(starts_of("k_reservations", reservations(0), 4, jobs) == Times{0, 10, 32, 2});
}

TEST_CASE("selective backfilling protects a job once it has waited long enough") {
    // 4 processors: job 0 has 3 until 10. Job 1 wants 4 for 10, with a factor of 2 reserved once it
    // has waited 10, at 11. Before, jobs of 1 pass it: job 2 (at 2, for 12, until 14). At 12 job 3
    // wants 1 for 30: job 1, reserved from 14 on, forbids it. With a factor of 4 it is not reserved
    // before 31, and job 3 runs 12 to 42.
    const Jobs jobs{{0, 10, {3}}, {1, 10, {4}}, {2, 12, {1}}, {12, 30, {1}}};
    Parameters parameters;
    parameters.set("expansion_factor", 2.0);
    CHECK(starts_of("selective", parameters, 4, jobs) == Times{0, 14, 2, 24});
    parameters.set("expansion_factor", 4.0);
    CHECK(starts_of("selective", parameters, 4, jobs) == Times{0, 42, 2, 12});
}

}  // namespace schedfarm::tests
