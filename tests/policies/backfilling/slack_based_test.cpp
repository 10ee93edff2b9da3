// Slack-based backfilling: by hand, against conservative backfilling, and against the plain plan of
// its verifier. A job is {submit, service, {processors}, class, requested time, user, queue,
// priority}.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

Parameters slack(double factor, int moves = 16, const char* measure = "run_time") {
    Parameters parameters = with_words({{"slack_measure", measure}});
    parameters.set("slack_factor", factor);
    parameters.set("moves", moves);
    return parameters;
}

Times slack_starts(const Parameters& parameters, std::uint32_t processors, const Jobs& jobs) {
    return starts_of("slack_based", parameters, processors, jobs);
}

// 4 processors. Job 0 has 3 until 10. Job 1 wants 4 for 10, planned for 10. Job 2 wants 1 for 12 at
// 2: beside job 0 it ends at 14 and pushes job 1 back to 14; behind job 1 it would start at 20.
Jobs one_pushed_back() {
    return {{0, 10, {3}}, {1, 10, {4}}, {2, 12, {1}}};
}

}  // namespace

TEST_CASE("a newcomer pushes a job back within its slack where the plan costs less") {
    // Pushed back: starts 14 + 2 = 16; otherwise 10 + 20 = 30. The slack of job 1 is factor × 10:
    // 4 suffice.
    CHECK(slack_starts(slack(0.4), 4, one_pushed_back()) == Times{0, 14, 2});
    CHECK(slack_starts(slack(0.39), 4, one_pushed_back()) == Times{0, 10, 20});
    CHECK(slack_starts(slack(0.4, 0), 4, one_pushed_back()) == Times{0, 10, 20});
    // 25 long it costs 27 + 2 = 29 against 30, 26 long as much: it stays.
    Jobs jobs = one_pushed_back();
    jobs[2].service_time = 25;
    CHECK(slack_starts(slack(2), 4, jobs) == Times{0, 27, 2});
    jobs[2].service_time = 26;
    CHECK(slack_starts(slack(2), 4, jobs) == Times{0, 10, 20});
}

TEST_CASE("a job of high priority has little slack and weighs more") {
    // Priority 1 halves the slack of job 1, 0.4 × 10 / 2 = 2. With 0.8 it is 4, and the costs are
    // 2 × 14 + 2 = 30 and 2 × 10 + 20 = 40: pushed back. With priority 4, slack 2 × 10 / 5 = 4, it
    // is 5 × 14 + 2 = 72 and 5 × 10 + 20 = 70: not pushed back.
    Jobs jobs = one_pushed_back();
    jobs[1].priority = 1;
    CHECK(slack_starts(slack(0.4), 4, jobs) == Times{0, 10, 20});
    CHECK(slack_starts(slack(0.8), 4, jobs) == Times{0, 14, 2});
    jobs[1].priority = 4;
    CHECK(slack_starts(slack(2), 4, jobs) == Times{0, 10, 20});
    // Priority −1: twice the slack and half the weight.
    jobs[1].priority = -1;
    CHECK(slack_starts(slack(0.2), 4, jobs) == Times{0, 14, 2});
}

TEST_CASE("slack is used up by one newcomer after the other") {
    // Job 1 may start by 10 + 6 = 16. Job 2 pushes it to 14. Job 3, 1 for 13 at 3, would need 1
    // that is free at 10 only: 1 of job 0's 3. Planned ahead of job 1 it runs 10 to 23: too late.
    Jobs jobs = one_pushed_back();
    jobs.push_back({3, 13, {1}});
    CHECK(slack_starts(slack(0.6), 4, jobs) == Times{0, 14, 2, 24});
    // For 6 it runs 10 to 16, and job 1 starts at 16: 16 + 10 against 14 + 24.
    jobs.back() = {3, 6, {1}};
    CHECK(slack_starts(slack(0.6), 4, jobs) == Times{0, 16, 2, 10});
    // For 7 it would be 17.
    jobs.back() = {3, 7, {1}};
    CHECK(slack_starts(slack(0.6), 4, jobs) == Times{0, 14, 2, 24});
}

TEST_CASE("the slack is by the mean wait of the jobs started before") {
    // Job 0 waited 0, job 1, of 1 beside it from 1, too: no slack. Had a job waited 8 of 2 started,
    // the mean is 4: from 100 on job 0 has 4 until 108, job 1 starts then (waited 8), has 3 until
    // 118; job 2, at 109, of 4 for 10, is planned for 118; job 3, at 110, of 1 for 12, ends at 122.
    CHECK(slack_starts(slack(1, 16, "average_wait"), 4, one_pushed_back()) == Times{0, 10, 20});
    const Jobs jobs{{100, 8, {4}}, {100, 10, {3}}, {109, 10, {4}}, {110, 12, {1}}};
    CHECK(slack_starts(slack(1, 16, "average_wait"), 4, jobs) == Times{100, 108, 122, 110});
    CHECK(slack_starts(slack(0.9, 16, "average_wait"), 4, jobs) == Times{100, 108, 118, 128});
}

