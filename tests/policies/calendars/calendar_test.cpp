// Imprecise calendars of one cluster: against plain slots, and against conservative backfilling
// where the rules are the same. By hand: tests/cases.
#include <array>
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
