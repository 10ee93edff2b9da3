// Multiple queues: by hand, and against a plain loop. A job is {submit, service, {processors},
// class, requested time, user, queue}.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Column = std::pair<const char*, Value::List>;

Parameters queues(const std::vector<Column>& columns, const char* backfilling = "off") {
    Parameters parameters = with_words({{"backfilling", backfilling}});
    for (const auto& [name, values] : columns) {
        parameters.set(name, values);
    }
    return parameters;
}

Times queue_starts(const Parameters& parameters, std::uint32_t processors, const Jobs& jobs) {
    return starts_of("multiple_queues", parameters, processors, jobs);
}

struct PlainQueue {
    int priority = 0;
    std::uint32_t smallest = 1;
    std::uint32_t largest = 0;  // 0: no limit, as below
    double longest = infinity;
    std::uint32_t processors = 0;
    std::uint32_t running = 0;
    std::uint32_t per_user = 0;
};

struct PlainQueues {
    std::vector<PlainQueue> queues;
    bool by_number = false;
    bool backfills = false;

    std::size_t queue_of(const PlainJob& job) const {
        if (by_number) {
            return job.given.queue;
        }
        for (std::size_t q = 0;; ++q) {
            const PlainQueue& queue = queues.at(q);
            if (job.size() >= queue.smallest && (queue.largest == 0 || job.size() <= queue.largest)
                && (queue.processors == 0 || job.size() <= queue.processors)
                && job.request() <= queue.longest) {
                return q;
            }
        }
    }

    /// 0: may start beside `running`; 1: held by its user's limit; 2: by its queue's.
    int held(const PlainJob& job, const std::vector<PlainJob>& running) const {
        const std::size_t q = queue_of(job);
        std::uint32_t processors = job.size();
        std::uint32_t jobs = 1;
        std::uint32_t own = 1;
        for (const PlainJob& other : running) {
            if (queue_of(other) == q) {
                processors += other.size();
                ++jobs;
                own += other.given.user == job.given.user ? 1U : 0U;
            }
        }
        const PlainQueue& queue = queues[q];
        if ((queue.processors > 0 && processors > queue.processors)
            || (queue.running > 0 && jobs > queue.running)) {
            return 2;
        }
        return queue.per_user > 0 && own > queue.per_user ? 1 : 0;
    }

    double end(const PlainLoop& loop, const PlainJob& job) const {
        return std::max(
            loop.now,
            std::nextafter(job.start, infinity) > job.start + job.request()
                ? std::nextafter(job.start, infinity)
                : job.start + job.request()
        );
    }

    /// When `size` are free by plan, and how many are left over then.
    std::pair<double, std::int64_t> forecast(const PlainLoop& loop, std::uint32_t size) const {
        std::vector<PlainJob> running = loop.running;
        std::stable_sort(running.begin(), running.end(), [&](const auto& a, const auto& b) {
            return end(loop, a) < end(loop, b);
        });
        std::int64_t free = loop.free;
        for (std::size_t i = 0; i < running.size(); ++i) {
            free += running[i].size();
            const bool is_last =
                i + 1 == running.size() || end(loop, running[i + 1]) > end(loop, running[i]);
            if (is_last && free >= std::int64_t{size}) {
                return {end(loop, running[i]), free - size};
            }
        }
        return {infinity, 0};
    }

    void pass(PlainLoop& loop) const {
        std::stable_sort(loop.waiting.begin(), loop.waiting.end(), [&](auto& a, auto& b) {
            const std::size_t left = queue_of(a);
            const std::size_t right = queue_of(b);
            return queues[left].priority != queues[right].priority
                       ? queues[left].priority > queues[right].priority
                       : std::pair(left, a.index) < std::pair(right, b.index);
        });
        bool is_reserved = false;
        PlainJob head;
        std::pair<double, std::int64_t> shadow;
        std::vector<bool> is_closed(queues.size(), false);
        for (std::size_t i = 0; i < loop.waiting.size();) {
            const PlainJob job = loop.waiting[i];
            const int holds = is_closed[queue_of(job)] ? 2 : held(job, loop.running);
            is_closed[queue_of(job)] = holds == 2;
            if (holds > 0) {
                ++i;
                continue;
            }
            if (!is_reserved && job.size() > loop.free) {
                if (!backfills) {
                    return;
                }
                is_reserved = true;
                head = job;
                shadow = forecast(loop, job.size());
                ++i;
                continue;
            }
            PlainJob started = job;
            started.start = loop.now;
            const bool in_time = shadow.first > loop.now && end(loop, started) <= shadow.first;
            if (is_reserved) {
                std::vector<PlainJob> beside = loop.running;
                beside.push_back(started);
                if (job.size() > loop.free
                    || (!in_time
                        && (std::int64_t{job.size()} > shadow.second || held(head, beside) > 0))) {
                    ++i;
                    continue;
                }
                shadow.second -= in_time ? 0 : std::int64_t{job.size()};
            }
            loop.start(i);
        }
    }
};

