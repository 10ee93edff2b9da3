// Windows that are looked for again and again in a long plan, by hand: what changed between two
// looks is seen at the second, however much it was.
#include "engine/planning/profile/step_windows.hpp"

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "engine/planning/profile/availability_profile.hpp"

namespace schedfarm::tests {

namespace {

using engine::AvailabilityProfile;
using engine::StepFunction;
using engine::StepWindows;

constexpr double never = AvailabilityProfile::never;
constexpr int end = 400;  // of what is reserved

/// Of 100 processors 1 is free in every even second and 2 in every odd one: 400 stretches, twice
/// as many as are gone through.
void reserve_all(AvailabilityProfile& profile) {
    for (int second = 0; second < end; ++second) {
        profile.reserve(second, second + 1, second % 2 == 0 ? 99 : 98);
    }
}

/// A job of 10 for 3 s, reserved from 400 on.
StepWindows one_job() {
    StepWindows jobs;
    jobs.insert(0, 10, 3, end);
    return jobs;
}

}  // namespace

TEST_CASE("a window that opened is found whatever the number of later raises") {
    for (const int others : {0, 1, 30, 31, 32, 33, 40, 64}) {
        CAPTURE(others);
        AvailabilityProfile profile(100);
        reserve_all(profile);
        StepWindows jobs = one_job();
        REQUIRE(profile.first_earlier(jobs, 0).begin == never);
        profile.release(50, 53, 9);
        for (int i = 0; i < others; ++i) {  // of no use to the job
            profile.release(100 + 2 * i, 101 + 2 * i, 5);
        }
        CHECK(profile.first_earlier(jobs, 0).begin == 50);
    }
}

TEST_CASE("a window that a raise opened is found below a later raise of the same stretch") {
    AvailabilityProfile profile(100);
    reserve_all(profile);
    StepWindows jobs = one_job();
    profile.release(60, 61, 9);  // 10 are free now
    profile.release(62, 63, 9);
    REQUIRE(profile.first_earlier(jobs, 0).begin == never);
    profile.release(61, 62, 8);   // 10, which opens it
    profile.release(61, 62, 11);  // 21: less either raise it would be above its neighbours
    CHECK(profile.first_earlier(jobs, 0).begin == 60);
}

TEST_CASE("a window that opened as all was set anew is found") {
    AvailabilityProfile other(100);
    reserve_all(other);
    other.release(70, 73, 9);
    AvailabilityProfile profile(100);
    reserve_all(profile);
    StepWindows jobs = one_job();
    REQUIRE(profile.first_earlier(jobs, 0).begin == never);
    profile.assign(other);
    CHECK(profile.first_earlier(jobs, 0).begin == 70);
    profile.reserve(70, 73, 9);
    REQUIRE(profile.first_earlier(jobs, 0).begin == never);
    // Anew, but for 20 to 23, where 40 are free.
    profile.reset(100);
    for (int second = 0; second < end; ++second) {
        const bool is_open = second >= 20 && second < 23;
        profile.reserve(second, second + 1, is_open ? 60 : second % 2 == 0 ? 99 : 98);
    }
    CHECK(profile.first_earlier(jobs, 0).begin == 20);
}

TEST_CASE("a search goes on behind windows that were removed") {
    AvailabilityProfile profile(100);
    reserve_all(profile);
    profile.release(50, 53, 9);
    StepWindows jobs;
    for (const int size : {10, 90, 9, 91, 8}) {  // the second and fourth fit nowhere
        jobs.insert(jobs.size(), size, 3, end);
    }
    // Once all were looked at it is known which are not worth it.
    REQUIRE(profile.first_earlier(jobs, 0).index == 0);
    REQUIRE(profile.first_earlier(jobs, 1).index == 2);
    REQUIRE(profile.first_earlier(jobs, 3).index == 4);
    REQUIRE(profile.first_earlier(jobs, 0).index == 0);
    const std::vector<std::size_t> first{0};
    jobs.remove(first);
    const engine::FoundWindow next = profile.first_earlier(jobs, 1);
    CHECK(next.index == 1);  // of 9
    CHECK(next.begin == 50);
    CHECK(profile.first_earlier(jobs, 2).index == 3);
    jobs.insert(0, 91, 2, end);
    CHECK(profile.first_earlier(jobs, 4).index == 4);
}

TEST_CASE("a window begins before the limit that is given, and not at it") {
    // 7 until 4, 3 until 9, then 7 again.
    StepFunction steps(7);
    steps.add(4, 9, -4);
    const auto first = [&](double from, double before, double until, double duration) {
        return steps.first_window(
            {.level = 5, .duration = duration, .from = from, .before = before, .until = until}
        );
    };
    CHECK(first(1, never, never, 3) == 1);
    CHECK(first(1, never, never, 3.5) == 9);
    CHECK(first(1, 9, never, 3.5) == never);  // it would begin at 9
    CHECK(first(1, 9.5, never, 3.5) == 9);
    CHECK(first(1, 9.5, 9, 3.5) == never);
    CHECK(first(1, 8, 12, 3.5) == never);
    CHECK(first(1, never, 11, 3.5) == 9);
    // From another stretch on.
    CHECK(first(5, never, never, 3.5) == 9);
    CHECK(first(5, 9, never, 3.5) == never);
    CHECK(first(5, 9.5, never, 3.5) == 9);
    CHECK(first(5, never, 9, 3.5) == never);
}

TEST_CASE("what lies before the time that was forgotten changes nothing") {
    StepFunction steps(10);
    steps.add(3, 30, -2);
    steps.forget_before(12);
    REQUIRE(steps.begin_of(0) == 12);
    steps.add(5, 9, -4);
    CHECK(steps.stretches() == 2);
    steps.add(7, 20, -4);
    CHECK(steps.begin_of(0) == 12);
    CHECK(steps.stretches() == 3);
    CHECK(steps.at(12) == 4);
    CHECK(steps.at(20) == 8);
    CHECK(steps.at(30) == 10);
}

TEST_CASE("all is taken for ever and given back") {
    StepFunction steps(10);
    steps.add(6, never, -10);
    CHECK(steps.stretches() == 2);
    CHECK(steps.at(5.5) == 10);
    CHECK(steps.at(6) == 0);
    CHECK(steps.at(1e9) == 0);
    steps.add(6, never, 10);
    CHECK(steps.stretches() == 1);
    CHECK(steps.at(7) == 10);
}

}  // namespace schedfarm::tests
