// Partitions with any policy inside: by hand, against each partition as a machine of its own for
// every policy of the catalogue, and their verifier against schedules that break it.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "tests/policies/composition/inner_runs.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

Parameters partitions(const std::vector<Choice>& inner, const std::vector<std::uint32_t>& sizes) {
    Parameters given;
    given.set("inner", choices(inner));
    given.set("processors", numbers(sizes));
    return given;
}

/// Jobs for partitions of these sizes: every job goes to the first partition that is large enough.
Jobs random_jobs(Dice& dice, const std::vector<std::uint32_t>& sizes, bool has_fractions) {
    Jobs jobs;
    double submit = 0;
    const std::uint32_t count = 2 + dice.below(60);
    const std::uint32_t spread = 1 + dice.below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t largest = sizes[dice.below(static_cast<std::uint32_t>(sizes.size()))];
        GivenJob job;
        submit += dice.below(spread) + (has_fractions ? dice.below(1000) / 997.0 : 0);
        job.submit_time = submit;
        job.service_time = 1 + dice.below(9);
        job.estimate = job.service_time + dice.below(4);
        job.components = {1 + dice.below(largest)};
        job.user = dice.below(3);
        job.queue = dice.below(3);
        job.priority = static_cast<std::int32_t>(dice.below(3));
        jobs.push_back(job);
    }
    return jobs;
}

std::size_t first_that_takes(std::uint32_t size, const std::vector<std::uint32_t>& partitions) {
    std::size_t k = 0;
    while (partitions[k] < size) {
        ++k;
    }
    return k;
}

/// Every partition as a machine of its own, with its jobs alone.
std::map<std::uint64_t, Steps::OfJob> steps_apart(
    const std::vector<Choice>& inner, const std::vector<std::uint32_t>& sizes, const Jobs& jobs
) {
    std::map<std::uint64_t, Steps::OfJob> steps;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        Jobs own;
        std::vector<std::uint64_t> index;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (first_that_takes(jobs[i].size(), sizes) == k) {
                own.push_back(jobs[i]);
                index.push_back(i);
            }
        }
        if (own.empty()) {
            continue;
        }
        const Choice& policy = inner[inner.size() == 1 ? 0 : k];
        for (auto& [job, found] : steps_of(policy, {.clusters = {sizes[k]}}, own)) {
            steps[index[job]] = found;
        }
    }
    return steps;
}

/// Small enough that each partition serves some jobs, the last one all.
const std::vector<std::vector<std::uint32_t>> partitionings = {{8}, {3, 8}, {2, 4, 8}};

}  // namespace

TEST_CASE("each partition follows its own policy") {
    // Partition 1 has 2 processors under fcfs for jobs of 1 and 2, partition 2 has 4 under easy.
    // Partition 2: job 0 has 3 of 4 until 10; job 1 of 4 heads the queue, shadow time 10; job 2 of
    // 1 ends at 9 and overtakes; job 5 of 3 follows job 1 at 15. Partition 1: job 3 of 2 until 8,
    // job 4 of 1 waits though a processor of partition 2 is free.
    const Jobs jobs{{0, 10, {3}}, {1, 5, {4}}, {2, 7, {3}}, {1, 7, {2}}, {2, 1, {1}}, {2, 2, {3}}};
    Jobs sorted{jobs[0], jobs[1], jobs[3], jobs[2], jobs[4], jobs[5]};
    sorted[3].components = {1};
    // Sizes 3, 4, 2, 1, 1, 3; by size jobs 3 and 4 go to partition 1, behind job 2 until 8.
    Parameters given = partitions({choice("fcfs"), choice("easy")}, {2, 4});
    CHECK(starts_of("partitions", given, 6, sorted) == Times{0, 10, 1, 8, 8, 15});
    // With smallest size 2 in partition 1, both go to partition 2: job 3, of 7 until 9, overtakes
    // job 1 on the free processor; job 4, of 1, follows on it at 9 and ends by the shadow time 10.
    given.set("smallest_size", numbers({2, 1}));
    CHECK(starts_of("partitions", given, 6, sorted) == Times{0, 10, 1, 2, 9, 15});
}

