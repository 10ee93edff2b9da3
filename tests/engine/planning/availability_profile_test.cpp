// The availability profile by hand, and against a plain list of reservations over random
// operations.
#include "engine/planning/availability_profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/planning/trial_profile.hpp"

#include "tests/engine/planning/plain_profile.hpp"
#include "tests/support/dice.hpp"

namespace schedfarm::tests {

namespace {

using engine::AvailabilityProfile;
using engine::FoundWindow;
using engine::planned_end;
using engine::StepWindows;
using engine::TrialProfile;

constexpr double never = AvailabilityProfile::never;

struct Pair {
    AvailabilityProfile profile{64};
    PlainProfile plain{64};
    double now = 0;

    void reserve(Reservation one) {
        profile.reserve(one.begin, one.end, one.processors);
        plain.reserve(one);
    }
    /// As if it were given back and taken anew.
    void move_ahead(std::size_t i, double begin, double end) {
        const Reservation old = plain.take_back(i);
        AvailabilityProfile copy = profile;
        copy.release(old.begin, old.end, old.processors);
        copy.reserve(begin, end, old.processors);
        profile.move_ahead({begin, end, old.begin, old.end}, old.processors);
        plain.reserve({begin, end, old.processors});
        REQUIRE(profile.stretches() == copy.stretches());
    }
    double begin_limit(Dice& dice, std::uint32_t span) const {
        return dice.below(2) == 0 ? never : now + dice.below(span);
    }

    // Never, or from where processors suffice on, is no place that is found.
    static void compare_fit(
        const TrialProfile& trial, const PlainProfile& plain, TrialProfile::Wanted job, double from
    ) {
        const double after = std::nextafter(job.latest, never);
        REQUIRE(
            std::min(trial.earliest_fit(job).begin, job.until)
            == plain.earlier_fit({job.processors, job.duration, job.until}, from, after)
        );
    }

    /// Takes reservations back in a trial, places jobs in turn, and looks each time.
    void compare_trial(Dice& dice, std::uint32_t span, const TrialProfile::Wanted& job) const {
        TrialProfile trial;
        trial.clear();
        for (int i = 0; i < 300; ++i) {  // it was longer than what it becomes
            trial.append(i, i);
        }
        profile.copy_to(trial, now);
        PlainProfile expected = plain;
        compare_fit(trial, expected, job, now);
        for (std::uint32_t k = dice.below(4); k > 0 && expected.count() > 0; --k) {
            const auto count = static_cast<std::uint32_t>(expected.count());
            const Reservation one = expected.take_back(dice.below(count));
            if (one.end > now) {
                trial.release(std::max(one.begin, now), one.end, one.processors);
            }
            compare_fit(trial, expected, job, now);
        }
        std::vector<TrialProfile::Wanted> jobs(dice.below(20), job);
        for (TrialProfile::Wanted& one : jobs) {
            one.processors = 1 + dice.below(30);
            one.duration = dice.below(span);
            one.until = never;
        }
        TrialProfile with;
        with.assign(trial, job, {});  // without it
        std::vector<double> begins;
        const std::size_t placed = with.place(jobs, begins);
        REQUIRE(begins.size() == placed);
        with = trial;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const TrialProfile::Wanted& one = jobs[i];
            const double begin = expected.earliest_fit(one.processors, one.duration, now);
            if (i == placed) {
                REQUIRE(begin > one.latest);
                return;
            }
            REQUIRE(begins[i] == begin);
            TrialProfile next;
            next.assign(with, one, with.earliest_fit(one));
            with = next;
            if (begin < never) {
                expected.reserve({begin, planned_end(begin, one.duration), one.processors});
            }
            compare_fit(with, expected, job, now);
        }
    }

    /// Some jobs at once, from each of them on: those that can begin earlier, in their order.
    void compare_earlier(Dice& dice, std::uint32_t span, double from, double before) const {
        const std::uint32_t count = dice.below(20);
        StepWindows jobs;
        jobs.clear(count);
        jobs.from = from;
        jobs.before = before;
        std::vector<FoundWindow> expected;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t processors = 1 + dice.below(70);
            const double duration = dice.below(8) == 0 ? never : dice.below(span);
            const double reserved = dice.below(8) == 0 ? never : from + 1 + dice.below(span);
            jobs.add(static_cast<std::int32_t>(processors), duration, reserved);
            const double begin = plain.earlier_fit({processors, duration, reserved}, from, before);
            if (begin < reserved) {
                expected.push_back({i, begin});
            }
        }
        std::size_t next = 0;
        for (const FoundWindow& one : expected) {
            const FoundWindow found = profile.first_earlier(jobs, next);
            REQUIRE(found.index == one.index);
            REQUIRE(found.begin == one.begin);
            next = found.index + 1;
        }
        REQUIRE(profile.first_earlier(jobs, next).begin == never);
    }

