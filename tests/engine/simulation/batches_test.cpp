// What a policy is told at one instant, and in which batch.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

std::string text_of(const EventBatch& events, const Actions& actions) {
    std::string text = fmt::format("{}:", actions.now());
    for (const JobId id : events.completions) {
        text += fmt::format(" c{}", actions.job(id).index);
    }
    for (const JobId id : events.arrivals) {
        text += fmt::format(" a{}", actions.job(id).index);
    }
    for (const Timer timer : events.timers) {
        text += fmt::format(" t{}", timer.tag);
    }
    return text;
}

}  // namespace

TEST_CASE("everything of an instant comes in one batch and its consequences in a further one") {
    // Job 0 runs 0–5; jobs 1 and 2 arrive at 5, when timers 7 and 8 go off. Job 1 needs no service
    // and completes in a batch of its own.
    FirstComeFirstServed inner;
    Lines batches;
    run(setup_of(1, 3),
        {{0, 1, 5}, {5, 1, 0}, {5, 1, 2}},
        [&](const EventBatch& events, Actions& actions) {
            batches.push_back(text_of(events, actions));
            if (actions.now() == 0) {
                actions.set_timer(5, Timer{7});
                actions.set_timer(5, Timer{8});
            }
            inner.react(events, actions);
        });
    CHECK(batches == Lines{"0: a0", "5: c0 a1 a2 t7 t8", "5: c1", "7: c2"});
}

TEST_CASE("a cancelled timer does not go off and a timer set at once comes in a further batch") {
    Lines batches;
    JobId job;
    run(setup_of(1, 1), {{0, 1, 3}}, [&](const EventBatch& events, Actions& actions) {
        batches.push_back(text_of(events, actions));
        if (!events.arrivals.empty()) {
            job = events.arrivals[0];
            actions.set_timer(2, Timer{1});
            actions.set_timer(1, Timer{2});
            actions.set_timer(4, Timer{1});
            actions.set_timer(0, Timer{3});
            actions.cancel_timer(Timer{1});
            actions.cancel_timer(Timer{99});
        }
        for (const Timer timer : events.timers) {
            if (timer.tag == 2) {
                const ClusterShare share{ClusterId{0}, 1};
                actions.start(job, {&share, 1});
            }
        }
    });
    CHECK(batches == Lines{"0: a0", "0: t3", "1: t2", "4: c0"});
}

TEST_CASE("an identifier is used again after its job has left") {
    std::vector<std::uint32_t> ids;
    FirstComeFirstServed inner;
    run(setup_of(1, 3),
        {{0, 1, 1}, {5, 1, 1}, {5, 1, 1}},
        [&](const EventBatch& events, Actions& actions) {
            for (const JobId id : events.arrivals) {
                ids.push_back(id.value);
            }
            inner.react(events, actions);
        });
    CHECK(ids == std::vector<std::uint32_t>{0, 0, 1});
}

TEST_CASE("jobs that nobody will ever start are a deadlock") {
    const auto idle = [](const EventBatch& /*events*/, Actions& /*actions*/) {
    };
    CHECK_THROWS_WITH_AS(
        run(setup_of(1, 1), {{3, 1, 1}}, idle),
        doctest::Contains("deadlock at time 3: 1 jobs"),
        ContractViolation
    );
    CHECK_THROWS_AS(
        run(setup_of(1, 1, ExperimentKind::offline), {{3, 1, 1}}, idle), ContractViolation
    );
}

TEST_CASE("a policy that only sets timers is stopped") {
    const auto tick = [](const EventBatch& /*events*/, Actions& actions) {
        actions.set_timer(actions.now() + 1, Timer{});
    };
    CHECK_THROWS_WITH_AS(
        run(setup_of(1, 1), {{0, 1, 1}}, tick),
        doctest::Contains("only sets timers"),
        ContractViolation
    );
    // Nor may it hold the clock while a job runs.
    FirstComeFirstServed inner;
    const auto stand_still = [&inner](const EventBatch& events, Actions& actions) {
        inner.react(events, actions);
        actions.set_timer(actions.now(), Timer{});
    };
    CHECK_THROWS_WITH_AS(
        run(setup_of(1, 1), {{0, 1, 1}}, stand_still),
        doctest::Contains("only sets timers"),
        ContractViolation
    );
}

TEST_CASE("a workload that ends before the horizon is reported") {
    FirstComeFirstServed policy;
    CHECK_THROWS_WITH_AS(
        run(setup_of(1, 5), {{0, 1, 1}, {1, 1, 1}}, policy),
        doctest::Contains("the workload ended after 2 jobs"),
        ContractViolation
    );
}

TEST_CASE("off-line every job arrives at time 0 in one batch") {
    Lines batches;
    FirstComeFirstServed inner;
    const Run result =
        run(setup_of(2, 3, ExperimentKind::offline),
            {{0, 1, 4}, {3, 2, 1}, {9, 1, 2}},
            [&](const EventBatch& events, Actions& actions) {
                batches.push_back(text_of(events, actions));
                inner.react(events, actions);
            });
    CHECK(batches == Lines{"0: a0 a1 a2", "4: c0", "5: c1", "7: c2"});
    // Makespan 7; sum of completions 4 + 5 + 7.
    CHECK(result.observations.values == std::vector<double>{7, 16});
}

TEST_CASE("what a policy publishes is summed behind the columns of the probes") {
    SimulationSetup setup = setup_of(1, 2);
    setup.published = {{"switches", "1", "switches"}, {"trade", "node-hours", "balance"}};
    FirstComeFirstServed inner;
    const Run result =
        run(setup, {{0, 1, 1}, {1, 1, 1}}, [&](const EventBatch& events, Actions& actions) {
            actions.announce({Observation{"trade", 0.5}});
            actions.announce({Observation{"switches", 1}});
            inner.react(events, actions);
        });
    const std::vector<double>& values = result.observations.values;
    REQUIRE(values.size() == 6);
    CHECK(values[4] == 3);  // three batches: 0, 1 (completion and arrival), 2
    CHECK(values[5] == 1.5);
}

TEST_CASE("two simulations in one process are equal and verifiers change nothing") {
    std::vector<GivenJob> jobs;
    for (std::uint32_t i = 0; i < 500; ++i) {
        jobs.push_back({0.7 * i, 1 + (i * 7) % 5, 0.3 + (i * 13) % 11});
    }
    SimulationSetup setup = setup_of(8, jobs.size());
    setup.experiment.horizon.warm_up_jobs = 50;
    setup.probes.requests.push_back({});
    FirstComeFirstServed first;
    FirstComeFirstServed second;
    const Run verified = run(setup, jobs, first);
    GivenWorkload workload(jobs, 512);
    CHECK(simulate(setup, workload, second) == verified.observations);
}

}  // namespace schedfarm::tests
