// Bounds that policies for moldable jobs publish beside what they reach, to the last bit: makespans
// of exactly the bound are common (one processor; equal jobs), where one rounding more or less
// decides.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/moldable/moldable_runs.hpp"

namespace schedfarm::tests {

namespace {

/// Times with all bits set, so that every sum is rounded. Speedups: none, linear up to some
/// number of processors, or by steps.
std::vector<GivenMoldable> random_jobs(Dice& dice, std::uint32_t processors, double submit) {
    const auto real = [&dice] {
        return (1 + dice.below(1'000'000)) / 777'777.0;
    };
    const std::uint32_t speedup = dice.below(3);
    std::vector<GivenMoldable> jobs(1 + dice.below(40));
    for (GivenMoldable& job : jobs) {
        job.submit_time = submit;
        job.weight = real();
        const double alone = real();
        const std::uint32_t most = 1 + dice.below(processors);
        for (std::uint32_t k = 1; k <= processors; ++k) {
            const double linear = alone / std::min(k, most);
            const double steps = alone / (1 + (k - 1) / 2 * 0.9);
            job.times.push_back(speedup == 0 ? alone : speedup == 1 ? linear : steps);
        }
    }
    return jobs;
}

std::vector<std::pair<std::string, Parameters>> settings_of_all() {
    std::vector<std::pair<std::string, Parameters>> result;
    for (const char* name : {"moldable_gang", "moldable_sequential", "moldable_shelves"}) {
        result.emplace_back(name, moldable_settings({{"bounds", "all"}}));
    }
    for (const char* compaction : {"strict", "graham"}) {
        result.emplace_back(
            "demt", moldable_settings({{"bounds", "all"}, {"compaction", compaction}})
        );
    }
    for (const char* order : {"shelves", "largest_time", "smallest_area"}) {
        result.emplace_back(
            "moldable_list", moldable_settings({{"bounds", "all"}, {"order", order}})
        );
    }
    return result;
}

}  // namespace

TEST_CASE("no schedule undercuts a published bound by a single bit") {
    int met_exactly = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(seed % 2 == 0 ? 2 : 12);
        const auto jobs = random_jobs(dice, processors, 0);
        for (const auto& [name, given] : settings_of_all()) {
            CAPTURE(name);
            const auto run = run_moldable(name, given, processors, jobs);
            const std::vector<double>& values = run.observations.values;
            REQUIRE(values.size() == 10);
            CHECK(values[0] >= values[2]);
            CHECK(values[1] >= values[6]);
            CHECK(values[1] >= values[8]);
            for (const std::size_t ratio : {3U, 7U, 9U}) {
                CHECK(values[ratio] >= 1);
            }
            met_exactly += values[3] < 1 + 1e-12 ? 1 : 0;
        }
    }
    CHECK(met_exactly > 500);
}

TEST_CASE("the clock's own rounding undercuts no published bound") {
    // All jobs arrive at once, late, where the clock shows ends with half as many digits.
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(seed % 2 == 0 ? 2 : 12);
        const auto jobs = random_jobs(dice, processors, 12'345'678.9);
        for (auto& [name, given] : settings_of_all()) {
            CAPTURE(name);
            const auto run = run_moldable(name, given, processors, jobs, ExperimentKind::open);
            const std::vector<double>& values = run.observations.values;
            for (const std::size_t ratio : {7U, 3U, 1U}) {
                CHECK(values[values.size() - ratio] >= 1);
            }
        }
    }
}

}  // namespace schedfarm::tests
