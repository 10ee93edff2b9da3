// When processors are out of order, and what becomes of the jobs on them; the schedules are worked
// out by hand.
#include <array>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/outage_calendar.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/logs/segment_log.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

/// "<time> -<first>+<count>" for processors that leave, "+" for those that come back.
Lines changes_until(const SystemDescription& system, double end) {
    OutageCalendar calendar(system, Stream(1, Purpose::outages, 0));
    std::vector<CapacityChange> changes;
    while (calendar.next() <= end) {
        calendar.take(calendar.next(), changes);
    }
    Lines lines;
    for (const CapacityChange& change : changes) {
        lines.push_back(fmt::format(
            "{} {}{}+{}",
            change.time,
            change.kind == CapacityChange::Kind::down ? "-" : "+",
            change.first_processor,
            change.count
        ));
    }
    return lines;
}

SimulationSetup setup_with(std::uint32_t processors, std::uint64_t jobs, const Outages& outages) {
    SimulationSetup setup = setup_of(processors, jobs);
    setup.experiment.kind = ExperimentKind::trace;
    setup.system.outages = outages;
    setup.published = {{"availability", "", ""}, {"jobs_cut", "", ""}, {"lost_work", "", ""}};
    return setup;
}

}  // namespace

TEST_CASE("a processor is out from the first of its outages until the last has ended") {
    SystemDescription system{.clusters = {4}};
    // 0 and 1 until 3, 1 and 2 from 2 until 5, where 3 goes.
    system.outages.listed = {
        {.from = 1, .until = 3, .first_processor = 0, .count = 2},
        {.from = 2, .until = 5, .first_processor = 1, .count = 2},
        {.from = 5, .until = 6, .first_processor = 3, .count = 1}};
    const Lines expected{"1 -0+2", "2 -2+1", "3 +0+1", "5 +1+2", "5 -3+1", "6 +3+1"};
    CHECK(changes_until(system, 100) == expected);
}

TEST_CASE("an outage that ends as another begins changes nothing") {
    SystemDescription system{.clusters = {2}};
    system.outages.listed = {
        {.from = 1, .until = 3, .count = 2}, {.from = 3, .until = 4, .count = 2}};
    CHECK(changes_until(system, 100) == Lines{"1 -0+2", "4 +0+2"});
}

TEST_CASE("planned outages come again and again") {
    SystemDescription system{.clusters = {2}};
    system.outages.listed = {{.from = 1, .until = 2, .count = 2, .every = 10}};
    const Lines expected{"1 -0+2", "2 +0+2", "11 -0+2", "12 +0+2", "21 -0+2"};
    CHECK(changes_until(system, 21.5) == expected);
}

TEST_CASE("nodes fail one by one, in each replication at other times") {
    SystemDescription system{.clusters = {2, 4}};
    system.outages.failures = {10, 1, 2};
    std::vector<double> first;
    for (std::uint32_t replication = 0; replication < 2; ++replication) {
        OutageCalendar calendar(system, Stream(1, Purpose::outages, replication));
        std::vector<CapacityChange> changes;
        calendar.take(calendar.next(), changes);
        REQUIRE(changes.size() == 1);
        CHECK(changes.front().count == 2);
        CHECK(changes.front().first_processor % 2 == 0);
        first.push_back(changes.front().time);
    }
    CHECK(first[0] != first[1]);
}

// P = 4. Job 0 (2 processors: 0 and 1) and job 1 (2 and 3) run from 0, until 10 and 20. Processors
// 1 and 2 are out of order 5 … 30. Job 2 wants 1 from 1 on, job 3 2.
const std::vector<GivenJob> four_jobs{{0, 2, 10}, {0, 2, 20}, {1, 1, 4}, {1, 2, 4}};
const std::vector<Outage> middle{{.from = 5, .until = 30, .first_processor = 1, .count = 2}};

TEST_CASE("jobs drain: they run to their end and then their processors leave") {
    // At 10 processor 0 is free: job 2, until 14. Job 3 has 0 and 3 at 20.
    const SimulationSetup setup = setup_with(4, 4, {.listed = middle});
    FirstComeFirstServed policy;
    const Run result = run(setup, four_jobs, policy);
    const Lines expected{
        "0 start 0",
        "0 start 1",
        "5 capacity",
        "10 completion 0",
        "10 start 2",
        "14 completion 2",
        "20 completion 1",
        "20 start 3",
        "24 completion 3",
        "end"};
    CHECK(without_arrivals(result.lines) == expected);
    const auto& values = result.observations.values;
    // 2 of 4 are out for 19 of 24.
    CHECK(values.at(values.size() - 3) == 1 - 2 * 19.0 / (4 * 24));
    CHECK(values.at(values.size() - 2) == 0);
}

