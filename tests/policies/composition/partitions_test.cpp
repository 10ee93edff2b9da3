// Partitions with any policy inside (by hand: tests/cases): against each partition as a machine of
// its own for every policy of the catalogue, and their verifier against schedules that break it.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

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

}  // namespace schedfarm::tests
