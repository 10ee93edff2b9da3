// Two levels of masters as state machines: who is what, what a sub-master is given, and random
// interleavings of the messages between a master, its sub-masters and their ranks.
#include "engine/farm/sub_master.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include <doctest/doctest.h>

#include "engine/farm/farm_layout.hpp"
#include "engine/foundation/expect.hpp"

#include "tests/engine/farm/simulated_workers.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

FarmOptions two_levels(std::uint32_t group_ranks) {
    FarmOptions options;
    options.levels = Levels::two;
    options.group_ranks = group_ranks;
    return options;
}

using Layout = std::vector<RankGroup>;

WorkerReport results_of(const std::vector<std::uint64_t>& ids) {
    WorkerReport report{ReportKind::results, {}, {}, {}};
    for (const std::uint64_t id : ids) {
        report.results.push_back({.id = {id}, .payload = {}, .message = {}});
    }
    return report;
}

/// A master, sub-masters and their ranks, with messages that are delivered when the dice say so.
class TwoLevels {
  public:
    TwoLevels(WorkSource& source, const std::vector<std::uint32_t>& sizes, Dice& dice)
        : master(source, sizes, {}), dice_(dice) {
        for (const std::uint32_t size : sizes) {
            Group& group = groups_.emplace_back(size);
            group.up.push_back({ReportKind::hello, "host", {}, {}});
            group.ranks.resize(size);
        }
    }

    bool done() const {
        return master.done() && std::all_of(groups_.begin(), groups_.end(), [](const Group& group) {
                   return group.machine.done();
               });
    }

    void step() {
        now_s_ += 0.001;
        Group& group = groups_[dice_.below(groups_.size())];
        switch (dice_.below(3)) {
            case 0:
                deliver_up(group);
                break;
            case 1:
                deliver_down(group);
                break;
            default:
                step_rank(group);
                break;
        }
        if (auto report = group.machine.report_if_due(now_s_)) {
            group.up.push_back(std::move(*report));
        }
    }

    void drain() { send(master.drain(now_s_)); }

    Master master;
    std::size_t most_per_rank = 0;  ///< tasks ever under way in a group, per rank

  private:
    struct Rank {
        bool said_hello = false;
        bool stopped = false;
        std::deque<Task> tasks;
    };
    struct Group {
        explicit Group(std::uint32_t size) : machine(size) {}
        SubMaster machine;
        std::deque<Order> down;
        std::deque<WorkerReport> up;
        std::deque<Rank> ranks;
        std::size_t under_way = 0;
    };

    void send(const std::vector<AddressedOrder>& orders) {
        for (const AddressedOrder& addressed : orders) {
            Group& group = groups_[addressed.worker];
            group.down.push_back(addressed.order);
            group.under_way += addressed.order.tasks.size();
            const std::size_t ranks = group.ranks.size();
            most_per_rank = std::max(most_per_rank, (group.under_way + ranks - 1) / ranks);
        }
    }

    void deliver_up(Group& group) {
        if (group.up.empty()) {
            return;
        }
        const auto index = static_cast<std::uint32_t>(
            std::find_if(
                groups_.begin(), groups_.end(), [&](const Group& g) { return &g == &group; }
            )
            - groups_.begin()
        );
        group.under_way -= group.up.front().results.size();
        send(master.take(index, group.up.front(), now_s_));
        group.up.pop_front();
    }

    void deliver_down(Group& group) {
        if (!group.down.empty()) {
            give(group, group.machine.take_order(group.down.front(), now_s_));
            group.down.pop_front();
        }
    }

    void step_rank(Group& group) {
        const auto index = static_cast<std::uint32_t>(dice_.below(group.ranks.size()));
        Rank& rank = group.ranks[index];
        if (!rank.said_hello) {
            rank.said_hello = true;
            give(
                group, group.machine.take_report(index, {ReportKind::hello, "host", {}, {}}, now_s_)
            );
        } else if (!rank.tasks.empty()) {
            const std::uint64_t id = rank.tasks.front().id.value;
            rank.tasks.pop_front();
            give(group, group.machine.take_report(index, results_of({id}), now_s_));
        }
    }

