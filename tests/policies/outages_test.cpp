// Every policy that does not preempt, over random workloads with random outages, under all
// verifiers; and what policies that plan make of outages that they know ahead.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/composition/inner_runs.hpp"
#include "tests/policies/contract_cells.hpp"
#include "tests/policies/schedule_log.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

/// A list of outages of parts of the machine, some of them planned and repeated, and failures.
Outages random_outages(Dice& dice, const SystemDescription& system) {
    Outages outages;
    const std::uint32_t processors = system.processors();
    const std::uint32_t count = 1 + dice.below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
        Outage outage;
        outage.from = dice.below(60);
        outage.until = outage.from + 1 + dice.below(10);
        outage.first_processor = dice.below(processors);
        outage.count = 1 + dice.below(processors - outage.first_processor);
        outage.is_planned = dice.below(2) == 0;
        outage.every = i == 0 && dice.below(2) == 0 ? 20 + dice.below(30) : 0;
        outages.listed.push_back(outage);
    }
    if (dice.below(3) == 0) {
        outages.failures = {.mean_time_between_failures = 50.0, .mean_time_to_repair = 5};
    }
    outages.running = dice.below(2) == 0 ? RunningJobs::cut : RunningJobs::drain;
    return outages;
}

Times starts_with(
    const char* policy, const Outages& outages, Jobs jobs, std::uint32_t processors = 16
) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.system.outages = outages;
    cell.jobs = std::move(jobs);
    return starts_of(policy, {}, std::move(cell));
}

Times starts_around(const char* policy, const Outage& outage, Jobs jobs, std::uint32_t processors) {
    return starts_with(policy, {.listed = {outage}}, std::move(jobs), processors);
}

Outage planned(double from, double until, std::uint32_t first, std::uint32_t count) {
    return {
        .from = from, .until = until, .first_processor = first, .count = count, .is_planned = true};
}

Outage failure(double from, double until, std::uint32_t first, std::uint32_t count) {
    return {.from = from, .until = until, .first_processor = first, .count = count};
}

/// Those that know planned outages ahead.
constexpr std::array planners = {"easy", "conservative", "k_reservations", "selective"};

/// Windows that come every nine, too often for a long job, on a part of the machine that all jobs
/// leave, and for long a failure: a job may have to wait for the repair.
Outages tight_outages(Dice& dice, std::uint32_t processors, std::uint32_t spare) {
    Outage window = planned(dice.below(10), 0, dice.below(processors - spare), spare);
    window.until = window.from + 3;
    window.every = 9;
    const std::uint32_t failed = 1 + dice.below(processors - 1);
    return {
        .listed = {window, failure(10, 100, dice.below(processors - failed), failed)},
        .running = dice.below(2) == 0 ? RunningJobs::cut : RunningJobs::drain};
}

/// Total requests, with estimates that may be too long, on a machine that loses processors for
/// several reasons at once.
enum class Windows : std::uint8_t { rare, tight };

TestCell random_outage_cell(Dice& dice, Windows windows) {
    TestCell cell;
    cell.system.clusters = {4 + dice.below(12)};
    if (dice.below(3) == 0) {
        cell.system.clusters.push_back(2 + dice.below(4));
    }
    const std::uint32_t processors = cell.system.processors();
    const bool is_tight = windows == Windows::tight;
    const std::uint32_t spare = is_tight ? 1 + dice.below(processors / 3) : 0;
    cell.system.outages =
        is_tight ? tight_outages(dice, processors, spare) : random_outages(dice, cell.system);
    if (dice.below(3) > 0) {
        cell.system.outages.listed.push_back(
            planned(dice.below(40), 60 + dice.below(20), 0, 1 + dice.below(processors))
        );
    }
    const bool has_fractions = dice.below(3) == 0;
    double submit = 0;
    for (std::uint32_t i = 0; i < 40; ++i) {
        submit += dice.below(3) == 0 ? dice.below(8) : 0;
        submit += has_fractions ? dice.below(1000) / 997.0 : 0;
        GivenJob job;
        job.submit_time = submit;
        job.components = {
            1 + dice.below(dice.below(4) == 0 ? processors - spare : (processors + 2) / 3)};
        job.service_time = dice.below(10) == 0 ? 0 : 1 + dice.below(6);
        job.estimate = job.service_time + (dice.below(2) == 0 ? 0 : dice.below(4));
        cell.jobs.push_back(job);
    }
    return cell;
}

}  // namespace

