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
        jobs.from = from;
        jobs.before = before;
        std::vector<FoundWindow> expected;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t processors = 1 + dice.below(70);
            const double duration = dice.below(8) == 0 ? never : dice.below(span);
            const double reserved = dice.below(8) == 0 ? never : from + 1 + dice.below(span);
            jobs.insert(i, static_cast<std::int32_t>(processors), duration, reserved);
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

/// Jobs that wait, each with a reservation, and are looked at again and again.
class Waiting {
  public:
    explicit Waiting(std::uint64_t seed) : dice_(seed) {}

    /// Of one of a few kinds, or not; anywhere in the order.
    void add() {
        const bool is_usual = dice_.below(4) > 0;
        const std::uint32_t processors = 1 + (is_usual ? 3 * dice_.below(3) : dice_.below(40));
        const double duration = is_usual ? 8 * dice_.below(4) : dice_.below(2000) / 64.0;
        const double start = pair_.profile.earliest_fit(processors, duration, pair_.now);
        pair_.reserve({start, planned_end(start, duration), processors});
        const std::size_t place = dice_.below(static_cast<std::uint32_t>(jobs_.size() + 1));
        jobs_.insert(
            jobs_.begin() + static_cast<std::ptrdiff_t>(place), {processors, duration, start}
        );
        windows_.insert(place, static_cast<std::int32_t>(processors), duration, start);
    }
    /// Removes one or two; what they have from now on is free.
    void remove() {
        const std::size_t some = dice_.below(static_cast<std::uint32_t>(jobs_.size() - 1));
        const std::vector<std::size_t> both{some, some + 1};
        const std::size_t count = 1 + dice_.below(2);
        for (std::size_t k = 0; k < count; ++k) {
            const Reservation one = pair_.plain.take_back(number_of(jobs_[some]));
            if (one.end > pair_.now) {
                const double begin = std::max(one.begin, pair_.now);
                pair_.profile.release(begin, one.end, one.processors);
            }
            jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(some));
        }
        windows_.remove({both.data(), count});
    }
    /// Moves all ahead that can, in their order.
    void move_ahead() {
        windows_.from = pair_.now;
        windows_.before = dice_.below(4) == 0 ? pair_.now + 1 + dice_.below(100) : never;
        std::size_t next = 0;
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            ReservedJob& job = jobs_[i];
            const double begin = job.reserved <= pair_.now
                                     ? job.reserved
                                     : pair_.plain.earlier_fit(job, pair_.now, windows_.before);
            if (begin < job.reserved) {
                const FoundWindow found = pair_.profile.first_earlier(windows_, next);
                REQUIRE(found.index == i);
                REQUIRE(found.begin == begin);
                come_to_nothing();
                pair_.move_ahead(number_of(job), begin, planned_end(begin, job.duration));
                job.reserved = begin;
                windows_.set_until(i, begin);
                next = i + 1;
                ++moves_;
            }
        }
        REQUIRE(pair_.profile.first_earlier(windows_, next).begin == never);
    }
    void pass_time() {
        pair_.now += dice_.below(40) / 8.0;
        pair_.profile.forget_before(pair_.now);
    }

    std::size_t size() const { return jobs_.size(); }
    std::size_t stretches() const { return pair_.profile.stretches(); }
    std::size_t moves() const { return moves_; }

  private:
    /// At times one gives up its reservation and takes it again.
    void come_to_nothing() {
        const ReservedJob& job = jobs_[dice_.below(static_cast<std::uint32_t>(jobs_.size()))];
        if (job.reserved > pair_.now && dice_.below(2) == 0) {
            const double end = planned_end(job.reserved, job.duration);
            pair_.profile.release(job.reserved, end, job.processors);
            pair_.profile.reserve(job.reserved, end, job.processors);
        }
    }

    std::size_t number_of(const ReservedJob& job) const {
        const double end = planned_end(job.reserved, job.duration);
        std::size_t i = 0;
        while (pair_.plain.at(i).begin != job.reserved || pair_.plain.at(i).end != end
               || pair_.plain.at(i).processors != job.processors) {
            ++i;
        }
        return i;
    }

    Dice dice_;
    Pair pair_;
    std::vector<ReservedJob> jobs_;
    StepWindows windows_;
    std::size_t moves_ = 0;
};

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

// From 192 stretches on searches go another way, and back.
TEST_CASE("jobs that stay move ahead as by a plain list while a profile becomes long and short") {
    for (std::uint64_t seed = 0; seed < short_or_long(1U, 40U); ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Waiting waiting(seed);
        for (int round = 0; round < 2; ++round) {
            while (waiting.stretches() < 230) {
                waiting.add();
                if (dice.below(8) == 0 && waiting.size() > 2) {
                    waiting.remove();
                    waiting.move_ahead();
                }
            }
            for (int step = 0; step < 12; ++step) {
                waiting.remove();
                waiting.move_ahead();
                waiting.pass_time();
                waiting.add();
            }
            while (waiting.size() > 20) {
                waiting.remove();
                if (dice.below(16) == 0) {
                    waiting.move_ahead();
                    waiting.pass_time();
                }
            }
            CHECK(waiting.stretches() < 100);
        }
        CHECK(waiting.moves() > 200);
    }
}

}  // namespace schedfarm::tests