    static void give(Group& group, const std::vector<AddressedOrder>& orders) {
        for (const AddressedOrder& addressed : orders) {
            Rank& rank = group.ranks[addressed.worker];
            REQUIRE(rank.said_hello);
            REQUIRE_FALSE(rank.stopped);
            rank.stopped = addressed.order.kind == OrderKind::stop;
            rank.tasks.insert(
                rank.tasks.end(), addressed.order.tasks.begin(), addressed.order.tasks.end()
            );
        }
    }

    Dice& dice_;
    std::deque<Group> groups_;
    double now_s_ = 0;
};

}  // namespace

TEST_CASE("ranks fall into groups of a sub-master and its workers") {
    CHECK(farm_layout(9, two_levels(3)) == Layout{{1, 2}, {4, 2}, {7, 1}});
    CHECK(farm_layout(7, two_levels(3)) == Layout{{1, 2}, {4, 2}});
    CHECK(farm_layout(8, two_levels(3)) == Layout{{1, 2}, {4, 3}});  // none alone
    CHECK(farm_layout(9, two_levels(257)) == Layout{{1, 7}});
    CHECK(farm_layout(4, two_levels(2)) == Layout{{1, 2}});
    CHECK(farm_layout(3, two_levels(2)).empty());
    CHECK(farm_layout(2, two_levels(2)).empty());
    CHECK_THROWS_AS(farm_layout(9, two_levels(1)), ContractViolation);
}

// P s / T with s = 10 us: tasks of 1 s reach 0.3 at P = 30000; short tasks, and tasks of unknown
// length, travel in bundles of 50 ms: P = 1500.
TEST_CASE("two levels switch on by themselves where one master would be too busy") {
    FarmOptions options;
    CHECK(farm_layout(1491, options).empty());
    CHECK(farm_layout(1511, options).size() == 6);  // 1510 ranks by 257
    options.expected_task_seconds = 0.001;
    CHECK(farm_layout(1491, options).empty());
    CHECK_FALSE(farm_layout(1511, options).empty());
    options.expected_task_seconds = 1;
    CHECK(farm_layout(29991, options).empty());
    CHECK_FALSE(farm_layout(30011, options).empty());
    options.levels = Levels::one;
    CHECK(farm_layout(100000, options).empty());
}

TEST_CASE("a sub-master is given a task for each rank and then one ahead for each") {
    Waves source({std::vector<double>(100, 0)}, Hint::exact);
    Master master(source, std::vector<std::uint32_t>{3, 2}, {});
    auto orders = master.take(0, {ReportKind::hello, "a", {}, {}}, 0);
    REQUIRE(orders.size() == 1);
    CHECK(orders[0].order.tasks.size() == 3);
    orders = master.take(0, results_of({1}), 0);  // not the first: any order will do
    // One rank is idle; then 5 are under way at most, 3 more are given ahead.
    std::size_t given = 0;
    for (const AddressedOrder& addressed : orders) {
        given += addressed.order.tasks.size();
    }
    CHECK(given == 4);
    CHECK(master.tasks_under_way() == 6);
    orders = master.take(0, results_of({0, 2}), 0);
    CHECK(master.tasks_under_way() == 6);
}

// Tasks of 10 s: nothing is given ahead, but no rank waits for the others.
TEST_CASE("a rank of a group gets its next long task while the others still work") {
    Waves source({std::vector<double>(100, 10)}, Hint::exact);
    Master master(source, std::vector<std::uint32_t>{4}, {});
    master.take(0, {ReportKind::hello, "a", {}, {}}, 0);
    CHECK(master.tasks_under_way() == 4);
    master.take(0, results_of({2}), 0);
    CHECK(master.tasks_under_way() == 4);
    master.take(0, results_of({0, 3, 4}), 0);
    CHECK(master.tasks_under_way() == 4);
}

