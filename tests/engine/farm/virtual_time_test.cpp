// Farms in virtual time: small schedules by hand, the knee of one master by its formula, and an
// independent event loop.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/farm/master_loop.hpp"
#include "engine/foundation/hash.hpp"

#include "tests/engine/farm/numbers.hpp"
#include "tests/engine/farm/simulated_workers.hpp"
#include "tests/support/virtual_farm/virtual_time_transport.hpp"
#include "tests/support/within.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

/// `count` tasks of unknown length, all ready from the start.
Waves one_wave(std::size_t count, double predicted_seconds = 0) {
    return {{std::vector<double>(count, predicted_seconds)}, Hint::exact};
}

/// Seconds of the report are virtual, but those of io.
FarmReport run_in_virtual_time(
    WorkSource& source, const VirtualRanks& ranks, const FarmOptions& options = {}
) {
    VirtualTimeTransport transport(ranks);
    return run_on(transport, source, {}, options);
}

std::function<double(const Task&)> always(double seconds) {
    return [seconds](const Task& /*task*/) {
        return seconds;
    };
}

/// What a farm on one level does, written down a second time: every list is searched through, tasks
/// travel alone. Returns when the master has sent its last message.
class IndependentLoop {
  public:
    IndependentLoop(const std::vector<double>& durations, std::size_t workers, MessageCosts costs)
        : durations_(durations), costs_(costs), under_way_(workers), free_s_(workers) {
        for (std::size_t worker = 0; worker < workers; ++worker) {
            arrivals_.push_back({costs.latency_seconds, worker, true});
        }
    }

    double run() {
        std::size_t results = 0;
        while (!arrivals_.empty()) {
            // The first of the earliest: messages of one instant stand in the order of sending.
            auto next = arrivals_.begin();
            for (auto it = arrivals_.begin(); it != arrivals_.end(); ++it) {
                next = it->at_s < next->at_s ? it : next;
            }
            const Arrival message = *next;
            arrivals_.erase(next);
            now_s_ = std::max(now_s_, message.at_s) + costs_.message_seconds;
            results += message.is_hello ? 0U : 1U;
            take(message);
        }
        CHECK(results == durations_.size());
        return now_s_ + static_cast<double>(under_way_.size()) * costs_.message_seconds;  // stops
    }

  private:
    struct Arrival {
        double at_s;
        std::size_t worker;
        bool is_hello;
    };

    void take(const Arrival& message) {
        const std::size_t worker = message.worker;
        under_way_[worker] -= message.is_hello ? 0 : 1;
        if (under_way_[worker] == 0) {
            idle_.push_back(worker);
        }
        while (!idle_.empty() && given_ < durations_.size()) {
            give(idle_.front());
            idle_.erase(idle_.begin());
        }
        const std::size_t left = durations_.size() - given_;
        if (!message.is_hello && under_way_[worker] == 1 && left > under_way_.size()) {
            give(worker);
        }
    }

    void give(std::size_t worker) {
        now_s_ += costs_.message_seconds;
        ++under_way_[worker];
        double& free_s = free_s_[worker];
        free_s = std::max(free_s, now_s_ + costs_.latency_seconds) + durations_[given_++];
        arrivals_.push_back({free_s + costs_.latency_seconds, worker, false});
    }

    std::vector<double> durations_;
    MessageCosts costs_;
    std::vector<int> under_way_;
    std::vector<double> free_s_;
    std::vector<Arrival> arrivals_;
    std::vector<std::size_t> idle_;
    std::size_t given_ = 0;
    double now_s_ = 0;
};

void check_seconds(const RankOverhead& rank, double busy, double idle, double dispatch) {
    CAPTURE(rank.rank);
    CHECK(rank.busy_seconds == busy);
    CHECK(rank.idle_seconds == idle);
    CHECK(rank.dispatch_seconds == dispatch);
}

}  // namespace

// Every message costs the master 1 s, travelling nothing; tasks last 10 s.
//   master: hello 0 (0..1), order 0 (..2), hello 1 (..3), order 1 (..4)
//   worker 0: task 0 from 2 to 12; worker 1: task 1 from 4 to 14
//   master: report 0 (12..13), order 2 (..14), report 1 (14..15): nothing left for worker 1
//   worker 0: task 2 from 14 to 24
//   master: report 2 (24..25), stops (..26, ..27)
TEST_CASE("two workers and three tasks with a slow master, by hand") {
    Waves source = one_wave(3);
    const FarmReport report = run_in_virtual_time(
        source, {.workers = 2, .costs = {.message_seconds = 1}, .duration = always(10)}
    );
    CHECK(report.wall_seconds == 27);
    REQUIRE(report.ranks.size() == 3);
    // The master sleeps from 4 to 12 and from 15 to 24; ten messages.
    CHECK(report.ranks[0].idle_seconds == 17);
    CHECK(report.ranks[0].dispatch_seconds + report.ranks[0].io_seconds == doctest::Approx(10));
    CHECK(report.ranks[0].busy_seconds == 0);
    // Worker 0 is known from 1 to 25, and loses 1 s each to 2 orders and 2 reports.
    check_seconds(report.ranks[1], 20, 0, 4);
    // Worker 1 is known from 3 to 25, and has no task from 15 on.
    check_seconds(report.ranks[2], 10, 10, 2);
    CHECK(report.ranks[1].tasks == 2);
    CHECK(report.ranks[2].tasks == 1);
}

