// EASY backfilling by hand.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

Times easy_starts(std::uint32_t processors, Jobs jobs, const Parameters& parameters = {}) {
    return starts_of("easy", parameters, processors, std::move(jobs));
}

}  // namespace

TEST_CASE("EASY lets a job overtake that ends before the head can start") {
    // 8 processors. Jobs 0 (4, until 10, requested 12) and 1 (2, until 20) run; job 2 wants 6 and
    // is promised 12. At 2 job 3 fits and ends at 11: it starts; job 4 does not fit. At 10 job 0
    // finishes early: 6 are not free before 11, when job 3 ends; until then nobody may overtake
    // (no processor is extra). Job 2 runs 11-16; then jobs 4 and 5 start.
    const Times starts = easy_starts(
        8,
        {{0, 10, {4}, 0, 12},
         {0, 20, {2}, 0, 20},
         {1, 5, {6}, 0, 5},
         {2, 9, {2}, 0, 9},
         {2, 30, {2}, 0, 30},
         {3, 4, {1}, 0, 4}}
    );
    CHECK(starts == Times{0, 0, 11, 2, 16, 16});  // ends 10 20 16 11 46 20
}

}  // namespace schedfarm::tests
