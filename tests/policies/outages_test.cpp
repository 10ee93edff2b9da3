// Every policy that does not preempt, over random workloads with random outages, under all
// verifiers; and policies that plan beside a plain implementation. By hand: tests/cases.
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
    for (const PolicyDescription& description : policies_under_test()) {
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

}  // namespace schedfarm::tests
