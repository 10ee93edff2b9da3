// The recorder's arithmetic by hand, column by column.
#include "engine/simulation/measurement/recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/measurement/column_range.hpp"
#include "engine/simulation/measurement/measurement_window.hpp"
#include "engine/simulation/measurement/probe_meters.hpp"
#include "engine/simulation/measurement/sketches.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

// P = 4; jobs 1 … 4 are measured; the window of time averages is 10 … 40.
//   index  submit  start  finish  service  size  class
//       0       0      0      12       12     1      0
//       1      10     10      14        4     2      0
//       2      20     26      36       10     3      1
//       3      30     32      34        2     1      1
//       4      40     60      80       20     4      0
const std::array<JobRecord, 5> records = {{
    {0, 0, 0, 12, 12, 1, 0},
    {1, 10, 10, 14, 4, 2, 0},
    {2, 20, 26, 36, 10, 3, 1},
    {3, 30, 32, 34, 2, 1, 1},
    {4, 40, 60, 80, 20, 4, 0},
}};

Experiment experiment_of(ExperimentKind kind) {
    Experiment experiment;
    experiment.kind = kind;
    experiment.horizon = {.jobs = 5, .warm_up_jobs = 1};
    experiment.window = MeasurementWindow{.begin = 10, .end = 40};
    return experiment;
}

Observations observe(
    const ProbeSet& probes,
    std::span<const JobRecord> jobs = records,
    ExperimentKind kind = ExperimentKind::open
) {
    Recorder recorder(experiment_of(kind), probes, SystemDescription{.clusters = {4}}, 2);
    for (const JobRecord& job : jobs) {
        recorder.add(job);
    }
    return recorder.finish();
}

// The value of a named column.
double value_of(
    const ProbeSet& probes, const std::string& name, ExperimentKind kind = ExperimentKind::open
) {
    const std::vector<ObservationColumn> columns = observation_columns(probes, {.kind = kind}, 2);
    const Observations result = observe(probes, records, kind);
    REQUIRE(columns.size() == result.values.size());
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&name](const ObservationColumn& column) {
            return column.name == name;
        });
    REQUIRE_MESSAGE(found != columns.end(), name);
    return result.values[static_cast<std::size_t>(found - columns.begin())];
}

ProbeSet every_probe() {
    ProbeSet probes;
    for (const Metric metric :
         {Metric::response_time,
          Metric::wait,
          Metric::slowdown,
          Metric::bounded_slowdown,
          Metric::service_time,
          Metric::job_size,
          Metric::interarrival_time,
          Metric::gross_utilization,
          Metric::queue_length}) {
        ProbeRequest request{.metric = metric, .quantiles = {}, .per_class = false, .threshold = 5};
        if (is_job_metric(metric)) {
            request.quantiles = {0.5};
            request.per_class = true;
            request.sketch = true;
        } else if (metric == Metric::gross_utilization || metric == Metric::queue_length) {
            request.per_class = true;
            request.quantiles = {0.5};
        }
        probes.requests.push_back(request);
    }
    return probes;
}

}  // namespace

TEST_CASE("job metrics average over the measured jobs") {
    const ProbeSet probes = every_probe();
    // Responses 4, 16, 4, 40; queueing 0, 6, 2, 20; slowdowns 1, 1.6, 2, 2. Bounded at 5:
    // max(1, 4/5), 16/10, max(1, 4/5), 40/20.
    CHECK(value_of(probes, "response_time.mean") == 16);
    CHECK(value_of(probes, "wait.mean") == 7);
    CHECK(value_of(probes, "slowdown.mean") == doctest::Approx(6.6 / 4).epsilon(1e-15));
    CHECK(value_of(probes, "bounded_slowdown.mean") == doctest::Approx(5.6 / 4).epsilon(1e-15));
}

TEST_CASE("classes have their own means") {
    // Class 0: jobs 1 and 4; class 1: jobs 2 and 3.
    const ProbeSet probes = every_probe();
    CHECK(value_of(probes, "response_time.mean[class=0]") == 22);
    CHECK(value_of(probes, "response_time.mean[class=1]") == 10);
    CHECK(value_of(probes, "wait.mean[class=0]") == 10);
    CHECK(value_of(probes, "wait.mean[class=1]") == 4);
    CHECK(value_of(probes, "slowdown.mean[class=0]") == 1.5);
    CHECK(value_of(probes, "bounded_slowdown.mean[class=1]") == 1.3);
}

