// Who held which processors when, on schedules worked out by hand.
#include "engine/simulation/occupation_watch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/processor_ranges.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

void watch(
    const SimulationSetup& setup,
    const std::vector<GivenJob>& jobs,
    Policy& policy,
    OccupationWatch& watcher
) {
    GivenWorkload workload(jobs);
    const auto verifier = make_machine_verifier(setup.system);
    const std::array<ScheduleVerifier*, 2> verifiers = {verifier.get(), &watcher};
    simulate(setup, workload, policy, verifiers);
}

// "job 1: 4 to 9 on 0+2 5+1"
Lines text_of(const OccupationWatch& watcher) {
    Lines lines;
    for (const Occupation& occupation : watcher.occupations()) {
        std::string line =
            fmt::format("job {}: {} to {} on", occupation.job, occupation.begin, occupation.end);
        for (const ProcessorRange& range : watcher.processors(occupation)) {
            line += fmt::format(" {}+{}", range.first.value, range.count);
        }
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("counted processors are the lowest free ones of each cluster") {
    // Clusters of 3 and 4: processors 0–2 and 3–6. Job 0 gets one of each, job 1 two of the second;
    // when job 0 has ended at 2, job 2 gets two of the second too: 3 and 6.
    SimulationSetup setup = setup_of(0, 3);
    setup.system.clusters = {3, 4};
    LambdaPolicy policy([](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            const std::uint64_t job = actions.job(id).index;
            const std::array<ClusterShare, 2> shares = {{{ClusterId{0}, 1}, {ClusterId{1}, 1}}};
            const ClusterShare second{ClusterId{1}, 2};
            job == 0 ? actions.start(id, shares) : actions.start(id, {&second, 1});
        }
    });
    OccupationWatch watcher(setup.system);
    watch(setup, {{0, 2, 2}, {1, 2, 9}, {2, 2, 3}}, policy, watcher);
    CHECK(
        text_of(watcher)
        == Lines{"job 0: 0 to 2 on 0+1 3+1", "job 2: 2 to 5 on 3+1 6+1", "job 1: 1 to 10 on 4+2"}
    );
}

TEST_CASE("the last processors of a cluster go back to it") {
    // Clusters of 2 and 2: job 0 holds 0 and 1 until 2, then job 1 does.
    SimulationSetup setup = setup_of(0, 2);
    setup.system.clusters = {2, 2};
    FirstComeFirstServed policy;
    OccupationWatch watcher(setup.system);
    watch(setup, {{0, 2, 2}, {2, 2, 3}}, policy, watcher);
    CHECK(text_of(watcher) == Lines{"job 0: 0 to 2 on 0+2", "job 1: 2 to 5 on 0+2"});
}

TEST_CASE("each stretch of a job that loads and pauses and moves is an occupation") {
    // Loads on processor 2 from 0 to 3, runs there until 5, goes on on processor 0 from 6: 10
    // units.
    SimulationSetup setup = setup_of(4, 1);
    setup.policy_traits.preemptive = true;
    JobId job;
    LambdaPolicy policy([&job](const EventBatch& events, Actions& actions) {
        const ProcessorRange two{ProcessorId{2}, 1};
        const ProcessorRange zero{ProcessorId{0}, 1};
        for (const JobId id : events.arrivals) {
            job = id;
            actions.load(id, {&two, 1}, 3);
            actions.set_timer(5, Timer{1});
            actions.set_timer(6, Timer{2});
        }
        if (!events.loads_finished.empty()) {
            actions.start_on(job, {&two, 1});
        }
        for (const Timer timer : events.timers) {
            timer.tag == 1 ? actions.suspend(job) : actions.start_on(job, {&zero, 1});
        }
    });
    OccupationWatch watcher(setup.system);
    watch(setup, {{0, 1, 10}}, policy, watcher);
    CHECK(text_of(watcher) == Lines{"job 0: 0 to 5 on 2+1", "job 0: 6 to 14 on 0+1"});
}

TEST_CASE("the watch and the job log agree on the processors of jobs that start in order") {
    SimulationSetup setup = setup_of(100, 500);
    std::vector<GivenJob> jobs;
    for (std::uint32_t i = 0; i < 500; ++i) {
        jobs.push_back({static_cast<double>(i / 2), 1 + i * 37 % 60, 1.0 + i * 17 % 11});
    }
    JobLog log;
    setup.probes.job_log = &log;
    FirstComeFirstServed policy;
    OccupationWatch watcher(setup.system);
    watch(setup, jobs, policy, watcher);
    const JobProcessors processors = lowest_free_processors(log, 100);
    REQUIRE(watcher.occupations().size() == 500);
    for (const Occupation& occupation : watcher.occupations()) {
        const auto watched = watcher.processors(occupation);
        const auto found = processors.of(occupation.job);
        REQUIRE(std::equal(watched.begin(), watched.end(), found.begin(), found.end()));
        REQUIRE(occupation.begin == log.start[occupation.job]);
        REQUIRE(occupation.end == log.finish[occupation.job]);
    }
}

}  // namespace schedfarm::tests