/// The same table for both.
PlainQueues random_queues(Dice& dice, std::uint32_t processors, Parameters& parameters) {
    PlainQueues plain;
    plain.by_number = dice.below(2) == 0;
    plain.backfills = dice.below(3) > 0;
    std::vector<Value::List> columns(7);
    const std::uint32_t count = plain.by_number ? 3 : 1 + dice.below(3);
    for (std::uint32_t q = 0; q < count; ++q) {
        PlainQueue queue;
        queue.priority = static_cast<int>(dice.below(3)) - 1;
        queue.running = dice.below(3) == 0 ? 1 + dice.below(4) : 0;
        queue.per_user = dice.below(3) == 0 ? 1 + dice.below(2) : 0;
        const bool is_open = plain.by_number || q + 1 == count;  // takes every job
        if (!is_open) {
            queue.smallest = 1 + dice.below(3);
            queue.largest = dice.below(3) == 0 ? 0 : queue.smallest + dice.below(processors);
            queue.longest = dice.below(2) == 0 ? infinity : 1 + dice.below(10);
        }
        if (dice.below(2) == 0) {
            queue.processors = is_open ? processors : queue.smallest + dice.below(processors);
        }
        columns[0].emplace_back(queue.priority);
        columns[1].emplace_back(std::int64_t{queue.smallest});
        columns[2].emplace_back(std::int64_t{queue.largest});
        columns[3].emplace_back(queue.longest);
        columns[4].emplace_back(std::int64_t{queue.processors});
        columns[5].emplace_back(std::int64_t{queue.running});
        columns[6].emplace_back(std::int64_t{queue.per_user});
        plain.queues.push_back(queue);
    }
    constexpr std::array names = {
        "priority",
        "smallest_size",
        "largest_size",
        "longest_request",
        "most_processors",
        "most_running",
        "most_running_per_user"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        parameters.set(names[i], columns[i]);
    }
    parameters.set("assignment", plain.by_number ? "number" : "rules");
    parameters.set("backfilling", plain.backfills ? "easy" : "off");
    return plain;
}

}  // namespace

TEST_CASE("a queue of higher priority comes first whenever processors come free") {
    // 4 processors until 5. Queue 0 takes up to 1 processor, queue 1 the rest with higher priority:
    // job 2, of 4, comes before job 1, of 1, though it came later.
    const Jobs jobs{{0, 5, {4}}, {1, 2, {1}}, {2, 3, {4}}};
    const std::vector<Column> columns{{"largest_size", {1, 0}}, {"priority", {1, 2}}};
    CHECK(queue_starts(queues(columns), 4, jobs) == Times{0, 8, 5});
    CHECK(queue_starts(queues({{"largest_size", {1, 0}}}), 4, jobs) == Times{0, 5, 7});
}

TEST_CASE("without backfilling the first that lacks processors blocks all queues behind it") {
    // 4 processors; job 0 has 3 until 10. Job 1, of 2 in the first queue, blocks job 2, of 1 in the
    // second. With EASY job 2 starts at 2 and ends by 10.
    const Jobs jobs{{0, 10, {3}, 0, 10, 0, 0}, {1, 4, {2}, 0, 4, 0, 0}, {2, 8, {1}, 0, 8, 0, 1}};
    Parameters parameters = queues({{"priority", {0, 0}}});
    parameters.set("assignment", "number");
    CHECK(queue_starts(parameters, 4, jobs) == Times{0, 10, 10});
    parameters.set("backfilling", "easy");
    CHECK(queue_starts(parameters, 4, jobs) == Times{0, 10, 2});
}

