// The gang scheduling policies against the second-by-second reference over random workloads, under
// all verifiers; and with all times doubled.
#include <array>
#include <cmath>
#include <cstdint>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_cells.hpp"
#include "tests/policies/gang/plain_bound_gang.hpp"
#include "tests/policies/gang/plain_migration_gang.hpp"
#include "tests/policies/gang/single_actions.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

/// The name of a policy and its parameters.
const char* random_policy(Dice& dice, const GangCell& cell, Parameters& parameters) {
    if (dice.below(3) == 0) {
        const std::array<const char*, 3> orders = {"leaves", "root", "adaptive"};
        const char* const order = orders.at(dice.below(3));
        parameters = gang_policy("migration_gang", cell.cycle, "order", order).parameters;
        return "migration_gang";
    }
    const char* const name = dice.below(2) == 0 ? "vanilla_gang" : "push_down_gang";
    const char* const assignment = dice.below(2) == 0 ? "first_fit" : "weight";
    parameters = gang_policy(name, cell.cycle, "assignment", assignment).parameters;
    return name;
}

void expect_migration_as_reference(const GangCell& cell) {
    REQUIRE(
        completions(cell, "migration_gang", "order", "leaves")
        == PlainMigration(cell.cycle, cell.jobs, PlainOrder::leaves).completions()
    );
    REQUIRE(
        completions(cell, "migration_gang", "order", "root")
        == PlainMigration(cell.cycle, cell.jobs, PlainOrder::root).completions()
    );
    REQUIRE(
        completions(cell, "migration_gang", "order", "adaptive")
        == PlainMigration(cell.cycle, cell.jobs, PlainOrder::adaptive).completions()
    );
}

void expect_bound_as_reference(const GangCell& cell) {
    expect_as_reference<PlainVanilla>("vanilla_gang", cell);
    expect_as_reference<PlainPushDown>("push_down_gang", cell);
}

}  // namespace

TEST_CASE("migration completes every job when the reference does") {
    for_random(
        schedfarm::tests::short_or_long(700U, 2000U),
        random_gang_cell,
        expect_migration_as_reference
    );
}

TEST_CASE("migration completes every job when the reference does under any reading") {
    for_random(
        schedfarm::tests::short_or_long(700U, 2000U), random_reading, expect_migration_as_reference
    );
}

// Fractions, quanta that change from day to day and limits of the queue; with short slices, which
// the random cells of other tests do not have.
TEST_CASE("a switch gives the same bits as its actions one by one") {
    std::uint64_t overflows = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell plain = dice.below(2) == 0 ? random_gang_cell(dice) : random_reading(dice);
        Parameters parameters;
        const char* const name = random_policy(dice, plain, parameters);
        const bool follows_load = plain.cycle.slices.empty() && dice.below(3) == 0;
        if (follows_load) {
            parameters.set("quanta", "utilization");
            parameters.set(
                "smallest_quantum_s", plain.cycle.is_longer_by_costs ? 1 : plain.cycle.cost + 1
            );
        }
        TestCell cell = gang_cell(
            static_cast<std::uint32_t>(plain.cycle.processors),
            plain.jobs,
            dice.below(2) == 0 ? 1 : 0.7
        );
        for (GivenJob& job : cell.jobs) {
            job.submit_time *= follows_load ? 4000 : 1;
            job.job_class = dice.below(3);
        }
        cell.experiment.horizon.queue_limit = dice.below(3) == 0 ? 1 + dice.below(8) : 0;
        cell.probes = all_probes();
        cell.complete();
        const PolicyUnderTest policy(policy_named(name), parameters);
        const PolicyDescription description = with_single_actions(*policy.description);
        const Observations switched = run_general(policy, cell);
        const Observations single = run_general({description, parameters}, cell);
        REQUIRE(switched.fingerprint == single.fingerprint);
        REQUIRE(switched.overflow == single.overflow);
        REQUIRE(switched.events == single.events);
        REQUIRE(switched.values.size() == single.values.size());
        for (std::size_t i = 0; i < switched.values.size(); ++i) {
            const bool are_both_nan =
                std::isnan(switched.values[i]) && std::isnan(single.values[i]);
            REQUIRE((are_both_nan || switched.values[i] == single.values[i]));
        }
        overflows += switched.overflow ? 1U : 0U;
    }
    CHECK(overflows > 50);
}

