// The availability profile against a plain list of reservations over random operations.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/planning/profile/availability_profile.hpp"

#include "tests/engine/planning/plain_profile.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

using engine::AvailabilityProfile;
using engine::FoundWindow;
using engine::planned_end;
using engine::StepWindows;

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
    /// Of what another becomes, and goes on as, that was longer.
    void compare_assigned(const ReservedJob& job, double from) const {
        AvailabilityProfile other(1);
        for (int i = 0; i < 300; ++i) {
            other.reserve(2 * i, 2 * i + 1, 1);
        }
        other.assign(profile);
        REQUIRE(other.stretches() == profile.stretches());
        const double begin = other.earliest_fit(job.processors, job.duration, from);
        PlainProfile expected = plain;
        if (begin < never) {
            const double end = planned_end(begin, job.duration);
            other.reserve(begin, end, job.processors);
            expected.reserve({begin, end, job.processors});
        }
        REQUIRE(earlier_fit(other, job, from) == expected.earlier_fit(job, from, never));
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
        const ReservedJob job{processors, duration, reserved};
        REQUIRE(earlier_fit(profile, job, from, before) == plain.earlier_fit(job, from, before));
        REQUIRE(
            std::min(profile.earlier_fit(processors, duration, from, reserved), reserved)
            == plain.earlier_fit(job, from, never)
        );
        if (dice.below(8) > 0) {
            return;
        }
        compare_earlier(dice, span, from, before);
        compare_assigned(job, from);
    }
};

/// Moves a reservation to an earlier time, to which nothing keeps it from overbooking: as long as
/// it was; up to its old begin; or up to its old end.
void move_one_ahead(Dice& dice, Pair& pair) {
    const std::uint32_t i = dice.below(static_cast<std::uint32_t>(pair.plain.count()));
    const Reservation old = pair.plain.at(i);
    if (old.begin < pair.now + 1) {
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

TEST_CASE("a profile agrees with a plain list of reservations over random operations") {
    for (std::uint64_t seed = 0; seed < short_or_long(20U, 60U); ++seed) {
        CAPTURE(seed);
        run_random_operations(seed, 12, 8);
        run_random_operations(seed, 100, 60);
        run_random_operations(seed, 4000, 300);
    }
}

// Changes of more than 512 stretches go another way.
TEST_CASE("a profile agrees with a plain list while it becomes long and short again") {
    constexpr std::uint32_t span = 4000;
    for (std::uint64_t seed = 0; seed < short_or_long(2U, 5U); ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Pair pair;
        for (int round = 0; round < 3; ++round) {
            while (pair.plain.count() < 450) {
                const double begin = pair.now + dice.below(span);
                pair.reserve({begin, begin + 1 + dice.below(span), 1 + dice.below(9)});
                move_one_ahead(dice, pair);
                pair.compare(dice, span);
            }
            CHECK(pair.profile.stretches() > 600);
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
