// What a replication is said to have cost, counted by hand.
#include <vector>

#include <doctest/doctest.h>

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

TEST_CASE("an arrival and a completion count for every job") {
    FirstComeFirstServed policy;
    CHECK(run(setup_of(1, 3), {{0, 1, 1}, {0, 1, 0}, {5, 1, 1}}, policy).observations.events == 6);
    const SimulationSetup offline = setup_of(1, 2, ExperimentKind::offline);
    CHECK(run(offline, {{0, 1, 1}, {1, 1, 1}}, policy).observations.events == 4);
}

TEST_CASE("a saturated system counts the jobs that it observes") {
    SimulationSetup setup = setup_of(1, 3, ExperimentKind::saturated);
    setup.experiment.horizon.backlog = 4;
    FirstComeFirstServed policy;
    CHECK(run(setup, std::vector<GivenJob>(8, {0, 1, 1}), policy).observations.events == 6);
}

TEST_CASE("timers that go off count and those that are cancelled do not") {
    FirstComeFirstServed inner;
    const Run result =
        run(setup_of(1, 1), {{0, 1, 9}}, [&](const EventBatch& events, Actions& actions) {
            if (!events.arrivals.empty()) {
                actions.set_timer(2, Timer{1});
                actions.set_timer(3, Timer{2});
                actions.set_timer(4, Timer{3});
                actions.cancel_timer(Timer{2});
            }
            inner.react(events, actions);
        });
    CHECK(result.observations.events == 2 + 2);
}

TEST_CASE("ends of loading count") {
    // Loaded 0–4, runs 4–5.
    SimulationSetup setup = setup_of(1, 1);
    setup.policy_traits.preemptive = true;
    const ProcessorRange all{ProcessorId{0}, 1};
    const Run result = run(setup, {{0, 1, 1}}, [&](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            actions.load(id, {&all, 1}, 4);
        }
        for (const JobId id : events.loads_finished) {
            actions.start_on(id, {&all, 1});
        }
    });
    CHECK(result.observations.events == 2 + 1);
}

TEST_CASE("changes of capacity count until the last job has left") {
    SimulationSetup setup = setup_of(2, 1);
    setup.system.outages.listed = {{.from = 1, .until = 2, .first_processor = 1, .count = 1}};
    FirstComeFirstServed policy;
    CHECK(run(setup, {{0, 1, 1.5}}, policy).observations.events == 2 + 1);
}

}  // namespace schedfarm::tests
