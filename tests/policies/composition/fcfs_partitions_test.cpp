// Static partitions under fcfs against a plain loop (by hand: tests/cases).
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
