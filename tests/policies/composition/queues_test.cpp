// Queues over any policy: by hand, against the policy alone, against a plain loop over fcfs and
// EASY, and their verifier against schedules that break it. A job is {submit, service,
// {processors}, class, requested time, user, queue}.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "tests/policies/composition/inner_runs.hpp"
#include "tests/policies/composition/plain_queues.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

using Columns = std::vector<std::pair<const char*, Value::List>>;

Parameters queues(const char* inner, const Columns& columns, const Parameters& of_inner = {}) {
    Parameters given;
    given.set(
        "inner",
        Value::List{Value(Choice{
            inner, with_defaults(policy_named(inner).alternative.parameters, of_inner)})}
    );
    given.set("assignment", "number");
    for (const auto& [name, values] : columns) {
        given.set(name, values);
    }
    return given;
}

Times starts(const Parameters& given, std::uint32_t processors, const Jobs& jobs) {
    return starts_of("queues", given, processors, jobs);
}

PolicyTraits traits_of(const PolicyDescription& policy) {
    return policy.traits(with_defaults(policy.alternative.parameters));
}

/// Three queues of different priorities, and limits if so chosen.
Columns random_table(Dice& dice, std::uint32_t processors, bool has_limits) {
    std::array<int, 3> priorities{1, 2, 3};
    std::swap(priorities[0], priorities[dice.below(3)]);
    std::swap(priorities[1], priorities[1 + dice.below(2)]);
    Columns columns{
        {"priority", {}},
        {"most_processors", {}},
        {"most_running", {}},
        {"most_running_per_user", {}}};
    for (const int priority : priorities) {
        const auto limit = [&](std::uint32_t from, std::uint32_t spread) {
            return std::int64_t{has_limits && dice.below(3) == 0 ? from + dice.below(spread) : 0};
        };
        columns[0].second.emplace_back(priority);
        columns[1].second.emplace_back(limit(processors, 2 * processors));
        columns[2].second.emplace_back(limit(1, 4));
        columns[3].second.emplace_back(limit(1, 2));
    }
    return columns;
}

}  // namespace

TEST_CASE("a job of higher priority comes before those that wait, under any policy that plans") {
    // 4 processors, all taken until 10. Job 1, of 3 for 5, waits; job 2, of 3 for 5 and higher
    // priority, comes later and starts first. Job 3, of 1 for 20, low priority, fits beside both.
    const Jobs jobs{
        {0, 10, {4}, 0, 10, 0, 0},
        {1, 5, {3}, 0, 5, 0, 0},
        {2, 5, {3}, 0, 5, 0, 1},
        {3, 20, {1}, 0, 20, 0, 0}};
    const Columns priority{{"priority", {1, 2}}};
    // In order 2, 1, 3: job 3 waits behind job 1 under fcfs, and overtakes it otherwise.
    CHECK(starts(queues("fcfs", priority), 4, jobs) == Times{0, 15, 10, 15});
    for (const char* inner :
         {"easy", "conservative", "k_reservations", "selective", "fpfs", "sjf"}) {
        CAPTURE(inner);
        CHECK(starts(queues(inner, priority), 4, jobs) == Times{0, 15, 10, 10});
        // Equal priorities: in order of arrival.
        CHECK(starts(queues(inner, {{"priority", {1, 1}}}), 4, jobs) == Times{0, 10, 15, 10});
    }
}

TEST_CASE("a reservation is given up for a job of higher priority and made anew behind it") {
    // 4 processors; job 0 has 3 until 10. Job 1, of 4 for 10, is promised 10 and job 2, of 1 for
    // 12, 20: it would delay job 1. Job 3, of higher priority, wants 2 for 5 at 4 and gets 10; job
    // 1 is planned at 15 now, and so job 2, which ends at 16, must still wait, until 25. Of 11 it
    // ends at 15 and starts at 4, when job 1 no longer stands in its way.
    Jobs jobs{
        {0, 10, {3}, 0, 10, 0, 0},
        {1, 10, {4}, 0, 10, 0, 0},
        {2, 12, {1}, 0, 12, 0, 0},
        {4, 5, {2}, 0, 5, 0, 1}};
    const Parameters conservative = queues("conservative", {{"priority", {1, 2}}});
    CHECK(starts(conservative, 4, jobs) == Times{0, 15, 25, 10});
    jobs[2].service_time = 11;
    jobs[2].estimate = 11;
    CHECK(starts(conservative, 4, jobs) == Times{0, 15, 4, 10});
    // Equal priorities: job 3 is planned behind both.
    CHECK(starts(queues("conservative", {{"priority", {1, 1}}}), 4, jobs) == Times{0, 10, 20, 20});
}

