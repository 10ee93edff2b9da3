// The probes loss_of_capacity and fair_start_miss through the recorder: by hand, and against
// counting over a grid of instants.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/measurement/fair_start.hpp"
#include "engine/simulation/measurement/recorder.hpp"

#include "tests/engine/simulation/measurement/random_log.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

// P = 4; jobs 1 … 4 are measured; the window of time averages is 10 … 40.
//   index  submit  start  finish  service  size  class
const std::vector<JobRecord> small = {
    {0, 0, 0, 12, 12, 1, 0},
    {1, 10, 10, 14, 4, 2, 0},
    {2, 20, 26, 36, 10, 3, 1},
    {3, 30, 32, 34, 2, 1, 1},
    {4, 40, 60, 80, 20, 4, 0}};

Experiment experiment_of(std::uint64_t jobs, MeasurementWindow window) {
    Experiment experiment;
    experiment.horizon = {.jobs = jobs, .warm_up_jobs = 1};
    experiment.window = window;
    return experiment;
}

Observations observe(
    const ProbeSet& probes,
    const std::vector<JobRecord>& jobs,
    MeasurementWindow window,
    std::uint32_t processors
) {
    Recorder recorder(
        experiment_of(jobs.size(), window), probes, SystemDescription{.clusters = {processors}}, 2
    );
    for (const JobRecord& job : jobs) {
        recorder.add(job);
    }
    return recorder.finish();
}

double value_of(const ProbeSet& probes, const std::string& name) {
    const auto columns = observation_columns(probes, {.kind = ExperimentKind::open}, 2);
    const Observations observed = observe(probes, small, {.begin = 10, .end = 40}, 4);
    REQUIRE(columns.size() == observed.values.size());
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& column) {
        return column.name == name;
    });
    REQUIRE(found != columns.end());
    return observed.values[static_cast<std::size_t>(found - columns.begin())];
}

ProbeSet asking_for(const ProbeRequest& request) {
    ProbeSet probes;
    probes.requests.push_back(request);
    return probes;
}

/// Idle processors in 0 … end - 1 at whose instant somebody waits.
std::uint64_t counted_loss(const std::vector<JobRecord>& jobs, std::uint32_t processors, int end) {
    std::uint64_t idle = 0;
    for (int t = 0; t < end; ++t) {
        std::uint32_t busy = 0;
        bool someone_waits = false;
        for (const JobRecord& job : jobs) {
            busy += job.start_time <= t && t < job.finish_time ? job.size : 0;
            someone_waits = someone_waits || (job.submit_time <= t && t < job.start_time);
        }
        idle += someone_waits ? processors - busy : 0;
    }
    return idle;
}

}  // namespace

TEST_CASE("loss of capacity is what is idle while a job waits") {
    // Somebody waits in 20 … 26 (nothing runs: 4 · 6) and 30 … 32 (job 2 on 3: 1 · 2); job 4 waits
    // behind the window. 26 of 4 · 30.
    CHECK(
        value_of(
            asking_for({.metric = Metric::loss_of_capacity, .quantiles = {}}), "loss_of_capacity"
        )
        == 26.0 / 120
    );
}

TEST_CASE("loss of capacity of random schedules is that counted instant by instant") {
    const ProbeSet probes = asking_for({.metric = Metric::loss_of_capacity, .quantiles = {}});
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::uint32_t processors = 1 + static_cast<std::uint32_t>(seed % 7);
        const int end = 20 + static_cast<int>(seed % 50);
        const auto jobs = random_schedule(seed, processors, 60, StartOrder::random);
        const Observations observed =
            observe(probes, jobs, {.begin = 0, .end = static_cast<double>(end)}, processors);
        const auto loss = static_cast<double>(counted_loss(jobs, processors, end));
        CAPTURE(seed);
        REQUIRE(observed.values.back() == loss / (static_cast<double>(processors) * end));
    }
}

TEST_CASE("misses of fair starts have a mean and a share and quantiles and classes") {
    // Fair starts: jobs 1 to 4 find enough processors free when they are submitted. Misses: 0, 6, 2
    // and 20; of class 0 0 and 20, of class 1 6 and 2. Half of 0 2 6 20 is (2 + 6) / 2.
    const ProbeSet probes =
        asking_for({.metric = Metric::fair_start_miss, .quantiles = {0.5}, .per_class = true});
    CHECK(value_of(probes, "fair_start_miss.mean") == 7);
    CHECK(value_of(probes, "fair_start_miss.share") == 0.75);
    CHECK(value_of(probes, "fair_start_miss.p50") == 2);
    CHECK(value_of(probes, "fair_start_miss.mean[class=0]") == 10);
    CHECK(value_of(probes, "fair_start_miss.mean[class=1]") == 4);
    CHECK(value_of(probes, "fair_start_miss.count[class=1]") == 2);
}

TEST_CASE("misses are those of the fair starts whoever keeps the log") {
    ProbeSet probes = asking_for({.metric = Metric::fair_start_miss, .quantiles = {}});
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto jobs = random_schedule(seed, 5, 40, StartOrder::random);
        JobLog log;
        probes.job_log = &log;
        const Observations with = observe(probes, jobs, {}, 5);
        probes.job_log = nullptr;
        const Observations without = observe(probes, jobs, {}, 5);
        const std::vector<double> fair = fair_starts(log, 5);
        double sum = 0;
        std::size_t missed = 0;
        for (std::size_t job = 1; job < jobs.size(); ++job) {
            sum += std::max(0.0, jobs[job].start_time - fair[job]);
            missed += jobs[job].start_time > fair[job] ? 1U : 0U;
        }
        REQUIRE(with.values[4] == sum / 39);
        REQUIRE(with.values[5] == static_cast<double>(missed) / 39);
        REQUIRE(without.values[4] == with.values[4]);
        REQUIRE(without.values[5] == with.values[5]);
    }
}

}  // namespace schedfarm::tests