TEST_CASE("jobs that are cut join the queue again with all their service to do") {
    // At 5 both are cut, and queue behind job 2 and job 3: job 2 has 0 until 9; job 3 needs two,
    // so 3 stays idle until 9, when job 3 has 0 and 3 until 13, job 0 until 23, job 1 until 43.
    const SimulationSetup setup = setup_with(4, 4, {.listed = middle, .running = RunningJobs::cut});
    FirstComeFirstServed policy;
    const Run result = run(setup, four_jobs, policy);
    const Lines expected{
        "0 start 0",
        "0 start 1",
        "5 capacity",
        "5 completion 0",
        "5 completion 1",
        "5 start 2",
        "9 completion 2",
        "9 start 3",
        "13 completion 3",
        "13 start 0",
        "23 completion 0",
        "23 start 1",
        "30 capacity",
        "43 completion 1",
        "end"};
    CHECK(without_arrivals(result.lines) == expected);
    const auto& values = result.observations.values;
    CHECK(values.at(values.size() - 3) == doctest::Approx(1 - 2 * 25.0 / (4 * 43)));
    CHECK(values.at(values.size() - 2) == 2);
    CHECK(values.back() == 5 * 2 + 5 * 2);
}

TEST_CASE("jobs that are cut at one instant join the queue in the order of their submission") {
    // Job 0 has processor 0 until 2, job 1 has 1 until 4, job 2 has 2; job 3, which comes at 3, has
    // 0. At 5 processors 0 and 2 leave, apart, and take jobs 2 and 3 with them.
    SimulationSetup setup = setup_with(
        3,
        4,
        {.listed =
             {{.from = 5, .until = 9, .first_processor = 0, .count = 1},
              {.from = 5, .until = 9, .first_processor = 2, .count = 1}},
         .running = RunningJobs::cut}
    );
    FirstComeFirstServed policy;
    const Run result = run(setup, {{0, 1, 2}, {0, 1, 4}, {0, 1, 7}, {3, 1, 7}}, policy);
    const Lines expected{
        "0 start 0",
        "0 start 1",
        "0 start 2",
        "2 completion 0",
        "3 start 3",
        "4 completion 1",
        "5 capacity",
        "5 capacity",
        "5 completion 2",
        "5 completion 3",
        "5 start 2",
        "9 capacity",
        "9 capacity",
        "9 start 3",
        "12 completion 2",
        "16 completion 3",
        "end"};
    CHECK(without_arrivals(result.lines) == expected);
}

TEST_CASE("response times of jobs that were cut begin when they first came") {
    SimulationSetup setup = setup_with(
        1, 1, {.listed = {{.from = 2, .until = 6, .count = 1}}, .running = RunningJobs::cut}
    );
    setup.probes.requests = {
        {.metric = Metric::response_time, .quantiles = {}},
        {.metric = Metric::wait, .quantiles = {}}};
    FirstComeFirstServed policy;
    // Runs 1 … 2 in vain and 6 … 9.
    const auto values = run(setup, {{1, 1, 3}}, policy).observations.values;
    CHECK(values.at(4) == 8);
    CHECK(values.at(5) == 5);
}

TEST_CASE("a job that no time between outages is long enough for is an error that names it") {
    const SimulationSetup setup = setup_with(
        1,
        1,
        {.listed = {{.from = 2, .until = 3, .count = 1, .every = 3}}, .running = RunningJobs::cut}
    );
    FirstComeFirstServed policy;
    CHECK_THROWS_WITH_AS(
        run(setup, {{0, 1, 2.5}}, policy),
        doctest::Contains("job 0 (counted from 0) was cut 1000 times by outages"),
        UnservedJobError
    );
}

TEST_CASE("segments of jobs name the processors, also of what is cut") {
    const SimulationSetup setup = setup_with(4, 4, {.listed = middle, .running = RunningJobs::cut});
    GivenWorkload workload(four_jobs);
    FirstComeFirstServed policy;
    SegmentLog log;
    ScheduleVerifier* const observer = &log;
    simulate(setup, workload, policy, {&observer, 1});
    REQUIRE(log.segments().size() == 6);
    const RunSegment& cut = log.segments().front();
    CHECK(cut.job == 0);
    CHECK(cut.end == 5);
    CHECK(cut.processors == std::vector<ProcessorRange>{{ProcessorId{0}, 2}});
    CHECK(cut.size == 2);
    const std::vector<ProcessorRange> ends{{ProcessorId{0}, 1}, {ProcessorId{3}, 1}};
    CHECK(log.segments().at(3).processors == ends);
}

}  // namespace schedfarm::tests
