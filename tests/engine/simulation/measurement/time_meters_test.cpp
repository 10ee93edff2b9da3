// Time averages by class and quantiles over time through the recorder: by hand, and against
// counting over a grid of instants.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/simulation/measurement/probe_meters.hpp"
#include "engine/simulation/measurement/recorder.hpp"

#include "tests/engine/simulation/measurement/random_log.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

// P = 4; jobs 1 … 4 are measured; the window of time averages is 10 … 40. Job 0 of the warm-up
// waits into it, job 3 is busy beyond it.
//   index  submit  start  finish  service  size  class
const std::vector<JobRecord> small = {
    {0, 0, 12, 20, 8, 2, 0},
    {1, 10, 14, 24, 10, 1, 1},
    {2, 13, 20, 30, 10, 1, 0},
    {3, 15, 24, 50, 26, 3, 1},
    {4, 40, 55, 60, 5, 1, 0}};

constexpr MeasurementWindow window = {.begin = 10, .end = 40};

ProbeSet probes_of(const std::vector<double>& quantiles) {
    ProbeSet probes;
    probes.requests.push_back(
        {.metric = Metric::gross_utilization, .quantiles = {}, .per_class = true}
    );
    probes.requests.push_back(
        {.metric = Metric::queue_length, .quantiles = quantiles, .per_class = true}
    );
    return probes;
}

Experiment experiment_of(ExperimentKind kind, std::uint64_t jobs, MeasurementWindow during) {
    Experiment experiment;
    experiment.kind = kind;
    experiment.horizon = {.jobs = jobs, .warm_up_jobs = 1};
    experiment.window = during;
    return experiment;
}

Observations observe(
    const ProbeSet& probes,
    const std::vector<JobRecord>& jobs,
    const Experiment& experiment,
    std::uint32_t classes = 2
) {
    Recorder recorder(experiment, probes, SystemDescription{.clusters = {4}}, classes);
    for (const JobRecord& job : jobs) {
        recorder.add(job);
    }
    return recorder.finish();
}

/// The number of a column.
double value_of(
    const ProbeSet& probes,
    const Observations& observed,
    const std::string& name,
    ExperimentKind kind = ExperimentKind::open
) {
    const auto columns = observation_columns(probes, {.kind = kind}, 2);
    REQUIRE(columns.size() == observed.values.size());
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& column) {
        return column.name == name;
    });
    REQUIRE_MESSAGE(found != columns.end(), name);
    return observed.values[static_cast<std::size_t>(found - columns.begin())];
}

std::vector<double> queue_quantiles(MeasurementWindow during, const std::vector<double>& wanted) {
    ProbeSet probes = probes_of(wanted);
    probes.requests.erase(probes.requests.begin());
    probes.requests.front().per_class = false;
    const auto observed =
        observe(probes, small, experiment_of(ExperimentKind::open, small.size(), during));
    return {
        observed.values.end() - static_cast<std::ptrdiff_t>(wanted.size()), observed.values.end()};
}

/// Means, then for each p the least length not exceeded for p of the instants 0 … end - 1.
std::vector<double> counted(
    const std::vector<JobRecord>& jobs, int end, const std::vector<double>& wanted, int job_class
) {
    std::vector<int> lengths;
    for (int t = 0; t < end; ++t) {
        lengths.push_back(static_cast<int>(std::count_if(
            jobs.begin(),
            jobs.end(),
            [&](const JobRecord& job) {
                const bool counts = job_class < 0 || static_cast<int>(job.job_class) == job_class;
                return counts && job.submit_time <= t && t < job.start_time;
            }
        )));
    }
    double sum = 0;
    for (const int length : lengths) {
        sum += length;
    }
    std::vector<double> numbers = {sum / end};
    for (const double p : wanted) {
        int n = 0;
        const auto share = [&] {
            return std::count_if(lengths.begin(), lengths.end(), [&](int one) { return one <= n; });
        };
        while (static_cast<double>(share()) < p * end) {
            ++n;
        }
        numbers.push_back(n);
    }
    return numbers;
}

}  // namespace

TEST_CASE("time averages by class count every job of the class inside the window") {
    const ProbeSet probes = probes_of({});
    const auto observed =
        observe(probes, small, experiment_of(ExperimentKind::open, small.size(), window));
    // Busy in 10–40. Class 0: job 0 8·2, job 2 10·1: 26; class 1: job 1 10·1, job 3 16·3: 58.
    CHECK(value_of(probes, observed, "gross_utilization") == 84.0 / 120);
    CHECK(value_of(probes, observed, "gross_utilization[class=0]") == 26.0 / 120);
    CHECK(value_of(probes, observed, "gross_utilization[class=1]") == 58.0 / 120);
    // Waiting in 10–40. Class 0: job 0 2, job 2 7, job 4 from 40 on: 9; class 1: 4 and 9.
    CHECK(value_of(probes, observed, "queue_length.mean") == 22.0 / 30);
    CHECK(value_of(probes, observed, "queue_length.mean[class=0]") == 9.0 / 30);
    CHECK(value_of(probes, observed, "queue_length.mean[class=1]") == 13.0 / 30);
}

