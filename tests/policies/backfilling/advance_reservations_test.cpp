// Advance reservations by hand, and over random workloads against the plain plan of the verifier
// (tests/policies/verifiers/plain_reservations_verifier.cpp). A job is {submit, service,
// {processors}, class, requested time, user, queue, priority, fixed start}.
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

struct Outcome {
    Times starts;
    double refused = 0;
    double missed = 0;
};

Outcome run(const char* policy, const Parameters& parameters, std::uint32_t processors, Jobs jobs) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = jobs.size();
    cell.jobs = std::move(jobs);
    StartTimes log(cell.jobs.size());
    const Observations seen = run_general({policy_named(policy), parameters}, cell, &log);
    const std::size_t columns = seen.values.size();
    return {log.starts(), seen.values.at(columns - 2), seen.values.at(columns - 1)};
}

GivenJob reserved(double submit, double service, std::uint32_t size, double fixed_start) {
    GivenJob job{submit, service, {size}};
    job.fixed_start = fixed_start;
    return job;
}

constexpr std::array policies = {"easy", "conservative", "k_reservations", "selective"};

}  // namespace

TEST_CASE("a reservation starts at its time and all others are planned around it") {
    // 4 processors. Job 0 is reserved: 3 from 10 to 15. Job 1, 2 for 12 at 1, cannot end by 10 and
    // 1 is too few beside job 0: it waits until 15. Job 2, 1 for 20, runs beside both; job 3, 2 for
    // 8 at 2, ends at 10.
    const Jobs jobs{reserved(0, 5, 3, 10), {1, 12, {2}}, {1, 20, {1}}, {2, 8, {2}}};
    for (const char* policy : policies) {
        CAPTURE(policy);
        const Outcome outcome = run(policy, {}, 4, jobs);
        CHECK(outcome.starts == Times{10, 15, 1, 2});
        CHECK(outcome.refused == 0);
        CHECK(outcome.missed == 0);
    }
}

TEST_CASE("a reservation for now or at the very end of another job is kept") {
    // Job 1 takes all 4 at the instant at which job 0 ends; job 2 is for its own submit time.
    const Jobs jobs{{0, 6, {4}}, reserved(1, 2, 4, 6), reserved(8, 1, 4, 8)};
    for (const char* policy : policies) {
        CAPTURE(policy);
        const Outcome outcome = run(policy, {}, 4, jobs);
        CHECK(outcome.starts == Times{0, 6, 8});
        CHECK(outcome.refused == 0);
    }
}

TEST_CASE("an impossible reservation is refused and waits like any other job") {
    // Job 0 has all 4 until 6. Job 1 is to start at 5: refused, it is the head and starts at 6. Job
    // 2 is to start at 7, within job 1's reservation 6 to 9: refused too. Job 3 lies in the past.
    const Jobs jobs{{0, 6, {4}}, reserved(1, 3, 4, 5), reserved(2, 1, 1, 7), reserved(3, 1, 1, 2)};
    for (const char* policy : {"easy", "conservative", "k_reservations"}) {
        CAPTURE(policy);
        const Outcome outcome = run(policy, {}, 4, jobs);
        CHECK(outcome.starts == Times{0, 6, 9, 9});
        CHECK(outcome.refused == 3);
        CHECK(outcome.missed == 0);
    }
}

TEST_CASE("EASY refuses what would delay the head and conservative what would delay anybody") {
    // 4 processors; job 0 has 3 until 10. The head, job 1, wants 3 for 2, from 10 to 12; job 2
    // wants 4 for 5. Job 3 is to have 1 from 11 to 14: it fits beside the head. Under EASY job 2
    // follows at 14; conservative backfilling has promised 12 to it and refuses.
    const Jobs jobs{{0, 10, {3}}, {1, 2, {3}}, {1, 5, {4}}, reserved(2, 3, 1, 11)};
    const Outcome easy = run("easy", {}, 4, jobs);
    CHECK(easy.starts == Times{0, 10, 14, 11});
    CHECK(easy.refused == 0);
    // Refused, job 3 fits beside job 0 at once.
    const Outcome conservative = run("conservative", {}, 4, jobs);
    CHECK(conservative.starts == Times{0, 10, 12, 2});
    CHECK(conservative.refused == 1);
}