TEST_CASE("an independent event loop gives the same makespan to the bit") {
    Dice dice(5);
    for (int i = 0; i < 200; ++i) {
        const std::size_t workers = 1 + dice.below(12);
        // Multiples of 1/64, so that sums are exact.
        std::vector<double> durations(1 + dice.below(150));
        for (double& duration : durations) {
            duration = static_cast<double>(dice.below(640)) / 64;
        }
        const MessageCosts costs{
            .message_seconds = static_cast<double>(dice.below(32)) / 64,
            .latency_seconds = static_cast<double>(dice.below(32)) / 64};
        CAPTURE(i);
        Waves source = one_wave(durations.size());
        const FarmReport report = run_in_virtual_time(
            source,
            {.workers = static_cast<std::uint32_t>(workers),
             .costs = costs,
             .duration =
                 [&](const Task& task) {
                     return durations[task.id.value];
                 }}
        );
        REQUIRE(report.wall_seconds == IndependentLoop(durations, workers, costs).run());
    }
}

// A task costs the master s = 2 messages. Below P* = T/s = 100 workers the workers are the limit,
// above it the master, which serves one task per s.
TEST_CASE("one master has its knee at T over s workers") {
    const double seconds = 1;
    const double s = 0.01;
    const auto efficiency_of = [&](std::uint32_t workers) {
        const std::size_t tasks = std::size_t{100} * workers;
        Waves source = one_wave(tasks);
        const FarmReport report = run_in_virtual_time(
            source,
            {.workers = workers, .costs = {.message_seconds = s / 2}, .duration = always(seconds)}
        );
        // Neither can be beaten: the work of all workers, and the messages.
        CHECK(report.wall_seconds >= static_cast<double>(tasks) * seconds / workers);
        CHECK(report.wall_seconds >= static_cast<double>(tasks) * s);
        return static_cast<double>(tasks) * seconds / (workers * report.wall_seconds);
    };
    // Apart from the first tasks and the last, at most 2 T and P messages: 3 of 100 T.
    CHECK(efficiency_of(50) > 0.97);
    CHECK(efficiency_of(90) > 0.97);
    CHECK(efficiency_of(200) == within(0.03, 0.5));
    CHECK(efficiency_of(400) == within(0.03, 0.25));
}

TEST_CASE("short tasks travel in bundles in virtual time as well") {
    // Predicted 10 ms: bundles of 5. 10000 tasks on 10 workers; unbundled the messages alone would
    // take 2 x 10000 x 1 ms = 20 s, bundled 4 s; the work takes 10 s.
    Waves bundled = one_wave(10000, 0.01);
    const VirtualRanks ranks{
        .workers = 10, .costs = {.message_seconds = 0.001}, .duration = always(0.01)};
    CHECK(run_in_virtual_time(bundled, ranks).wall_seconds < 10.5);
    Waves alone = one_wave(10000);
    CHECK(run_in_virtual_time(alone, ranks).wall_seconds > 20);
}

TEST_CASE("results of a source do not depend on the workers in virtual time") {
    const auto digest_of = [](std::uint32_t workers) {
        Numbers numbers(300);
        const FarmReport report = run_in_virtual_time(
            numbers,
            {.workers = workers,
             .costs = {.message_seconds = 0.001, .task_seconds = 0.0001, .latency_seconds = 0.002},
             .duration = [](const Task& task
                         ) { return 0.01 * static_cast<double>(task.id.value % 7); },
             .execute =
                 [](const Bytes& payload) {
                     return encode_number(mix(decode_number(payload)));
                 }}
        );
        std::uint64_t tasks = 0;
        for (const RankOverhead& rank : report.ranks) {
            tasks += rank.tasks;
        }
        CHECK(tasks == 300);
        CHECK(report.ranks.size() == 1 + workers);
        for (const auto& [number, result] : numbers.results) {
            CHECK(result.rank < report.ranks.size());
            CHECK(result.seconds == 0.01 * static_cast<double>(number % 7));
        }
        return digest(numbers.results);
    };
    const std::uint64_t expected = digest_of(1);
    for (const std::uint32_t workers : {2U, 8U, 100U}) {
        CHECK(digest_of(workers) == expected);
    }
}

TEST_CASE("a drain ends a farm in virtual time early") {
    Numbers numbers(1000);
    const FarmReport report = run_in_virtual_time(
        numbers,
        {.workers = 9, .costs = {}, .duration = always(1)},
        {.on_tick = {},
         .should_drain =
             [&] {
                 return numbers.results.size() >= 20;
             }}
    );
    CHECK(report.interrupted);
    CHECK(numbers.results.size() >= 20);
    // Under way at most 2 per rank, and the results of one report beyond the twentieth.
    CHECK(numbers.results.size() <= 20 + 2 * 9 + 3);
}

TEST_CASE("a drain that is abandoned returns without what is under way") {
    Numbers numbers(1000);
    const auto is_told = [&] {
        return numbers.results.size() >= 20;
    };
    const FarmReport report = run_in_virtual_time(
        numbers,
        {.workers = 9, .costs = {}, .duration = always(1)},
        {.on_tick = {}, .should_drain = is_told, .should_abandon = is_told}
    );
    CHECK(report.interrupted);
    CHECK(numbers.results.size() == 20);
    CHECK(report.wall_seconds < 4);
}

TEST_CASE("a drain that comes when everything is given out interrupts nothing") {
    Numbers numbers(20);
    const FarmReport report = run_in_virtual_time(
        numbers,
        {.workers = 1, .costs = {}, .duration = always(1)},
        {.on_tick = {},
         .should_drain =
             [&] {
                 return numbers.results.size() == 19;
             }}
    );
    CHECK(numbers.finished());
    CHECK_FALSE(report.interrupted);
}
