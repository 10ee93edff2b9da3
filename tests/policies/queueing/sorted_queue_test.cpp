// Queues sorted by run time and by expansion factor: by hand, and against a plain loop. A job is
// {submit, service, {processors}, class, requested time}.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

Parameters jumps(int most) {
    Parameters parameters;
    parameters.set("max_jumps", most);
    return parameters;
}

// 2 processors, all jobs want both.
Jobs one_at_a_time() {
    return {{0, 10, {2}}, {1, 9, {2}}, {2, 2, {2}}, {6, 1, {2}}, {10, 4, {2}}};
}

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

TEST_CASE("the largest expansion factor is judged when processors come free") {
    // At 10: job 1 has waited 9 for 9: factor 2; job 2 8 for 2: 5; job 3 4 for 1: 5; job 4 none.
    // Jobs 2 and 3 tie: job 2 came first. At 12 job 3: 6 for 1, 7. At 13 job 1: 12 for 9, 2.33; job
    // 4: 3 for 4, 1.75. At 22 job 4 is left.
    CHECK(starts_of("lxf", {}, 2, one_at_a_time()) == Times{0, 13, 10, 12, 22});
}

TEST_CASE("a factor may overtake that of a job ahead while both wait") {
    // 2 processors. Job 0 ends at 4, job 1 at 8, one each. Job 2 wants both for 10 from 0 on; job 3
    // both for 1 from 3 on. At 4: 4/10 against 1/1, job 3 is ahead, and one is free: job 4 (one for
    // 100, at 4) is last and overtakes both, unless the head blocks.
    const Jobs jobs{{0, 4, {1}}, {0, 8, {1}}, {0, 10, {2}}, {3, 1, {2}}, {4, 100, {1}}};
    CHECK(starts_of("lxf", {}, 2, jobs) == Times{0, 0, 105, 104, 4});
    CHECK(starts_of("lxf", jumps(0), 2, jobs) == Times{0, 0, 9, 8, 19});
}

TEST_CASE("a job that requests no time has the largest factor of all") {
    CHECK(starts_of("lxf", {}, 1, {{0, 5, {1}}, {1, 1, {1}}, {5, 2, {1}, 0, 0}}) == Times{0, 7, 5});
}

TEST_CASE("the shortest job is that of the shortest request unless told otherwise") {
    // 1 processor until 5. Job 1 requests 3 and runs 9, job 2 requests 4 and runs 1.
    const Jobs jobs{{0, 5, {1}}, {1, 9, {1}, 0, 3}, {1, 1, {1}, 0, 4}};
    CHECK(starts_of("sjf", {}, 1, jobs) == Times{0, 5, 14});
    CHECK(starts_of("sjf", with_words({{"run_time", "actual"}}), 1, jobs) == Times{0, 6, 5});
    CHECK(starts_of("ljf", {}, 1, jobs) == Times{0, 6, 5});
    CHECK(starts_of("ljf", with_words({{"run_time", "actual"}}), 1, jobs) == Times{0, 5, 14});
    // At 5 the factors are 1 + 4/3 and 1 + 4/4, with actual times 1 + 4/9 and 1 + 4/1.
    CHECK(starts_of("lxf", {}, 1, jobs) == Times{0, 5, 14});
    CHECK(starts_of("lxf", with_words({{"run_time", "actual"}}), 1, jobs) == Times{0, 6, 5});
}

TEST_CASE("areas are those of the run time chosen") {
    // 2 processors until 5. Job 1: 2 requested for 3, run 1: areas 6 and 2. Job 2: 1 requested for
    // 5, run 4: areas 5 and 4; with it 1 is left over, too few for job 1.
    const Jobs jobs{{0, 5, {2}}, {1, 1, {2}, 0, 3}, {1, 4, {1}, 0, 5}};
    const Parameters actual = with_words({{"run_time", "actual"}});
    CHECK(starts_of("smallest_area_first", {}, 2, jobs) == Times{0, 9, 5});
    CHECK(starts_of("smallest_area_first", actual, 2, jobs) == Times{0, 5, 6});
    CHECK(starts_of("largest_area_first", {}, 2, jobs) == Times{0, 5, 6});
    CHECK(starts_of("largest_area_first", actual, 2, jobs) == Times{0, 9, 5});
}

