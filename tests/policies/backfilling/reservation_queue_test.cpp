#include "policies/backfilling/reservation_queue.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/dice.hpp"

namespace {

using namespace schedfarm::engine;
using namespace schedfarm::policies;
using schedfarm::tests::Dice;

constexpr double never = std::numeric_limits<double>::infinity();

struct Listed {
    QueuedJob job;
    double time = 0;  // of the start, or the wait that entitles
};

QueuedJob drawn_job(Dice& dice, std::uint64_t arrival, double now) {
    return {
        .id = JobId{static_cast<std::uint32_t>(arrival)},
        .size = 1 + dice.below(20),
        .duration = dice.below(9) == 0 ? never : dice.below(30),
        .arrival = arrival,
        .submit_time = now};
}

/// Takes some out of both.
template <typename Queue>
void remove_some(Dice& dice, Queue& queue, std::vector<Listed>& list) {
    std::vector<std::size_t> places;
    std::vector<Listed> left;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (dice.below(3) == 0) {
            places.push_back(i);
        } else {
            left.push_back(list[i]);
        }
    }
    queue.remove(places);
    list = left;
}

bool starts(
    const QueuedJob& job,
    const UnreservedJobs::Limits& limits,
    const std::vector<UnreservedJobs::Fall>& falls
) {
    const double end = planned_end(limits.now, job.duration);
    return job.size <= limits.free
           && std::all_of(falls.begin(), falls.end(), [&](const auto& fall) {
                  return fall.time >= end || fall.free >= static_cast<int>(job.size);
              });
}

void compare_rows(
    const UnreservedJobs& queue,
    const std::vector<Listed>& list,
    const UnreservedJobs::Limits& limits,
    const std::vector<UnreservedJobs::Fall>& falls
) {
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool is_entitled = limits.entitling - list[i].job.submit_time >= list[i].time;
        REQUIRE(queue.is_entitled(i, limits.entitling) == is_entitled);
        if (is_entitled || starts(list[i].job, limits, falls)) {
            expected.push_back(i);
        }
    }
    std::vector<std::size_t> found;
    for (std::size_t begin = 0; begin < queue.size(); begin += UnreservedJobs::row) {
        const auto some = queue.find_row(begin, limits, falls);
        REQUIRE(some.begin >= begin);
        begin = some.begin;
        for (std::size_t k = 0; k < UnreservedJobs::row; ++k) {
            if ((some.jobs >> k & 1U) != 0) {
                found.push_back(begin + k);
            }
        }
    }
    REQUIRE(found == expected);
}

}  // namespace

TEST_CASE("jobs with reservations are found as in a plain list") {
    Dice dice{1};
    ReservedJobs queue;
    std::vector<Listed> list;
    std::uint64_t arrival = 0;
    for (int step = 0; step < 3000; ++step) {
        arrival += 1 + dice.below(5);
        const bool is_late = dice.below(4) == 0 && !list.empty();  // it arrived ahead of others
        const std::uint64_t number = is_late ? list.back().job.arrival - 1 : arrival;
        const auto later = std::find_if(list.begin(), list.end(), [number](const Listed& one) {
            return one.job.arrival >= number;
        });
        if (later == list.end() || later->job.arrival > number) {
            const Listed one{
                drawn_job(dice, number, 0), dice.below(9) == 0 ? never : dice.below(50)};
            REQUIRE(queue.count_before(number) == static_cast<std::size_t>(later - list.begin()));
            queue.add(one.job, one.time);
            list.insert(later, one);
        }
        if (dice.below(30) == 0) {
            remove_some(dice, queue, list);
        }
        const double time = dice.below(12);
        std::size_t due = queue.next_due(0, time);
        double first = never;
        REQUIRE(queue.size() == list.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            first = std::min(first, list[i].time);
            REQUIRE(queue.at(i).id == list[i].job.id);
            REQUIRE(queue.windows()[i].until == list[i].time);
            REQUIRE(queue.windows()[i].duration == list[i].job.duration);
            REQUIRE(queue.windows()[i].level == static_cast<std::int32_t>(list[i].job.size));
            REQUIRE((due == i) == (list[i].time <= time));
            due = due == i ? queue.next_due(i + 1, time) : due;
        }
        REQUIRE(due == list.size());
        REQUIRE(queue.first_start() == first);
    }
    REQUIRE(arrival > 0);
}

TEST_CASE("jobs without a reservation that start or are entitled are found as in a plain list") {
    Dice dice{2};
    UnreservedJobs queue;
    std::vector<Listed> list;
    double now = 0;
    for (std::uint64_t step = 0; step < 3000; ++step) {
        now += dice.below(3);
        const Listed one{drawn_job(dice, step, now), dice.below(5) == 0 ? never : dice.below(60)};
        queue.add(one.job, one.time);
        list.push_back(one);
        if (dice.below(20) == 0) {
            remove_some(dice, queue, list);
        }
        std::vector<UnreservedJobs::Fall> falls;
        auto free = static_cast<std::int32_t>(dice.below(25));
        for (double time = now; free >= 0; time += 1 + dice.below(12)) {
            falls.push_back({time, free});
            free -= 1 + static_cast<std::int32_t>(dice.below(12));
        }
        const double most = dice.below(25);
        compare_rows(queue, list, {.free = most, .now = now, .entitling = now}, falls);
        compare_rows(queue, list, {.free = most, .now = now}, falls);
        compare_rows(queue, list, {.free = 0, .now = now, .entitling = now}, {});
    }
}