TEST_CASE("a reservation does not move when processors come free early") {
    // Job 0 requests 10 and ends at 3. Job 1, reserved for 10, stays; job 2, planned behind it at
    // 12 for 9, cannot end by 10 from 3 on; job 3, for 6, can.
    const Jobs jobs{{0, 3, {4}, 0, 10}, reserved(1, 2, 4, 10), {1, 9, {4}}, {2, 6, {4}}};
    const Outcome outcome = run("conservative", {}, 4, jobs);
    CHECK(outcome.starts == Times{0, 10, 12, 3});
    CHECK(outcome.refused == 0);
}

TEST_CASE("a reservation is missed where another job runs longer than it requested") {
    // Job 0 requests 5 and runs until 9: job 1, reserved for 6, starts at 9.
    const Jobs jobs{{0, 9, {4}, 0, 5}, reserved(1, 2, 4, 6)};
    for (const char* policy : policies) {
        CAPTURE(policy);
        const Outcome outcome = run(policy, {}, 4, jobs);
        CHECK(outcome.starts == Times{0, 9});
        CHECK(outcome.refused == 0);
        CHECK(outcome.missed == 1);
    }
}

TEST_CASE("a plan that is made anew keeps reservations and refuses what is beside them") {
    // Job 0 requests 5 and has 2 of 4 until 9, so that job 1, planned for 5 to 8, cannot start. At
    // 6 it is planned for 6 to 9, job 0 being about to end: job 3 cannot be had at 8. At 9 job 1
    // does not end by 10, where job 2 begins; job 3 does.
    const Jobs jobs{{0, 9, {2}, 0, 5}, {1, 3, {4}}, reserved(1, 2, 4, 10), reserved(6, 1, 4, 8)};
    const Outcome outcome = run("conservative", {}, 4, jobs);
    CHECK(outcome.starts == Times{0, 12, 10, 9});
    CHECK(outcome.refused == 1);
    CHECK(outcome.missed == 0);
}

TEST_CASE("only policies that plan around reservations say so") {
    std::vector<std::string> keep;
    for (const PolicyDescription& description : policies_under_test()) {
        const PolicyUnderTest policy(description, {});
        if (description.traits(policy.parameters).keeps_fixed_starts) {
            keep.push_back(description.alternative.name);
        }
    }
    CHECK(
        keep
        == std::vector<std::string>{
            "managers",
            "easy",
            "conservative",
            "k_reservations",
            "selective",
            "calendar"}
    );
    const PolicyUnderTest sorted(policy_named("easy"), with_words({{"order", "sjf"}}));
    CHECK(!sorted.description->traits(sorted.parameters).keeps_fixed_starts);
}

// Jobs that did not start at their fixed time were refused or missed, all of them.
TEST_CASE("reservations are kept or counted and the rest keeps to a plain plan") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        const bool are_long_enough = dice.below(4) > 0;
        for (GivenJob& job : jobs) {
            if (are_long_enough) {
                job.estimate = std::max(*job.estimate, job.service_time);
            }
            if (dice.below(4) == 0) {
                job.fixed_start = job.submit_time + dice.below(30) - (dice.below(20) == 0 ? 1 : 0);
            }
        }
        jobs.front().fixed_start = jobs.front().submit_time;
        const Parameters parameters = with_words(
            {{"simultaneous", std::vector{"batch", "finish_first", "submit_first"}[dice.below(3)]}}
        );
        const char* policy = policies[dice.below(policies.size())];
        CAPTURE(policy);
        const Outcome outcome = run(policy, parameters, processors, jobs);
        double elsewhere = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            REQUIRE(outcome.starts[i] >= jobs[i].submit_time);
            const bool is_reserved = jobs[i].fixed_start != no_fixed_start;
            elsewhere += is_reserved && outcome.starts[i] != jobs[i].fixed_start ? 1 : 0;
        }
        REQUIRE(elsewhere <= outcome.refused + outcome.missed);
        REQUIRE((outcome.missed == 0 || !are_long_enough));
    }
}

}  // namespace schedfarm::tests