TEST_CASE("a queue at its limit of running jobs holds the next, the others go on") {
    // One job of queue 0 at a time: job 1 waits for job 0, job 2 of queue 1 starts; job 3 of queue
    // 0 waits for job 1.
    const Jobs jobs{
        {0, 5, {1}, 0, 5, 0, 0},
        {1, 4, {1}, 0, 4, 0, 0},
        {2, 9, {1}, 0, 9, 0, 1},
        {3, 1, {1}, 0, 1, 0, 0}};
    for (const char* inner : {"fcfs", "easy", "conservative", "sjf"}) {
        CAPTURE(inner);
        CHECK(starts(queues(inner, {{"most_running", {1, 0}}}), 4, jobs) == Times{0, 5, 2, 9});
    }
    // At most 2 processors of queue 0: jobs 0 and 1 together, job 3 after the first of them.
    CHECK(starts(queues("easy", {{"most_processors", {2, 0}}}), 4, jobs) == Times{0, 1, 2, 5});
}

TEST_CASE("a job counts under the limits from when it is handed down, though it waits") {
    // 4 processors; queue 0 may run one job. Job 0 of queue 1 has 3 until 10, job 1 of queue 0
    // wants 2 and waits until 10: job 2 of queue 0 would fit now, but queue 0 has its one job.
    const Jobs jobs{{0, 10, {3}, 0, 10, 0, 1}, {1, 5, {2}, 0, 5, 0, 0}, {2, 1, {1}, 0, 1, 0, 0}};
    CHECK(starts(queues("easy", {{"most_running", {1, 0}}}), 4, jobs) == Times{0, 10, 15});
    CHECK(starts(queues("easy", {{"most_running", {2, 0}}}), 4, jobs) == Times{0, 10, 2});
}

TEST_CASE("a user at the limit is passed, and is ahead again when the limit allows") {
    // 2 processors. User 7 may run one job: job 1 waits for job 0, job 2 of user 8 passes it. At 5
    // job 1 goes ahead of job 3, which came later and was handed down before it.
    const Jobs jobs{
        {0, 5, {1}, 0, 5, 7}, {0, 3, {2}, 0, 3, 7}, {0, 9, {1}, 0, 9, 8}, {1, 2, {2}, 0, 2, 8}};
    const Parameters given = queues("fcfs", {{"most_running_per_user", {1}}});
    CHECK(starts(given, 2, jobs) == Times{0, 9, 0, 12});
    // With two for each user job 1 is ahead of job 2 from the beginning.
    CHECK(starts(queues("fcfs", {{"most_running_per_user", {2}}}), 2, jobs) == Times{0, 5, 8, 17});
}

TEST_CASE("limits of run time route jobs, or refuse those of a queue by number") {
    // Requests up to 5 go to queue 1, which comes first.
    const Jobs jobs{{0, 10, {2}, 0, 10}, {1, 9, {2}, 0, 9}, {2, 5, {2}, 0, 5}};
    Parameters given = queues("easy", {{"longest_request", {5, 1e9}}, {"priority", {2, 1}}});
    given.set("assignment", "rules");
    CHECK(starts(given, 2, jobs) == Times{0, 15, 10});
    given.set("assignment", "number");
    CHECK_THROWS_WITH_AS(
        starts(given, 2, jobs),
        "job 0 (2 processors, request 10, queue 0) goes to no queue (by size they take at least 1 "
        "processors: it could never start). Give 'queues' a queue for such jobs, or assign by "
        "rules.",
        UnservedJobError
    );
}

TEST_CASE("a job that no queue takes by its rules is an error that names it") {
    Parameters given = queues("fcfs", {{"largest_size", {2, 3}}});
    given.set("assignment", "rules");
    CHECK_THROWS_WITH_AS(
        starts(given, 8, {{0, 1, {4}, 0, 6}}),
        "job 0 (4 processors, request 6, queue 0) goes to no queue (by size they take 1 to 2 or 1 "
        "to 3 processors: it could never start). Give 'queues' a queue for such jobs.",
        UnservedJobError
    );
}

TEST_CASE("one queue without limits is its inner policy, and so are several of equal priority") {
    for (const PolicyDescription& policy : policies_under_test()) {
        if (!can_be_inner(policy)) {
            continue;
        }
        const char* name = policy.alternative.name.c_str();
        for (std::uint64_t seed = 0; seed < short_or_long(35U, 100U); ++seed) {
            CAPTURE(name);
            CAPTURE(seed);
            auto [dice, processors, jobs] = random_queue(seed);
            for (GivenJob& job : jobs) {
                job.queue = dice.below(3);
            }
            const Times alone = starts_of(name, {}, processors, jobs);
            REQUIRE(starts(queues(name, {{"priority", {0, 0, 0}}}), processors, jobs) == alone);
            Parameters one = queues(name, {});
            one.set("assignment", "rules");
            REQUIRE(starts(one, processors, jobs) == alone);
            // Under a limit that is never reached, and within queues again.
            one.set("most_running", Value::List{1000});
            REQUIRE(
                starts(queues("queues", {{"priority", {0, 0, 0}}}, one), processors, jobs) == alone
            );
        }
    }
}

