#include "engine/farm/wall_clock.hpp"

#include <cmath>
#include <ctime>

#include <doctest/doctest.h>

#include "engine/farm/worker.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)

TEST_CASE("the clock tells the time of day and never goes back") {
    const auto day = static_cast<double>(std::time(nullptr));
    double before = seconds_since_1970();
    CHECK(std::abs(before - day) < 60);
    for (int i = 0; i < 1000; ++i) {
        const double now = seconds_since_1970();
        REQUIRE(now >= before);
        before = now;
    }
}

TEST_CASE("tasks of one worker are dated one behind the other") {
    double free_s = seconds_since_1970();
    for (std::uint64_t i = 0; i < 100; ++i) {
        const TaskResult result = execute_task(
            {{i}, {}, 0}, [](const Bytes& bytes) { return bytes; }, 1
        );
        REQUIRE(result.began_s >= free_s - 1e-6);
        free_s = result.began_s + result.seconds;
    }
    CHECK(free_s <= seconds_since_1970() + 1e-6);
}
