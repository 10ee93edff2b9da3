// Bin filling by hand, and through the kernel against a plain loop.
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/simulation/bin_filling_recorder.hpp"

#include "tests/engine/simulation/systems.hpp"

namespace schedfarm::tests {

namespace {

Experiment fills_of(std::uint64_t fills) {
    Experiment experiment;
    experiment.kind = ExperimentKind::bin_filling;
    experiment.horizon.fills = fills;
    return experiment;
}

SimulationSetup bin_setup(std::uint32_t processors, std::uint64_t fills) {
    SimulationSetup setup;
    setup.system.clusters = {processors};
    setup.experiment = fills_of(fills);
    return setup;
}

// Sizes 1 … 4 by a linear congruential generator.
std::vector<GivenJob> random_jobs(std::size_t count) {
    std::vector<GivenJob> jobs;
    std::uint32_t state = 7;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        jobs.push_back({0, 1 + (state >> 30), 1});
    }
    return jobs;
}

}  // namespace

TEST_CASE("two rows of fills by hand") {
    // P = 4, 17 fills: row 0 has fills 0 and 16, the others one. Row 0 offers 2 1 2: placed 2, idle
    // 1, the last dropped; then 3 1 1: placed 2, idle 0. Each other row offers 4 1: placed 1, idle
    // 0.
    const std::vector<std::uint32_t> row_0 = {2, 1, 2, 3, 1, 1};
    const std::vector<std::uint32_t> other = {4, 1, 4, 4, 4, 4};
    std::vector<GivenJob> jobs;
    for (std::size_t t = 0; t < row_0.size(); ++t) {
        for (std::size_t row = 0; row < bin_rows; ++row) {
            jobs.push_back({0, row == 0 ? row_0[t] : other[t], 1});
        }
    }
    FirstComeFirstServed policy;
    const Observations result = run(bin_setup(4, 17), jobs, policy).observations;
    // Idle: one fill of 17 has 1 of 4. Variance of the idle processors (1 − 1/17)/16 = 1/17.
    REQUIRE(result.values.size() == 4);
    CHECK(result.values[0] == 1.0 / 17 / 4);
    CHECK(result.values[1] == doctest::Approx(std::sqrt(1.0 / 17) / 4).epsilon(1e-15));
    CHECK(result.values[2] == 1 - 1.0 / 17 / 4);
    CHECK(result.values[3] == 19.0 / 17);
    CHECK(result.jobs == 19);
    // Row 0: (2 << 16) + 1, then that times the factor plus (2 << 16) + 0.
    const std::uint32_t first = 2U << 16 | 1U;
    std::uint64_t fingerprint = mix(std::uint64_t{first * 0x9e3779b1U + (2U << 16)} + 1);
    for (std::uint64_t row = 1; row < bin_rows; ++row) {
        fingerprint += mix((row << 32) + (1U << 16) + 1);
    }
    CHECK(result.fingerprint == fingerprint);
}

TEST_CASE("a fill is driven as one arrival after the other and emptied in between") {
    // P = 4, one fill of row 0: 2, 1, then 2 does not fit. It runs alone at 1–2.
    std::vector<GivenJob> jobs(48, GivenJob{0, 4, 1});
    jobs[0].size = 2;
    jobs[16].size = 1;
    jobs[32].size = 2;
    FirstComeFirstServed policy;
    CHECK(
        run(bin_setup(4, 1), jobs, policy).lines
        == Lines{
            "0 arrival 0",
            "0 start 0",
            "0 arrival 16",
            "0 start 16",
            "0 arrival 32",
            "1 completion 0",
            "1 completion 16",
            "1 start 32",
            "2 completion 32",
            "end"}
    );
}

TEST_CASE("the kernel fills bins as a plain loop does") {
    constexpr std::uint64_t fills = 1003;
    const std::vector<GivenJob> jobs = random_jobs(40000);
    FirstComeFirstServed policy;
    const Observations kernel = run(bin_setup(16, fills), jobs, policy).observations;

    BinFillingRecorder recorder(fills_of(fills), SystemDescription{.clusters = {16}});
    for (std::uint64_t row = bin_rows; row-- > 0;) {
        std::uint64_t t = 0;
        for (std::uint64_t fill = row; fill < fills; fill += bin_rows) {
            std::uint32_t idle = 16;
            std::uint32_t placed = 0;
            while (jobs[t * bin_rows + row].size <= idle) {
                idle -= jobs[t++ * bin_rows + row].size;
                ++placed;
            }
            ++t;
            recorder.add(row, placed, idle);
        }
    }
    CHECK(recorder.finish() == kernel);
}

TEST_CASE("rows may be handed in whole and a single changed fill shows") {
    const Experiment experiment = fills_of(32);
    const SystemDescription system{.clusters = {8}};
    const auto finish = [&](std::uint32_t last_idle) {
        BinFillingRecorder recorder(experiment, system);
        for (std::uint64_t row = 0; row < bin_rows; ++row) {
            BinFillingRow sums;
            sums.add(3, static_cast<std::uint32_t>(row % 3));
            sums.add(2, row == 5 ? last_idle : 1);
            recorder.set_row(row, sums);
        }
        return recorder.finish();
    };
    CHECK(finish(1) == finish(1));
    CHECK(finish(1).fingerprint != finish(2).fingerprint);
    CHECK_THROWS_AS(BinFillingRecorder(experiment, system).finish(), ContractViolation);
}

TEST_CASE("the spread of a single fill does not exist") {
    std::vector<GivenJob> jobs(32, GivenJob{0, 4, 1});
    FirstComeFirstServed policy;
    const Observations result = run(bin_setup(4, 1), jobs, policy).observations;
    CHECK(std::isnan(result.values[1]));
}

TEST_CASE("a policy that leaves a job in front of an empty machine cannot fill bins") {
    std::vector<GivenJob> jobs(32, GivenJob{0, 4, 1});
    const auto idle = [](const EventBatch& /*events*/, Actions& /*actions*/) {
    };
    CHECK_THROWS_WITH_AS(
        run(bin_setup(4, 1), jobs, idle),
        doctest::Contains("waiting in front of an empty machine"),
        ContractViolation
    );
}

}  // namespace schedfarm::tests