TEST_CASE("every policy that does not preempt serves all jobs whatever goes out of order") {
    for (const PolicyDescription& description : policies::catalogue()) {
        CAPTURE(description.alternative.name);
        double cuts = 0;
        bool is_served = false;
        for (std::uint64_t seed = 0; seed < short_or_long(50U, 150U); ++seed) {
            CAPTURE(seed);
            Dice dice(seed);
            const ExperimentKind kind =
                std::vector{ExperimentKind::open, ExperimentKind::trace, ExperimentKind::offline}
                    .at(seed % 3);
            TestCell cell = random_cell(dice, kind, structures[dice.below(4)]);
            cell.system.outages = random_outages(dice, cell.system);
            std::erase_if(cell.probes.requests, [](const ProbeRequest& request) {
                return request.metric == Metric::fair_start_miss;
            });
            if (!serves(description, cell)) {
                continue;
            }
            is_served = true;
            const PolicyUnderTest policy(description, {});
            const Observations first = run_general(policy, cell);
            REQUIRE(first.jobs == cell.experiment.horizon.jobs);
            REQUIRE(!run_specialised(policy, cell));
            if (cell.system.outages.cut_jobs()) {
                const double in_order = first.values.at(first.values.size() - 3);
                CHECK(in_order > 0);
                CHECK(in_order <= 1);
                cuts += first.values.at(first.values.size() - 2);
            }
        }
        CHECK((cuts > 0) == is_served);
    }
}

TEST_CASE("policies that plan keep a planned outage free of jobs, and the others do not") {
    // Two processors, both out 10 … 20. At 0 a job for 12 comes, which would run into the outage,
    // and one for 10, which would not. By plan the first starts at 20, else at 0, and drains.
    const Outage both = planned(10, 20, 0, 2);
    const Jobs jobs{{0, 12, {1}}, {0, 10, {2}}};
    for (const char* policy : {"easy", "conservative", "k_reservations"}) {
        CAPTURE(policy);
        CHECK(starts_around(policy, both, jobs, 2) == Times{20, 0});
    }
    const Outage sudden = failure(10, 20, 0, 2);
    for (const char* policy : {"easy", "conservative", "fcfs", "sjf"}) {
        CAPTURE(policy);
        const bool is_shortest_first = std::string(policy) == "sjf";
        CHECK(
            starts_around(policy, sudden, jobs, 2)
            == (is_shortest_first ? Times{20, 0} : Times{0, 20})
        );
    }
    CHECK(starts_around("fcfs", both, jobs, 2) == Times{0, 20});
}

TEST_CASE("a planned outage of some processors leaves the others to jobs") {
    // Three processors, 0 and 1 out 10 … 20. Job 0 takes one until 15: it does not matter by count.
    // Job 1, of two for 11, is planned for 20, job 2, of two for 10, for 0.
    const Outage two = planned(10, 20, 0, 2);
    const Jobs jobs{{0, 15, {1}}, {0, 11, {2}}, {0, 10, {2}}};
    CHECK(starts_around("conservative", two, jobs, 3) == Times{0, 20, 0});
    CHECK(starts_around("easy", two, jobs, 3) == Times{0, 20, 0});
}

TEST_CASE("processors that are out for two reasons are out once") {
    // Of 16, 0 to 7 are out 100 … 400 and 2 to 7 300 … 700: 8 to 15 are free all the time, and the
    // job of eight for 300 that comes at 120 starts at once. So it does where 3 to 6 are to be
    // serviced while 0 to 7 have failed.
    const Outages windows{.listed = {planned(100, 400, 0, 8), planned(300, 700, 2, 6)}};
    const Outages both{.listed = {failure(100, 500, 0, 8), planned(200, 450, 3, 4)}};
    for (const char* policy : {"easy", "conservative", "k_reservations", "selective", "fcfs"}) {
        CAPTURE(policy);
        CHECK(starts_with(policy, windows, {{120, 300, {8}}}) == Times{120});
        CHECK(starts_with(policy, both, {{120, 300, {8}}}) == Times{120});
    }
}

TEST_CASE("processors that drain are out once") {
    // Job 0 has 0 to 7 until 500, and they fail 100 … 400: 8 to 15 are free for job 1.
    const Outages drained{.listed = {failure(100, 400, 0, 8)}};
    // 0 to 7 are to be serviced 100 … 200 and the others 50 … 60. Job 0 has the others when job 1
    // comes, which has 0 to 7 until 300: the others are free for job 2.
    const Outages serviced{.listed = {planned(100, 200, 0, 8), planned(50, 60, 8, 8)}};
    const Jobs three{{0, 20, {8}}, {10, 290, {8}}, {120, 10, {8}}};
    for (const char* policy : planners) {
        CAPTURE(policy);
        CHECK(starts_with(policy, drained, {{0, 500, {8}}, {120, 10, {8}}}) == Times{0, 120});
        CHECK(starts_with(policy, serviced, three) == Times{0, 10, 120});
    }
}

TEST_CASE("processors that a job will leave out of order are not counted on") {
    // Of 16, 0 to 7 fail for good at 100; job 0 drains on them until 200. Job 1 has 8 to 11 until
    // 300: job 2 of eight cannot start before. Job 3 of four for 1000 would delay it: it waits.
    const Outages drained{.listed = {failure(100, 1e6, 0, 8)}};
    const Jobs jobs{{0, 200, {8}}, {0, 300, {4}}, {120, 10, {8}}, {130, 1000, {4}}};
    for (const char* policy : planners) {
        CAPTURE(policy);
        CHECK(starts_with(policy, drained, jobs) == Times{0, 0, 300, 310});
    }
}