TEST_CASE("the number of jobs of a class leaves out the warm-up and is 0 where there is none") {
    // Measured are jobs 1 … 4 with classes 0, 1, 1, 0; without job 4 three, of which one is of
    // class 0.
    const ProbeSet probes = every_probe();
    CHECK(value_of(probes, "job_size.count[class=0]") == 2);
    CHECK(value_of(probes, "job_size.count[class=1]") == 2);
    ProbeSet sizes;
    sizes.requests.push_back({.metric = Metric::job_size, .quantiles = {}, .per_class = true});
    const auto counts = [&sizes](const auto& jobs) {
        const std::vector<double> values = observe(sizes, jobs).values;
        return std::vector<double>{values.at(values.size() - 3), values.back()};
    };
    CHECK(counts(std::array{records[1], records[2], records[3]}) == std::vector<double>{1, 2});
    CHECK(counts(std::array{records[0], records[1], records[4]}) == std::vector<double>{2, 0});
}

TEST_CASE("control variates say what the workload drew") {
    const ProbeSet probes = every_probe();
    // Of jobs 1 … 4: services 4, 10, 2, 20; sizes 2, 3, 1, 4; classes 0, 1, 1, 0.
    CHECK(value_of(probes, "service_time.mean") == 9);
    CHECK(value_of(probes, "service_time.p50") == 4);
    CHECK(value_of(probes, "service_time.mean[class=1]") == 6);
    CHECK(value_of(probes, "job_size.mean") == 2.5);
    CHECK(value_of(probes, "job_size.mean[class=0]") == 3);
    // Submissions 0 (not measured), 10, 20, 30, 40: four differences that add up to 40 − 0.
    CHECK(value_of(probes, "interarrival_time.mean") == 10);
}

TEST_CASE("interarrival times begin with the last job that is not measured") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::interarrival_time, .quantiles = {}});
    Experiment experiment = experiment_of(ExperimentKind::open);
    const auto observe_after = [&](std::uint64_t warm_up_jobs) {
        experiment.horizon.warm_up_jobs = warm_up_jobs;
        Recorder recorder(experiment, probes, SystemDescription{.clusters = {4}}, 1);
        for (JobRecord job : records) {
            job.submit_time = std::array{7.0, 9.0, 12.0, 12.0, 20.0}.at(job.index);
            recorder.add(job);
        }
        return recorder.finish().values.back();
    };
    CHECK(observe_after(0) == 4);     // (20 − 0) / 5: the first interval begins at 0
    CHECK(observe_after(1) == 3.25);  // (20 − 7) / 4
    CHECK(observe_after(3) == 4);     // (20 − 12) / 2
    CHECK(observe_after(4) == 8);     // (20 − 12) / 1
    experiment.kind = ExperimentKind::trace;
    CHECK(observe_after(0) == 3.25);  // (20 − 7) / 4: a log does not begin at 0
    CHECK(observe_after(1) == 3.25);
    CHECK(observe_after(3) == 4);
}

TEST_CASE("sketches hold the measured jobs of the requests that ask for one in their order") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::wait, .quantiles = {}, .sketch = true});
    probes.requests.push_back({.metric = Metric::service_time, .quantiles = {}});
    probes.requests.push_back({.metric = Metric::job_size, .quantiles = {}, .sketch = true});
    const Observations result = observe(probes);
    REQUIRE(result.sketches.size() == 2);
    LogSketch queueing;
    for (const double time : {0.0, 6.0, 2.0, 20.0}) {
        queueing.add(time);
    }
    LogSketch sizes;
    for (const double size : {2.0, 3.0, 1.0, 4.0}) {
        sizes.add(size);
    }
    CHECK(result.sketches[0] == queueing.buckets());
    CHECK(result.sketches[1] == sizes.buckets());
    // Nothing else knows of them.
    for (ProbeRequest& request : probes.requests) {
        request.sketch = false;
    }
    Observations plain = observe(probes);
    CHECK(plain.sketches.empty());
    plain.sketches = result.sketches;
    CHECK(plain == result);
}

TEST_CASE("quantiles and classes that are asked for have sketches, in the order of their names") {
    ProbeSet probes;
    probes.requests.push_back(
        {.metric = Metric::response_time, .quantiles = {0.5}, .per_class = true}
    );
    probes.requests.push_back({.metric = Metric::slowdown, .quantiles = {}, .per_class = true});
    probes.requests.push_back({.metric = Metric::queue_length, .quantiles = {0.5}});
    const auto sketches = observed_sketches(probes, {.kind = ExperimentKind::open}, 2);
    REQUIRE(sketches.size() == 3);
    CHECK(sketches[0] == SketchDescription{"response_time", {{0.5, "response_time.p50"}}});
    CHECK(
        sketches[2]
        == SketchDescription{"response_time[class=1]", {{0.5, "response_time.p50[class=1]"}}}
    );
    // Responses 4, 4, 16, 40, of which class 1 has 4 and 16.
    const Observations result = observe(probes);
    REQUIRE(result.sketches.size() == 3);
    LogSketch of_class;
    of_class.add(4);
    of_class.add(16);
    CHECK(result.sketches[2] == of_class.buckets());
    LogSketch all;
    all.merge(result.sketches[1]);
    all.merge(result.sketches[2]);
    CHECK(all.buckets() == result.sketches[0]);
    CHECK(observed_sketches(probes, {.kind = ExperimentKind::saturated}, 2).empty());
}

