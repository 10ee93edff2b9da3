// List schedules around reservations: by hand, and the rules without any reservation against those
// of the whole machine, bit for bit.
#include "policies/moldable/reserved_list.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

using Starts = std::vector<double>;

std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    return order;
}

/// Entries of one task, and stacks on one processor.
policies::TaskList random_list(Dice& dice, std::uint32_t processors) {
    policies::TaskList list;
    const std::uint32_t count = 1 + dice.below(30);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::vector<policies::ListedTask> tasks(dice.below(4) == 0 ? 1 + dice.below(4) : 1);
        for (policies::ListedTask& task : tasks) {
            task.time = dice.below(2) == 0 ? 1 + dice.below(6) : 0.1 + dice.below(1000) / 997.0;
        }
        list.add(tasks.size() > 1 ? 1 : 1 + dice.below(processors), tasks);
    }
    return list;
}

}  // namespace

TEST_CASE("entries fill exactly the gap that two reservations leave") {
    // One processor, reserved 2 … 4 and 7 … 9. The entry of 3 fits 4 … 7, that of 2 before the
    // first reservation, though it comes later in the list; the third has no gap left. A stack of 1
    // and 2 fits 4 … 7 as well, one of 2 and 2 does not.
    AvailabilityProfile free(1);
    free.reserve(2, 4, 1);
    free.reserve(7, 9, 1);
    policies::TaskList list;
    list.add(1, {.task = 0, .time = 3});
    list.add(1, {.task = 1, .time = 2});
    list.add(1, {.task = 2, .time = 1});
    CHECK(policies::strict_schedule(list, numbers(3), free, 0).starts == Starts{4, 0, 9});
    CHECK(policies::graham_schedule(list, numbers(3), free, 0).starts == Starts{4, 0, 9});
    policies::TaskList stacks;
    stacks.add(
        1, std::vector<policies::ListedTask>{{.task = 0, .time = 2}, {.task = 1, .time = 2}}
    );
    stacks.add(
        1, std::vector<policies::ListedTask>{{.task = 2, .time = 1}, {.task = 3, .time = 2}}
    );
    CHECK(policies::strict_schedule(stacks, numbers(2), free, 0).starts == Starts{9, 4});
}

TEST_CASE("a strict list keeps its order but for what a reservation keeps back") {
    // Three processors, all reserved 6 … 8. a (2, 4 long) at 0; b (3, 1) at 4; c (1, 3) could start
    // at 0 but has its order: at 5 it cannot end by 6, so 8; d (1, 1) may use the time until then:
    // 5. Scanned, c starts at 0 and d at 3.
    AvailabilityProfile free(3);
    free.reserve(6, 8, 3);
    policies::TaskList list;
    list.add(2, {.task = 0, .time = 4});
    list.add(3, {.task = 1, .time = 1});
    list.add(1, {.task = 2, .time = 3});
    list.add(1, {.task = 3, .time = 1});
    const auto strict = policies::strict_schedule(list, numbers(4), free, 0);
    CHECK(strict.starts == Starts{0, 4, 8, 5});
    CHECK(strict.finish == 11);
    CHECK(strict.weighted_completion == 4 + 5 + 11 + 6);
    CHECK(policies::graham_schedule(list, numbers(4), free, 0).starts == Starts{0, 4, 0, 3});
}

TEST_CASE("without reservations lists are those of the whole machine") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 1 + dice.below(8);
        const double begin = dice.below(2) == 0 ? 0 : dice.below(1000) / 7.0;
        const policies::TaskList list = random_list(dice, processors);
        const auto order = numbers(list.entries.size());
        AvailabilityProfile free(processors);
        if (dice.below(2) == 0) {
            free.reserve(1e7, 2e7, processors);
        }
        const auto same = [](const auto& a, const auto& b) {
            CHECK(a.starts == b.starts);
            CHECK(a.finish == b.finish);
        };
        same(
            policies::strict_schedule(list, order, free, begin),
            policies::strict_schedule(list, order, processors, begin)
        );
        same(
            policies::graham_schedule(list, order, free, begin),
            policies::graham_schedule(list, order, processors, begin)
        );
    }
}

TEST_CASE("an area is complete where the free processors have made it up") {
    // 4 free, 1 of them 2 … 5, none 5 … 6: from 1 on 4 · 1 + 1 · 3 = 7 by 5, 11 by 7.
    AvailabilityProfile free(4);
    free.reserve(2, 5, 3);
    free.reserve(5, 6, 4);
    CHECK(free.time_of_area(1, 2) == 1.5);
    CHECK(free.time_of_area(1, 4) == 2);
    CHECK(free.time_of_area(1, 7) == 5);
    CHECK(free.time_of_area(1, 9) == 6.5);
    CHECK(free.time_of_area(1, 11) == 7);
    CHECK(free.time_of_area(8, 2) == 8.5);
    CHECK(free.time_of_area(8, 0) == 8);
}

}  // namespace schedfarm::tests
