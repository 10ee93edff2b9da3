// Static partitions under fcfs against a plain loop (by hand: tests/cases), and those that cannot
// be.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/plain_loop.hpp"

namespace schedfarm::tests {

namespace {

Parameters partitions(const Value::List& processors, const Value::List& smallest = {}) {
    Parameters parameters;
    parameters.set("processors", processors);
    parameters.set("smallest_size", smallest);
    return parameters;
}

/// A partition as a machine of its own: its jobs alone, first come, first served.
Times plain_partitions(
    const std::vector<std::uint32_t>& processors,
    const std::vector<std::uint32_t>& smallest,
    const Jobs& jobs
) {
    Times starts(jobs.size(), -1);
    std::vector<bool> is_taken(jobs.size(), false);
    for (std::size_t p = 0; p < processors.size(); ++p) {
        Jobs own;
        std::vector<std::size_t> index;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const std::uint32_t size = jobs[i].size();
            if (!is_taken[i] && smallest[p] <= size && size <= processors[p]) {
                is_taken[i] = true;
                own.push_back(jobs[i]);
                index.push_back(i);
            }
        }
        const Times found = PlainLoop(processors[p], own).run([](PlainLoop& loop) {
            while (!loop.waiting.empty() && loop.waiting.front().size() <= loop.free) {
                loop.start(0);
            }
        });
        for (std::size_t i = 0; i < own.size(); ++i) {
            starts[index[i]] = found[i];
        }
    }
    return starts;
}

}  // namespace

TEST_CASE("only one partition of the whole machine is first come, first served") {
    const PolicyDescription& policy = policy_named("partitions");
    const auto is_fcfs = [&policy](const Parameters& given) {
        return policy.traits(with_defaults(policy.alternative.parameters, given))
            .first_come_first_served;
    };
    CHECK(is_fcfs({}));
    CHECK_FALSE(is_fcfs(partitions({4})));
    CHECK_FALSE(is_fcfs(partitions({}, {1, 1})));
}

TEST_CASE("partitions that cannot be are found before anything runs") {
    const PolicyDescription& policy = policy_named("partitions");
    const auto parameters_of = [&policy](const Parameters& given) {
        return with_defaults(policy.alternative.parameters, given);
    };
    const auto problem_of = [&](const Parameters& given) {
        const auto found = policy.alternative.check(parameters_of(given));
        return found.empty() ? "" : found.front().reason;
    };
    CHECK(problem_of(partitions({2, 4})).empty());
    CHECK(
        problem_of(partitions({2, 4}, {1}))
        == "'smallest_size' has 1 entries where another list has 2 (there is one for each "
           "partition)"
    );
    CHECK(
        problem_of(partitions({2, 4}, {3, 1}))
        == "partition 1 takes jobs of 3 to 2 processors and has 2 (no such job could run on it)"
    );
    Parameters too_large = partitions({2, 4});
    too_large.set("largest_size", Value::List{2, 5});
    CHECK(
        problem_of(too_large)
        == "partition 2 takes jobs of 1 to 5 processors and has 4 (no such job could run on it)"
    );
    const SystemDescription system{.clusters = {4, 4}};
    CHECK(policy.check_system(parameters_of(partitions({4, 4})), system).empty());
    CHECK(policy.check_system(parameters_of({}), system).empty());
    CHECK(
        policy.check_system(parameters_of(partitions({4, 5})), system).front().reason
        == "the partitions have 9 processors together and the system 8 (they share none)"
    );
}

TEST_CASE("a workload whose largest jobs no partition takes is found before anything runs") {
    const auto problem_of = [](const Parameters& given, std::uint32_t largest) {
        return workload_problem("partitions", given, 6, largest);
    };
    CHECK(problem_of(partitions({2, 3}), 3).empty());
    CHECK(
        problem_of(partitions({2, 3}), 4)
        == "jobs of the workload may need 4 processors and no partition takes such jobs (they take "
           "1 to 2 or 1 to 3 processors: the job could never start)"
    );
    // The whole machine; and jobs between two ranges.
    CHECK(problem_of({}, 6).empty());
    CHECK(!problem_of({}, 7).empty());
    Parameters apart = partitions({2, 4}, {1, 4});
    CHECK(problem_of(apart, 4).empty());
    CHECK(
        problem_of(apart, 3)
        == "jobs of the workload may need 3 processors and no partition takes such jobs (they take "
           "1 to 2 or 4 processors: the job could never start)"
    );
}

TEST_CASE("partitions start every job when machines of their own do") {
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        std::vector<std::uint32_t> processors;
        std::vector<std::uint32_t> smallest;
        Value::List processor_list;
        Value::List smallest_list;
        std::uint32_t sum = dice.below(3);  // idle
        const std::uint32_t count = 1 + dice.below(4);
        for (std::uint32_t p = 0; p < count; ++p) {
            processors.push_back(p == 0 ? 20 : 1 + dice.below(8));
            smallest.push_back(p == 0 ? 1 + dice.below(5) : 1 + dice.below(processors[p]));
            if (p + 1 == count) {
                smallest[p] = 1;
            }
            sum += processors[p];
        }
        for (std::uint32_t p = 0; p < count; ++p) {
            processor_list.emplace_back(std::int64_t{processors[p]});
            smallest_list.emplace_back(std::int64_t{smallest[p]});
        }
        Jobs jobs = random_queue_jobs(dice, 2 + dice.below(50), processors.back());
        for (GivenJob& job : jobs) {  // some for the first partition alone
            job.components[0] += count > 1 && dice.below(3) == 0 ? 8U : 0U;
        }
        REQUIRE(
            starts_of("partitions", partitions(processor_list, smallest_list), sum, jobs)
            == plain_partitions(processors, smallest, jobs)
        );
    }
}

}  // namespace schedfarm::tests