TEST_CASE("a quantile is the smallest value that at least its share does not exceed") {
    // Responses 4, 4, 16, 40: half of them do not exceed 4. Class 1 has 4 and 16; class 0 has the
    // slowdowns 1 and 2.
    const ProbeSet probes = every_probe();
    CHECK(value_of(probes, "response_time.p50") == 4);
    CHECK(value_of(probes, "response_time.p50[class=1]") == 4);
    CHECK(value_of(probes, "wait.p50") == 2);
    CHECK(value_of(probes, "slowdown.p50[class=0]") == 1);
    CHECK(value_of(probes, "bounded_slowdown.p50") == 1);
}

TEST_CASE("response times weighted by the area of the jobs") {
    // Responses 4, 16, 4 and 40 of areas 8, 30, 2 and 80: 3720 / 120.
    ProbeSet probes;
    probes.requests.push_back(
        {.metric = Metric::weighted_response_time, .quantiles = {}, .per_class = true}
    );
    CHECK(value_of(probes, "weighted_response_time.mean") == 31);
    CHECK(value_of(probes, "weighted_response_time.weight") == 120);
    CHECK(value_of(probes, "weighted_response_time.mean[class=0]") == 3232.0 / 88);
    CHECK(value_of(probes, "weighted_response_time.mean[class=1]") == 15.25);
    CHECK(value_of(probes, "weighted_response_time.weight[class=1]") == 32);
    const auto columns = observation_columns(probes, {.kind = ExperimentKind::offline}, 0);
    CHECK(columns[2].counted_by == "weighted_response_time.weight");
}

TEST_CASE("slowdowns per processor, none below 1") {
    // Responses 4, 16, 4 and 40 over processors and run times of 5 at least: 4/(2 · 5), 16/(3 ·
    // 10), 4/(1 · 5) and 40/(4 · 20). With a threshold of 1 job 3 has 4/(1 · 2).
    ProbeSet probes;
    probes.requests.push_back(
        {.metric = Metric::per_processor_slowdown,
         .quantiles = {},
         .per_class = true,
         .threshold = 5}
    );
    CHECK(value_of(probes, "per_processor_slowdown.mean") == 1);
    probes.requests[0].threshold = 1;
    CHECK(value_of(probes, "per_processor_slowdown.mean") == 1.25);
    CHECK(value_of(probes, "per_processor_slowdown.mean[class=1]") == 1.5);
    const auto columns = observation_columns(probes, {.kind = ExperimentKind::offline}, 0);
    CHECK(
        columns[2].meaning
        == "Mean over measured jobs of max(1, (finish - submit) / (processors * max(service, 1)))."
    );
    CHECK(range_of_column("per_processor_slowdown.mean").least == 1);
}

TEST_CASE("the slowdown of a job without service is 1 or infinite") {
    const auto slowdown = description_of(Metric::slowdown).of_job;
    CHECK(slowdown({.submit_time = 3, .start_time = 3, .finish_time = 3}, 10) == 1);
    CHECK(std::isinf(slowdown({.submit_time = 3, .start_time = 4, .finish_time = 4}, 10)));
}

TEST_CASE("time averages count every job inside the window") {
    const ProbeSet probes = every_probe();
    // Busy in 10–40: job 0 2·1, job 1 4·2, job 2 10·3, job 3 2·1, job 4 nothing: 42 of 4·30.
    CHECK(value_of(probes, "gross_utilization") == 42.0 / 120);
    // Waiting in 10–40: job 2 6, job 3 2, job 4 from 40 on: 8 of 30.
    CHECK(value_of(probes, "queue_length.mean") == 8.0 / 30);
}

TEST_CASE("backlog growth compares the halves of the measured jobs") {
    // Second half: (2 + 20)/2 = 11; first half (0 + 6)/2 = 3; half the time from 10 to 40 is 15.
    CHECK(value_of({}, "backlog_growth") == 8.0 / 15);
    CHECK(value_of({}, "wait.first_half") == 3);
    CHECK(value_of({}, "wait.second_half") == 11);
    // Of jobs 2, 3, 4 the first is the first half: 6, and (2 + 20)/2 = 11.
    Experiment experiment = experiment_of(ExperimentKind::open);
    experiment.horizon.warm_up_jobs = 2;
    Recorder recorder(experiment, {}, SystemDescription{.clusters = {4}}, 2);
    for (const JobRecord& job : records) {
        recorder.add(job);
    }
    const std::vector<double> values = recorder.finish().values;
    CHECK(values == std::vector<double>{5.0 / 10, 0, 6, 11});
}

