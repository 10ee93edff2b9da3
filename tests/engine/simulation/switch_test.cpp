// Switches of the machine by hand, under the machine verifier. That one does the same as its
// actions one by one is held over random gang schedules
// (tests/policies/gang/gang_agreement_test.cpp).
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

constexpr ProcessorRange both{ProcessorId{0}, 2};
constexpr ProcessorRange first{ProcessorId{0}, 1};
constexpr ProcessorRange second{ProcessorId{1}, 1};
constexpr ProcessorRange third{ProcessorId{2}, 1};

SimulationSetup preemptive(std::uint32_t processors, std::uint64_t jobs) {
    SimulationSetup setup = setup_of(processors, jobs);
    setup.policy_traits.preemptive = true;
    return setup;
}

}  // namespace

// Job 0 loads 0–1 and works 1–4 (3 of 10); job 1 loads 4–5 and works 5–8; job 0 again: 9–16.
TEST_CASE("a switch takes jobs off and puts others on") {
    std::vector<JobId> jobs;
    const auto reaction = [&jobs](const EventBatch& events, Actions& actions) {
        Switch change;
        if (!events.arrivals.empty()) {
            jobs.assign(events.arrivals.begin(), events.arrivals.end());
            change.start_on(jobs[0], {&both, 1}, 1);
            actions.set_timer(4, Timer{});
        } else if (!events.timers.empty()) {
            change.suspend(jobs[0]);
            change.start_on(jobs[1], {&both, 1}, 1);
        } else if (events.completions.front() == jobs[1]) {
            change.start_on(jobs[0], {&both, 1}, 1);
        }
        actions.carry_out(change);
    };
    CHECK(
        without_arrivals(run(preemptive(2, 2), {{0, 2, 10}, {0, 2, 3}}, reaction).lines)
        == Lines{
            "0 delay 0",
            "0 start 0",
            "4 suspend 0",
            "4 delay 1",
            "4 start 1",
            "8 completion 1",
            "8 delay 0",
            "8 resume 0",
            "16 completion 0",
            "end"}
    );
}

// Job 0 works 0–2 on processor 0 and from 2 on on processors 1 and 2: it has two there, in two
// ranges.
TEST_CASE("a job may leave and come again in one switch, on several ranges") {
    constexpr ProcessorRange fourth{ProcessorId{3}, 1};
    std::vector<JobId> jobs;
    std::vector<ProcessorRange> held;
    const auto reaction = [&](const EventBatch& events, Actions& actions) {
        Switch change;
        if (!events.arrivals.empty()) {
            jobs.assign(events.arrivals.begin(), events.arrivals.end());
            change.start_on(jobs[0], {&both, 1}, 0);
            change.start_on(jobs[1], {&third, 1}, 0);
            actions.set_timer(2, Timer{});
        } else if (!events.timers.empty()) {
            change.suspend(jobs[0]);
            change.start_on(jobs[0], std::array{second, fourth}, 0);
            actions.carry_out(change);
            CHECK(actions.machine().is_free(ProcessorId{0}));
            CHECK_FALSE(actions.machine().is_free(ProcessorId{1}));
            CHECK_FALSE(actions.machine().is_free(ProcessorId{3}));
            return;
        }
        actions.carry_out(change);
    };
    CHECK(
        without_arrivals(run(preemptive(4, 2), {{0, 2, 5}, {0, 1, 9}}, reaction).lines)
        == Lines{
            "0 start 0",
            "0 start 1",
            "2 suspend 0",
            "2 resume 0",
            "5 completion 0",
            "9 completion 1",
            "end"}
    );
}

// All end at 5. Job 1 came with a switch, 0 before it and 2 after it by actions of their own.
TEST_CASE("equal completions come in the order of their starts, however the jobs started") {
    const auto reaction = [](const EventBatch& events, Actions& actions) {
        if (!events.arrivals.empty()) {
            actions.start_on(events.arrivals[0], {&first, 1});
            Switch change;
            change.start_on(events.arrivals[1], {&second, 1}, 0);
            actions.carry_out(change);
            actions.start_on(events.arrivals[2], {&third, 1});
        }
    };
    CHECK(
        without_arrivals(run(preemptive(3, 3), {{0, 1, 5}, {0, 1, 5}, {0, 1, 5}}, reaction).lines)
        == Lines{
            "0 start 0",
            "0 start 1",
            "0 start 2",
            "5 completion 0",
            "5 completion 1",
            "5 completion 2",
            "end"}
    );
}

