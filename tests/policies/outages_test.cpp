// Every policy that does not preempt, over random workloads with random outages, under all
// verifiers; and what policies that plan make of outages that they know ahead.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

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

Times starts_around(const char* policy, const Outage& outage, Jobs jobs, std::uint32_t processors) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.system.outages.listed = {outage};
    cell.jobs = std::move(jobs);
    return starts_of(policy, {}, std::move(cell));
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
    const Outage planned{.from = 10, .until = 20, .count = 2, .is_planned = true};
    const Jobs jobs{{0, 12, {1}}, {0, 10, {2}}};
    for (const char* policy : {"easy", "conservative", "k_reservations"}) {
        CAPTURE(policy);
        CHECK(starts_around(policy, planned, jobs, 2) == Times{20, 0});
    }
    Outage sudden = planned;
    sudden.is_planned = false;
    for (const char* policy : {"easy", "conservative", "fcfs", "sjf"}) {
        CAPTURE(policy);
        const bool is_shortest_first = std::string(policy) == "sjf";
        CHECK(
            starts_around(policy, sudden, jobs, 2)
            == (is_shortest_first ? Times{20, 0} : Times{0, 20})
        );
    }
    CHECK(starts_around("fcfs", planned, jobs, 2) == Times{0, 20});
}

TEST_CASE("a planned outage of some processors leaves the others to jobs") {
    // Three processors, 0 and 1 out 10 … 20. Job 0 takes one until 15: it does not matter by count.
    // Job 1, of two for 11, is planned for 20, job 2, of two for 10, for 0.
    const Outage planned{.from = 10, .until = 20, .count = 2, .is_planned = true};
    const Jobs jobs{{0, 15, {1}}, {0, 11, {2}}, {0, 10, {2}}};
    CHECK(starts_around("conservative", planned, jobs, 3) == Times{0, 20, 0});
    CHECK(starts_around("easy", planned, jobs, 3) == Times{0, 20, 0});
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
        doctest::Contains("job 0 asks for 1 processors for 9, which no time between planned")
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
