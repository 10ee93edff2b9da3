// Scojo-PECT on the general kernel against a second-by-second program, job by job.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "policies/scojo/scojo_pect.hpp"

#include "tests/policies/scojo/scojo_runs.hpp"

namespace schedfarm::tests {

namespace {

constexpr std::array allocators = {"first_free", "intelligent", "memory_aware"};
constexpr std::array fits = {"best_fit", "worst_fit", "first_fit"};

int between(Dice& dice, int low, int high) {
    return low + static_cast<int>(dice.below(static_cast<std::uint64_t>(high - low + 1)));
}

/// Slices are longer than twice the longest load, and sometimes one or two types.
ScojoCell random_scojo_cell(Dice& dice) {
    ScojoCell cell;
    cell.nodes = between(dice, 4, 16);
    cell.memory = dice.below(3) == 0 ? 0 : 40;
    cell.rate = between(dice, 4, 6);
    cell.slices = {between(dice, 21, 40), between(dice, 21, 50), between(dice, 21, 60)};
    cell.thresholds = {20, 60};
    if (dice.below(8) == 0) {
        cell.slices.pop_back();
        cell.thresholds.pop_back();
    }
    cell.is_printed = dice.below(5) == 0;
    cell.is_easy = dice.below(2) == 0;
    cell.allocator = allocators.at(dice.below(allocators.size()));
    cell.first_stage = fits.at(dice.below(fits.size()));
    cell.second_stage = fits.at(dice.below(fits.size()));
    if (!cell.is_printed) {
        cell.prefetch = cell.memory > 0 && dice.below(3) == 0 ? between(dice, 1, 20) : 0;
        cell.relocates = dice.below(3) == 0;
    }
    return cell;
}

std::vector<ScojoJob> random_jobs(Dice& dice, const ScojoCell& cell, bool are_estimated) {
    std::vector<ScojoJob> jobs;
    int submit = 0;
    const int spread = between(dice, 1, 40);
    for (int left = between(dice, 2, 40); left > 0; --left) {
        submit += between(dice, 0, spread);
        constexpr std::array longest = {19, 59, 150};
        const int run = between(dice, 1, longest.at(dice.below(longest.size())));
        const int widest = dice.below(3) == 0 ? cell.nodes : (cell.nodes + 1) / 2;
        ScojoJob job = scojo_job(submit, between(dice, 1, widest), run);
        job.memory = dice.below(10) == 0 ? 0 : between(dice, 1, cell.memory == 0 ? 1 : cell.memory);
        job.estimate = are_estimated ? std::max(1, run + between(dice, -10, 30)) : 0;
        jobs.push_back(job);
    }
    return jobs;
}

}  // namespace

TEST_CASE("2,000 random workloads, job by job, under all verifiers") {
    std::uint64_t livelocks = 0;       // wide jobs that several others displace
    std::array<double, 2> overhead{};  // that the cases say something
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const ScojoCell cell = random_scojo_cell(dice);
        const std::vector<ScojoJob> jobs = random_jobs(dice, cell, dice.below(4) == 0);
        SpanLog log(jobs.size());
        Observations found;
        try {
            found = run_general(scojo_policy(cell), test_cell(cell, jobs), &log);
        } catch (const policies::LivelockError&) {
            ++livelocks;
            continue;
        }
        REQUIRE(log.spans() == plain_spans(cell, jobs));
        if (cell.memory > 0) {
            PlainScojo plain(cell, jobs);
            double total = 0;
            double reducible = 0;
            for (const ScojoJob& job : plain.run()) {
                const int first = (job.memory + cell.rate - 1) / cell.rate;
                total += job.overhead;
                reducible += std::max(0, job.overhead - first);
            }
            const std::size_t columns = 4 + 2 * (cell.slices.size());
            const double* const published = &found.values[found.values.size() - columns];
            REQUIRE(published[0] == total);
            REQUIRE(published[1] == reducible);
            overhead[0] += total;
            overhead[1] += reducible;
        }
    }
    CHECK(livelocks <= 5);
    CHECK(overhead[1] > 0.2 * overhead[0]);
}

TEST_CASE("300 random workloads with prefetching and 300 with relocation, job by job") {
    for (const bool prefetches : {true, false}) {
        int changed = 0;  // by what is looked at
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            CAPTURE(prefetches);
            CAPTURE(seed);
            Dice dice(10'000 + seed);
            ScojoCell cell = random_scojo_cell(dice);
            cell.memory = 40;
            cell.is_printed = false;
            cell.prefetch = prefetches ? between(dice, 1, 20) : 0;
            cell.relocates = !prefetches;
            const std::vector<ScojoJob> jobs = random_jobs(dice, cell, dice.below(4) == 0);
            Spans spans;
            try {
                spans = scojo_spans(cell, jobs);
            } catch (const policies::LivelockError&) {
                continue;
            }
            REQUIRE(spans == plain_spans(cell, jobs));
            cell.prefetch = 0;
            cell.relocates = false;
            changed += spans == plain_spans(cell, jobs) ? 0 : 1;
        }
        CHECK(changed > 100);
    }
}

}  // namespace schedfarm::tests
