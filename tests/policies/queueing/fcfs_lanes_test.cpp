// Starts in lanes by hand: no two numbers of a case are the same, and no two lanes.
#include "policies/queueing/fcfs_lanes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::policies {

namespace {

using Times = std::vector<double>;

/// One replication: its jobs, and where they start.
struct LaneByHand {
    Times submit;
    Times service;
    std::vector<std::uint32_t> size;
    Times start;
};

/// The starts in the first lanes, given `counts` jobs at a time. REQUIRES: as many jobs in each.
std::vector<Times> starts_of(
    std::uint32_t processors,
    const std::vector<LaneByHand>& replications,
    const std::vector<std::size_t>& counts
) {
    const std::size_t jobs = replications.front().submit.size();
    const Times no_times(jobs);
    const std::vector<std::uint32_t> no_sizes(jobs);
    Times unused(jobs);
    std::vector<Times> starts(replications.size(), Times(jobs));
    FcfsLanes lanes(processors);
    std::size_t at = 0;
    for (const std::size_t count : counts) {
        std::array<FcfsLanes::Jobs, FcfsLanes::most_lanes> columns;
        columns.fill({no_times.data(), no_times.data(), no_sizes.data(), unused.data()});
        for (std::size_t lane = 0; lane < replications.size(); ++lane) {
            const LaneByHand& own = replications[lane];
            columns[lane] = {&own.submit[at], &own.service[at], &own.size[at], &starts[lane][at]};
        }
        lanes.start_next(columns, count);
        at += count;
    }
    return starts;
}

}  // namespace

// First lane, 10 processors: the third job waits for the 4 of the second (until 9), the fourth fits
// beside the first (3, until 21) and the third (5, until 20), the fifth takes all when the fourth
// has ended at 42, and the sixth waits behind it until 48. Second lane: the second job waits for
// the first, which has all (until 5.5), the fourth for the third (1, until 8), the fifth for the
// fourth (4, until 24), the sixth for nobody.
TEST_CASE("lanes start their jobs where they start by hand") {
    const std::vector<LaneByHand> replications = {
        {{1, 2, 4, 12, 13, 14}, {20, 7, 11, 30, 6, 3}, {3, 4, 5, 2, 10, 1}, {1, 2, 9, 12, 42, 48}},
        {{.5, 3, 6, 7, 17, 40},
         {5, 8, 2, 16, 9, 23},
         {10, 6, 1, 4, 7, 9},
         {.5, 5.5, 6, 8, 24, 40}}};
    for (const auto& counts : std::vector<std::vector<std::size_t>>{{6}, {4, 2}, {1, 2, 3}}) {
        const std::vector<Times> starts = starts_of(10, replications, counts);
        CHECK(starts[0] == replications[0].start);
        CHECK(starts[1] == replications[1].start);
    }
}

// Three run at once on three processors, and end in the order 2, 3, 1 (at 5, 9, 14); the job of two
// needs the ends of two, and one without service starts where it comes.
TEST_CASE("as many jobs run in a lane as there are processors") {
    const std::vector<LaneByHand> replications = {
        {{0, 1, 3, 4, 6, 31}, {14, 4, 6, 2, 10, 0}, {1, 1, 1, 1, 2, 3}, {0, 1, 3, 5, 9, 31}},
        {{2, 7, 8, 15, 33, 34},
         {3, 25, 11, 12, 21, 17},
         {3, 1, 1, 1, 3, 2},
         {2, 7, 8, 15, 33, 54}}};
    const std::vector<Times> starts = starts_of(3, replications, {6});
    CHECK(starts[0] == replications[0].start);
    CHECK(starts[1] == replications[1].start);
}

}  // namespace schedfarm::policies
