// Compositions of every policy on two logs of the Parallel Workloads Archive: partitions, cut three
// ways and in two levels, against the policy alone on each part's jobs; one queue and one slice
// against the policy alone. Start by start and finish by finish, to the bit. Of the first 15,000
// jobs of a log, in the long form of all: seven minutes for CTC-SP2.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/logs/job_log.hpp"

#include "tests/policies/composition/inner_runs.hpp"
#include "tests/policies/log_jobs.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

/// A part of the machine, and the largest jobs that go to it: each to the first part that takes it.
struct LogPart {
    std::uint32_t processors;
    std::uint32_t largest;
};

using LogParts = std::vector<LogPart>;

struct LogCase {
    const char* file;
    std::uint32_t processors;
    std::vector<LogParts> partitionings;
    LogParts second_of_first;  ///< the second part of the first partitioning, cut again
};

const LogCase ctc_on_430{
    "CTC-SP2-1996-3.1-cln.swf.gz",
    430,
    {{{150, 8}, {280, 200}}, {{50, 2}, {100, 8}, {280, 200}}, {{230, 200}}},
    {{80, 16}, {200, 200}}};
const LogCase kth_on_100{
    "KTH-SP2-1996-2.1-cln.swf.gz",
    100,
    {{{36, 4}, {64, 32}}, {{10, 1}, {26, 4}, {64, 32}}, {{90, 32}}},
    {{32, 8}, {32, 32}}};

constexpr std::size_t first_jobs = 8000;
/// Policies that plan all tasks of a batch at once take this many.
constexpr std::size_t first_jobs_of_batches = 3000;

bool plans_batches(const std::string& policy) {
    return policy == "demt" || policy.starts_with("moldable_");
}

/// The jobs of the log that every partitioning takes.
Jobs jobs_of(const LogCase& log) {
    const auto workload = log_jobs(log.file, "killed", {.clusters = {log.processors}});
    Jobs jobs;
    JobBlock block;
    for (workload->next(block); block.count > 0; workload->next(block)) {
        for (std::size_t i = 0; i < block.count; ++i) {
            const Job job = block.job(i);
            if (job.size <= log.partitionings.front().back().largest) {
                GivenJob given{
                    .submit_time = job.submit_time,
                    .service_time = job.service_time,
                    .components = {job.size}};
                given.estimate = job.estimate;
                given.user = job.user;
                jobs.push_back(std::move(given));
            }
        }
    }
    return jobs;
}

using StartsAndEnds = std::vector<std::pair<double, double>>;

/// Under no verifier: other tests are there for that.
StartsAndEnds run_alone(const Choice& policy, std::uint32_t processors, const Jobs& jobs) {
    const PolicyUnderTest tested(policy_named(policy.name), policy.parameters);
    const SystemDescription system{.clusters = {processors}};
    JobLog log;
    SimulationSetup setup{
        .system = system,
        .experiment = {.kind = ExperimentKind::trace, .horizon = {.jobs = jobs.size()}},
        .probes = {},
        .policy_traits = tested.description->traits(tested.parameters)};
    setup.probes.job_log = &log;
    GivenWorkload workload(jobs, RequestStructure::total, JobBlock::capacity);
    setup.published =
        published_columns(*tested.description, tested.parameters, system, workload.traits());
    const auto scheduler =
        tested.description->make(tested.parameters, {system, Stream(1, Purpose::policy, 0)});
    simulate(setup, workload, *scheduler);
    StartsAndEnds result;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        result.emplace_back(log.start[job], log.finish[job]);
    }
    return result;
}

/// The policy alone on each part, with the jobs that go to it.
StartsAndEnds run_apart(const Choice& policy, const LogParts& parts, const Jobs& jobs) {
    StartsAndEnds result(jobs.size());
    std::uint32_t smallest = 1;
    for (const LogPart& part : parts) {
        Jobs own;
        std::vector<std::size_t> index;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (jobs[i].size() >= smallest && jobs[i].size() <= part.largest) {
                own.push_back(jobs[i]);
                index.push_back(i);
            }
        }
        const StartsAndEnds found = run_alone(policy, part.processors, own);
        for (std::size_t i = 0; i < found.size(); ++i) {
            result[index[i]] = found[i];
        }
        smallest = part.largest + 1;
    }
    return result;
}

Choice partitioned(const std::vector<Choice>& inner, const LogParts& parts) {
    std::vector<std::uint32_t> processors;
    std::vector<std::uint32_t> largest;
    for (const LogPart& part : parts) {
        processors.push_back(part.processors);
        largest.push_back(part.largest);
    }
    Parameters given;
    given.set("inner", choices(inner));
    given.set("processors", numbers(processors));
    given.set("largest_size", numbers(largest));
    return choice("partitions", given);
}

/// A composition of this policy alone, with every other parameter by default.
Choice around(const char* composition, const Choice& policy) {
    Parameters given;
    given.set("inner", choices({policy}));
    return choice(composition, given);
}

void check_log(const LogCase& log, const Choice& policy, const Jobs& jobs) {
    for (const LogParts& parts : log.partitionings) {
        CAPTURE(parts.size());
        REQUIRE(
            run_alone(partitioned({policy}, parts), log.processors, jobs)
            == run_apart(policy, parts, jobs)
        );
    }
    LogParts apart = log.partitionings.front();
    const Choice nested = partitioned({policy}, log.second_of_first);
    const Choice two_levels = partitioned({policy, nested}, apart);
    apart.pop_back();
    apart.insert(apart.end(), log.second_of_first.begin(), log.second_of_first.end());
    REQUIRE(run_alone(two_levels, log.processors, jobs) == run_apart(policy, apart, jobs));
    const StartsAndEnds alone = run_alone(policy, log.processors, jobs);
    REQUIRE(run_alone(around("queues", policy), log.processors, jobs) == alone);
    REQUIRE(run_alone(around("slices", policy), log.processors, jobs) == alone);
}

void check_all(const LogCase& log) {
    Jobs all = jobs_of(log);
    REQUIRE(all.size() > first_jobs);
    if (!is_long_form()) {
        all.resize(first_jobs);
    }
    const Jobs first(all.begin(), all.begin() + first_jobs_of_batches);
    for (const PolicyDescription& policy : policies_under_test()) {
        CAPTURE(policy.alternative.name);
        if (can_be_inner(policy)) {  // what is drawn depends on the numbers of the jobs
            const std::string& name = policy.alternative.name;
            check_log(log, choice(name), plans_batches(name) ? first : all);
        }
    }
}

}  // namespace

TEST_CASE("compositions of every policy are that policy on KTH-SP2") {
    check_all(kth_on_100);
}

TEST_CASE("compositions of every policy are that policy on CTC-SP2") {
    check_all(ctc_on_430);
}

}  // namespace schedfarm::tests