TEST_CASE("a finish and submissions at one instant, taken at once or one by one") {
    const auto starts = [](const char* order, std::uint32_t processors, const Jobs& jobs) {
        return starts_of("sjf", with_words({{"simultaneous", order}}), processors, jobs);
    };
    // 2 processors, all want both. At 5 job 0 ends and job 2 comes, shorter than job 1: it is first
    // unless job 1 is looked at before it comes.
    const Jobs one{{0, 5, {2}}, {1, 10, {2}}, {5, 1, {2}}};
    CHECK(starts("batch", 2, one) == Times{0, 6, 5});
    CHECK(starts("finish_first", 2, one) == Times{0, 5, 15});
    CHECK(starts("submit_first", 2, one) == Times{0, 6, 5});
    // 3 processors; job 0 (two) and job 1 (one) end at 5, job 2 (two for 10) waits, and at 5 come
    // job 3 (three for 1) and job 4 (two for 3).
    const Jobs jobs{{0, 5, {2}}, {0, 5, {1}}, {1, 10, {2}}, {5, 1, {3}}, {5, 3, {2}}};
    // All 3 are free: job 3, then at 6 job 4, at 9 job 2.
    CHECK(starts("batch", 3, jobs) == Times{0, 0, 9, 5, 6});
    // Job 0 ends: job 2 alone waits and starts. At 15 job 3, at 16 job 4.
    CHECK(starts("finish_first", 3, jobs) == Times{0, 0, 5, 15, 16});
    // Jobs 3 and 4 come, job 0 ends and leaves 2: too few for job 3, job 4 starts. At 8 job 3, at 9
    // job 2.
    CHECK(starts("submit_first", 3, jobs) == Times{0, 0, 9, 8, 5});
}

TEST_CASE("event by event, an arrival leads to a scan only if its own event does") {
    // 2 processors; job 0 ends at 5, job 1 at 9, one each; job 2 wants both for 4; job 3 comes at 5
    // and wants one for 2.
    const Jobs jobs{{0, 5, {1}}, {0, 9, {1}}, {1, 4, {2}}, {5, 2, {1}}};
    const auto starts = [&jobs](const char* order) {
        Parameters parameters = with_words({{"simultaneous", order}});
        parameters.set("scan_on_arrival", false);
        return starts_of("sjf", parameters, 2, jobs);
    };
    CHECK(starts("batch") == Times{0, 0, 9, 5});
    // The queue is scanned as job 0 ends, and then at 9.
    CHECK(starts("finish_first") == Times{0, 0, 11, 9});
    CHECK(starts("submit_first") == Times{0, 0, 9, 5});
}

TEST_CASE("processors that come back or stay away at an instant are counted at once") {
    TestCell cell;
    const auto change_at = [&](double down, double up) {
        cell.system.outages.listed = {
            {.from = down, .until = up, .first_processor = 1, .count = 2}};
    };
    // No finish leads to a scan at 7, but two of three processors come back.
    cell.system.clusters = {3};
    cell.jobs = {{1, 4, {3}}};
    change_at(0, 7);
    Parameters parameters;
    parameters.set("scan_on_arrival", false);
    CHECK(starts_of("sjf", parameters, cell) == Times{7});
    // Both jobs end at 10, the first first; the two processors of the second are out of order by
    // then, so that one is free and job 2 waits until 20.
    cell.jobs = {{0, 10, {1}}, {0, 10, {2}}, {1, 1, {2}}};
    change_at(5, 20);
    CHECK(
        starts_of("sjf", with_words({{"simultaneous", "finish_first"}}), cell) == Times{0, 0, 20}
    );
}

TEST_CASE("sorted queues start every job when a plain loop does") {
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        const std::string policy = std::vector{"sjf", "ljf", "lxf", "lxf"}[dice.below(4)];
        const bool is_actual = dice.below(3) == 0;
        const int max_jumps = static_cast<int>(dice.below(12));
        Parameters parameters = jumps(max_jumps);
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

}  // namespace schedfarm::tests