TEST_CASE("quantiles of the queue length are over the time in the window") {
    const ProbeSet probes = probes_of({0.5, 0.6, 0.75});
    const auto observed =
        observe(probes, small, experiment_of(ExperimentKind::open, small.size(), window));
    const auto values = [&](const std::string& suffix) {
        std::vector<double> found;
        for (const char* const name :
             {"queue_length.p50", "queue_length.p60", "queue_length.p75"}) {
            found.push_back(value_of(probes, observed, name + suffix));
        }
        return found;
    };
    // Two wait in 10–12, 13–14 and 15–20, one in 12–13, 14–15 and 20–24: nobody for 16 of 30, at
    // most one for 22. Of class 0 nobody for 21, of class 1 for 17.
    CHECK(values("") == std::vector<double>{0, 1, 2});
    CHECK(values("[class=0]") == std::vector<double>{0, 0, 1});
    CHECK(values("[class=1]") == std::vector<double>{0, 1, 1});
}

TEST_CASE("a quantile of the queue length is exceeded for no more than the rest of the time") {
    // From 8 on there is one in 8–10: nobody for 16 of 32, at most one for 24.
    const double above_half = std::nextafter(0.5, 1);
    const double above_most = std::nextafter(0.75, 1);
    CHECK(
        queue_quantiles({.begin = 8, .end = 40}, {0.001, 0.5, above_half, 0.75, above_most, 0.999})
        == std::vector<double>{0, 0, 1, 1, 2, 2}
    );
    // Somebody waits all the time.
    CHECK(queue_quantiles({.begin = 15, .end = 20}, {0.001, 0.999}) == std::vector<double>{2, 2});
    CHECK(queue_quantiles({.begin = 26, .end = 30}, {0.001, 0.999}) == std::vector<double>{0, 0});
    CHECK(std::isnan(queue_quantiles({.begin = 20, .end = 20}, {0.5}).front()));
}

TEST_CASE("off-line time averages by class run to the makespan") {
    const ProbeSet probes = probes_of({0.3, 0.5, 0.9});
    constexpr auto kind = ExperimentKind::offline;
    const auto observed = observe(probes, small, experiment_of(kind, small.size(), window));
    const auto value = [&](const char* name) {
        return value_of(probes, observed, name, kind);
    };
    // Class 0: 16 + 10 + 5 of 4·60; class 1: 10 + 78. Waits: 12 + 7 + 15 and 4 + 9 in 60.
    CHECK(value("gross_utilization[class=0]") == 31.0 / 240);
    CHECK(value("gross_utilization[class=1]") == 88.0 / 240);
    CHECK(value("queue_length.mean[class=0]") == 34.0 / 60);
    CHECK(value("queue_length.mean[class=1]") == 13.0 / 60);
    // Beside the window above one in 0–10 and 40–55, nobody in 55–60: 21, 31 and 8 of 60.
    CHECK(value("queue_length.p30") == 0);
    CHECK(value("queue_length.p50") == 1);
    CHECK(value("queue_length.p90") == 2);
}

TEST_CASE("occupations that are told at completions count for their classes") {
    const ProbeSet probes = probes_of({0.6});
    const Experiment experiment = experiment_of(ExperimentKind::open, small.size(), window);
    Recorder recorder(
        experiment, probes, SystemDescription{.clusters = {4}}, 2, RecordFeed::at_completion
    );
    for (const JobRecord& job : small) {
        const double pause = job.start_time + 2;
        recorder.add_start(job.start_time);
        recorder.add_occupation(job.start_time, pause, job.size, job.job_class);
        recorder.add_occupation(pause, job.finish_time, job.size, job.job_class);
        recorder.add(job);
    }
    CHECK(recorder.finish() == observe(probes, small, experiment));
}

TEST_CASE("queue lengths of random schedules are those counted instant by instant") {
    const std::vector<double> wanted = {0.1, 0.5, 0.75, 0.9};
    const ProbeSet probes = probes_of(wanted);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const int end = 20 + static_cast<int>(seed % 50);
        auto jobs = random_schedule(seed, 4, 60, StartOrder::random);
        for (JobRecord& job : jobs) {
            job.job_class = static_cast<std::uint32_t>((job.index * 7 + seed) % 5 % 3);
        }
        const MeasurementWindow during = {.begin = 0, .end = static_cast<double>(end)};
        const auto observed =
            observe(probes, jobs, experiment_of(ExperimentKind::open, jobs.size(), during), 3);
        std::vector<double> expected;
        for (const int job_class : {-1, 0, 1, 2}) {
            const auto numbers = counted(jobs, end, wanted, job_class);
            expected.insert(expected.end(), numbers.begin(), numbers.end());
        }
        const auto count = static_cast<std::ptrdiff_t>(expected.size());
        const std::vector<double> lengths(observed.values.end() - count, observed.values.end());
        REQUIRE(lengths == expected);
    }
}

TEST_CASE("what rounding leaves of a machine that is always busy is no idle time") {
    IdleWhileWaiting meter({.begin = 0, .end = infinity});
    double now = 0;
    for (int job = 0; job < 1000; ++job) {
        const double end = now + 0.1;
        meter.add_busy(now, end, 3);
        now = end;
    }
    meter.add_wait(0, now);
    CHECK(meter.area(3) == 0);
    CHECK(meter.area(5) == doctest::Approx(200).epsilon(1e-12));
}

TEST_CASE("a class that the workload did not declare is a broken contract") {
    const Experiment experiment = experiment_of(ExperimentKind::open, small.size(), window);
    CHECK_THROWS_AS(observe(probes_of({}), small, experiment, 1), ContractViolation);
    ProbeSet probes = probes_of({0.5});
    for (ProbeRequest& request : probes.requests) {
        request.per_class = false;
    }
    CHECK_NOTHROW(observe(probes, small, experiment, 1));
}

}  // namespace schedfarm::tests