TEST_CASE("an early finish lets all move up in the order of the plan") {
    // Job 0 ends at 4 instead of 10. Job 2 runs from 2 to 14: job 1 stays at 14.
    Jobs jobs = one_pushed_back();
    jobs[0] = {0, 4, {3}, 0, 10};
    CHECK(slack_starts(slack(0.4), 4, jobs) == Times{0, 14, 2});
    CHECK(slack_starts(slack(0), 4, jobs) == Times{0, 4, 14});
}

TEST_CASE("a job that runs longer than it requested keeps those planned for then waiting") {
    // Job 0 requests 5 and runs until 9; job 1 wants 4 at 5 and starts at 9, job 2 follows.
    CHECK(
        slack_starts(slack(0), 4, {{0, 9, {3}, 0, 5}, {1, 5, {4}}, {1, 3, {1}, 0, 6}})
        == Times{0, 9, 14}
    );
}

TEST_CASE("slack-based backfilling looks once or after every event of an instant") {
    const auto starts = [](const char* simultaneous, const Jobs& jobs) {
        Parameters parameters = slack(0, 0);
        parameters.set("simultaneous", simultaneous);
        return slack_starts(parameters, 4, jobs);
    };
    // 4 processors. Jobs 0 and 1 have 2 each and end at 4, not at 10. Job 2 wants all for 10, job 3
    // wants 2 for 6, planned for 10 and 20. Once: job 2 moves to 4. One by one: the 2 of job 0 let
    // job 3 move to 4, and job 2 cannot move any more.
    const Jobs two_finish{{0, 4, {2}, 0, 10}, {0, 4, {2}, 0, 10}, {1, 10, {4}}, {1, 6, {2}}};
    CHECK(starts("batch", two_finish) == Times{0, 0, 4, 14});
    CHECK(starts("finish_first", two_finish) == Times{0, 0, 10, 4});
    CHECK(starts("submit_first", two_finish) == Times{0, 0, 10, 4});
    // Job 0 has 3 and ends at 4, not at 10, for when job 1, of 4, is planned. Job 2, 1 for 5, comes
    // at 4: ahead of the finish it fits beside job 0, and job 1 moves to 9 only.
    const Jobs one_comes{{0, 4, {3}, 0, 10}, {1, 10, {4}}, {4, 5, {1}}};
    CHECK(starts("batch", one_comes) == Times{0, 4, 14});
    CHECK(starts("finish_first", one_comes) == Times{0, 4, 14});
    CHECK(starts("submit_first", one_comes) == Times{0, 9, 4});
}

TEST_CASE("without moves it is conservative backfilling where estimates are exact") {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        for (GivenJob& job : jobs) {  // a job without service ends before its planned end
            job.service_time = std::max(job.service_time, 1.0);
            job.estimate = job.service_time;
        }
        REQUIRE(
            slack_starts(slack(5, 0), processors, jobs)
            == starts_of("conservative", {}, processors, jobs)
        );
    }
}

// The verifier makes the same plans of plain lists and holds every job to its latest start.
TEST_CASE("slack-based backfilling keeps to a plain plan and to the slack") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        for (GivenJob& job : jobs) {
            job.estimate = std::max(*job.estimate, job.service_time);
            job.priority -= 1;
        }
        Parameters parameters = slack(
            dice.below(8) / 2.0,
            static_cast<int>(dice.below(10)),
            dice.below(2) == 0 ? "run_time" : "average_wait"
        );
        const std::uint32_t order = dice.below(4);
        parameters.set(
            "simultaneous",
            order == 0   ? "finish_first"
            : order == 1 ? "submit_first"
                         : "batch"
        );
        CAPTURE(parameters.text());
        REQUIRE_NOTHROW(slack_starts(parameters, processors, jobs));
    }
}

// Sums of tenths depend on their order in the last bits, which decide between equal prices.
TEST_CASE("plans of equal price are told apart by sums in order of arrival") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 2 + dice.below(8);
        Jobs jobs = random_queue_jobs(dice, 10 + dice.below(40), processors);
        for (GivenJob& job : jobs) {
            job.submit_time *= 0.1;
            job.service_time = 0.1 + 0.1 * dice.below(6);
            job.estimate = job.service_time;
        }
        REQUIRE_NOTHROW(slack_starts(slack(dice.below(8) / 2.0, 16), processors, jobs));
    }
}

TEST_CASE("slack-based backfilling starts every job though estimates are too short") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        const Times starts = slack_starts(slack(1), processors, jobs);
        REQUIRE(std::find(starts.begin(), starts.end(), -1.0) == starts.end());
    }
}

}  // namespace schedfarm::tests