TEST_CASE("the wait of the warm-up is that of the jobs that are not measured") {
    // Jobs 0, 1, 2 wait 0, 0 and 6; without a warm-up there are none.
    for (const std::uint64_t warm_up_jobs : {3U, 0U}) {
        Experiment experiment = experiment_of(ExperimentKind::open);
        experiment.horizon.warm_up_jobs = warm_up_jobs;
        Recorder recorder(experiment, {}, SystemDescription{.clusters = {4}}, 2);
        for (const JobRecord& job : records) {
            recorder.add(job);
        }
        const double warm_up = recorder.finish().values[1];
        CHECK((warm_up_jobs == 3 ? warm_up == 2 : std::isnan(warm_up)));
    }
}

TEST_CASE("off-line time averages run to the makespan") {
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::gross_utilization, .quantiles = {}});
    // Busy: 12 + 8 + 30 + 2 + 80 = 132 of 4·80. Completions: 12 + 14 + 36 + 34 + 80.
    CHECK(value_of(probes, "gross_utilization", ExperimentKind::offline) == 132.0 / 320);
    CHECK(value_of(probes, "makespan", ExperimentKind::offline) == 80);
    CHECK(value_of(probes, "weighted_completion", ExperimentKind::offline) == 176);
}

TEST_CASE("asking for a probe changes no number of another") {
    const ProbeSet all = every_probe();
    const Observations together = observe(all);
    std::vector<double> separate = observe({}).values;
    const std::size_t always = separate.size();
    for (const ProbeRequest& request : all.requests) {
        ProbeSet one;
        one.requests.push_back(request);
        const Observations alone = observe(one);
        CHECK(alone.fingerprint == together.fingerprint);
        CHECK(std::equal(
            alone.values.begin(),
            alone.values.begin() + static_cast<std::ptrdiff_t>(always),
            together.values.begin()
        ));
        separate.insert(
            separate.end(),
            alone.values.begin() + static_cast<std::ptrdiff_t>(always),
            alone.values.end()
        );
        ProbeSet bare;
        bare.requests.push_back(
            {.metric = request.metric, .quantiles = {}, .per_class = false, .threshold = 5}
        );
        CHECK(observe(bare).values[always] == alone.values[always]);
    }
    CHECK(separate == together.values);
}

TEST_CASE("the fingerprint does not depend on the order of the jobs but on every time") {
    std::array<JobRecord, 5> jobs = records;
    std::reverse(jobs.begin(), jobs.end());
    const std::uint64_t fingerprint = observe({}).fingerprint;
    CHECK(observe({}, jobs).fingerprint == fingerprint);
    jobs[0].finish_time = std::nextafter(80.0, 81.0);
    CHECK(observe({}, jobs).fingerprint != fingerprint);
    jobs = records;
    std::swap(jobs[1].index, jobs[2].index);
    CHECK(observe({}, jobs).fingerprint != fingerprint);
}

TEST_CASE("a number that does not exist is not a number") {
    // Class 1 has no job among these three.
    ProbeSet probes;
    probes.requests.push_back({.metric = Metric::slowdown, .quantiles = {0.5}, .per_class = true});
    const std::array<JobRecord, 3> some = {records[0], records[1], records[4]};
    const std::vector<double> values = observe(probes, some).values;
    CHECK(std::isnan(values[10]));
    CHECK(std::isnan(values[11]));
    CHECK(values[12] == 0);
    CHECK(values[9] == 2);
    CHECK(values[6] < 1);
    CHECK(values[6] >= 0.5);
}

TEST_CASE("a time average without a window is a broken contract") {
    Experiment experiment = experiment_of(ExperimentKind::open);
    experiment.window.reset();
    ProbeSet probes;
    CHECK(!needs_window(probes, {.kind = ExperimentKind::open}));
    probes.requests.push_back({.metric = Metric::queue_length, .quantiles = {}});
    CHECK(needs_window(probes, {.kind = ExperimentKind::open}));
    CHECK(needs_window(probes, {.kind = ExperimentKind::trace}));
    CHECK(!needs_window(probes, {.kind = ExperimentKind::offline}));
    CHECK_THROWS_AS(
        Recorder(experiment, probes, SystemDescription{.clusters = {4}}, 1), ContractViolation
    );
}

TEST_CASE("the window runs from the first measured to the last submission") {
    GivenWorkload workload({{1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {8, 1, 1}, {16, 1, 1}, {32, 1, 1}}, 2);
    const MeasurementWindow window =
        measurement_window(workload, {.jobs = 5, .warm_up_jobs = 2, .backlog = 0, .fills = 0});
    CHECK(window.begin == 4);
    CHECK(window.end == 16);
}

}  // namespace schedfarm::tests
