// Imprecise calendars of one cluster: reservations by hand, against plain slots, and against
// conservative backfilling where the rules are the same. More by hand: tests/cases. A job is
// {submit, run, {processors}}.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/calendars/calendar_runs.hpp"
#include "tests/policies/calendars/plain_federation.hpp"

namespace schedfarm::tests {

namespace {

const std::vector<SlotLevel> two_levels{{4, 10}, {1, 40}};

Times starts(const Jobs& jobs, const Parameters& given, std::uint32_t processors = 4) {
    return outcome_of(choice("calendar", given), {processors}, jobs).starts;
}

}  // namespace

TEST_CASE("a reservation that is refused is told the earliest possible time and waits") {
    // Job 0 has all until 30. Job 1 wants 25, in the slot 20–30: refused, 30 would be the earliest,
    // 5 later; it waits like any other job, and gets 30. Job 2 wants 7 at 6: that slot has begun,
    // and the first free one begins at 40, behind job 1.
    Jobs jobs{{0, 30, {4}}, {1, 10, {4}}, {6, 10, {4}}};
    jobs[1].fixed_start = 25;
    jobs[2].fixed_start = 7;
    const Outcome outcome = outcome_of(choice("calendar", slots(two_levels)), {4}, jobs);
    CHECK(outcome.starts == Times{0, 30, 40});
    CHECK(outcome.published.at("reservations_refused") == 2);
    CHECK(outcome.published.at("offered_delay") == 5 + 33);
    CHECK(outcome.published.at("reservations_missed") == 0);
    CHECK(std::isnan(outcome.offered[0]));
    CHECK(outcome.offered[1] == 30);
    CHECK(outcome.offered[2] == 40);
}

TEST_CASE("a job that outlives its request delays who needs its processors, slot by slot") {
    // Job 0 asks for 10 and runs 25. Job 1, reserved at 10, finds its processors taken at 10 and at
    // 20, and starts at 30. Job 2, an advance reservation for 20, is missed then and follows.
    Jobs jobs{{0, 25, {4}}, {1, 10, {4}}, {2, 10, {4}}};
    jobs[0].estimate = 10;
    jobs[2].fixed_start = 20;
    const Outcome outcome = outcome_of(choice("calendar", slots(two_levels)), {4}, jobs);
    CHECK(outcome.starts == Times{0, 30, 40});
    CHECK(outcome.published.at("reservations_missed") == 1);
}

TEST_CASE("what is promised is kept, and the verifier sees what is not") {
    const PolicyDescription& policy = policy_named("calendar");
    const Parameters given = with_defaults(policy.alternative.parameters, slots(two_levels));
    const SystemDescription system{.clusters = {4}};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    struct Told {
        std::uint32_t job;
        Promise promise;
    };
    // Jobs 0 and 1 of 3; what they are promised at 0, and when job 0 starts.
    const auto problem = [&](const std::vector<Told>& promises, double start) -> std::string {
        const auto verifier = make_own_verifier(policy, given, context);
        std::array<Job, 2> jobs;
        ScheduleStep step;
        const auto tell = [&](ScheduleStep::Kind kind, std::uint32_t id) {
            step.kind = kind;
            step.id = {id};
            step.job = &jobs[id];
            verifier->observe(step);
        };
        try {
            for (std::uint32_t id = 0; id < jobs.size(); ++id) {
                jobs[id].service_time = 5;
                jobs[id].estimate = 5;
                jobs[id].size = 3;
                jobs[id].index = id;
                tell(ScheduleStep::Kind::arrival, id);
            }
            for (const Told& told : promises) {
                step.promise = told.promise;
                tell(ScheduleStep::Kind::promise, told.job);
            }
            step.time = start;
            tell(ScheduleStep::Kind::start, 0);
        } catch (const ScheduleError& error) {
            return error.what();
        }
        return "";
    };
    const Promise by_10{.latest = 10};
    const Promise by_20{.latest = 20};
    const Promise at_20{.earliest = 20, .latest = 20};  // an advance reservation
    CHECK(problem({{0, by_10}, {1, by_20}}, 10).empty());
    CHECK(problem({{0, by_20}, {0, by_10}}, 10).empty());
    CHECK(problem({{0, at_20}}, 20).empty());
    CHECK(
        problem({{0, {.latest = 15}}}, 15) == "at time 0: job 0 is promised a start within a slot"
    );
    CHECK(
        problem({{0, by_10}, {1, by_10}}, 10)
        == "at time 0: job 1 is promised processors that others were promised"
    );
    CHECK(
        problem({{0, by_10}, {0, by_20}}, 20)
        == "at time 0.000000: job 0 is delayed: it was promised a start by 10.000000"
    );
    CHECK(problem({{0, by_10}}, 20) == "at time 20: job 0 starts at another time than promised");
    CHECK(problem({{0, at_20}}, 10) == "at time 10: job 0 starts at another time than promised");
    CHECK(problem({{0, by_10}}, 13) == "at time 13: job 0 starts within a slot");
}

TEST_CASE("slots that cannot be divided are found before anything runs") {
    const PolicyDescription& policy = policy_named("calendar");
    const auto problem = [&policy](const Parameters& given) {
        const auto found =
            policy.alternative.check(with_defaults(policy.alternative.parameters, given));
        return found.empty() ? "" : found.front().parameter;
    };
    CHECK(problem(slots(two_levels)).empty());
    CHECK(problem(slots({{2, 10}, {1, 25}})) == "slot_sizes");
    CHECK(problem(slots({{2, 40}, {1, 10}})) == "slot_sizes");
    Parameters given = slots(two_levels);
    given.set("slot_counts", numbers({4, 4}));
    CHECK(problem(given) == "slot_counts");
}

TEST_CASE("a reservation that was missed moves ahead like any other job, behind earlier ones") {
    // Job 0 has 0–10 and runs until 15. Job 1 has 20–50, fixed, and job 2, which takes 20, 50–70.
    // Job 3 is granted 10 and missed then: it gets 70. At 25 job 1 ends, and 30–50 is free: job 2
    // moves there first, and job 3 to 50 behind it.
    Jobs jobs{
        at_cluster(0, 0, 15, 4),
        at_cluster(0, 0, 5, 4, 20),
        at_cluster(0, 1, 20, 4),
        at_cluster(0, 2, 10, 4, 10)};
    jobs[0].estimate = 10;
    jobs[1].estimate = 30;
    const Outcome outcome = outcome_of(choice("calendar", slots({{1, 10}})), {4}, jobs);
    CHECK(outcome.starts == Times{0, 20, 30, 50});
    CHECK(outcome.published.at("reservations_missed") == 1);
}

TEST_CASE("random workloads are scheduled as on plain slots") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        PlainRules rules;
        const std::vector<SlotLevel> levels =
            seed % 2 == 0 ? two_levels : std::vector<SlotLevel>{{2, 5}, {2, 10}, {1, 40}};
        rules.levels = {levels};
        rules.threshold = seed % 3 == 0 ? 0.25 * (1 + dice.below(4)) : 1;
        const std::uint32_t processors = 1 + dice.below(8);
        Jobs jobs;
        double submit = 0;
        for (std::uint32_t i = 0; i < 25; ++i) {
            submit += dice.below(20);
            GivenJob job{submit, 1.0 + dice.below(60), {1 + dice.below(processors)}};
            job.estimate = job.service_time + dice.below(3) * dice.below(40);
            if (dice.below(6) == 0) {
                job.fixed_start = submit + dice.below(150);
            }
            jobs.push_back(job);
        }
        PlainFederation plain({processors}, rules, jobs);
        const Outcome outcome =
            outcome_of(choice("calendar", slots(levels, rules.threshold)), {processors}, jobs);
        REQUIRE(outcome.starts == plain.starts());
        const auto refused = outcome.published.find("reservations_refused");
        REQUIRE((refused == outcome.published.end() ? 0 : refused->second) == plain.refused);
        REQUIRE(outcome.published.at("offered_delay") == plain.offered_delay);
        REQUIRE(delay_by_log(outcome, jobs) == plain.offered_delay);
    }
}

TEST_CASE("with slots of one second a calendar is conservative backfilling") {
    // Times are whole seconds, nobody outlives a request, and every finish compresses: the same
    // starts, job by job.
    Parameters early;
    early.set("compress", "early_finish");
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Jobs jobs;
        double submit = 0;
        for (std::uint32_t i = 0; i < 60; ++i) {
            submit += dice.below(5);
            GivenJob job{submit, 1.0 + dice.below(20), {1 + dice.below(8)}};
            job.estimate = job.service_time + dice.below(2) * dice.below(20);
            jobs.push_back(job);
        }
        REQUIRE(
            starts(jobs, slots({{1, 1}}), 8)
            == outcome_of(choice("conservative", early), {8}, jobs).starts
        );
    }
}

}  // namespace schedfarm::tests
