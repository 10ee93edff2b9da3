#include "engine/planning/waiting_queue.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

namespace {

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)
using Ids = std::vector<std::uint32_t>;
using Counters = std::vector<std::int64_t>;

/// Scans with `free` processors, which started jobs take; gives the jobs started.
Ids scan(WaitingQueue& queue, std::uint32_t free) {
    Ids started;
    queue.scan([&](const WaitingJob& job) {
        if (job.size > free) {
            return free == 0 ? Offer::nothing_fits : Offer::does_not_fit;
        }
        free -= job.size;
        started.push_back(job.id.value);
        return Offer::started;
    });
    return started;
}

/// The counter of each job: what is missing of `max_jumps` when so many jobs may still overtake it.
/// In a copy, the jobs ahead start from the head on, which ages nobody, and then all behind.
Counters counters_of(const WaitingQueue& queue, std::int64_t max_jumps) {
    Counters counters;
    for (std::size_t place = 0; place < queue.size(); ++place) {
        WaitingQueue copy = queue;
        for (std::int64_t i = 0; i < max_jumps; ++i) {
            copy.add({0}, 0, std::numeric_limits<double>::infinity());
        }
        std::size_t offered = 0;
        std::int64_t jumps = 0;
        copy.scan([&](const WaitingJob& /*job*/) {
            jumps += offered > place ? 1 : 0;
            return offered++ == place ? Offer::does_not_fit : Offer::started;
        });
        counters.push_back(max_jumps - jumps);
    }
    return counters;
}

TEST_CASE("a start ages exactly the jobs ahead of it") {
    WaitingQueue queue(10);
    const std::array sizes = {9U, 2U, 9U, 2U, 9U};
    for (std::uint32_t i = 0; i < 5; ++i) {
        queue.add({i}, sizes[i], 0);
    }
    // Job 1 overtakes 0; job 3 overtakes 0 and 2.
    CHECK(scan(queue, 4) == Ids{1, 3});
    CHECK(counters_of(queue, 10) == Counters{2, 1, 0});
    // The head leaves in order: nobody ages.
    CHECK(scan(queue, 9) == Ids{0});
    CHECK(counters_of(queue, 10) == Counters{1, 0});
}

TEST_CASE("the scan stops as soon as a counter has reached the limit") {
    WaitingQueue queue(2);
    queue.add({0}, 9, 0);
    for (std::uint32_t i = 1; i < 5; ++i) {
        queue.add({i}, 1, 0);
    }
    CHECK(scan(queue, 8) == Ids{1, 2});
    CHECK(counters_of(queue, 2) == Counters{2, 0, 0});
    CHECK(scan(queue, 8).empty());
    CHECK(scan(queue, 10) == Ids{0, 3});
}

TEST_CASE("without jumps the head blocks") {
    WaitingQueue queue(0);
    queue.add({0}, 3, 0);
    queue.add({1}, 5, 0);
    queue.add({2}, 1, 0);
    CHECK(scan(queue, 4) == Ids{0});
    CHECK(scan(queue, 4).empty());
    CHECK(scan(queue, 6) == Ids{1, 2});
}

TEST_CASE("an arrival put ahead of older jobs has counter 0 and leaves theirs as they are") {
    WaitingQueue queue(3);
    queue.add({0}, 9, 5);
    queue.add({1}, 8, 6);
    queue.add({2}, 1, 7);
    CHECK(scan(queue, 1) == Ids{2});
    queue.add({3}, 7, 5.5);
    CHECK(counters_of(queue, 3) == Counters{1, 0, 1});
    queue.add({4}, 6, 1);
    CHECK(counters_of(queue, 3) == Counters{0, 1, 0, 1});
    queue.add({5}, 1, 5);  // behind job 0, which has the same key
    CHECK(scan(queue, 1) == Ids{5});
    CHECK(counters_of(queue, 3) == Counters{1, 2, 0, 1});
    queue.add({6}, 1, 9);
    queue.add({7}, 1, 9);
    // Job 6 brings job 0 to 3 jumps: job 7 must wait.
    CHECK(scan(queue, 2) == Ids{6});
    CHECK(counters_of(queue, 3) == Counters{2, 3, 1, 2, 0});
    // The head may always start, but nobody may overpass job 0.
    CHECK(scan(queue, 7) == Ids{4});
}

/// The same with a counter per job, and nothing clever.
class PlainQueue {
  public:
    explicit PlainQueue(std::int64_t max_jumps) : max_jumps_(max_jumps) {}

    void add(std::uint32_t id, std::uint32_t size, double key) {
        auto at = jobs_.begin();
        while (at != jobs_.end() && at->key <= key) {
            ++at;
        }
        jobs_.insert(at, {id, size, key, 0});
    }

    Ids scan(std::uint32_t free) {
        Ids started;
        for (std::size_t i = 0; i < jobs_.size();) {
            const bool is_blocked = std::any_of(
                jobs_.begin(),
                jobs_.begin() + static_cast<std::ptrdiff_t>(i),
                [this](const Job& job) { return job.counter >= max_jumps_; }
            );
            if (is_blocked) {
                break;
            }
            if (jobs_[i].size > free) {
                ++i;
                continue;
            }
            free -= jobs_[i].size;
            started.push_back(jobs_[i].id);
            jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
            for (std::size_t ahead = 0; ahead < i; ++ahead) {
                ++jobs_[ahead].counter;
            }
        }
        return started;
    }

    Counters counters() const {
        Counters result;
        for (const Job& job : jobs_) {
            result.push_back(job.counter);
        }
        return result;
    }

  private:
    struct Job {
        std::uint32_t id;
        std::uint32_t size;
        double key;
        std::int64_t counter;
    };
    std::int64_t max_jumps_;
    std::vector<Job> jobs_;
};

TEST_CASE("random queues equal the same with plain counters") {
    std::uint64_t state = 7;
    const auto below = [&state](std::uint32_t n) {
        state = mix(state + 0x9e3779b97f4a7c15U);
        return static_cast<std::uint32_t>((state >> 32) % n);
    };
    for (int run = 0; run < 1000; ++run) {
        const std::int64_t max_jumps = below(6);
        const std::uint32_t keys = 1 + below(5);
        WaitingQueue queue(max_jumps);
        PlainQueue plain(max_jumps);
        for (std::uint32_t step = 0; step < 300; ++step) {
            if (below(3) != 0) {
                const std::uint32_t size = 1 + below(8);
                const double key = below(keys);
                queue.add({step}, size, key);
                plain.add(step, size, key);
            } else {
                const std::uint32_t free = below(20);
                REQUIRE(scan(queue, free) == plain.scan(free));
            }
            if (step % 30 == 0) {
                REQUIRE(counters_of(queue, max_jumps) == plain.counters());
            }
        }
    }
}

}  // namespace