TEST_CASE("jobs are routed by queue, user, class and origin") {
    const Jobs jobs{
        {.submit_time = 0, .service_time = 4, .components = {1}, .queue = 0},
        {.submit_time = 0, .service_time = 4, .components = {1}, .queue = 1},
        {.submit_time = 0, .service_time = 4, .components = {1}, .queue = 2},
        {.submit_time = 0, .service_time = 4, .components = {1}, .queue = 7}};
    Parameters given = partitions({choice("fcfs")}, {1, 1});
    given.set("route", "queue");
    given.set("partition_of", numbers({2, 1, 2}));
    // Queue 1 alone in partition 1; queues 0, 2 and above one after the other in partition 2.
    CHECK(starts_of("partitions", given, 2, jobs) == Times{0, 0, 4, 8});
    given.set("partition_of", numbers({}));  // queue 0 in partition 1, all others in partition 2
    CHECK(starts_of("partitions", given, 2, jobs) == Times{0, 0, 4, 8});
    given.set("partition_of", numbers({2, 1, 2}));
    given.set("route", "user");  // all are of user 0
    CHECK(starts_of("partitions", given, 2, jobs) == Times{0, 4, 8, 12});
}

TEST_CASE("partitions of whole clusters serve jobs by the cluster they come from") {
    Parameters given = partitions({choice("fcfs")}, {});
    given.set("clusters", numbers({1, 2}));
    TestCell cell;
    cell.system.clusters = {2, 2, 2};
    cell.jobs = {{0, 3, {2}}, {0, 3, {4}}, {0, 3, {1}}};
    // Sizes 2 and 1 go to the first cluster, 4 to the two others.
    CHECK(starts_of("partitions", given, cell) == Times{0, 0, 3});
}

TEST_CASE("a gang's node may lie on two clusters of its partition") {
    TestCell cell;
    cell.system.clusters = {8, 8};
    cell.jobs = {{0, 10, {12}}, {0, 10, {4}}};
    for (const char* const gang : {"vanilla_gang", "push_down_gang", "migration_gang"}) {
        CAPTURE(gang);
        const Parameters given = partitions({choice(gang)}, {16});
        CHECK(starts_of("partitions", given, cell) == starts_of(gang, {}, cell));
    }
}

TEST_CASE("every policy does in a partition what it does on a machine of its own") {
    for (const PolicyDescription& policy : policies_under_test()) {
        if (!can_be_inner(policy)) {
            continue;  // what is drawn depends on the numbers of the jobs
        }
        for (const std::vector<std::uint32_t>& sizes : partitionings) {
            for (std::uint64_t seed = 0; seed < short_or_long(20U, 60U); ++seed) {
                CAPTURE(policy.alternative.name);
                CAPTURE(sizes.size());
                CAPTURE(seed);
                Dice dice(seed);
                const std::vector<Choice> inner{choice(policy.alternative.name)};
                const Jobs jobs = random_jobs(dice, sizes, seed % 2 == 1);
                std::uint32_t processors = dice.below(3);  // idle
                for (const std::uint32_t size : sizes) {
                    processors += size;
                }
                REQUIRE(
                    steps_of(
                        {"partitions", partitions(inner, sizes)}, {.clusters = {processors}}, jobs
                    )
                    == steps_apart(inner, sizes, jobs)
                );
            }
        }
    }
}

TEST_CASE("partitions nest, with other policies in each, one that names processors beside counts") {
    for (const PolicyDescription& policy : policies_under_test()) {
        if (!can_be_inner(policy)) {
            continue;
        }
        for (std::uint64_t seed = 0; seed < short_or_long(15U, 40U); ++seed) {
            CAPTURE(policy.alternative.name);
            CAPTURE(seed);
            Dice dice(seed);
            // Within the second of two partitions two more: as machines of their own 2, 4 and 8.
            std::vector<Choice> inner{
                choice("easy"), choice("vanilla_gang"), choice(policy.alternative.name)};
            if (seed % 2 == 1) {  // the names are those of another partition
                std::swap(inner[0], inner[1]);
            }
            const Choice nested{
                "partitions",
                with_defaults(
                    policy_named("partitions").alternative.parameters,
                    partitions({inner[1], inner[2]}, {4, 8})
                )};
            const std::vector<std::uint32_t> sizes{2, 4, 8};
            const Jobs jobs = random_jobs(dice, sizes, false);
            REQUIRE(
                steps_of(
                    {"partitions", partitions({inner[0], nested}, {2, 12})},
                    {.clusters = {14}},
                    jobs
                )
                == steps_apart(inner, sizes, jobs)
            );
        }
    }
}

