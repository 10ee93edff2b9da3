#include "engine/simulation/kernel/machine.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/kernel/event_queue.hpp"
#include "engine/simulation/kernel/timer_table.hpp"
#include "engine/simulation/placement.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

TEST_CASE("free processors are counted by cluster") {
    Machine machine(SystemDescription{.clusters = {8, 4}});
    const std::vector<ClusterShare> shares = {{ClusterId{0}, 5}, {ClusterId{1}, 4}};
    machine.take(shares);
    CHECK(machine.free_processors() == 3);
    CHECK(machine.free_processors(ClusterId{0}) == 3);
    CHECK(machine.free_processors(ClusterId{1}) == 0);
    machine.give_back(shares);
    CHECK(machine.free_processors() == 12);
    CHECK_THROWS_AS(machine.is_free(ProcessorId{0}), ContractViolation);
}

TEST_CASE("a range of processors may reach over clusters") {
    Machine machine(SystemDescription{.clusters = {2, 0, 3}});
    const ProcessorRange range{ProcessorId{1}, 3};
    machine.take({&range, 1});
    CHECK(machine.free_processors(ClusterId{0}) == 1);
    CHECK(machine.free_processors(ClusterId{2}) == 1);
    CHECK(machine.is_free(ProcessorId{0}));
    CHECK(!machine.is_free(ProcessorId{3}));
    CHECK(machine.is_free(ProcessorId{4}));
    machine.give_back({&range, 1});
    CHECK(machine.free_processors() == 5);
    machine.take({&range, 1});
    machine.reset();
    CHECK(machine.free_processors() == 5);
}

TEST_CASE("processors out of order are neither free nor taken and change once") {
    const CapacityChange down{.time = 0, .first_processor = 1, .count = 2};
    Machine machine(SystemDescription{.clusters = {2, 2}});
    machine.change_capacity(down);
    CHECK(machine.free_processors() == 2);
    CHECK(machine.is_free(ProcessorId{0}));
    CHECK(!machine.is_free(ProcessorId{1}));
    CHECK_THROWS_WITH_AS(
        machine.change_capacity(down),
        doctest::Contains("processor 1 is already out of order"),
        ContractViolation
    );
    for (const ProcessorRange range : {ProcessorRange{ProcessorId{0}, 2}, {ProcessorId{1}, 1}}) {
        Machine fresh(SystemDescription{.clusters = {2, 2}});
        fresh.change_capacity(down);
        CHECK_THROWS_WITH_AS(
            fresh.take({&range, 1}), doctest::Contains("processor 1 is not free"), ContractViolation
        );
    }
}

TEST_CASE("the free processors with the lowest numbers are named, cluster by cluster") {
    Machine machine(SystemDescription{.clusters = {4, 3}});
    machine.change_capacity({.time = 0, .first_processor = 1, .count = 1});
    std::vector<ProcessorRange> named;
    const std::vector<ClusterShare> shares = {{ClusterId{1}, 2}, {ClusterId{0}, 2}};
    machine.name_free(shares, named);
    const std::vector<ProcessorRange> expected = {
        {ProcessorId{4}, 2}, {ProcessorId{0}, 1}, {ProcessorId{2}, 1}};
    CHECK(named == expected);
    machine.take(named);
    const ClusterShare more{ClusterId{0}, 2};
    CHECK_THROWS_WITH_AS(
        machine.name_free({&more, 1}, named),
        doctest::Contains("2 processors of cluster 0 are not free"),
        ContractViolation
    );
}

TEST_CASE("a busy processor that went out of order leaves as it is given back, unless reset") {
    const ProcessorRange all{ProcessorId{0}, 2};
    Machine machine(SystemDescription{.clusters = {2}});
    for (int time = 0; time < 2; ++time) {
        machine.take({&all, 1});
        machine.change_capacity({.time = 0, .first_processor = 1, .count = 1});
        machine.give_back({&all, 1});
        CHECK(machine.free_processors() == 1);
        machine.reset();
        CHECK(machine.free_processors() == 2);
    }
}

TEST_CASE("timers go off by time in the order in which they were set, cancelled ones never") {
    constexpr double never = std::numeric_limits<double>::infinity();
    TimerTable timers;
    std::vector<Timer> due;
    CHECK(timers.next() == never);
    timers.set(4, Timer{1});
    timers.set(2, Timer{2});
    timers.set(4, Timer{3});
    timers.set(3, Timer{7});
    timers.set(5, Timer{7});
    CHECK(timers.next() == 2);
    timers.take(1, due);
    CHECK(due.empty());
    timers.take(2, due);
    CHECK(timers.next() == 3);
    timers.cancel(Timer{7});
    CHECK(timers.next() == 4);
    timers.take(4, due);
    CHECK(due == std::vector<Timer>{Timer{2}, Timer{1}, Timer{3}});
    CHECK(timers.next() == never);
}

TEST_CASE("events come out by time then kind then sequence number") {
    EventQueue queue;
    queue.push(2, EventKind::completion, 0, 0);
    queue.push(1, EventKind::load_finished, 1, 0);
    queue.push(1, EventKind::completion, 2, 0);
    queue.push(1, EventKind::completion, 3, 0);
    queue.push(0.5, EventKind::load_finished, 4, 0);
    std::vector<std::uint32_t> order;
    for (; !queue.empty(); queue.pop()) {
        order.push_back(queue.top().subject);
    }
    CHECK(order == std::vector<std::uint32_t>{4, 2, 3, 1, 0});
}

