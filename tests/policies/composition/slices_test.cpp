// Time slices with any policy inside (by hand: tests/cases): one slice against the policy alone,
// several against the policy of each on a machine of its own whose clock stops while the slice is
// off, and the rotation against its rules; and schedules that the verifier objects to.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/composition/inner_runs.hpp"
#include "tests/policies/composition/rotation.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

Parameters slices(
    const std::vector<Choice>& inner, const std::vector<double>& quanta, double cost = 0
) {
    Value::List lengths;
    for (const double quantum : quanta) {
        lengths.emplace_back(quantum);
    }
    Parameters given;
    given.set("inner", choices(inner));
    given.set("quanta_s", lengths);
    given.set("switch_cost_s", cost);
    return given;
}

Choice sliced(const std::vector<Choice>& inner, const std::vector<double>& quanta) {
    return choice("slices", slices(inner, quanta));
}

/// Every policy that does not draw, with slices of its own that are short enough to matter.
std::vector<Choice> inner_choices() {
    std::vector<Choice> all;
    for (const PolicyDescription& policy : policies_under_test()) {
        Parameters given;
        given.set("timeplexing_cycle_s", 40);
        given.set("slice_s", 10);
        if (can_be_inner(policy)) {
            all.push_back(choice(policy.alternative.name, given));
        }
    }
    return all;
}

GivenJob job_of(
    double submit, double service, std::uint32_t size, std::uint32_t queue, double estimate = 0
) {
    GivenJob job{.submit_time = submit, .service_time = service, .components = {size}};
    job.queue = queue;
    job.estimate = estimate > 0 ? estimate : service;
    return job;
}

Jobs random_jobs(Dice& dice, std::uint32_t queues) {
    Jobs jobs;
    double submit = dice.below(3);
    const std::uint32_t count = 2 + dice.below(50);
    const std::uint32_t spread = 1 + dice.below(5);
    for (std::uint32_t i = 0; i < count; ++i) {
        submit += dice.below(spread);
        const double service = 1 + dice.below(12);
        jobs.push_back(
            job_of(submit, service, 1 + dice.below(8), dice.below(queues), service + dice.below(4))
        );
        jobs.back().user = dice.below(3);
        jobs.back().priority = static_cast<std::int32_t>(dice.below(3));
    }
    return jobs;
}

/// The same with a job for each queue that outlasts all others, so that no slice ends early: what
/// arrives after that reaches its policy at the own time of the last completion, but apart from it,
/// and policies with slices of their own tell these from one instant.
Jobs with_long_jobs(Jobs jobs, std::uint32_t queues) {
    for (std::uint32_t queue = 0; queue < queues; ++queue) {
        jobs.insert(jobs.begin(), job_of(0, 2000, 1, queue));
    }
    return jobs;
}

TestCell cell_of(const Jobs& jobs, std::uint32_t processors = 8) {
    TestCell cell;
    cell.system.clusters = {processors};
    cell.jobs = jobs;
    cell.experiment.kind = ExperimentKind::trace;
    cell.experiment.horizon.jobs = jobs.size();
    return cell;
}

std::unique_ptr<Rotation> rotation_of(
    const std::vector<Choice>& inner,
    const std::vector<double>& quanta,
    double cost,
    const Jobs& jobs,
    std::uint32_t processors = 8
) {
    auto seen = std::make_unique<Rotation>(quanta, cost);
    run_general(
        {policy_named("slices"), slices(inner, quanta, cost)}, cell_of(jobs, processors), seen.get()
    );
    return seen;
}

/// The jobs of a slice as its policy sees them, and how each must go on a machine of its own.
void expect_as_alone(
    const Rotation& seen, std::size_t slice, const Choice& inner, const Jobs& jobs
) {
    Jobs own;
    std::vector<std::uint64_t> index;
    for (const auto& [job, way] : seen.ways) {
        if (way.slice == slice) {
            own.push_back(jobs[job]);
            own.back().submit_time = seen.own_time(slice, way.submit);
            index.push_back(job);
        }
    }
    if (own.empty()) {
        return;
    }
    std::map<std::uint64_t, Steps::OfJob> steps = steps_of(inner, {.clusters = {8}}, own);
    for (const auto& [job, found] : steps) {
        const Rotation::Way& way = seen.ways.at(index[job]);
        const auto start = std::find_if(found.begin(), found.end(), [](const auto& step) {
            return std::get<0>(step) == ScheduleStep::Kind::start;
        });
        // Shelves begin at times that are not exact.
        REQUIRE(
            seen.own_time(slice, way.start) == doctest::Approx(std::get<1>(*start)).epsilon(1e-12)
        );
        REQUIRE(
            seen.own_time(slice, way.end)
            == doctest::Approx(std::get<1>(found.back())).epsilon(1e-12)
        );
    }
}

}  // namespace

TEST_CASE("one slice is the policy inside, step by step") {
    for (const Choice& policy : inner_choices()) {
        for (std::uint64_t seed = 0; seed < short_or_long(35U, 100U); ++seed) {
            CAPTURE(policy.name);
            CAPTURE(seed);
            Dice dice(seed);
            Jobs jobs = random_jobs(dice, 3);
            for (GivenJob& job : jobs) {
                job.submit_time *= seed % 2 == 0 ? 1 : 0.7;
            }
            REQUIRE(
                steps_of(sliced({policy}, {5}), {.clusters = {8}}, jobs)
                == steps_of(policy, {.clusters = {8}}, jobs)
            );
        }
    }
}

