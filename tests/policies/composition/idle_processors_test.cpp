// Partitions that lend what is idle (by hand: tests/cases): against one queue before all
// processors, with the verifiers of the policies inside over random jobs, and their own against
// schedules that break it.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/composition/inner_runs.hpp"

namespace schedfarm::tests {

namespace {

Parameters lending(const std::vector<Choice>& inner, const std::vector<std::uint32_t>& sizes) {
    Parameters given;
    given.set("inner", choices(inner));
    given.set("processors", numbers(sizes));
    given.set("largest_size", numbers(sizes));
    given.set("route", "queue");
    given.set("idle_processors", "lent");
    return given;
}

GivenJob job_of(std::uint32_t queue, double submit, double run, std::uint32_t size) {
    return {.submit_time = submit, .service_time = run, .components = {size}, .queue = queue};
}

Jobs random_jobs(Dice& dice, std::uint32_t partitions, std::uint32_t largest, bool are_equal) {
    Jobs jobs;
    double submit = 0;
    const std::uint32_t count = 20 + dice.below(60);
    for (std::uint32_t i = 0; i < count; ++i) {
        submit += dice.below(4);
        const double run = are_equal ? 7 : 1 + dice.below(20);
        jobs.push_back(
            job_of(dice.below(partitions), submit, run, are_equal ? 1 : 1 + dice.below(largest))
        );
        jobs.back().estimate = run + (are_equal ? 0 : dice.below(3) * 5);
    }
    return jobs;
}

/// Counts the jobs that move, and holds that no job waits alone where it would fit.
class Lending final : public ScheduleVerifier {
  public:
    explicit Lending(const std::vector<std::uint32_t>& sizes) {
        std::uint32_t first = 0;
        for (const std::uint32_t size : sizes) {
            parts_[first].free = size;
            first += size;
        }
    }

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::bind) {
            const std::uint32_t to = step.processors.front().first.value;
            const auto [owner, is_new] = owner_.emplace(step.job->index, to);
            if (!is_new) {
                parts_[owner->second].waiting.erase(step.job->index);
                owner->second = to;
                ++moves;
            }
            parts_[to].waiting[step.job->index] = step.job->size;
        } else if (step.kind == ScheduleStep::Kind::start) {
            Part& part = parts_[owner_.at(step.job->index)];
            part.waiting.erase(step.job->index);
            part.free -= step.job->size;
        } else if (step.kind == ScheduleStep::Kind::completion) {
            parts_[owner_.at(step.job->index)].free += step.job->size;
        }
    }
    void end_of_instant(double time) override {
        for (const auto& [first, part] : parts_) {
            CAPTURE(time);
            CAPTURE(first);
            REQUIRE((part.waiting.size() != 1 || part.waiting.begin()->second > part.free));
        }
    }
    void finish() override {}

    std::uint64_t moves = 0;

  private:
    struct Part {
        std::uint32_t free = 0;
        std::map<std::uint64_t, std::uint32_t> waiting;  // size by index of the job
    };
    std::map<std::uint32_t, Part> parts_;           // by first processor
    std::map<std::uint64_t, std::uint32_t> owner_;  // first processor by index of the job
};

}  // namespace

TEST_CASE("equal jobs of one processor start when they do from one queue before all processors") {
    Dice dice(4711);
    for (int run = 0; run < 200; ++run) {
        const Jobs jobs = random_jobs(dice, 3, 1, true);
        Times lent = starts_of("partitions", lending({choice("fcfs")}, {1, 2, 3}), 6, jobs);
        Times shared = starts_of("fcfs", {}, 6, jobs);
        std::sort(lent.begin(), lent.end());
        std::sort(shared.begin(), shared.end());
        CHECK(lent == shared);
    }
}

TEST_CASE("policies inside do as alone with jobs that leave and come") {
    Dice dice(4712);
    for (const char* const inner :
         {"fcfs", "fpfs", "sjf", "easy", "conservative", "k_reservations", "selective"}) {
        CAPTURE(inner);
        std::uint64_t moves = 0;
        for (int run = 0; run < 60; ++run) {
            TestCell cell;
            cell.system = {.clusters = {12}};
            cell.jobs = random_jobs(dice, 3, 3, false);
            cell.experiment.kind = ExperimentKind::trace;
            cell.experiment.horizon.jobs = cell.jobs.size();
            const Choice policy = choice("partitions", lending({choice(inner)}, {3, 4, 5}));
            Lending lends({3, 4, 5});
            run_general({policy_named(policy.name), policy.parameters}, cell, &lends);
            moves += lends.moves;
        }
        CHECK(moves > 60);
    }
}

TEST_CASE("the verifier of partitions sees a job that moves without reason") {
    const PolicyDescription& policy = policy_named("partitions");
    const SystemDescription system{.clusters = {4}};
    const std::uint32_t component = 2;
    std::vector<Job> jobs;
    for (std::uint32_t k = 0; k < 3; ++k) {
        jobs.push_back(
            {.index = k,
             .service_time = 3,
             .estimate = 3,
             .size = 2,
             .components = {&component, 1},
             .queue = k / 2}
        );
    }
    const std::vector<ProcessorRange> second{{ProcessorId{2}, 2}};
    const std::vector<ProcessorRange> across{{ProcessorId{2}, 1}, {ProcessorId{1}, 1}};
    using Kind = ScheduleStep::Kind;
    const auto after = [&](const char* idle,
                           const std::vector<ScheduleStep>& steps) -> std::string {
        Parameters given = lending({choice("fcfs")}, {2, 2});
        given.set("idle_processors", idle);
        given = with_defaults(policy.alternative.parameters, given);
        const auto verifier =
            make_plain_verifier(policy, given, {system, Stream(1, Purpose::policy, 0)});
        const auto machine = make_machine_verifier(system);
        try {
            for (const ScheduleStep& step : steps) {
                machine->observe(step);
                verifier->observe(step);
            }
        } catch (const ScheduleError& error) {
            return error.what();
        }
        return "";
    };
    const auto step = [&](Kind kind, std::uint32_t job, const std::vector<ProcessorRange>& on) {
        ScheduleStep made;
        made.kind = kind;
        made.id = {job};
        made.job = &jobs[job];
        made.processors = on;
        return made;
    };
    const auto arrival = [&step](std::uint32_t job) {
        return step(Kind::arrival, job, {});
    };
    const ScheduleStep bound = step(Kind::bind, 1, second);
    const std::vector<ProcessorRange> first{{ProcessorId{0}, 2}};
    const ScheduleStep start = step(Kind::start, 0, first);
    CHECK(
        after("lent", {arrival(0), arrival(1), start, bound, step(Kind::start, 1, second)}).empty()
    );
    CHECK(
        after("own", {arrival(0), arrival(1), start, bound})
        == "at time 0: job 1 is bound to another partition than its own"
    );
    CHECK(
        after("lent", {arrival(1), arrival(2), bound})
        == "at time 0: job 1 moves to a partition where jobs wait"
    );
    CHECK(
        after("lent", {arrival(1), step(Kind::bind, 1, across)})
        == "at time 0: job 1 is bound to no partition"
    );
    CHECK(
        after("lent", {arrival(0), arrival(1), start, bound, step(Kind::start, 1, across)})
        == "job 1 at time 0: it is bound to other processors"
    );
}

}  // namespace schedfarm::tests
