// Replications that end because too many jobs wait, on the general kernel by hand.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"
#include "engine/simulation/logs/job_log.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

// One processor; the first job keeps it until 10.
std::vector<GivenJob> three_jobs() {
    return {{0, 1, 10}, {1, 1, 10}, {2, 1, 10}};
}

SimulationSetup limited(std::uint64_t jobs, std::uint64_t limit) {
    SimulationSetup setup = setup_of(1, jobs);
    setup.experiment.horizon.queue_limit = limit;
    setup.experiment.series_bins = 3;
    ProbeRequest response;
    response.sketch = true;
    setup.probes.requests.push_back(response);
    return setup;
}

Run run_first_come(const SimulationSetup& setup, const std::vector<GivenJob>& jobs) {
    FirstComeFirstServed policy;
    return run(setup, jobs, policy);
}

}  // namespace

TEST_CASE("a replication ends at the instant after which more jobs wait than the limit") {
    // Job 0 runs from 0 to 10. At 1 one job waits, which the limit admits; at 2 two do.
    const Run result = run_first_come(limited(3, 1), three_jobs());
    const Observations& observed = result.observations;
    REQUIRE(observed.overflow);
    CHECK(observed.overflow->time == 2);
    CHECK(observed.overflow->jobs_submitted == 3);
    CHECK(observed.fingerprint == schedule_hash(3, 2, 2));
    CHECK(observed.jobs == 3);
    CHECK(observed.events == 3);
    CHECK(observed.series.empty());
    CHECK(observed.sketches.empty());
    REQUIRE(observed.values.size() == 5);
    for (const double value : observed.values) {
        CHECK(std::isnan(value));
    }
    // Verifiers hear of no end, for jobs are left over.
    CHECK(result.lines == Lines{"0 arrival 0", "0 start 0", "1 arrival 1", "2 arrival 2"});
}

TEST_CASE("a replication that ends early has no job log and a log's replication has a series") {
    for (const std::uint64_t limit : {1U, 2U}) {
        JobLog log;
        SimulationSetup setup = limited(3, limit);
        setup.experiment.kind = ExperimentKind::trace;
        setup.probes.job_log = &log;
        const Run result = run_first_come(setup, three_jobs());
        const bool ends_early = limit == 1;
        CHECK(result.observations.overflow.has_value() == ends_early);
        CHECK(log.jobs() == (ends_early ? 0 : 3));
        CHECK(result.observations.series.size() == (ends_early ? 0 : 3));
    }
}

TEST_CASE("a queue as long as the limit ends nothing") {
    const Run result = run_first_come(limited(3, 2), three_jobs());
    CHECK(!result.observations.overflow);
    // Responses 10, 19, 28.
    CHECK(result.observations.values[4] == 19);
    CHECK(result.observations.series == std::vector<double>{10, 19, 28});
    CHECK(result.observations.sketches.size() == 1);
}

TEST_CASE("all jobs of the last instant count as submitted") {
    // At 1 three jobs come and wait; the job at 2 is not seen.
    const std::vector<GivenJob> jobs = {{0, 1, 10}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {2, 1, 1}};
    const Observations observed = run_first_come(limited(5, 1), jobs).observations;
    CHECK(observed.overflow == QueueOverflow{.time = 1, .jobs_submitted = 4});
}

TEST_CASE("the queue is looked at when time moves on and not between the batches of an instant") {
    // At 5 job 0 ends and jobs 3 and 4 come. Jobs 1 and 2, which have no service, start in a batch
    // each: 3, then 2, then 1 wait at 5.
    const std::vector<GivenJob> jobs = {{0, 1, 5}, {1, 1, 0}, {2, 1, 0}, {5, 1, 4}, {5, 1, 4}};
    CHECK(!run_first_come(limited(5, 2), jobs).observations.overflow);
    const Observations observed = run_first_come(limited(5, 1), jobs).observations;
    CHECK(observed.overflow == QueueOverflow{.time = 2, .jobs_submitted = 3});
}

TEST_CASE("what a policy publishes does not exist after an early end") {
    SimulationSetup setup = limited(3, 1);
    setup.published = {{"switches", "1", "switches"}};
    FirstComeFirstServed inner;
    const Run result = run(setup, three_jobs(), [&](const EventBatch& events, Actions& actions) {
        actions.announce({Observation{"switches", 1}});
        inner.react(events, actions);
    });
    REQUIRE(result.observations.values.size() == 6);
    CHECK(std::isnan(result.observations.values[5]));
}

TEST_CASE("a job that has once run does not wait though it is suspended") {
    // Job 0 runs 0–1, job 1 1–2, job 2 from 2 on: every job takes the processor from the one
    // before, so that two are suspended at 2 and none has never started.
    SimulationSetup setup = limited(3, 1);
    setup.policy_traits.preemptive = true;
    JobId running;
    std::vector<JobId> suspended;
    const ProcessorRange all{ProcessorId{0}, 1};
    const Run result = run(setup, three_jobs(), [&](const EventBatch& events, Actions& actions) {
        for (const JobId id : events.arrivals) {
            if (actions.job(id).index > 0) {
                actions.suspend(running);
                suspended.push_back(running);
            }
            running = id;
            actions.start_on(id, {&all, 1});
        }
        if (!events.completions.empty() && !suspended.empty()) {
            running = suspended.back();
            suspended.pop_back();
            actions.start_on(running, {&all, 1});
        }
    });
    CHECK(!result.observations.overflow);
    // Job 2 2–12, job 1 12–21, job 0 21–30: responses 30, 20, 10.
    CHECK(result.observations.series == std::vector<double>{30, 20, 10});
}

TEST_CASE("off-line and saturated systems know no limit") {
    SimulationSetup setup = limited(3, 1);
    setup.experiment.kind = ExperimentKind::offline;
    CHECK(!run_first_come(setup, three_jobs()).observations.overflow);
    setup.experiment.kind = ExperimentKind::saturated;
    setup.experiment.horizon.backlog = 2;
    std::vector<GivenJob> jobs(10, {0, 1, 1});
    const Observations observed = run_first_come(setup, jobs).observations;
    CHECK(!observed.overflow);
    CHECK(observed.series.empty());
}

}  // namespace schedfarm::tests