    void compare(Dice& dice, std::uint32_t span) const {
        const double time = now + dice.below(span);
        REQUIRE(profile.free_at(time) == plain.free_at(time));
        const std::uint32_t processors = 1 + dice.below(70);
        const double duration = dice.below(8) == 0 ? never : dice.below(span);
        const double end = planned_end(time, duration);
        REQUIRE(profile.is_free(time, end, processors) == plain.is_free(time, end, processors));
        REQUIRE(
            profile.earliest_fit(processors, duration, time)
            == plain.earliest_fit(processors, duration, time)
        );
        const double from = dice.below(3) == 0 ? time : now;
        const double reserved = dice.below(8) == 0 ? never : from + 1 + dice.below(span);
        const double before = dice.below(2) == 0 ? never : from + 1 + dice.below(span);
        const AvailabilityProfile::Reserved job{processors, duration, reserved};
        REQUIRE(profile.earlier_fit(job, from, before) == plain.earlier_fit(job, from, before));
        if (dice.below(8) > 0) {
            return;
        }
        compare_earlier(dice, span, from, before);
        compare_trial(dice, span, {duration, begin_limit(dice, span), reserved, processors});
    }
};

/// Moves a reservation to an earlier time, to which nothing keeps it from overbooking: as long as
/// it was; up to its old begin; or up to its old end.
void move_one_ahead(Dice& dice, Pair& pair) {
    const std::uint32_t i = dice.below(static_cast<std::uint32_t>(pair.plain.count()));
    const Reservation old = pair.plain.at(i);
    if (old.begin <= pair.now) {
        return;
    }
    const double begin = pair.now + dice.below(static_cast<std::uint32_t>(old.begin - pair.now));
    const std::uint32_t kind = dice.below(6);
    const double as_long = begin + (old.end - old.begin);
    const double end = kind == 0 ? old.begin : kind == 1 ? old.end : as_long;
    pair.move_ahead(i, begin, end);
}

/// Reserves where the profile says that it fits, takes reservations back, wholly or their tails,
/// moves them ahead and lets time pass.
void run_random_operations(std::uint64_t seed, std::uint32_t span, std::size_t most) {
    Dice dice(seed);
    Pair pair;
    for (int step = 0; step < 600; ++step) {
        const std::uint32_t what = dice.below(10);
        if (what < 4 && pair.plain.count() < most) {
            const std::uint32_t processors = 1 + dice.below(40);
            const double duration = dice.below(span);
            const double from = pair.now + dice.below(span);
            const double begin = pair.profile.earliest_fit(processors, duration, from);
            pair.reserve({begin, planned_end(begin, duration), processors});
        } else if (what < 7 && pair.plain.count() > 0) {
            Reservation one =
                pair.plain.take_back(dice.below(static_cast<std::uint32_t>(pair.plain.count())));
            const double begin = std::max(one.begin, pair.now);
            if (one.end > pair.now) {
                pair.profile.release(begin, one.end, one.processors);
            }
            if (one.begin < pair.now) {
                one.end = std::min(one.end, pair.now);
                pair.plain.reserve(one);
            }
        } else if (what < 9 && pair.plain.count() > 0) {
            move_one_ahead(dice, pair);
        } else {
            pair.now += dice.below(span / 4 + 1);
            pair.profile.forget_before(pair.now);
        }
        pair.compare(dice, span);
    }
}

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
    CHECK(profile.earlier_fit({2, 8, 10}, 4) == 10);
    profile.release(4, 10, 2);
    CHECK(profile.earlier_fit({2, 8, 10}, 4) == 4);
    profile.reserve(6, 7, 2);
    CHECK(profile.earlier_fit({2, 8, 10}, 4) == 7);
    CHECK(profile.earlier_fit({2, 3, 10}, 4) == 7);
    CHECK(profile.earlier_fit({2, 2, 10}, 4) == 4);
    CHECK(profile.earlier_fit({2, 3, 10}, 4, 7) == 10);  // not before 7
}

TEST_CASE("of several reservations the first that can move ahead is found") {
    // 4 processors: 3 are taken until 10, all from 12 to 20.
    AvailabilityProfile profile(4);
    profile.reserve(0, 10, 3);
    profile.reserve(12, 20, 4);
    StepWindows jobs;
    jobs.clear(4);
    jobs.add(2, 3, 20);   // 10 to 12 is too short
    jobs.add(1, 12, 12);  // from 0 on, as it would serve itself from 12 on
    jobs.add(4, 2, 30);   // 10
    jobs.add(1, 0, 40);   // at once
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

TEST_CASE("a profile agrees with a plain list of reservations over random operations") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        run_random_operations(seed, 12, 8);
        run_random_operations(seed, 100, 60);
        run_random_operations(seed, 4000, 300);
    }
}

// The steps move between the two forms of the step function, at 256 and at 64 stretches.
TEST_CASE("a profile agrees with a plain list while it becomes long and short again") {
    constexpr std::uint32_t span = 4000;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Pair pair;
        for (int round = 0; round < 3; ++round) {
            while (pair.plain.count() < 250) {
                const double begin = pair.now + dice.below(span);
                pair.reserve({begin, begin + 1 + dice.below(span), 1 + dice.below(9)});
                move_one_ahead(dice, pair);
                pair.compare(dice, span);
            }
            CHECK(pair.profile.stretches() > 300);
            while (pair.plain.count() > 5) {
                const Reservation one = pair.plain.take_back(0);
                pair.profile.release(one.begin, one.end, one.processors);
                pair.compare(dice, span);
            }
            CHECK(pair.profile.stretches() < 20);
        }
    }
}

}  // namespace schedfarm::tests