// Fractions of quanta, all of them exact, so that hardly anything ends with a slice: at such an
// instant the policy inside is asked twice.
TEST_CASE("in each slice its policy does what it does alone, by a clock that stops with it") {
    const std::vector<double> quanta{7 + 1.0 / 1024, 4 + 3.0 / 512, 11 + 5.0 / 2048};
    std::uint64_t switches = 0;
    for (const Choice& policy : inner_choices()) {
        for (std::uint64_t seed = 0; seed < short_or_long(20U, 60U); ++seed) {
            CAPTURE(policy.name);
            CAPTURE(seed);
            Dice dice(seed);
            Jobs jobs = random_jobs(dice, 3);
            if (policy_named(policy.name).traits(policy.parameters).preemptive) {
                jobs = with_long_jobs(jobs, 3);
            }
            const std::vector<Choice> inner{policy, choice("easy"), policy};
            const double cost = seed % 3 == 0 ? 1.0 / 128 : 0;
            const auto seen = rotation_of(inner, quanta, cost, jobs);
            for (std::size_t slice = 0; slice < quanta.size(); ++slice) {
                expect_as_alone(*seen, slice, inner[slice], jobs);
            }
            switches += seen->switches;
        }
    }
    CHECK(switches > 5000);
}

// Own times are rounded then: no policy and none of its verifiers stumbles over the last bit.
TEST_CASE("every policy serves slices at times that are not exact") {
    for (const PolicyDescription& policy : policies_under_test()) {
        if (policy.alternative.name == "selective") {
            continue;  // a reservation between others, whose hole is smaller by the last bit, moves
        }
        for (std::uint64_t seed = 0; seed < short_or_long(35U, 100U); ++seed) {
            CAPTURE(policy.alternative.name);
            CAPTURE(seed);
            Dice dice(seed);
            Jobs jobs = random_jobs(dice, 3);
            for (GivenJob& job : jobs) {
                job.submit_time *= 0.7;
                job.service_time *= 0.7;
                job.estimate = *job.estimate * 0.7;
            }
            TestCell cell = cell_of(jobs, 8);
            cell.has_exact_times = false;
            const std::vector<double> quanta{7.1, 4.3, 11.7};
            const Parameters given = slices({choice(policy.alternative.name)}, quanta, 0.3);
            Rotation seen(quanta, 0.3);
            CHECK_NOTHROW(run_general({policy_named("slices"), given}, cell, &seen));
        }
    }
}

TEST_CASE("slices nest in partitions, partitions in slices and slices in slices") {
    Parameters parts;
    parts.set(
        "inner", choices({choice("fcfs"), sliced({choice("easy"), choice("vanilla_gang")}, {3, 5})})
    );
    parts.set("processors", numbers({3, 5}));
    parts.set("largest_size", numbers({3, 5}));
    const Choice partitions = choice("partitions", parts);
    parts.set("inner", choices({choice("fcfs"), choice("sjf")}));
    const Choice counted = choice("partitions", parts);
    const std::vector<double> quanta{7 + 1.0 / 1024, 4 + 3.0 / 512};
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Jobs jobs = with_long_jobs(random_jobs(dice, 2), 2);
        for (GivenJob& job : jobs) {
            job.components.front() = std::min(job.components.front(), 5U);
        }
        // The slices inside go by user.
        Parameters by_user = slices({choice("conservative"), counted, partitions}, {2, 3, 4});
        by_user.set("route", "user");
        const std::vector<Choice> inner{partitions, choice("slices", by_user)};
        const auto seen = rotation_of(inner, quanta, 0, jobs);
        for (std::size_t slice = 0; slice < quanta.size(); ++slice) {
            expect_as_alone(*seen, slice, inner[slice], jobs);
        }
    }
}

TEST_CASE("queues hand jobs down to slices and take them back while these are off") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Jobs jobs = random_jobs(dice, 3);
        Parameters by_user =
            slices({choice("conservative"), choice("sjf"), choice("easy")}, {2, 3, 4});
        by_user.set("route", "user");
        Parameters given;
        given.set("inner", choices({choice("slices", by_user)}));
        given.set("assignment", "number");
        given.set("priority", numbers({1, 2, 3}));
        given.set("most_running_per_user", numbers({0, 1, 2}));
        const Times starts = starts_of("queues", given, 8, jobs);
        CHECK(std::all_of(starts.begin(), starts.end(), [](double start) { return start >= 0; }));
    }
}

TEST_CASE("the verifier of slices objects to other slices and to another policy inside") {
    const Jobs jobs{
        job_of(0, 12, 4, 0), job_of(2, 6, 2, 1), job_of(3, 3, 4, 1), job_of(4, 1, 1, 1)};
    const PolicyDescription& policy = policy_named("slices");
    const auto objection = [&](const Parameters& verified) -> std::string {
        const TestCell cell = cell_of(jobs, 4);
        const auto verifier = make_own_verifier(
            policy,
            with_defaults(policy.alternative.parameters, verified),
            {cell.system, Stream(1, Purpose::policy, 0)}
        );
        try {
            run_general({policy, slices({choice("easy")}, {10, 5})}, cell, verifier.get());
        } catch (const ScheduleError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(objection(slices({choice("easy")}, {10, 5})).empty());
    Parameters other = slices({choice("easy")}, {10, 5});
    other.set("slice_of", numbers({1, 1}));
    CHECK(objection(other) == "at time 10: job 1 runs in a slice that does not serve it");
    CHECK(objection(slices({choice("fcfs")}, {10, 5})) != "");
}

}  // namespace schedfarm::tests
