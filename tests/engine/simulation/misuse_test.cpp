// Actions that the machine cannot carry out are contract violations with a clear text.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

constexpr ClusterShare one{ClusterId{0}, 1};
constexpr ClusterShare two{ClusterId{0}, 2};
constexpr ClusterShare three{ClusterId{0}, 3};
constexpr ProcessorRange first{ProcessorId{0}, 1};
constexpr ProcessorRange second{ProcessorId{1}, 1};

enum class Kind { plain, preemptive };

// Job 0 wants 1 processor, job 1 wants 3, of 2 that there are; both arrive at 0.
std::string violation(
    Kind kind, const std::function<void(Actions&, JobId small, JobId large)>& misuse
) {
    SimulationSetup setup = setup_of(2, 2);
    setup.policy_traits.preemptive = kind == Kind::preemptive;
    try {
        run(setup, {{0, 1, 5}, {0, 3, 5}}, [&misuse](const EventBatch& events, Actions& actions) {
            if (events.arrivals.size() == 2) {
                misuse(actions, events.arrivals[0], events.arrivals[1]);
            }
        });
    } catch (const ContractViolation& error) {
        return error.what();
    }
    return "nothing was wrong";
}

void check_text(const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text << " lacks: " << part);
}

}  // namespace

TEST_CASE("a start that cannot be carried out is reported") {
    const auto expect = [](const std::string& part, const auto& misuse) {
        check_text(violation(Kind::plain, misuse), part);
    };
    expect("at time 0: ", [](Actions& a, JobId /*s*/, JobId large) {
        a.start(large, {&three, 1});
    });
    expect("3 processors of cluster 0 are not free", [](Actions& a, JobId /*s*/, JobId large) {
        a.start(large, {&three, 1});
    });
    expect("job 0 of 1 processors was given 2", [](Actions& a, JobId small, JobId /*l*/) {
        a.start(small, {&two, 1});
    });
    expect("job 0 (running) cannot be started", [](Actions& a, JobId small, JobId /*l*/) {
        a.start(small, {&one, 1});
        a.start(small, {&one, 1});
    });
    expect("both by count and by name", [](Actions& a, JobId small, JobId large) {
        a.start(small, {&one, 1});
        const ProcessorRange all{ProcessorId{0}, 3};
        a.start_on(large, {&all, 1});
    });
    expect("reach beyond the machine's 2", [](Actions& a, JobId small, JobId /*l*/) {
        const ProcessorRange beyond{ProcessorId{2}, 1};
        a.start_on(small, {&beyond, 1});
    });
    expect("are not free", [](Actions& a, JobId small, JobId /*l*/) {
        const ClusterShare elsewhere{ClusterId{7}, 1};
        a.start(small, {&elsewhere, 1});
    });
    expect("in 2 shares", [](Actions& a, JobId /*s*/, JobId large) {
        const std::array<ClusterShare, 2> twice = {two, one};  // of one cluster
        a.start(large, twice);
    });
    expect("holds no job", [](Actions& a, JobId /*s*/, JobId /*l*/) {
        a.start(JobId{17}, {&one, 1});
    });
}

TEST_CASE("a processor cannot be taken by two jobs") {
    const auto reaction = [](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            actions.start_on(id, {&second, 1});
        }
    };
    CHECK_THROWS_WITH_AS(
        run(setup_of(2, 2), {{0, 1, 5}, {0, 1, 5}}, reaction),
        doctest::Contains("processor 1 is not free"),
        ContractViolation
    );
}

TEST_CASE("preemption by a policy that announced none is reported") {
    const auto expect = [](const std::string& part, const auto& misuse) {
        check_text(violation(Kind::plain, misuse), part);
    };
    expect("suspend was called by a policy that is not", [](Actions& a, JobId small, JobId /*l*/) {
        a.start(small, {&one, 1});
        a.suspend(small);
    });
    expect("delay was called by a policy that is not", [](Actions& a, JobId small, JobId /*l*/) {
        a.start(small, {&one, 1});
        a.delay(small, 1);
    });
    expect("load was called by a policy that is not", [](Actions& a, JobId small, JobId /*l*/) {
        a.load(small, {&first, 1}, 1);
    });
}