// Short tasks of 0.3 s: 4 under way are 1.2 s of one rank, but less than a second of each of 4.
TEST_CASE("what lies ahead of a group is measured against all of its ranks") {
    Waves source({std::vector<double>(100, 0.3)}, Hint::none);
    Master master(source, std::vector<std::uint32_t>{4}, {});
    master.take(0, {ReportKind::hello, "a", {}, {}}, 0);
    master.take(0, results_of({2}), 0);
    CHECK(master.tasks_under_way() == 8);
}

TEST_CASE("a result from a worker that was not given the task breaks the contract") {
    Waves source({std::vector<double>(100, 0)}, Hint::exact);
    Master master(source, std::vector<std::uint32_t>{2, 2}, {});
    master.take(0, {ReportKind::hello, "a", {}, {}}, 0);
    master.take(1, {ReportKind::hello, "b", {}, {}}, 0);
    CHECK_THROWS_AS(master.take(1, results_of({0}), 0), ContractViolation);
    CHECK_THROWS_AS(master.take(0, {ReportKind::farewell, "", {}, {}}, 0), ContractViolation);
}

TEST_CASE("results wait for each other but not for long and not for nothing") {
    SubMaster group(3);
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        group.take_report(rank, {ReportKind::hello, "a", {}, {}}, 0);
    }
    Order order{OrderKind::work, {}};
    for (std::uint64_t id = 0; id < 6; ++id) {
        order.tasks.push_back({{id}, {}, 0});
    }
    REQUIRE(group.take_order(order, 0).size() == 3);  // tasks 0, 1, 2
    CHECK_FALSE(group.report_due_s());
    group.take_report(0, results_of({0}), 1);  // is given task 3
    CHECK_FALSE(group.report_if_due(1));
    CHECK(group.report_due_s() == 1.005);
    group.take_report(1, results_of({1}), 1.001);  // 4
    CHECK_FALSE(group.report_if_due(1.004));
    CHECK(group.report_if_due(1.005)->results.size() == 2);
    CHECK_FALSE(group.report_if_due(2));
    group.take_report(0, results_of({3}), 3);  // 5
    group.take_report(1, results_of({4}), 3);
    CHECK_FALSE(group.report_if_due(3));
    group.take_report(2, results_of({2}), 3);
    CHECK(group.report_if_due(3)->results.size() == 3);  // one per rank
    group.take_report(0, results_of({5}), 4);
    CHECK(group.report_if_due(4)->results.size() == 1);  // nothing else to come
}

TEST_CASE("on two levels every task is given and accepted once whatever the interleaving") {
    std::size_t interrupted = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        std::vector<double> lengths(dice.below(200));
        for (double& seconds : lengths) {
            seconds = dice.below(2) == 0 ? 0 : 1.5;
        }
        Waves source(
            {std::vector<double>(1 + dice.below(30), 0),
             lengths.empty() ? std::vector<double>{0} : lengths},
            dice.below(2) == 0 ? Hint::none : Hint::exact
        );
        std::vector<std::uint32_t> sizes(1 + dice.below(4));
        for (std::uint32_t& size : sizes) {
            size = static_cast<std::uint32_t>(1 + dice.below(5));
        }
        TwoLevels farm(source, sizes, dice);
        const std::size_t drain_at = dice.below(2) == 0 ? dice.below(300) : SIZE_MAX;
        std::size_t steps = 0;
        for (; !farm.done() && steps < 1000000; ++steps) {
            if (steps == drain_at) {
                farm.drain();
            }
            farm.step();
        }
        REQUIRE(farm.done());
        REQUIRE((source.finished() || drain_at != SIZE_MAX));
        REQUIRE(farm.master.tasks_under_way() == 0);
        REQUIRE(source.accepted.size() == source.predicted.size());
        std::sort(source.accepted.begin(), source.accepted.end());
        REQUIRE(
            std::adjacent_find(source.accepted.begin(), source.accepted.end())
            == source.accepted.end()
        );
        REQUIRE(farm.most_per_rank <= 2);
        interrupted += source.finished() ? 0U : 1U;
    }
    CHECK(interrupted > 100);
}