TEST_CASE("a job that planned outages leave room for waits for the repair where it lacks it") {
    // Of 16, 0 to 7 fail 100 … 400, and four of the others are serviced every 1000. Job 0 of eight
    // for 1500 comes at 120. While the failure lasts, it has room at no time: it begins after the
    // repair, and job 1 does not wait for it. Where the four are among those that failed, it begins
    // at once, on all that are left, and job 1 after the repair.
    Outage weekly = planned(1000, 1100, 8, 4);
    weekly.every = 1000;
    const Jobs jobs{{120, 1500, {8}}, {130, 50, {4}}};
    for (const char* policy : planners) {
        CAPTURE(policy);
        const Outage failed = failure(100, 400, 0, 8);
        CHECK(starts_with(policy, {.listed = {failed, weekly}}, jobs) == Times{400, 130});
        weekly.first_processor = 4;
        CHECK(starts_with(policy, {.listed = {failed, weekly}}, jobs) == Times{120, 400});
        weekly.first_processor = 8;
    }
}

TEST_CASE("policies that plan put jobs where no planned outage comes in their way") {
    // 0 to 7 are out 100 … 200. A job of eight for 300 has the others, and is not cut; under FCFS
    // it has 0 to 7, is cut at 100 and begins anew.
    const Outages low{.listed = {planned(100, 200, 0, 8)}, .running = RunningJobs::cut};
    // 8 to 15 are out: job 0, which will have ended by then, leaves the others to job 1.
    const Outages high{.listed = {planned(100, 200, 8, 8)}, .running = RunningJobs::cut};
    for (const char* policy : planners) {
        CAPTURE(policy);
        CHECK(starts_with(policy, low, {{0, 300, {8}}}) == Times{0});
        CHECK(starts_with(policy, high, {{0, 50, {8}}, {0, 300, {8}}}) == Times{0, 0});
    }
    CHECK(starts_with("fcfs", low, {{0, 300, {8}}}) == Times{100});
}

TEST_CASE("policies that plan start every job when the plain implementation does, whatever is out"
) {
    for (const char* policy : planners) {
        CAPTURE(policy);
        for (std::uint64_t seed = 0; seed < short_or_long(120U, 1200U); ++seed) {
            CAPTURE(seed);
            Dice dice(seed);
            const Windows windows = dice.below(4) == 0 ? Windows::tight : Windows::rare;
            const TestCell cell = random_outage_cell(dice, windows);
            Parameters parameters;
            const std::array words = {"batch", "finish_first", "submit_first"};
            parameters.set("simultaneous", words[dice.below(3)]);
            REQUIRE_NOTHROW(starts_of(policy, parameters, cell));
        }
    }
}

TEST_CASE("policies that plan do so in partitions, whatever is out") {
    for (const char* policy : planners) {
        CAPTURE(policy);
        for (std::uint64_t seed = 0; seed < short_or_long(100U, 1000U); ++seed) {
            CAPTURE(seed);
            Dice dice(seed);
            TestCell cell = random_outage_cell(dice, Windows::rare);
            if (cell.system.clusters.size() > 1) {
                continue;
            }
            const std::uint32_t half = cell.system.processors() / 2;
            for (GivenJob& job : cell.jobs) {
                job.components.front() = std::min(job.components.front(), half);
                job.queue = dice.below(2);
            }
            Parameters parameters;
            parameters.set("inner", choices({choice(policy)}));
            parameters.set("processors", numbers({cell.system.processors() - half, half}));
            parameters.set("route", "queue");
            REQUIRE_NOTHROW(starts_of("partitions", parameters, cell));
        }
    }
}

TEST_CASE("a plan reaches beyond outages that come again, and a job too long for them is an error"
) {
    const Outage weekly{.from = 5, .until = 7, .count = 1, .every = 10, .is_planned = true};
    // Between two outages there are 8: 0 … 5, 7 … 15, 17 … 25.
    CHECK(
        starts_around("conservative", weekly, {{0, 8, {1}}, {0, 8, {1}}, {0, 5, {1}}}, 1)
        == Times{7, 17, 0}
    );
    CHECK_THROWS_WITH(
        starts_around("conservative", weekly, {{0, 9, {1}}}, 1),
        doctest::Contains("job 0 (counted from 0, submitted at 0) asks for 1 processors for 9, "
                          "which no time between planned")
    );
}

TEST_CASE("plans that failures spoil are made anew") {
    // Two processors; 1 is out 2 … 8, unforeseen. Job 0 has both until 4. Job 1 wants both: planned
    // for 4, then for never, starts at 8. Job 2, of one for 3, comes at 3 and starts at 4.
    const Outage sudden{.from = 2, .until = 8, .first_processor = 1, .count = 1};
    const Jobs jobs{{0, 4, {2}}, {1, 5, {2}}, {3, 3, {1}}};
    CHECK(starts_around("conservative", sudden, jobs, 2) == Times{0, 8, 4});
    CHECK(starts_around("easy", sudden, jobs, 2) == Times{0, 8, 4});
}

}  // namespace schedfarm::tests
