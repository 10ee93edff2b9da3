// The saturated system by hand, fed at starts and at completions.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

// P = 2, backlog 1, in order of start: job 0 takes both 0–3. At 3 job 1 (1 processor, 3–5) starts,
// so job 2 (1, 3–7) joins and starts, so job 3 (1, 1) joins and waits until 5: 5–6. Job 4 (2, 1)
// joins at 5 and starts at 7, job 5 (2, 1) at 8.
std::vector<GivenJob> given_jobs() {
    return {{0, 2, 3}, {0, 1, 2}, {0, 1, 4}, {0, 1, 1}, {0, 2, 1}, {0, 2, 1}, {0, 2, 1}};
}

std::vector<double> saturated(
    std::uint64_t warm_up, std::uint64_t starts, const PolicyTraits& traits
) {
    SimulationSetup setup = setup_of(2, starts, ExperimentKind::saturated);
    setup.experiment.horizon.warm_up_jobs = warm_up;
    setup.experiment.horizon.backlog = 1;
    setup.policy_traits = traits;
    FirstComeFirstServed policy;
    return run(setup, given_jobs(), policy).observations.values;
}

}  // namespace

TEST_CASE("busy and capacity areas of a saturated system by hand") {
    // utilization, loss, throughput, busy area, capacity area
    using Values = std::vector<double>;
    for (const bool preemptive : {false, true}) {
        const PolicyTraits traits{.preemptive = preemptive};
        // Start 1 at 3 to start 4 at 7: job 1 2, job 2 4, job 3 1 of 2·4; 3 starts in 4.
        CHECK(saturated(1, 5, traits) == Values{7.0 / 8, 1.0 / 8, 0.75, 7, 8});
        // Start 1 at 3 to start 3 at 5: job 2 still runs: 2 + 2 of 4.
        CHECK(saturated(1, 4, traits) == Values{1, 0, 1, 4, 4});
        // Start 3 at 5 to start 4 at 7: job 2, started before, has 2 left; job 3 1.
        CHECK(saturated(3, 5, traits) == Values{0.75, 0.25, 0.5, 3, 4});
        // Both starts at 3: no time passes.
        CHECK(std::isnan(saturated(1, 3, traits)[0]));
    }
}

TEST_CASE("a job that still loads when a saturated run ends was busy") {
    // Job 0 runs on processor 0 in 0–3, job 1 loads on processor 1 from 0 on, job 2 starts at 3 as
    // the second and last: 3 + 3 of 6.
    SimulationSetup setup = setup_of(2, 2, ExperimentKind::saturated);
    setup.experiment.horizon.backlog = 2;
    setup.policy_traits.preemptive = true;
    const ProcessorRange zero{ProcessorId{0}, 1};
    const ProcessorRange one{ProcessorId{1}, 1};
    JobId third;
    const auto react = [&](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            const std::uint64_t job = actions.job(id).index;
            if (job == 0) {
                actions.start_on(id, {&zero, 1});
            } else if (job == 1) {
                actions.load(id, {&one, 1}, 100);
            } else if (job == 2) {
                third = id;
            }
        }
        if (!events.completions.empty()) {
            actions.start_on(third, {&zero, 1});
        }
    };
    const std::vector<GivenJob> jobs(6, GivenJob{0, 1, 3});
    CHECK(run(setup, jobs, react).observations.values[0] == 1);
}

TEST_CASE("jobs join a saturated system in the instant of a start and a batch later") {
    SimulationSetup setup = setup_of(2, 4, ExperimentKind::saturated);
    setup.experiment.horizon.backlog = 1;
    FirstComeFirstServed policy;
    CHECK(
        run(setup, given_jobs(), policy).lines
        == Lines{
            "0 arrival 0",
            "0 start 0",
            "0 arrival 1",
            "3 completion 0",
            "3 start 1",
            "3 arrival 2",
            "3 start 2",
            "3 arrival 3",
            "5 completion 1",
            "5 start 3"}
    );
}

TEST_CASE("the backlog is full before every reaction that does not start a job") {
    SimulationSetup setup = setup_of(4, 60, ExperimentKind::saturated);
    setup.experiment.horizon.backlog = 7;
    std::vector<GivenJob> many;
    for (std::uint32_t i = 0; i < 100; ++i) {
        many.push_back({0, 1 + (i * 5) % 4, 1.0 + (i * 3) % 5});
    }
    FirstComeFirstServed policy;
    std::uint64_t arrived = 0;
    std::uint64_t started = 0;
    run(setup, many, [&](const EventBatch& events, Actions& actions) {
        if (arrived > 0) {
            CHECK(arrived + events.arrivals.size() == 7 + started);
        }
        for (const JobId id : events.arrivals) {
            CHECK(actions.job(id).submit_time == actions.now());
        }
        arrived += events.arrivals.size();
        policy.react(events, actions);
        started = arrived - policy.waiting();
    });
    CHECK(started >= 60);
}

}  // namespace schedfarm::tests
