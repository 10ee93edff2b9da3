// Advance reservations over random workloads against the plain plan of the verifier
// (tests/policies/verifiers/plain_reservations_verifier.cpp). By hand: tests/cases.
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

struct Outcome {
    Times starts;
    double refused = 0;
    double missed = 0;
};

Outcome run(const char* policy, const Parameters& parameters, std::uint32_t processors, Jobs jobs) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = jobs.size();
    cell.jobs = std::move(jobs);
    StartTimes log(cell.jobs.size());
    const Observations seen = run_general({policy_named(policy), parameters}, cell, &log);
    const std::size_t columns = seen.values.size();
    return {log.starts(), seen.values.at(columns - 2), seen.values.at(columns - 1)};
}

constexpr std::array policies = {"easy", "conservative", "k_reservations", "selective"};

}  // namespace

TEST_CASE("only policies that plan around reservations say so") {
    std::vector<std::string> keep;
    for (const PolicyDescription& description : policies_under_test()) {
        const PolicyUnderTest policy(description, {});
        if (description.traits(policy.parameters).keeps_fixed_starts) {
            keep.push_back(description.alternative.name);
        }
    }
    CHECK(
        keep
        == std::vector<std::string>{
            "managers",
            "easy",
            "conservative",
            "k_reservations",
            "selective",
            "calendar"}
    );
    const PolicyUnderTest sorted(policy_named("easy"), with_words({{"order", "sjf"}}));
    CHECK(!sorted.description->traits(sorted.parameters).keeps_fixed_starts);
}

// Jobs that did not start at their fixed time were refused or missed, all of them.
TEST_CASE("reservations are kept or counted and the rest keeps to a plain plan") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        const bool are_long_enough = dice.below(4) > 0;
        for (GivenJob& job : jobs) {
            if (are_long_enough) {
                job.estimate = std::max(*job.estimate, job.service_time);
            }
            if (dice.below(4) == 0) {
                job.fixed_start = job.submit_time + dice.below(30) - (dice.below(20) == 0 ? 1 : 0);
            }
        }
        jobs.front().fixed_start = jobs.front().submit_time;
        const Parameters parameters = with_words(
            {{"simultaneous", std::vector{"batch", "finish_first", "submit_first"}[dice.below(3)]}}
        );
        const char* policy = policies[dice.below(policies.size())];
        CAPTURE(policy);
        const Outcome outcome = run(policy, parameters, processors, jobs);
        double elsewhere = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            REQUIRE(outcome.starts[i] >= jobs[i].submit_time);
            const bool is_reserved = jobs[i].fixed_start != no_fixed_start;
            elsewhere += is_reserved && outcome.starts[i] != jobs[i].fixed_start ? 1 : 0;
        }
        REQUIRE(elsewhere <= outcome.refused + outcome.missed);
        REQUIRE((outcome.missed == 0 || !are_long_enough));
    }
}

}  // namespace schedfarm::tests