TEST_CASE("a thousand events come out in order and some can be discarded") {
    EventQueue queue;
    std::vector<double> expected;
    std::uint32_t state = 1;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        state = state * 1664525U + 1013904223U;
        const double time = state >> 20;
        queue.push(time, EventKind::completion, i, i % 3);
        if (i % 3 != 0) {
            expected.push_back(time);
        }
    }
    queue.discard_if([](const Event& event) { return event.version == 0; });
    std::sort(expected.begin(), expected.end());
    for (const double time : expected) {
        REQUIRE(queue.top().time == time);
        queue.pop();
    }
    CHECK(queue.empty());
}

// A list forgets some at random, and gives the queue what is due at 0, 50, 100, …
TEST_CASE("listed events come out in the order of all events") {
    std::uint32_t state = 1;
    const auto below = [&state](std::uint32_t n) {
        state = state * 1664525U + 1013904223U;
        return (state >> 16) % n;
    };
    EventQueue queue;
    EventList list;
    std::vector<Event> planned;  // that nobody forgot
    std::vector<bool> is_forgotten;
    const auto is_stale = [&is_forgotten](const Event& event) {
        return is_forgotten[event.subject];
    };
    for (double now = 0; now < 5000; now += 50) {
        for (std::uint32_t i = below(20); i > 0; --i) {
            const auto subject = static_cast<std::uint32_t>(is_forgotten.size());
            is_forgotten.push_back(false);
            const double time = now + below(200);
            planned.push_back(queue.next(time, EventKind::completion, subject, 0));
            if (below(4) == 0) {
                queue.push(planned.back());
            } else {
                list.add(planned.back());
                if (below(2) == 0) {
                    is_forgotten[subject] = true;
                    list.forget(time);
                    planned.pop_back();
                }
            }
        }
        std::sort(planned.begin(), planned.end());
        double next = list.next(is_stale);
        next = queue.empty() ? next : std::min(next, queue.top().time);
        REQUIRE((planned.empty() || planned.front().time == next));
        list.give_due(now, queue, is_stale);
        std::size_t taken = 0;
        for (; !queue.empty() && queue.top().time <= now; queue.pop()) {
            REQUIRE(queue.top().subject == planned.at(taken++).subject);
        }
        REQUIRE((taken == planned.size() || planned[taken].time > now));
        planned.erase(planned.begin(), planned.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    CHECK(is_forgotten.size() > 500);
}

TEST_CASE("each request structure accepts its own placements only") {
    const std::vector<std::uint32_t> components = {3, 1, 2};
    Job job;
    job.size = 6;
    job.components = components;
    const auto placed = [&job](RequestStructure structure, std::vector<std::uint32_t> counts) {
        job.structure = structure;
        return is_placed_as_requested(job, counts);
    };
    CHECK(placed(RequestStructure::total, {6, 0, 0}));
    CHECK(!placed(RequestStructure::total, {6, 1, 0}));
    CHECK(placed(RequestStructure::ordered, {3, 1, 2}));
    CHECK(placed(RequestStructure::ordered, {3, 1, 2, 0}));
    CHECK(!placed(RequestStructure::ordered, {1, 3, 2}));
    CHECK(!placed(RequestStructure::ordered, {3, 1, 2, 1}));
    CHECK(placed(RequestStructure::unordered, {0, 1, 2, 3}));
    CHECK(!placed(RequestStructure::unordered, {0, 3, 3, 0}));
    CHECK(placed(RequestStructure::grouped, {0, 3, 3, 0}));
    CHECK(placed(RequestStructure::grouped, {1, 5, 0, 0}));
    CHECK(placed(RequestStructure::grouped, {6, 0, 0, 0}));
    CHECK(!placed(RequestStructure::grouped, {2, 2, 2, 0}));
    CHECK(!placed(RequestStructure::grouped, {7, 0, 0, 0}));
    // 4, 3, 3, 2, 2: the 4 takes up 7 only with a 3; 2 and 2 beside it would leave the other 3 out.
    const std::vector<std::uint32_t> five = {4, 3, 3, 2, 2};
    job.components = five;
    CHECK(placed(RequestStructure::grouped, {8, 6}));
    CHECK(placed(RequestStructure::grouped, {7, 7}));
    CHECK(!placed(RequestStructure::grouped, {13, 1}));
}

TEST_CASE("a job is read from the columns of its block") {
    JobBlock block;
    block.first_index = 7;
    block.count = 2;
    block.component_stride = 3;
    block.submit_time = {1, 2};
    block.service_time = {10, 20};
    block.size = {5, 6};
    block.components = {5, 0, 0, 4, 0, 2};
    block.structure = RequestStructure::ordered;
    block.weight = {1, 2.5};
    const Job plain = block.job(0);
    CHECK(plain.components.size() == 1);
    CHECK(plain.estimate == 10);
    CHECK(plain.fixed_start == no_fixed_start);
    const Job job = block.job(1);
    CHECK(job.index == 8);
    CHECK(job.submit_time == 2);
    CHECK(job.service_time == 20);
    CHECK(job.size == 6);
    CHECK(job.weight == 2.5);
    CHECK(
        std::vector<std::uint32_t>(job.components.begin(), job.components.end())
        == std::vector<std::uint32_t>{4, 0, 2}
    );
    CHECK_THROWS_AS(block.job(2), ContractViolation);
    block.components.clear();
    CHECK(block.job(1).components[0] == 6);
}

}  // namespace schedfarm::engine