TEST_CASE("over fcfs, and over easy without limits, queues start every job when a plain loop does"
) {
    for (std::uint64_t seed = 0; seed < short_or_long(3000U, 10000U); ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        Parameters given;
        const PlainQueues plain = random_queues(dice, processors, given);
        CAPTURE(given.text());
        REQUIRE(
            starts(given, processors, jobs)
            == PlainLoop(processors, jobs).run([&plain](PlainLoop& loop) { plain.pass(loop); })
        );
    }
}

TEST_CASE("every policy that gives jobs back serves queues, its verifier sees what it would see") {
    std::size_t served = 0;
    for (const PolicyDescription& policy : policies_under_test()) {
        if (!traits_of(policy).takes_withdrawals) {
            continue;
        }
        ++served;
        const char* name = policy.alternative.name.c_str();
        for (const ParameterDescription& parameter : policy.alternative.parameters) {
            for (std::uint64_t seed = 0; seed < short_or_long(35U, 100U); ++seed) {
                auto [dice, processors, jobs] = random_queue(seed);
                for (GivenJob& job : jobs) {
                    job.queue = dice.below(3);
                    job.user = dice.below(3);
                }
                Parameters of_inner;
                if (!parameter.words.empty() && parameter.name != "assignment") {
                    const auto words = static_cast<std::uint32_t>(parameter.words.size());
                    of_inner.set(parameter.name, parameter.words[dice.below(words)]);
                } else if (parameter.name == "max_jumps") {
                    of_inner.set(parameter.name, std::int64_t{dice.below(4)});
                }
                const Columns table = random_table(dice, processors, dice.below(2) == 0);
                CAPTURE(name);
                CAPTURE(of_inner.text());
                CAPTURE(seed);
                Times found;
                REQUIRE_NOTHROW(found = starts(queues(name, table, of_inner), processors, jobs));
                REQUIRE(std::count(found.begin(), found.end(), -1) == 0);
            }
        }
    }
    CHECK(served >= 15);
}

TEST_CASE("queues nest in partitions, and partitions in queues") {
    // Queues over two partitions of 2 and 4: as each partition with queues of its own, for without
    // limits the queues of one do not concern the other.
    for (std::uint64_t seed = 0; seed < short_or_long(200U, 500U); ++seed) {
        CAPTURE(seed);
        auto [dice, processors, jobs] = random_queue(seed);
        for (GivenJob& job : jobs) {
            job.queue = dice.below(3);
            job.components = {1 + dice.below(4)};
        }
        const Columns table = random_table(dice, processors, false);
        const char* inner = std::array{"fcfs", "easy", "sjf"}[dice.below(3)];
        const auto with = [](Parameters given, const Choice& policy) {
            given.set("inner", Value::List{Value(policy)});
            return with_defaults(policy_named("partitions").alternative.parameters, given);
        };
        Parameters sizes;
        sizes.set("processors", Value::List{2, 4});
        const Choice plain{inner, with_defaults(policy_named(inner).alternative.parameters)};
        const Choice queued{
            "queues",
            with_defaults(policy_named("queues").alternative.parameters, queues(inner, table))};
        REQUIRE(
            starts(queues("partitions", table, with(sizes, plain)), 6, jobs)
            == starts_of("partitions", with(sizes, queued), 6, jobs)
        );
    }
}

TEST_CASE("queues that cannot be are found before anything runs") {
    const PolicyDescription& policy = policy_named("queues");
    const auto problem_of = [&policy](const Parameters& given) {
        const auto found =
            policy.alternative.check(with_defaults(policy.alternative.parameters, given));
        return found.empty() ? "" : found.front().reason;
    };
    CHECK(problem_of(queues("easy", {{"priority", {1, 2}}})).empty());
    CHECK(problem_of(queues("vanilla_gang", {{"priority", {1, 1}}})).empty());
    CHECK(problem_of(queues("vanilla_gang", {{"most_running", {1}}})).empty());
    CHECK(
        problem_of(queues("easy", {{"priority", {1, 2, 3}}, {"largest_size", {4, 0}}}))
        == "'largest_size' has 2 entries where another list has 3 (there is one for each queue)"
    );
    CHECK(
        problem_of(queues("easy", {{"smallest_size", {5}}, {"most_processors", {4}}}))
        == "queue 1 takes jobs of 5 to 4 processors (there are none)"
    );
    CHECK(
        problem_of(queues("easy", {{"numbers", {2, 2}}}))
        == "two queues have the number 2 (jobs could go to both)"
    );
    const std::string reason =
        "'vanilla_gang' gives no waiting jobs back (with priorities, limits of users or several "
        "queues with limits a job may come ahead of one that it was handed before)";
    CHECK(problem_of(queues("vanilla_gang", {{"priority", {1, 2}}})) == reason);
    CHECK(problem_of(queues("vanilla_gang", {{"most_running", {1, 0}}})) == reason);
    CHECK(problem_of(queues("vanilla_gang", {{"most_running_per_user", {1}}})) == reason);
    Parameters two = queues("easy", {});
    two.set("inner", Value::List{Value(Choice{"easy"}), Value(Choice{"fcfs"})});
    CHECK(problem_of(two) == "2 policies are named (one serves all queues)");
}

