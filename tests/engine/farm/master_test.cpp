// The master's state machine against workers whose steps are interleaved at random, with a clock
// that the test sets.
#include "engine/farm/master.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/engine/farm/simulated_workers.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

std::vector<double> many(std::size_t count, double seconds) {
    return std::vector<double>(count, seconds);  // NOLINT(modernize-return-braced-init-list)
}

using Sizes = std::vector<std::size_t>;

/// Steps random workers until all are stopped; drains before step `drain_at`. Returns the steps.
std::size_t run_at_random(Bench& bench, Dice& dice, std::optional<std::size_t> drain_at) {
    std::size_t steps = 0;
    while (!bench.master.done()) {
        if (steps++ == drain_at) {
            bench.deliver(bench.master.drain(bench.now_s));
            continue;
        }
        std::vector<std::uint32_t> able;
        for (std::uint32_t i = 0; i < bench.desks.size(); ++i) {
            if (!bench.desks[i].said_hello || !bench.desks[i].bundles.empty()) {
                able.push_back(i);
            }
        }
        REQUIRE_FALSE(able.empty());  // otherwise the farm hangs
        const std::uint32_t worker = able[dice.below(able.size())];
        bench.now_s += 0.001;
        if (!bench.desks[worker].said_hello) {
            bench.hello(worker);
        } else {
            bench.work(worker, 1 + dice.below(bench.desks[worker].bundles.front().size()));
        }
    }
    return steps;
}

Waves random_waves(Dice& dice) {
    std::vector<std::vector<double>> waves(dice.below(4));
    for (auto& wave : waves) {
        wave.resize(1 + dice.below(60));
        for (double& seconds : wave) {
            constexpr std::array choices{0.0, 0.004, 0.02, 0.3, 5.0};
            seconds = choices.at(dice.below(choices.size()));
        }
    }
    const Hint hint = dice.below(2) == 0 ? Hint::none : Hint::exact;
    return {waves, hint};
}

}  // namespace

TEST_CASE("whatever the interleaving every task is given once and accepted once and all stop") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Waves source = random_waves(dice);
        Bench bench(source, static_cast<std::uint32_t>(1 + dice.below(9)));
        run_at_random(bench, dice, std::nullopt);
        REQUIRE(source.finished());
        REQUIRE(bench.given.size() == source.predicted.size());
        std::sort(source.accepted.begin(), source.accepted.end());
        REQUIRE(std::equal(
            bench.given.begin(), bench.given.end(), source.accepted.begin(), source.accepted.end()
        ));
        for (const TestDesk& desk : bench.desks) {
            REQUIRE(desk.stopped);
        }
    }
}

TEST_CASE("a drain gives nothing more and takes in what is under way whenever it comes") {
    std::size_t interrupted = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Waves source = random_waves(dice);
        Bench bench(source, static_cast<std::uint32_t>(1 + dice.below(9)));
        run_at_random(bench, dice, dice.below(60));
        interrupted += source.finished() ? 0U : 1U;
        // All that was ever taken from the source has come back: nothing waits inside the master.
        REQUIRE(source.accepted.size() == source.predicted.size());
        REQUIRE(bench.given.size() == source.predicted.size());
    }
    CHECK(interrupted > 500);
}

TEST_CASE("after a drain no task is taken from the source") {
    Waves source({many(100, 0)}, Hint::none);
    Bench bench(source, 2);
    bench.hello(0);
    bench.work(0, 1);  // now one at work and one ahead
    CHECK(bench.given.size() == 3);
    bench.deliver(bench.master.drain(5));
    bench.hello(1);
    CHECK(bench.desks[1].stopped);
    bench.work(0, 1);
    CHECK_FALSE(bench.desks[0].stopped);
    bench.work(0, 1);
    CHECK(bench.desks[0].stopped);
    CHECK(bench.master.done());
    CHECK(bench.given.size() == 3);
    CHECK(source.accepted.size() == 3);
}

TEST_CASE("work is given ahead from the first report on but not in the last wave") {
    Waves source({many(7, 0)}, Hint::exact);
    Bench bench(source, 2);
    bench.hello(0);
    bench.hello(1);
    CHECK(bench.bundle_sizes(0) == Sizes{1});
    CHECK(bench.bundle_sizes(1) == Sizes{1});
    bench.work(0, 1);  // 5 left: one to do and one ahead, then 3 are left
    CHECK(bench.bundle_sizes(0) == Sizes{1, 1});
    bench.work(1, 1);  // one to do, then 2 are left for 2 workers: the last wave
    CHECK(bench.bundle_sizes(1) == Sizes{1});
    bench.work(0, 1);
    CHECK(bench.bundle_sizes(0) == Sizes{1});
    bench.work(0, 1);
    bench.work(1, 1);
    CHECK(bench.bundle_sizes(0) == Sizes{1});
    CHECK(bench.bundle_sizes(1) == Sizes{1});
}

