// Queues sorted by run time and by expansion factor against a plain loop (by hand: tests/cases),
// and in an order that is drawn.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

double plain_key(const std::string& policy, const PlainJob& job, bool is_actual, double now) {
    const double run_time = is_actual ? job.given.service_time : job.request();
    if (policy == "sjf") {
        return run_time;
    }
    if (policy == "ljf") {
        return -run_time;
    }
    const double wait = now - job.given.submit_time;
    return run_time > 0 ? -wait / run_time : -std::numeric_limits<double>::infinity();
}

/// Sorts what waits, then offers every job a start; a start ages those ahead.
void plain_pass(PlainLoop& loop, const std::string& policy, bool is_actual, int max_jumps) {
    const auto key = [&](const PlainJob& job) {
        return plain_key(policy, job, is_actual, loop.now);
    };
    std::sort(loop.waiting.begin(), loop.waiting.end(), [&](const auto& a, const auto& b) {
        return key(a) < key(b) || (key(a) == key(b) && a.index < b.index);
    });
    for (std::size_t i = 0; i < loop.waiting.size();) {
        for (std::size_t ahead = 0; ahead < i; ++ahead) {
            if (loop.waiting[ahead].counter >= max_jumps) {
                return;
            }
        }
        if (loop.waiting[i].size() > loop.free) {
            ++i;
            continue;
        }
        loop.start(i);
        for (std::size_t ahead = 0; ahead < i; ++ahead) {
            ++loop.waiting[ahead].counter;
        }
    }
}

}  // namespace

TEST_CASE("sorted queues start every job when a plain loop does") {
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        const std::string policy = std::vector{"sjf", "ljf", "lxf", "lxf"}[dice.below(4)];
        const bool is_actual = dice.below(3) == 0;
        const int max_jumps = static_cast<int>(dice.below(12));
        Parameters parameters;
        parameters.set("max_jumps", max_jumps);
        parameters.set("run_time", is_actual ? "actual" : "requested");
        const std::string order = std::vector{"batch", "finish_first", "submit_first"}[seed % 3];
        parameters.set("simultaneous", order);
        CAPTURE(policy);
        CAPTURE(parameters.text());
        REQUIRE(
            starts_of(policy.c_str(), parameters, processors, jobs)
            == PlainLoop(processors, jobs)
                   .run(
                       [&](PlainLoop& loop) { plain_pass(loop, policy, is_actual, max_jumps); },
                       order
                   )
        );
    }
}

TEST_CASE("random_order sorts by the draws of the replication") {
    // 4 processors, all taken until 2. Then one job at a time runs, since none is below 3.
    const Jobs jobs = {
        {0, 2, {4}}, {1, 3, {4}}, {1, 5, {3}}, {1, 1, {3}}, {1, 2, {4}}, {1, 2.5, {3}}};
    const Stream random(1, Purpose::policy, 0);
    std::vector<std::size_t> order = {1, 2, 3, 4, 5};
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return random.draw(a) < random.draw(b);
    });
    Times expected(6, 0);
    double time = 2;
    for (const std::size_t job : order) {
        expected[job] = time;
        time += jobs[job].service_time;
    }
    CHECK(starts_of("random_order", {}, 4, jobs) == expected);
    CHECK(!std::is_sorted(order.begin(), order.end()));
}

}  // namespace schedfarm::tests
