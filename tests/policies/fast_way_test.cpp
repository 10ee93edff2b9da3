// Every fast way against the general kernel, over random small cells, to the bit. Names no policy.
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

constexpr std::array structures = {
    RequestStructure::total,
    RequestStructure::ordered,
    RequestStructure::unordered,
    RequestStructure::grouped};
constexpr std::array kinds = {
    ExperimentKind::bin_filling,
    ExperimentKind::open,
    ExperimentKind::saturated,
    ExperimentKind::trace,
    ExperimentKind::offline};

/// Equal to the bit, NaN included.
bool are_same(const Observations& a, const Observations& b) {
    if (a.values.size() != b.values.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        if (std::bit_cast<std::uint64_t>(a.values[i])
            != std::bit_cast<std::uint64_t>(b.values[i])) {
            return false;
        }
    }
    return a.fingerprint == b.fingerprint && a.jobs == b.jobs;
}

/// Random values for every parameter; integers are small.
Parameters random_parameters(Dice& dice, const PolicyDescription& policy) {
    Parameters parameters;
    for (const ParameterDescription& parameter : policy.alternative.parameters) {
        if (parameter.type == ParameterType::boolean) {
            parameters.set(parameter.name, dice.below(2) == 0);
        } else if (parameter.type == ParameterType::integer) {
            parameters.set(parameter.name, static_cast<int>(dice.below(10)));
        } else if (parameter.type == ParameterType::text && !parameter.words.empty()) {
            const auto words = static_cast<std::uint32_t>(parameter.words.size());
            parameters.set(parameter.name, parameter.words[dice.below(words)]);
        }
    }
    return parameters;
}

/// Compares one random cell; 0 where the policy has no fast way, else 1.
std::uint64_t compare(
    const PolicyDescription& description,
    ExperimentKind kind,
    RequestStructure structure,
    std::uint64_t seed,
    std::uint32_t most_jobs
) {
    Dice dice(seed);
    const TestCell cell = random_cell(dice, kind, structure, most_jobs);
    const PolicyUnderTest policy(description, random_parameters(dice, description));
    const auto fast = fast_way_of(policy, cell);
    if (!fast) {
        return 0;
    }
    CAPTURE(description.alternative.name);
    CAPTURE(policy.parameters.text());
    CAPTURE(static_cast<int>(kind));
    CAPTURE(static_cast<int>(structure));
    CAPTURE(seed);
    const Observations general = run_general(policy, cell);
    const auto workload = cell.workload();
    REQUIRE(are_same(general, fast->run(cell.experiment, cell.probes, *workload)));
    return 1;
}

std::uint64_t compare_many(
    const PolicyDescription& description,
    ExperimentKind kind,
    RequestStructure structure,
    std::uint64_t cells,
    std::uint32_t most_jobs
) {
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 0; seed < cells; ++seed) {
        compared += compare(description, kind, structure, seed, most_jobs);
    }
    return compared;
}

}  // namespace

TEST_CASE("fast ways give the same bits as the general kernel on random cells") {
    std::uint64_t compared = 0;
    for (const PolicyDescription& description : policies::catalogue()) {
        for (const ExperimentKind kind : kinds) {
            for (const RequestStructure structure : structures) {
                compared += compare_many(description, kind, structure, 150, 60);
            }
        }
    }
    MESSAGE(compared << " cells compared");
    CHECK(compared > 5000);
}

TEST_CASE("fast ways give the same bits as the general kernel with long queues") {
    std::uint64_t compared = 0;
    for (const PolicyDescription& description : policies::catalogue()) {
        for (const ExperimentKind kind : {ExperimentKind::open, ExperimentKind::saturated}) {
            for (const RequestStructure structure :
                 {RequestStructure::total, RequestStructure::unordered}) {
                compared += compare_many(description, kind, structure, 20, 1500);
            }
        }
    }
    CHECK(compared >= 100);
}

TEST_CASE("asking for probes does not change the numbers of a fast way") {
    for (const PolicyDescription& description : policies::catalogue()) {
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Dice dice(seed);
            TestCell cell = random_cell(dice, ExperimentKind::open, RequestStructure::total);
            const PolicyUnderTest policy(description, {});
            cell.probes = {};
            cell.probes.requests.emplace_back();  // the response time
            const auto fast = fast_way_of(policy, cell);
            if (!fast) {
                continue;
            }
            const auto few_workload = cell.workload();
            const Observations few = fast->run(cell.experiment, cell.probes, *few_workload);
            const auto all_workload = cell.workload();
            const Observations all = fast->run(cell.experiment, all_probes(), *all_workload);
            REQUIRE(few.values.size() == 2);  // backlog growth and response time, the first of all
            Observations start_of_all = all;
            start_of_all.values.resize(2);
            REQUIRE(are_same(few, start_of_all));
        }
    }
}

}  // namespace schedfarm::tests