TEST_CASE("suspending or delaying or loading at the wrong moment is reported") {
    const auto expect = [](const std::string& part, const auto& misuse) {
        check_text(violation(Kind::preemptive, misuse), part);
    };
    expect("job 0 (waiting) cannot be suspended", [](Actions& a, JobId small, JobId /*l*/) {
        a.suspend(small);
    });
    expect("was delayed by -1", [](Actions& a, JobId small, JobId /*l*/) { a.delay(small, -1); });
    expect("job 0 (waiting) is not loading", [](Actions& a, JobId small, JobId /*l*/) {
        a.cut_load(small);
    });
    expect("was started before its load ended", [](Actions& a, JobId small, JobId /*l*/) {
        a.load(small, {&first, 1}, 1);
        a.start_on(small, {&first, 1});
    });
}

TEST_CASE("a loaded job cannot start elsewhere") {
    SimulationSetup setup = setup_of(2, 1);
    setup.policy_traits.preemptive = true;
    const auto reaction = [](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            actions.load(id, {&first, 1}, 1);
        }
        for (const JobId id : events.loads_finished) {
            actions.start_on(id, {&second, 1});
        }
    };
    CHECK_THROWS_WITH_AS(
        run(setup, {{0, 1, 5}}, reaction),
        doctest::Contains("was started elsewhere than it was loaded"),
        ContractViolation
    );
}

TEST_CASE("timers in the past and unknown observations and memory that is not there are reported") {
    const auto expect = [](const std::string& part, const auto& misuse) {
        check_text(violation(Kind::plain, misuse), part);
    };
    expect("timer 4 was set for -1", [](Actions& a, JobId /*s*/, JobId /*l*/) {
        a.set_timer(-1, Timer{4});
    });
    expect("past or never", [](Actions& a, JobId /*s*/, JobId /*l*/) {
        a.set_timer(std::numeric_limits<double>::infinity(), Timer{4});
    });
    expect("'switches' was published but not announced", [](Actions& a, JobId /*s*/, JobId /*l*/) {
        a.announce({Observation{"switches", 1}});
    });
    expect("on a system without memory", [](Actions& a, JobId small, JobId /*l*/) {
        a.set_resident_memory(small, {&first, 1}, 1);
    });
}

TEST_CASE("memory beyond what a processor has is reported") {
    SimulationSetup setup = setup_of(1, 1);
    setup.system.memory_per_processor = 400;
    const auto reaction = [](const EventBatch& events, Actions& actions) {
        actions.set_resident_memory(events.arrivals[0], {&first, 1}, 401);
    };
    CHECK_THROWS_WITH_AS(
        run(setup, {{0, 1, 5}}, reaction),
        doctest::Contains("processor 0 holds 401 of memory"),
        ContractViolation
    );
}

TEST_CASE("a moldable job cannot run on more processors than it has times for") {
    const std::vector<double> times = {6, 4};
    const MoldableTimes moldable{times};
    const auto reaction = [](const EventBatch& events, Actions& actions) {
        actions.start(events.arrivals[0], {&three, 1});
    };
    CHECK_THROWS_WITH_AS(
        run(setup_of(4, 1), {{0, 1, 6, 0, &moldable}}, reaction),
        doctest::Contains("no processing time on 3 processors"),
        ContractViolation
    );
}

TEST_CASE("a moldable job keeps its number of processors when it is resumed") {
    const std::vector<double> times = {6, 4};
    const MoldableTimes moldable{times};
    SimulationSetup setup = setup_of(2, 1);
    setup.policy_traits.preemptive = true;
    const auto reaction = [](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            const ProcessorRange both{ProcessorId{0}, 2};
            actions.start_on(id, {&both, 1});
            actions.suspend(id);
            actions.start_on(id, {&first, 1});
        }
    };
    CHECK_THROWS_WITH_AS(
        run(setup, {{0, 1, 6, 0, &moldable}}, reaction),
        doctest::Contains("job 0 of 2 processors was given 1"),
        ContractViolation
    );
}

TEST_CASE("a job without processors is reported") {
    FirstComeFirstServed policy;
    CHECK_THROWS_WITH_AS(
        run(setup_of(2, 1), {{0, 0, 5}}, policy),
        doctest::Contains("job 0 has the service time 5 and the size 0"),
        ContractViolation
    );
}

}  // namespace schedfarm::tests