TEST_CASE("nothing is given ahead to a worker that holds a long task") {
    Waves source({many(100, 1.5)}, Hint::none);
    Bench bench(source, 2);
    bench.hello(0);
    bench.work(0, 1);
    CHECK(bench.bundle_sizes(0) == Sizes{1});
}

TEST_CASE("short tasks are bundled up to 50 ms of predicted time") {
    // 8 ms each: after 7 tasks 56 ms, the first sum of at least 50 ms.
    Waves source({many(100, 0.008)}, Hint::none);
    Bench bench(source, 2);
    bench.hello(0);
    CHECK(bench.bundle_sizes(0) == Sizes{7});
    bench.work(0, 3);  // a part of the bundle: there is room for one bundle ahead
    CHECK(bench.bundle_sizes(0) == Sizes{4, 7});
    bench.work(0, 2);
    CHECK(bench.bundle_sizes(0) == Sizes{2, 7});
    bench.work(0, 2);
    CHECK(bench.bundle_sizes(0) == Sizes{7, 7});
}

TEST_CASE("tasks of unknown length travel alone and very short ones in bundles of at most 256") {
    Waves unknown({many(10, 0)}, Hint::none);
    Bench one_by_one(unknown, 1);
    one_by_one.hello(0);
    CHECK(one_by_one.bundle_sizes(0) == Sizes{1});

    Waves tiny({many(600, 1e-7)}, Hint::none);
    Bench bundled(tiny, 1);
    bundled.hello(0);
    CHECK(bundled.bundle_sizes(0) == Sizes{256});
}

TEST_CASE("the last short tasks are shared out instead of going to one worker") {
    // 40 ready tasks on 2 workers: bundles of 40/4 = 10, then 30/4 = 7, …
    Waves source({many(40, 0.001)}, Hint::exact);
    Bench bench(source, 2);
    bench.hello(0);
    bench.hello(1);
    CHECK(bench.bundle_sizes(0) == Sizes{10});
    CHECK(bench.bundle_sizes(1) == Sizes{7});
}

TEST_CASE("idle workers wait until results open new work and are served in turn") {
    Waves source({many(1, 0), many(3, 0)}, Hint::none);
    Bench bench(source, 3);
    bench.hello(2);
    bench.hello(0);
    bench.hello(1);
    CHECK(bench.given.size() == 1);
    bench.work(2, 1);  // the second wave opens: three tasks, three idle workers
    for (std::uint32_t worker = 0; worker < 3; ++worker) {
        CHECK(bench.bundle_sizes(worker) == Sizes{1});
    }
    for (std::uint32_t worker = 0; worker < 3; ++worker) {
        bench.work(worker, 1);
    }
    CHECK(bench.master.done());
}

TEST_CASE("a finished source stops every worker at its hello") {
    Waves source({}, Hint::none);
    Bench bench(source, 2);
    CHECK_FALSE(bench.master.done());
    bench.hello(1);
    CHECK(bench.desks[1].stopped);
    bench.hello(0);
    CHECK(bench.master.done());
}

TEST_CASE("tallies count tasks and time by the caller's clock") {
    Waves source({many(3, 0)}, Hint::exact);
    Bench bench(source, 2);
    bench.now_s = 10;
    bench.hello(0);
    bench.now_s = 11;
    bench.hello(1);
    bench.now_s = 15;
    bench.work(0, 1);
    bench.now_s = 16;
    bench.work(1, 1);
    bench.now_s = 18;
    bench.work(0, 1);
    const auto tallies = bench.master.tallies();
    CHECK(tallies[0].host == "host");
    CHECK(tallies[0].children[0].tasks == 2);
    CHECK(tallies[0].children[0].busy_seconds == 4);  // two tasks of 2 s
    CHECK(tallies[0].present_seconds == 8);           // from 10 to the last result at 18
    CHECK(tallies[1].children[0].tasks == 1);
    CHECK(tallies[1].present_seconds == 7);  // idle at 16, but a result under way may open new work
}