TEST_CASE("a queue at its limit of processors or jobs waits and the others go on") {
    // 8 processors. The short queue takes requests up to 5 and at most 3 processors at once; the
    // other at most one job. Jobs 0 and 2 are short: job 2 waits for job 0, and so does job 3, of
    // 1, behind it. Job 1 is long and starts, job 4 waits for it though 3 are free.
    const Jobs jobs{{0, 4, {2}}, {0, 9, {2}}, {1, 2, {2}}, {1, 1, {1}}, {1, 6, {1}}};
    const Parameters limits = queues(
        {{"longest_request", {5, infinity}}, {"most_processors", {3, 0}}, {"most_running", {0, 1}}}
    );
    CHECK(queue_starts(limits, 8, jobs) == Times{0, 0, 4, 4, 9});
}

TEST_CASE("a user at the limit is passed by the others of the queue") {
    // User 7 may run one job at a time: job 1 waits for job 0, job 2 of user 8 passes it.
    const Jobs jobs{{0, 5, {1}, 0, 5, 7}, {0, 5, {1}, 0, 5, 7}, {0, 5, {1}, 0, 5, 8}};
    CHECK(queue_starts(queues({{"most_running_per_user", {1}}}), 4, jobs) == Times{0, 5, 0});
}

TEST_CASE("nobody overtakes on extra processors who would use the head's limit up") {
    // 8 processors, a queue that may use 6. Job 0, of another queue, has 4 until 10. Job 1 wants 5:
    // at 10, 3 are left over. Job 2 wants 1 for 20: it may run beside job 1. Job 3 wants 1 for 20
    // too and 2 would be left, but the queue would use 7. Job 4, of the other queue, may.
    const Jobs jobs{
        {0, 10, {4}, 0, 10, 0, 1},
        {1, 5, {5}, 0, 5, 0, 0},
        {2, 20, {1}, 0, 20, 0, 0},
        {3, 20, {1}, 0, 20, 0, 0},
        {4, 20, {1}, 0, 20, 0, 1}};
    Parameters parameters = queues({{"most_processors", {6, 0}}}, "easy");
    parameters.set("assignment", "number");
    CHECK(queue_starts(parameters, 8, jobs) == Times{0, 10, 2, 15, 4});
}

TEST_CASE("nobody overtakes one that fits by number but not by its components") {
    // Clusters of 2 and 3. Job 0 has the first until 10, job 1 wants one processor of each, and job
    // 2 one of the second: what job 1 would leave over.
    TestCell cell;
    cell.system.clusters = {2, 3};
    cell.structure = RequestStructure::ordered;
    cell.jobs = {{0, 10, {2, 0}}, {1, 1, {1, 1}}, {2, 1, {0, 1}}};
    CHECK(starts_of("multiple_queues", queues({}, "easy"), cell) == Times{0, 10, 10});
}

TEST_CASE("a job that no queue takes is an error that names it") {
    CHECK_THROWS_WITH_AS(
        queue_starts(queues({{"largest_size", {2, 3}}}), 8, {{0, 1, {4}, 0, 6}}),
        "job 0 (4 processors, request 6, queue 0) goes to no queue (by size they take 1 to 2 or 1 "
        "to 3 processors: it could never start). Give 'multiple_queues' a queue for such jobs?",
        UnservedJobError
    );
}

TEST_CASE("a workload whose largest jobs no queue takes is found before anything runs") {
    const auto problem_of = [](const Parameters& given, std::uint32_t largest) {
        return workload_problem("multiple_queues", given, 64, largest);
    };
    CHECK(problem_of({}, 64).empty());
    CHECK(problem_of(queues({{"largest_size", {2, 0}}}), 64).empty());
    CHECK(problem_of(queues({{"largest_size", {2, 8}}}), 8).empty());
    CHECK(
        problem_of(queues({{"largest_size", {2, 8}}}), 9)
        == "jobs of the workload may need 9 processors and no queue takes such jobs (they take 1 "
           "to 2 or 1 to 8 processors: the job could never start)"
    );
    // A limit of processors in use holds for a single job, too; and jobs between two ranges.
    CHECK(
        problem_of(queues({{"largest_size", {0}}, {"most_processors", {5}}}), 6)
        == "jobs of the workload may need 6 processors and no queue takes such jobs (they take 1 "
           "to 5 processors: the job could never start)"
    );
    CHECK(
        problem_of(queues({{"smallest_size", {1, 6}}, {"largest_size", {4, 0}}}), 5)
        == "jobs of the workload may need 5 processors and no queue takes such jobs (they take 1 "
           "to 4 or at least 6 processors: the job could never start)"
    );
    // By number: the number of the largest job is not known, but that its size has no queue is.
    Parameters numbered = queues({{"numbers", {7}}, {"largest_size", {8}}});
    numbered.set("assignment", "number");
    CHECK(problem_of(numbered, 8).empty());
    CHECK(!problem_of(numbered, 9).empty());
}