// What processors do for a class in all is the service of its jobs.
TEST_CASE("the busy time of a class under preemption is the service of its jobs") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell plain = random_gang_cell(dice);
        plain.cycle.cost = 0;
        Parameters parameters;
        const char* const name = random_policy(dice, plain, parameters);
        TestCell cell = gang_cell(static_cast<std::uint32_t>(plain.cycle.processors), plain.jobs);
        cell.experiment.kind = ExperimentKind::offline;
        cell.probes.requests.push_back(
            {.metric = Metric::gross_utilization, .quantiles = {}, .per_class = true}
        );
        cell.jobs.front().job_class = 2;
        std::array<double, 3> work = {0, 0, 0};
        for (GivenJob& job : cell.jobs) {
            job.job_class = &job == &cell.jobs.front() ? 2 : dice.below(3);
            work.at(job.job_class) += job.size() * job.service_time;
        }
        const Observations observed =
            run_general(PolicyUnderTest(policy_named(name), parameters), cell);
        const double area = plain.cycle.processors * observed.values.front();  // until the makespan
        for (std::size_t c = 0; c < work.size(); ++c) {
            REQUIRE(observed.values.at(3 + c) == doctest::Approx(work.at(c) / area).epsilon(1e-12));
        }
    }
}

TEST_CASE("jobs bound to nodes complete when the reference says") {
    for_random(schedfarm::tests::short_or_long(700U, 2000U), random_gang_cell, [](GangCell cell) {
        cell.cycle.refills = true;
        expect_bound_as_reference(cell);
    });
}

TEST_CASE("jobs bound to nodes complete when the reference says under any reading") {
    for_random(
        schedfarm::tests::short_or_long(700U, 2000U), random_reading, expect_bound_as_reference
    );
}

// An uneven cycle gives its odd seconds to the first rows, so that only even ones can be doubled.
TEST_CASE("doubling all times doubles all completions") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell cell = random_gang_cell(dice);
        cell.cycle.cycle -= cell.cycle.cycle % cell.rows;
        for (const PolicyDescription& description : policies_under_test()) {
            Parameters parameters;
            parameters.set("timeplexing_cycle_s", cell.cycle.cycle);
            parameters.set("slice_s", cell.cycle.cost + 10);
            parameters.set("switch_cost_s", cell.cycle.cost);
            Parameters doubled;
            doubled.set("timeplexing_cycle_s", 2 * cell.cycle.cycle);
            doubled.set("slice_s", 2 * (cell.cycle.cost + 10));
            doubled.set("switch_cost_s", 2 * cell.cycle.cost);
            if (!description.traits(with_defaults(description.alternative.parameters)).preemptive) {
                continue;
            }
            const auto processors = static_cast<std::uint32_t>(cell.cycle.processors);
            Times once = gang_completions({description, parameters}, processors, cell.jobs);
            for (double& time : once) {
                time *= 2;
            }
            REQUIRE(once == gang_completions({description, doubled}, processors, cell.jobs, 2));
        }
    }
}

TEST_CASE("doubling all times doubles all completions under any reading") {
    for_random(1000, random_reading, [](const GangCell& cell) {
        expect_doubled(cell, "vanilla_gang", "assignment", "first_fit");
        expect_doubled(cell, "push_down_gang", "assignment", "weight");
        expect_doubled(cell, "migration_gang", "order", "adaptive");
    });
}

}  // namespace schedfarm::tests