// At 2 job 0 (of 5) is delayed by 2 and job 1 (of 3) suspended, each by an action of its own; at 4
// job 1 goes on. Job 2 is not touched.
TEST_CASE("jobs that came with a switch obey single actions") {
    std::vector<JobId> jobs;
    const auto reaction = [&jobs](const EventBatch& events, Actions& actions) {
        if (!events.arrivals.empty()) {
            jobs.assign(events.arrivals.begin(), events.arrivals.end());
            Switch change;
            change.start_on(jobs[0], {&first, 1}, 0);
            change.start_on(jobs[1], {&second, 1}, 0);
            change.start_on(jobs[2], {&third, 1}, 0);
            actions.carry_out(change);
            actions.set_timer(2, Timer{1});
            actions.set_timer(4, Timer{2});
        } else if (!events.timers.empty() && events.timers.front() == Timer{1}) {
            actions.delay(jobs[0], 2);
            actions.suspend(jobs[1]);
        } else if (!events.timers.empty()) {
            actions.start_on(jobs[1], {&second, 1});
        }
    };
    CHECK(
        without_arrivals(run(preemptive(3, 3), {{0, 1, 5}, {0, 1, 3}, {0, 1, 6}}, reaction).lines)
        == Lines{
            "0 start 0",
            "0 start 1",
            "0 start 2",
            "2 delay 0",
            "2 suspend 1",
            "4 resume 1",
            "5 completion 1",
            "6 completion 2",
            "7 completion 0",
            "end"}
    );
}

TEST_CASE("a switch that cannot be carried out is reported") {
    const auto violation = [](const SimulationSetup& setup, const auto& fill) -> std::string {
        try {
            run(setup, {{0, 1, 5}, {0, 1, 5}}, [&fill](const EventBatch& events, Actions& actions) {
                Switch change;
                fill(change, events.arrivals[0], events.arrivals[1]);
                actions.carry_out(change);
            });
        } catch (const ContractViolation& error) {
            return error.what();
        }
        return "nothing was wrong";
    };
    const auto expect = [&](const std::string& part, const auto& fill) {
        const std::string text = violation(preemptive(2, 2), fill);
        CHECK_MESSAGE(text.find(part) != std::string::npos, text << " lacks: " << part);
    };
    expect("processor 0 is not free", [](Switch& change, JobId a, JobId b) {
        change.start_on(a, {&first, 1}, 0);
        change.start_on(b, {&first, 1}, 0);
    });
    expect("job 0 (running) cannot be started", [](Switch& change, JobId a, JobId /*b*/) {
        change.start_on(a, {&first, 1}, 0);
        change.start_on(a, {&second, 1}, 0);
    });
    expect("job 1 (waiting) cannot be suspended", [](Switch& change, JobId /*a*/, JobId b) {
        change.suspend(b);
    });
    expect("job 0 of 1 processors was given 2", [](Switch& change, JobId a, JobId /*b*/) {
        change.start_on(a, {&both, 1}, 0);
    });
    expect("reach beyond the machine's 2", [](Switch& change, JobId a, JobId /*b*/) {
        change.start_on(a, {&third, 1}, 0);
    });
    expect("job 0 was delayed by -1", [](Switch& change, JobId a, JobId /*b*/) {
        change.start_on(a, {&first, 1}, -1);
    });
    const auto harmless = [](Switch& change, JobId a, JobId /*b*/) {
        change.start_on(a, {&first, 1}, 0);
    };
    CHECK(
        violation(setup_of(2, 2), harmless)
            .find("carry_out was called by a policy that is not preemptive")
        != std::string::npos
    );
}

}  // namespace schedfarm::tests
