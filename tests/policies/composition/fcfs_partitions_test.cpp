// Static partitions under fcfs: by hand, and against a plain loop. A job is {submit, service,
// {processors}}.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

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

TEST_CASE("a job waits for its partition whatever is free elsewhere") {
    // Partitions of 2 and 4 of 6 processors. Jobs of 1 or 2 go to the first: job 1 waits for job 0
    // though 4 are free. Job 2, of 3, has the second until 12, job 3 of 4 follows; job 4 of 1 is
    // behind job 1 in the first.
    const Jobs jobs{{0, 10, {2}}, {1, 3, {2}}, {2, 10, {3}}, {3, 1, {4}}, {4, 1, {1}}};
    CHECK(starts_of("partitions", partitions({2, 4}), 6, jobs) == Times{0, 10, 2, 12, 13});
}

TEST_CASE("ranges of sizes reserve a partition for large jobs") {
    // The first partition, of 4, takes 3 and 4 only: job 1, of 1, waits in the second, of 2.
    const Jobs jobs{{0, 5, {2}}, {1, 5, {1}}, {2, 5, {3}}, {3, 5, {4}}};
    CHECK(starts_of("partitions", partitions({4, 2}, {3, 1}), 6, jobs) == Times{0, 5, 2, 7});
    // Without the ranges job 0 is in the first until 5 and job 1 beside it; job 2 waits for job 0,
    // job 3 for all.
    CHECK(starts_of("partitions", partitions({4, 2}), 6, jobs) == Times{0, 1, 5, 10});
}

TEST_CASE("a job that no partition takes is an error that names it") {
    CHECK_THROWS_WITH_AS(
        starts_of("partitions", partitions({2, 3}), 6, {{0, 1, {1}}, {1, 1, {4}}}),
        "job 1 asks for 4 processors and goes to no partition (they take 1 to 2 or 1 to 3 "
        "processors: it could never start). Give 'partitions' a partition for jobs of this "
        "size.",
        UnservedJobError
    );
}

TEST_CASE("a job whose components lie across its partition is an error and does not wait for ever"
) {
    // Clusters of 4 and 4; the first partition is the first cluster. Two components, of 2 and 2,
    // want a cluster each; of 2 and 0 they fit.
    TestCell cell;
    cell.system.clusters = {4, 4};
    const auto started = [&cell](const Value::List& processors, const GivenJob& job) {
        cell.jobs = {job};
        return starts_of("partitions", partitions(processors), cell);
    };
    for (const RequestStructure structure :
         {RequestStructure::ordered, RequestStructure::unordered}) {
        cell.structure = structure;
        CHECK(started({4, 4}, {0, 1, {2, 0}}) == Times{0});
        CHECK(started({8}, {0, 1, {2, 2}}) == Times{0});
        CHECK_THROWS_WITH_AS(
            started({4, 4}, {0, 1, {2, 2}}),
            "job 0 asks for 4 processors by cluster, which partition 1 has on other clusters (it "
            "could never start). Use total requests.",
            UnservedJobError
        );
    }
    cell.structure = RequestStructure::total;
    CHECK(started({4, 4}, {0, 1, {4}}) == Times{0});
}

TEST_CASE("partitions share no processors and use what is left of them while some are out of order"
) {
    // The first partition is the first cluster, of 2, and takes jobs of 2; the second takes all.
    TestCell cell;
    cell.system.clusters = {2, 2};
    cell.jobs = {{0, 9, {2}}, {0, 9, {1}}, {1, 1, {1}}, {10, 1, {2}}};
    const auto starts = [&cell] {
        return starts_of("partitions", partitions({2, 2}, {2, 1}), cell);
    };
    CHECK(starts() == Times{0, 0, 1, 10});
    // A processor of the first is away from 10 until 20; job 3 waits for it though 2 are free in
    // the second.
    cell.system.outages.listed = {{.from = 10, .until = 20, .first_processor = 0, .count = 1}};
    CHECK(starts() == Times{0, 0, 1, 20});
}

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