TEST_CASE(
    "the verifier of partitions sees a job outside its partition, too many in it, and what the "
    "inner verifier sees"
) {
    const PolicyDescription& policy = policy_named("partitions");
    const Parameters given = with_defaults(
        policy.alternative.parameters, partitions({choice("fcfs"), choice("easy")}, {2, 4})
    );
    const SystemDescription system{.clusters = {6}};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    const auto after = [&](const std::vector<ScheduleStep>& steps) -> std::string {
        const auto verifier = make_plain_verifier(policy, given, context);
        try {
            for (const ScheduleStep& step : steps) {
                verifier->observe(step);
            }
            verifier->end_of_instant(0);
        } catch (const ScheduleError& error) {
            return error.what();
        }
        return "";
    };
    using Kind = ScheduleStep::Kind;
    const std::uint32_t component = 2;
    const auto job = [&component](std::uint64_t index) {
        return Job{
            .index = index,
            .service_time = 3,
            .estimate = 3,
            .size = 2,
            .components = {&component, 1}};
    };
    const Job first = job(0);
    const Job second = job(1);
    const std::vector<ClusterShare> two{{ClusterId{0}, 2}};
    const std::vector<ProcessorRange> low{{ProcessorId{0}, 2}};
    const std::vector<ProcessorRange> high{{ProcessorId{1}, 2}};
    const auto step = [](Kind kind, const Job& of, std::uint32_t id) {
        ScheduleStep made;
        made.kind = kind;
        made.id = {id};
        made.job = &of;
        return made;
    };
    const auto arrival = [&step](const Job& of, std::uint32_t id) {
        return step(Kind::arrival, of, id);
    };
    const auto start = [&](const Job& of, std::uint32_t id) {
        ScheduleStep made = step(Kind::start, of, id);
        made.shares = two;
        return made;
    };
    const auto start_on = [&](const Job& of, const std::vector<ProcessorRange>& processors) {
        ScheduleStep made = step(Kind::start, of, 0);
        made.processors = processors;
        return made;
    };
    CHECK(after({arrival(first, 0), start(first, 0)}).empty());
    CHECK(after({arrival(first, 0), start_on(first, low)}).empty());
    CHECK(
        after({arrival(first, 0), start_on(first, high)})
        == "at time 0: job 0 runs outside its partition"
    );
    CHECK(
        after({arrival(first, 0), arrival(second, 1), start(first, 0), start(second, 1)})
        == "at time 0: job 1 exceeds its partition"
    );
    CHECK(!after({arrival(first, 0)}).empty());  // fcfs: it fits and waits
}

TEST_CASE("partitions that cannot be are found before anything runs") {
    const PolicyDescription& policy = policy_named("partitions");
    const auto problem_of = [&policy](const Parameters& given) {
        const auto found =
            policy.alternative.check(with_defaults(policy.alternative.parameters, given));
        return found.empty() ? "" : found.front().reason;
    };
    const std::vector<Choice> fcfs{choice("fcfs")};
    CHECK(problem_of(partitions(fcfs, {2, 4})).empty());
    CHECK(
        problem_of(partitions({choice("fcfs"), choice("easy")}, {2, 4, 8}))
        == "2 policies are named and there are 3 partitions (there is one for each)"
    );
    Parameters given = partitions(fcfs, {2, 4});
    given.set("clusters", numbers({1, 1}));
    CHECK(
        problem_of(given)
        == "both 'clusters' and 'processors' are given (each says what the partitions are)"
    );
    given = partitions(fcfs, {2, 4});
    given.set("route", "user");
    CHECK(problem_of(given).empty());
    given.set("partition_of", numbers({1, 3}));
    CHECK(problem_of(given) == "partition 3 is named and there are 2 (they are numbered from 1)");
    given.set("route", "size");
    CHECK(
        problem_of(given) == "'partition_of' is given, and jobs go by size (it would be ignored)"
    );
    const auto on_system = [&policy](
                               const Parameters& parameters, const SystemDescription& system
                           ) {
        const auto found =
            policy.check_system(with_defaults(policy.alternative.parameters, parameters), system);
        return found.empty() ? "" : found.front().reason;
    };
    CHECK(
        on_system(partitions(fcfs, {4, 5}), {.clusters = {8}})
        == "the partitions have 9 processors together and the system 8 (they share none)"
    );
    given = partitions(fcfs, {});
    given.set("clusters", numbers({1, 2}));
    CHECK(
        on_system(given, {.clusters = {8, 8}})
        == "the partitions have 3 clusters together and the system 2 (they share none)"
    );
}

TEST_CASE("a job that its partition could never run is an error that names it") {
    Parameters given = partitions({choice("easy")}, {1, 4});
    given.set("route", "queue");
    given.set("partition_of", numbers({1}));
    CHECK_THROWS_WITH_AS(
        starts_of("partitions", given, 5, {{0, 1, {1}}, {0, 1, {2}}}),
        "job 1 asks for 2 processors and goes to partition 1, which has 1 (it could never start). "
        "Route such jobs elsewhere, or leave them out.",
        UnservedJobError
    );
}

}  // namespace schedfarm::tests