TEST_CASE("tables that cannot be are found before anything runs") {
    const Alternative& policy = policy_named("multiple_queues").alternative;
    const auto reason = [&policy](const Parameters& given) {
        const auto found = policy.check(with_defaults(policy.parameters, given));
        return found.empty() ? "" : found.front().reason;
    };
    CHECK(reason({}).empty());
    CHECK(
        reason(queues({{"priority", {1, 2, 3}}, {"largest_size", {4, 0}}}))
        == "'largest_size' has 2 entries where another list has 3 (there is one for each queue)"
    );
    CHECK(
        reason(queues({{"smallest_size", {5}}, {"most_processors", {4}}}))
        == "queue 1 takes jobs of 5 to 4 processors (there are none)"
    );
    CHECK(
        reason(queues({{"numbers", {2, 2}}}))
        == "two queues have the number 2 (jobs could go to both)"
    );
}

// 4 processors; queue 0 may run one job at once and comes before queue 1, queue 2 before both. Job
// 0 (2 of queue 1) and job 1 (2 of queue 0, later) end at 5 and requested more. Job 2 (3 for 2,
// queue 0) and job 3 (2 for 4, queue 1) wait, job 4 (4 for 1, queue 2) comes at 5 or not at all.
TEST_CASE("multiple queues look once or after every event of an instant") {
    Jobs jobs{
        {0, 5, {2}, 0, 9, 0, 1},
        {1, 4, {2}, 0, 9, 0, 0},
        {2, 2, {3}, 0, 2, 0, 0},
        {2, 4, {2}, 0, 4, 0, 1}};
    Parameters parameters = queues({{"priority", {1, 0, 2}}, {"most_running", {1, 0, 0}}});
    parameters.set("assignment", "number");
    const auto starts = [&](const char* simultaneous) {
        parameters.set("simultaneous", simultaneous);
        return queue_starts(parameters, 4, jobs);
    };
    // Once: job 2 starts and leaves 1 over, job 3 follows at 7. One by one: after the finish of job
    // 0 the limit still holds job 2, job 3 starts, and job 2 waits for it.
    CHECK(starts("batch") == Times{0, 1, 5, 7});
    CHECK(starts("finish_first") == Times{0, 1, 9, 5});
    CHECK(starts("submit_first") == Times{0, 1, 9, 5});
    // Job 4 is ahead of all, unless it comes when job 3 has started: then it waits for that.
    jobs.push_back({5, 1, {4}, 0, 1, 0, 2});
    CHECK(starts("batch") == Times{0, 1, 6, 8, 5});
    CHECK(starts("submit_first") == Times{0, 1, 6, 8, 5});
    CHECK(starts("finish_first") == Times{0, 1, 10, 5, 9});
    // What was planned to finish now is gone at once: job 2 starts in the first pass.
    jobs[0].estimate = 5;
    jobs[1].estimate = 4;
    CHECK(starts("finish_first") == Times{0, 1, 5, 8, 7});
}

TEST_CASE("one queue without limits is FCFS and with backfilling EASY") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        REQUIRE(queue_starts({}, processors, jobs) == starts_of("fcfs", {}, processors, jobs));
        REQUIRE(
            queue_starts(queues({}, "easy"), processors, jobs)
            == starts_of("easy", {}, processors, jobs)
        );
        const char* word = dice.below(2) == 0 ? "finish_first" : "submit_first";
        Parameters parameters = queues({}, "easy");
        parameters.set("simultaneous", word);
        REQUIRE(
            queue_starts(parameters, processors, jobs)
            == starts_of("easy", with_words({{"simultaneous", word}}), processors, jobs)
        );
    }
}

TEST_CASE("multiple queues start every job when a plain loop does") {
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        Parameters parameters;
        const PlainQueues plain = random_queues(dice, processors, parameters);
        CAPTURE(parameters.text());
        REQUIRE(
            queue_starts(parameters, processors, jobs)
            == PlainLoop(processors, jobs).run([&plain](PlainLoop& loop) { plain.pass(loop); })
        );
        parameters.set("simultaneous", dice.below(2) == 0 ? "finish_first" : "submit_first");
        REQUIRE_NOTHROW(queue_starts(parameters, processors, jobs));
    }
}

}  // namespace schedfarm::tests