// 40 tasks, of which bundles of 10 are 50 ms; half of an even share of four are 5.
TEST_CASE("a worker with children is given a bundle for each of them in one order") {
    Waves source({many(40, 0.005)}, Hint::exact);
    Master master(source, 2, {});
    CHECK(master.absent() == std::vector<std::uint32_t>{0, 1});
    const auto first =
        master.take(0, {.kind = ReportKind::hello, .first_rank = 1, .children = 3}, 0);
    CHECK(master.absent() == std::vector<std::uint32_t>{1});
    REQUIRE(first.size() == 1);
    CHECK(first[0].order.bundle_sizes == std::vector<std::uint32_t>{5, 4, 3});
    CHECK(first[0].order.tasks.size() == 12);
    // The second child, rank 2, is done with tasks 5 to 8: a bundle for it, and one ahead for each.
    WorkerReport report{.kind = ReportKind::results};
    for (std::uint64_t id = 5; id < 9; ++id) {
        report.results.push_back({.id = {id}, .payload = {}, .message = {}, .seconds = 2, .rank = 2}
        );
    }
    const auto next = master.take(0, report, 1);
    REQUIRE(next.size() == 2);
    CHECK(next[0].order.bundle_sizes == std::vector<std::uint32_t>{3});
    CHECK(next[1].order.bundle_sizes == std::vector<std::uint32_t>{3, 2, 2});
    const WorkerTally tally = master.tallies()[0];
    REQUIRE(tally.children.size() == 3);
    CHECK(tally.children[0].tasks == 0);
    CHECK(tally.children[1].tasks == 4);
    CHECK(tally.children[1].busy_seconds == 8);
    report.results = {{.id = {0}, .payload = {}, .message = {}, .seconds = 2, .rank = 4}};
    CHECK_THROWS_AS(master.take(0, report, 1), ContractViolation);
    CHECK_THROWS_WITH_AS(
        master.take(1, {.kind = ReportKind::broken, .text = "no log"}, 2), "no log", WorkerBroken
    );
}

TEST_CASE("the tasks of a lost worker go to others and what it says later is dropped") {
    Waves source({many(4, 5.0)}, Hint::exact);
    Bench bench(source, 3);
    bench.hello(0);
    bench.hello(1);
    const TaskId task = bench.desks[0].bundles.front().front().id;
    bench.work(1, 1);  // and is given another
    std::vector<AddressedOrder> orders;
    bench.given.erase(task.value);
    const LostWorker lost = bench.master.lose(0, bench.now_s, orders);
    CHECK(lost.host == "host");
    CHECK(lost.children == 1);
    CHECK(lost.tasks == 1);
    CHECK(orders.empty());  // the other is busy
    CHECK(bench.master.present() == std::vector<std::uint32_t>{1});
    while (!bench.desks[1].bundles.empty()) {
        bench.work(1, 1);
    }
    CHECK(source.finished());
    CHECK(source.accepted.size() == 4);
    const auto late = bench.master.take(
        0, {ReportKind::results, {}, {{.id = task, .payload = {}, .message = {}}}}, bench.now_s
    );
    REQUIRE(late.size() == 1);
    CHECK(late[0].worker == 0);
    CHECK(late[0].order.kind == OrderKind::stop);
    CHECK(source.accepted.size() == 4);
    CHECK(bench.master.take(1, {.kind = ReportKind::alive}, bench.now_s).empty());
    CHECK_FALSE(bench.master.done());  // the third may come still
    bench.hello(2);
    CHECK(bench.master.done());
}

TEST_CASE("an idle worker takes the tasks of a lost one, and without workers the farm ends") {
    Waves source({many(1, 5.0)}, Hint::exact);
    Bench bench(source, 2);
    bench.hello(0);
    bench.hello(1);
    std::vector<AddressedOrder> orders;
    CHECK(bench.master.lose(0, bench.now_s, orders).tasks == 1);
    REQUIRE(orders.size() == 1);
    CHECK(orders[0].worker == 1);
    orders.clear();
    CHECK(bench.master.lose(1, bench.now_s, orders).tasks == 1);
    CHECK(orders.empty());
    CHECK(bench.master.done());
    CHECK_FALSE(source.finished());
}

TEST_CASE("reports that do not fit and sources that are stuck are broken contracts") {
    Waves source({many(4, 0)}, Hint::none);
    Bench bench(source, 2);
    bench.hello(0);
    CHECK_THROWS_AS(bench.hello(0), ContractViolation);
    CHECK_THROWS_AS(bench.master.take(2, {}, 0), ContractViolation);
    TaskResult other;
    other.id = {99};
    CHECK_THROWS_AS(bench.master.take(0, {ReportKind::results, {}, {other}}, 0), ContractViolation);
    CHECK_THROWS_AS(bench.master.take(0, {ReportKind::results, {}, {}}, 0), ContractViolation);

    class Stuck final : public WorkSource {
        std::optional<Task> next_task() override { return std::nullopt; }
        void accept(const TaskResult& /*result*/) override {}
        bool finished() const override { return false; }
    };
    Stuck stuck;
    Master master(stuck, 1, {});
    CHECK_THROWS_AS(master.take(0, {}, 0), ContractViolation);
}
