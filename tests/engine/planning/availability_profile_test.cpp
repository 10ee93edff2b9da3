// The availability profile by hand.
#include "engine/planning/profile/availability_profile.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/engine/planning/plain_profile.hpp"

namespace schedfarm::tests {

namespace {

using engine::AvailabilityProfile;
using engine::planned_end;
using engine::StepWindows;

constexpr double never = AvailabilityProfile::never;

}  // namespace

TEST_CASE("a profile counts what is reserved and finds the first gap that is wide enough") {
    // 10 processors: 6 are taken until 4, then 3 until 10, and 8 from 12 to 15.
    //   0–4: 4 free   4–10: 7   10–12: 10   12–15: 2   15–: 10
    AvailabilityProfile profile(10);
    profile.reserve(0, 4, 3);
    profile.reserve(0, 10, 3);
    profile.reserve(12, 15, 8);
    CHECK(profile.free_at(0) == 4);
    CHECK(profile.free_at(3.5) == 4);
    CHECK(profile.free_at(4) == 7);
    CHECK(profile.free_at(11) == 10);
    CHECK(profile.free_at(12) == 2);
    CHECK(profile.free_at(15) == 10);
    CHECK(profile.stretches() == 6);                // and all 10 before 0
    CHECK(profile.earliest_fit(4, 12, 0) == 0);     // just up to 12
    CHECK(profile.earliest_fit(4, 12.5, 0) == 15);  // 12–15 is too narrow
    CHECK(profile.earliest_fit(5, 8, 0) == 4);
    CHECK(profile.earliest_fit(8, 2, 0) == 10);
    CHECK(profile.earliest_fit(8, 2.5, 0) == 15);
    CHECK(profile.earliest_fit(2, never, 1) == 1);
    CHECK(profile.earliest_fit(3, never, 1) == 15);
    CHECK(profile.earliest_fit(10, 1, 0) == 10);
    CHECK(profile.earliest_fit(11, 1, 0) == never);
    CHECK(profile.is_free(4, 12, 7));
    CHECK(!profile.is_free(3, 12, 7));
    CHECK(!profile.is_free(4, 12.5, 7));
}

TEST_CASE("what takes no time needs its processors for an instant") {
    AvailabilityProfile profile(4);
    profile.reserve(0, 5, 3);
    CHECK(profile.earliest_fit(1, 0, 0) == 0);
    CHECK(profile.earliest_fit(2, 0, 0) == 5);
    CHECK(planned_end(5, 0) > 5);
    CHECK(planned_end(5, 0) == std::nextafter(5, 6));
    CHECK(planned_end(5, 2) == 7);
}

TEST_CASE("a reservation moves ahead only into what is free without it") {
    // 4 processors: 3 are taken until 10. A job of 2 for 8 is reserved from 10 to 18. When 2 of the
    // 3 are given back at 4, it can begin at once: its own reservation serves it from 10 on.
    AvailabilityProfile profile(4);
    profile.reserve(0, 10, 3);
    profile.reserve(10, 18, 2);
    profile.reserve(10, 30, 2);  // so that nothing is free beside it
    CHECK(earlier_fit(profile, {2, 8, 10}, 4) == 10);
    profile.release(4, 10, 2);
    CHECK(earlier_fit(profile, {2, 8, 10}, 4) == 4);
    profile.reserve(6, 7, 2);
    CHECK(earlier_fit(profile, {2, 8, 10}, 4) == 7);
    CHECK(earlier_fit(profile, {2, 3, 10}, 4) == 7);
    CHECK(earlier_fit(profile, {2, 2, 10}, 4) == 4);
    CHECK(earlier_fit(profile, {2, 3, 10}, 4, 7) == 10);  // not before 7
}

TEST_CASE("of several reservations the first that can move ahead is found") {
    // 4 processors: 3 are taken until 10, all from 12 to 20.
    AvailabilityProfile profile(4);
    profile.reserve(0, 10, 3);
    profile.reserve(12, 20, 4);
    StepWindows jobs;
    jobs.insert(0, 2, 3, 20);   // 10 to 12 is too short
    jobs.insert(1, 1, 12, 12);  // from 0 on, as it would serve itself from 12 on
    jobs.insert(2, 4, 2, 30);   // 10
    jobs.insert(3, 1, 0, 40);   // at once
    CHECK(profile.first_earlier(jobs, 0).index == 1);
    CHECK(profile.first_earlier(jobs, 0).begin == 0);
    CHECK(profile.first_earlier(jobs, 2).index == 2);
    CHECK(profile.first_earlier(jobs, 2).begin == 10);
    jobs.before = 10;  // what begins then is too late, what ends later is not
    CHECK(profile.first_earlier(jobs, 1).index == 1);
    CHECK(profile.first_earlier(jobs, 2).index == 3);
    CHECK(profile.first_earlier(jobs, 4).begin == never);
}

TEST_CASE("a reservation that moves ahead leaves its old time and takes its new one") {
    // 4 processors, of which 2 are reserved from 10 to 18.
    const auto moved = [](double begin, double end) {
        AvailabilityProfile profile(4);
        profile.reserve(10, 18, 2);
        profile.move_ahead({begin, end, 10, 18}, 2);
        return profile;
    };
    const AvailabilityProfile overlapping = moved(6, 14);  // taken from 6 to 14
    CHECK(overlapping.free_at(5) == 4);
    CHECK(overlapping.free_at(6) == 2);
    CHECK(overlapping.free_at(13) == 2);
    CHECK(overlapping.free_at(14) == 4);
    CHECK(overlapping.stretches() == 3);
    const AvailabilityProfile apart = moved(1, 9);
    CHECK(apart.free_at(1) == 2);
    CHECK(apart.free_at(9) == 4);
    CHECK(apart.free_at(10) == 4);
    CHECK(apart.stretches() == 3);
    const AvailabilityProfile adjacent = moved(2, 10);
    CHECK(adjacent.free_at(9) == 2);
    CHECK(adjacent.free_at(10) == 4);
    CHECK(adjacent.stretches() == 3);
    const AvailabilityProfile longer = moved(2, 18);
    CHECK(longer.free_at(2) == 2);
    CHECK(longer.free_at(17) == 2);
    CHECK(longer.stretches() == 3);
}

TEST_CASE("the least that is free falls with time") {
    // 10 processors: 4 free until 4, 7 until 10, 10 until 12, 2 until 15, 5 until 20, then 0,
    // then 10.
    AvailabilityProfile profile(10);
    profile.reserve(0, 4, 3);
    profile.reserve(0, 10, 3);
    profile.reserve(12, 15, 8);
    profile.reserve(15, 20, 5);
    profile.reserve(20, 30, 10);
    profile.reserve(40, 50, 1);
    std::vector<AvailabilityProfile::Fall> falls;
    profile.find_falls(5, falls);
    REQUIRE(falls.size() == 3);
    CHECK(falls[0].time == 5);
    CHECK(falls[0].free == 7);
    CHECK(falls[1].time == 12);
    CHECK(falls[1].free == 2);
    CHECK(falls[2].time == 20);
    CHECK(falls[2].free == 0);
}

// 10 processors, of which 1 and 0 are free in turn, so that nobody gets 5. From 500 to 520 five
// more become free, ahead of 40 other changes that give nobody anything: all of them count.
TEST_CASE("a gap is found that came before many other changes") {
    AvailabilityProfile profile(10);
    for (int i = 0; i < 200; ++i) {
        profile.reserve(10 * i, 10 * i + 10, 9 + static_cast<std::uint32_t>(i % 2));
    }
    StepWindows jobs;
    jobs.from = 0;
    jobs.before = AvailabilityProfile::never;
    jobs.insert(0, 5, 17, 3000);
    CHECK(profile.first_earlier(jobs, 0).begin == 2000);
    profile.reserve(2000, 4000, 7);
    CHECK(profile.first_earlier(jobs, 0).begin == AvailabilityProfile::never);
    profile.release(500, 520, 5);
    for (int i = 100; i < 140; ++i) {
        profile.release(10 * i, 10 * i + 10, 1);
    }
    CHECK(profile.first_earlier(jobs, 0).begin == 500);
}

TEST_CASE("steps vanish where nothing changes any more") {
    AvailabilityProfile profile(100);
    for (int i = 0; i < 1000; ++i) {
        profile.reserve(i, i + 1, 7);
    }
    CHECK(profile.stretches() == 3);
    profile.forget_before(500);
    CHECK(profile.stretches() == 2);
    profile.release(500, 1000, 7);  // what was before 500 is not kept
    CHECK(profile.stretches() == 1);
}

TEST_CASE("a profile may be negative") {
    AvailabilityProfile profile(2);
    profile.reserve(0, 5, 3);
    CHECK(profile.free_at(0) == -1);
    CHECK(profile.earliest_fit(1, 1, 0) == 5);
    profile.reset(-1);
    CHECK(profile.earliest_fit(1, 1, 0) == never);
    CHECK(profile.stretches() == 1);
}

}  // namespace schedfarm::tests
