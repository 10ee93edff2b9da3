// Calendars of slots: where slots begin by hand, and random reservations against a plain row of
// slots, each with a list of who uses it.
#include "engine/planning/slot_calendar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "tests/engine/planning/plain_calendar.hpp"
#include "tests/support/dice.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

}  // namespace

TEST_CASE("slots begin at multiples of their level, and the first of the next is divided") {
    SlotGrid grid({{4, 10}, {1, 40}});
    CHECK(grid.next_begin(0) == 0);
    CHECK(grid.next_begin(1) == 10);
    CHECK(grid.next_begin(40) == 40);
    CHECK(grid.next_begin(41) == 80);
    CHECK(grid.begin_of(79) == 40);
    CHECK(grid.next_division() == 10);
    CHECK(grid.advance(9).empty());
    // At 10 three slots of 10 are left: 40–80 is divided.
    const auto divided = grid.advance(10);
    REQUIRE(divided.size() == 1);
    CHECK(divided[0].from == 40);
    CHECK(divided[0].until == 80);
    CHECK(grid.next_begin(41) == 50);
    CHECK(grid.next_division() == 50);
    // Until 130 three more are: four slots of 10 from 130 on need 120–160 and 160–200.
    CHECK(grid.advance(130).front().until == 200);
    CHECK(grid.next_begin(191) == 200);
    CHECK(grid.next_begin(201) == 240);
}

TEST_CASE("levels are divided one into the other") {
    // 2 slots of 10, 2 of 20 from 20, of 40 from 60. At 10 one of 10 is left: 20–40 is divided, one
    // of 20 is left: 60–100 is divided into two of 20.
    SlotGrid grid({{2, 10}, {2, 20}, {1, 40}});
    CHECK(grid.next_begin(61) == 100);
    grid.advance(10);
    CHECK(grid.next_begin(21) == 30);
    CHECK(grid.next_begin(41) == 60);
    CHECK(grid.next_begin(61) == 80);
    CHECK(grid.next_begin(101) == 140);
}

TEST_CASE("100000 slots of 40 s are as many seconds as 1602 slots of three levels") {
    // 32 of 10 s, 8 of 320 s and as many of 2560 s as reach 4,000,000 s: (4e6 − 2880) / 2560
    // = 1561.4, so 1562 (paper: 1511 in all, of which nothing is said).
    const SlotGrid grid({{32, 10}, {8, 320}, {1, 2560}});
    int slots = 0;
    for (double begin = 0; begin < 4e6; begin = grid.next_begin(begin + 1)) {
        ++slots;
    }
    CHECK(slots == 1602);
}

TEST_CASE("a slot that is partly used takes more up to the threshold, a free one takes all") {
    // 10 processors, threshold 0.7: 7. Exactly met by 4 + 3; 4 + 4 exceeds it; 10 takes a free one.
    SlotCalendar calendar({{1, 10}}, 10, 0.7);
    calendar.reserve({0}, 0, 4, 10);
    CHECK(calendar.plan().first_fit(3, 10, 0) == 0);
    CHECK(calendar.plan().first_fit(4, 10, 0) == 10);
    CHECK(calendar.plan().first_fit(10, 10, 0) == 10);
    calendar.reserve({1}, 10, 8, 10);
    CHECK(calendar.plan().first_fit(1, 10, 10) == 20);  // beyond the threshold there is no room
    // 0.29 of 100 are 29, though the product is rounded to less.
    SlotCalendar rounded({{1, 10}}, 100, 0.29);
    rounded.reserve({0}, 0, 28, 10);
    CHECK(rounded.plan().first_fit(1, 10, 0) == 0);
}

TEST_CASE("random reservations are those of a plain row of slots") {
    const std::vector<std::vector<SlotLevel>> structures{
        {{1, 3}}, {{4, 10}, {1, 40}}, {{2, 5}, {2, 10}, {1, 40}}, {{1, 2}, {3, 8}, {1, 8}}};
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const auto& levels = structures[seed % structures.size()];
        const std::uint32_t processors = 1 + dice.below(8);
        const std::uint32_t usable = seed % 3 == 0 ? dice.below(processors + 1) : processors;
        SlotCalendar calendar(levels, processors, static_cast<double>(usable) / processors);
        PlainCalendar plain(levels, processors, usable);
        std::map<std::uint32_t, PlainCalendar::Needed> needed;
        double now = 0;
        for (std::uint32_t id = 0; id < 40; ++id) {
            now += dice.below(30);
            calendar.advance(now);
            plain.advance(now);
            const std::uint32_t size = 1 + dice.below(processors);
            const double duration = dice.below(120);
            const double from = now + (dice.below(2) == 0 ? 0 : dice.below(200));
            const double start = calendar.plan().first_fit(size, duration, from);
            REQUIRE(start == plain.first_fit(size, duration, from));
            calendar.reserve({id}, start, size, duration);
            plain.reserve(id, {start, duration, size});
            needed[id] = {start, duration, size};
            REQUIRE(calendar.end_of({id}) == plain.end_of(id));
            const auto some = std::next(needed.begin(), dice.below(needed.size()));
            if (dice.below(3) == 0 && some->second.start > now) {
                calendar.give_up({some->first});
                plain.give_up(some->first, 0);
                needed.erase(some);
            } else if (some->second.start <= now && calendar.end_of({some->first}) > now) {
                calendar.finish({some->first}, now);
                plain.give_up(some->first, now);
                needed.erase(some);
            }
        }
    }
}

TEST_CASE("jobs move ahead to the first slots from which on they fit without themselves") {
    // 4 processors, ⟨4, 10⟩ ⟨*, 40⟩. A has all until 80; B of 4 has 80–120, C of 1 120–160: C does
    // not fit beside B. At 10 the slots until 80 are fine, and A, of 60 s, ends at 60: B moves to
    // 60 and, with a run time of 25, needs 60–90 as far as 80–120 is one slot: until 120. C follows
    // behind it only when that is divided.
    SlotCalendar calendar({{4, 10}, {1, 40}}, 4, 1);
    calendar.reserve({0}, 0, 4, 60);
    calendar.reserve({1}, 80, 4, 25);
    calendar.reserve({2}, 120, 1, 10);
    const std::vector<JobId> ids{{1}, {2}};
    StepWindows windows;
    windows.insert(0, 4, 25, 80);
    windows.insert(1, 1, 10, 120);
    std::vector<double> moved;
    const auto move = [&](double now) {
        moved.clear();
        calendar.advance(now);
        calendar.move_ahead(windows, ids, 0, now, [&](std::size_t k, double start) {
            moved.push_back(static_cast<double>(k) * 1000 + start);
        });
    };
    move(9);
    CHECK(moved.empty());
    move(10);
    CHECK(moved == std::vector<double>{60});
    CHECK(calendar.end_of({1}) == 120);
    move(50);  // 80–120 is divided: B ends at 90
    CHECK(calendar.end_of({1}) == 90);
    CHECK(moved == std::vector<double>{1090});
}

TEST_CASE("one that should have ended keeps the slot under way") {
    SlotCalendar calendar({{1, 10}}, 4, 1);
    calendar.reserve({0}, 0, 3, 10);
    calendar.advance(10);
    CHECK(calendar.plan().first_fit(2, 10, 10) == 10);
    calendar.prolong(10);
    CHECK(calendar.end_of({0}) == 20);
    CHECK(calendar.plan().first_fit(2, 10, 10) == 20);
    CHECK(!calendar.finish({0}, 15));  // nothing is left from 20 on
}

}  // namespace schedfarm::tests