TEST_CASE("a workload whose largest jobs no queue takes is found before anything runs") {
    const auto problem_of = [](const Columns& columns, std::uint32_t largest) {
        return workload_problem("queues", queues("easy", columns), 64, largest);
    };
    CHECK(problem_of({}, 64).empty());
    CHECK(problem_of({{"largest_size", {2, 0}}}, 64).empty());
    CHECK(problem_of({{"largest_size", {2, 8}}}, 8).empty());
    CHECK(
        problem_of({{"largest_size", {2, 8}}}, 9)
        == "jobs of the workload may need 9 processors and no queue takes such jobs (they take 1 "
           "to 2 or 1 to 8 processors: the job could never start)"
    );
    // A limit of processors in use holds for a single job, too; and jobs between two ranges.
    CHECK(
        problem_of({{"largest_size", {0}}, {"most_processors", {5}}}, 6)
        == "jobs of the workload may need 6 processors and no queue takes such jobs (they take 1 "
           "to 5 processors: the job could never start)"
    );
    CHECK(
        problem_of({{"smallest_size", {1, 6}}, {"largest_size", {4, 0}}}, 5)
        == "jobs of the workload may need 5 processors and no queue takes such jobs (they take 1 "
           "to 4 or at least 6 processors: the job could never start)"
    );
    CHECK(problem_of({{"numbers", {7}}, {"largest_size", {8}}}, 8).empty());
    CHECK(!problem_of({{"numbers", {7}}, {"largest_size", {8}}}, 9).empty());
}

TEST_CASE("the verifier of queues sees a limit exceeded and what the inner verifier sees") {
    const PolicyDescription& policy = policy_named("queues");
    const SystemDescription system{.clusters = {4}};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    const std::uint32_t component = 1;
    const auto job = [&component](std::uint64_t index, std::uint32_t queue) {
        return Job{
            .index = index,
            .service_time = 3,
            .estimate = 3,
            .size = 1,
            .user = 7,
            .components = {&component, 1},
            .queue = queue};
    };
    const std::vector<Job> jobs{job(0, 0), job(1, 0), job(2, 1)};
    const std::vector<ClusterShare> one{{ClusterId{0}, 1}};
    const auto after = [&](const Columns& table, const std::vector<std::uint32_t>& started) {
        const auto verifier = make_plain_verifier(
            policy, with_defaults(policy.alternative.parameters, queues("fcfs", table)), context
        );
        const auto tell = [&](ScheduleStep::Kind kind, std::uint32_t i) {
            ScheduleStep step;
            step.kind = kind;
            step.id = {i};
            step.job = &jobs[i];
            if (kind == ScheduleStep::Kind::start) {
                step.shares = one;
            }
            verifier->observe(step);
        };
        try {
            for (std::uint32_t i = 0; i < jobs.size(); ++i) {
                tell(ScheduleStep::Kind::arrival, i);
            }
            for (const std::uint32_t i : started) {
                tell(ScheduleStep::Kind::start, i);
            }
            verifier->end_of_instant(0);
        } catch (const ScheduleError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Columns limit{{"most_running", {1, 0}}};
    CHECK(after(limit, {0, 2}).empty());
    CHECK(after(limit, {0, 1, 2}) == "at time 0: job 1 exceeds a limit of its queue");
    CHECK(
        after({{"most_running_per_user", {1, 0}}}, {0, 1, 2})
        == "at time 0: job 1 exceeds the limit of its user in its queue"
    );
    // By priority job 2 is the first; all fit.
    const Columns priority{{"priority", {1, 2}}};
    CHECK(after(priority, {2, 0, 1}).empty());
    CHECK(!after(priority, {0, 1, 2}).empty());
    CHECK(!after(priority, {2, 0}).empty());
}

}  // namespace schedfarm::tests
