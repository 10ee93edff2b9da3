// The account of a run in one process: where the time went, by lower bounds that sleeping gives on
// any machine.
#include "engine/farm/master_loop.hpp"

#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "engine/farm/transport/in_process_transport.hpp"

#include "tests/engine/farm/numbers.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using namespace schedfarm::tests;   // NOLINT(google-build-using-namespace)

namespace {

void sleep_ms(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

TEST_CASE("time in tasks and time in the source are accounted for where they were spent") {
    Numbers numbers(5);
    numbers.on_result = [] {
        sleep_ms(10);
    };
    const TaskFunction execute = [](const Bytes& payload) {
        sleep_ms(20);
        return payload;
    };
    InProcessTransport transport(execute);
    const FarmReport report = run_on(transport, numbers, {.bundles_ahead = 0}, {});
    REQUIRE(report.ranks.size() == 1);
    const RankOverhead& own = report.ranks[0];
    CHECK(own.tasks == 5);
    CHECK(own.busy_seconds >= 0.1);
    CHECK(own.io_seconds >= 0.05);
    CHECK(own.idle_seconds == 0);
    CHECK(own.dispatch_seconds >= 0);
    CHECK(
        own.busy_seconds + own.io_seconds + own.dispatch_seconds
        == doctest::Approx(report.wall_seconds)
    );
}

// A tick comes every 0.1 s between messages: tasks of 60 ms make at least one in 5.
TEST_CASE("the time of a slow hook counts as I/O of the master") {
    Numbers numbers(5);
    const TaskFunction execute = [](const Bytes& payload) {
        sleep_ms(60);
        return payload;
    };
    InProcessTransport transport(execute);
    int ticks = 0;
    const FarmReport report = run_on(
        transport,
        numbers,
        {.bundles_ahead = 0},
        {.on_tick =
             [&] {
                 ++ticks;
                 sleep_ms(15);
             },
         .should_drain = {}}
    );
    CHECK(ticks >= 1);
    CHECK(report.ranks[0].io_seconds >= 0.015 * ticks);
}
