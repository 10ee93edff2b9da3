// The change of a backlog until it is empty, by hand and on queues whose drift is known.
#include "engine/simulation/measurement/backlog_meter.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/measurement/recorder.hpp"
#include "engine/statistics/estimate.hpp"

#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

struct Waiting {
    double submit;
    double start;
    double work;
};

BacklogMeter::Change change_of(const std::vector<Waiting>& jobs, std::uint64_t warm_up) {
    BacklogMeter meter({.jobs = jobs.size(), .warm_up_jobs = warm_up}, 2);
    for (std::size_t i = jobs.size(); i-- > 0;) {  // in any order
        meter.add(i, jobs[i].submit, jobs[i].start, jobs[i].work);
    }
    meter.add(jobs.size(), 1e9, 1e9, 1e9);  // beyond the horizon
    return meter.change();
}

}  // namespace

TEST_CASE("the change of a backlog that is never empty") {
    // Three jobs at the start; from the first measured submission, 10, to the last, 40. At 10 jobs
    // 1, 2 and 3 wait: 4 + 6 + 8. Until 40 jobs 4 and 5 come, 10 + 12, and jobs 1, 3, 2 start,
    // 4 + 8 + 6: a change of 22 − 18 over 2 processors.
    const std::vector<Waiting> jobs = {
        {0, 0, 2}, {0, 15, 4}, {0, 35, 6}, {10, 20, 8}, {30, 50, 10}, {40, 60, 12}};
    const BacklogMeter::Change change = change_of(jobs, 3);
    CHECK(change.work == 2);
    CHECK(change.time == 30);
}

TEST_CASE("a backlog is watched until no job waits") {
    // At 35 the last of the waiting jobs starts, the next comes at 40: what is later is not seen.
    const std::vector<Waiting> jobs = {
        {0, 0, 2}, {0, 15, 4}, {10, 35, 6}, {20, 25, 8}, {40, 90, 10}, {50, 100, 12}};
    const BacklogMeter::Change change = change_of(jobs, 2);
    CHECK(change.work == (8. - 4 - 8 - 6) / 2);
    CHECK(change.time == 25);
    // A job that comes at the very instant does wait for a moment.
    std::vector<Waiting> touching = jobs;
    touching[4].submit = 35;
    CHECK(change_of(touching, 2).time == 40);
}

TEST_CASE("a backlog that has drained before the first measured job has changed by all of itself") {
    const std::vector<Waiting> jobs = {
        {0, 0, 2}, {0, 15, 4}, {20, 20, 6}, {30, 30, 8}, {40, 90, 10}, {50, 100, 12}};
    const BacklogMeter::Change change = change_of(jobs, 3);
    CHECK(change.work == -(2. + 4) / 2);
    CHECK(change.time == 15);
}

TEST_CASE("experiments with a start backlog observe its change") {
    Experiment experiment;
    experiment.horizon = {.jobs = 4, .warm_up_jobs = 2, .start_backlog = 2};
    const std::vector<ObservationColumn> columns = observation_columns({}, experiment, 1);
    REQUIRE(columns.size() == 2);
    CHECK(columns[0].name == "backlog_change");
    CHECK(columns[1].name == "backlog_time");
    Recorder recorder(experiment, {}, SystemDescription{.clusters = {4}}, 1);
    // index, submit, start, finish, service, size
    recorder.add({0, 0, 0, 5, 5, 4, 0});
    recorder.add({1, 0, 5, 9, 4, 2, 0});
    recorder.add({2, 1, 9, 19, 10, 4, 0});
    recorder.add({3, 7, 19, 22, 3, 1, 0});
    // From 1 to 7: job 3 comes, 3, job 1 starts, 8; over 4 processors.
    CHECK(recorder.finish().values == std::vector<double>{-5. / 4, 6});
    experiment.horizon.start_backlog = 0;
    CHECK(observation_columns({}, experiment, 1).size() == 4);
}

namespace {

/// M/M/1 that begins with a backlog: the change of it and, for comparison, that over the whole run.
struct Run {
    double work = 0;
    double time = 0;
    bool was_empty = false;
    double to_the_end = 0;
};

Run run_queue(double load, std::uint64_t backlog, std::uint64_t jobs, std::uint32_t replication) {
    const Stream arrivals(20260117, Purpose::arrivals, replication);
    const Stream service(20260117, Purpose::service, replication);
    const Horizon horizon{.jobs = jobs, .warm_up_jobs = backlog, .start_backlog = backlog};
    BacklogMeter meter(horizon, 1);
    std::vector<Waiting> all;
    double now = 0;
    double free_at = 0;
    for (std::uint64_t i = 0; i < jobs; ++i) {
        now += i < backlog ? 0 : -logarithm(unit_interval(arrivals.draw(i))) / load;
        const double time = -logarithm(unit_interval(service.draw(i)));
        const double start = std::max(now, free_at);
        free_at = start + time;
        meter.add(i, now, start, time);
        all.push_back({now, start, time});
    }
    Run run;
    run.work = meter.change().work;
    run.time = meter.change().time;
    run.was_empty = run.time < now - all[backlog].submit;
    for (const Waiting& job : all) {
        run.to_the_end += job.submit > all[backlog].submit ? job.work : 0;
        run.to_the_end -= job.start > all[backlog].submit && job.start <= now ? job.work : 0;
    }
    return run;
}

}  // namespace

TEST_CASE("the drift of M/M/1 until it is empty is its load less 1, also where it often is") {
    // A backlog of 40 for 4,000 jobs: at a load of 1 most runs find the queue empty.
    const auto runs = short_or_long<std::uint32_t>(1000, 4000);
    for (const double load : {0.98, 1.0, 1.02}) {
        std::vector<double> work;
        std::vector<double> time;
        std::vector<double> to_the_end;
        std::uint32_t empty = 0;
        for (std::uint32_t i = 0; i < runs; ++i) {
            const Run run = run_queue(load, 40, 4040, i);
            work.push_back(run.work);
            time.push_back(run.time);
            to_the_end.push_back(run.to_the_end);
            empty += run.was_empty ? 1U : 0U;
        }
        const auto drift = estimate_ratio(work, time, 0.95);
        REQUIRE(drift);
        MESSAGE(
            "load " << load << ": drift " << drift->mean << " ± " << drift->standard_error
                    << ", empty in " << empty << " of " << runs
        );
        CHECK(std::fabs(drift->mean - (load - 1)) < 3 * drift->standard_error);
        if (load == 1) {
            CHECK(empty > runs / 2);
            const auto whole = estimate_mean(to_the_end, 0.95, IntervalMethod::student_t);
            CHECK(whole->mean > 5 * whole->standard_error);  // reflection: up at the point itself
        }
    }
}

TEST_CASE("broken contracts of the meter are reported") {
    CHECK_THROWS_AS(BacklogMeter({.jobs = 3, .warm_up_jobs = 3}, 1), ContractViolation);
}

}  // namespace schedfarm::tests
