// The verifier of Scojo-PECT objects to schedules told by hand that break one invariant each: 4
// nodes of 400 units, 4 units a second, slices of 600, 1200 and 1800 s. Only how a schedule goes
// wrong is told, not how it might go on.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/scojo/scojo_runs.hpp"

namespace schedfarm::tests {

namespace {

using Kind = ScheduleStep::Kind;

class StepFeed {
  public:
    explicit StepFeed(ScojoCell cell = {}) {
        cell.memory = 400;
        const PolicyUnderTest policy = scojo_policy(cell);
        const SystemDescription system{.clusters = {4}, .memory_per_processor = 400};
        verifier_ = make_own_verifier(
            *policy.description,
            policy.parameters,
            PolicyContext{system, Stream(1, Purpose::policy, 0)}
        );
        slice(0, 0, 600);
    }

    StepFeed& slice(double time, std::uint64_t type, double end) {
        ScheduleStep step;
        step.kind = Kind::slice;
        step.time = time;
        step.timer.tag = type;
        step.amount = end;
        return observe(step);
    }
    StepFeed& arrive(double run, double memory = 0, std::uint32_t size = 2) {
        auto job = std::make_unique<Job>();
        job->index = jobs_.size();
        job->service_time = job->estimate = run;
        job->size = size;
        job->memory_per_processor = memory;
        jobs_.push_back({std::move(job), {}});
        return tell(Kind::arrival, 0, jobs_.size() - 1);
    }
    StepFeed& tell(Kind kind, double time, std::size_t job, double amount = 0) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.id = JobId{static_cast<std::uint32_t>(job)};
        step.job = jobs_[job].job.get();
        step.amount = amount;
        step.processors = {&jobs_[job].nodes, 1};
        return observe(step);
    }
    /// Loads or runs on its nodes from this one on.
    StepFeed& on(Kind kind, double time, std::size_t job, std::uint32_t first, double amount = 0) {
        jobs_[job].nodes = {ProcessorId{first}, jobs_[job].job->size};
        return tell(kind, time, job, amount);
    }
    StepFeed& over(double time) {
        try {
            verifier_->end_of_instant(time);
        } catch (const ScheduleError& error) {
            objection_ = objection_.empty() ? error.what() : objection_;
        }
        return *this;
    }
    const std::string& objection() const { return objection_; }

  private:
    struct Told {
        std::unique_ptr<Job> job;
        ProcessorRange nodes;
    };

    StepFeed& observe(const ScheduleStep& step) {
        try {
            verifier_->observe(step);
        } catch (const ScheduleError& error) {
            objection_ = objection_.empty() ? error.what() : objection_;
        }
        return *this;
    }

    std::unique_ptr<ScheduleVerifier> verifier_;
    std::vector<Told> jobs_;
    std::string objection_;
};

constexpr auto memory = Kind::resident_memory;

/// Job 0 (300 units) is loaded 0–75 and runs on nodes 0 and 1.
StepFeed& with_loaded_job(StepFeed& told) {
    return told.arrive(12000, 300)
        .on(Kind::load, 0, 0, 0, 75)
        .tell(memory, 75, 0, 300)
        .tell(Kind::start, 75, 0);
}

/// Job 0 loses 200 of its 300 units at 600; at the end of the medium jobs' slice so much of them is
/// there again.
StepFeed prefetched(double amount, int seconds = 50, std::uint64_t next = 2) {
    ScojoCell cell;
    cell.prefetch = seconds;
    StepFeed told(cell);
    with_loaded_job(told)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .tell(memory, 600, 0, 100)
        .tell(Kind::delay, 600, 0, 50)
        .over(600)
        .slice(1800, next, 3600)
        .tell(memory, 1800, 0, 100 + amount);
    return told;
}

}  // namespace

TEST_CASE("schedules that hold") {
    StepFeed told;
    with_loaded_job(told)
        .arrive(1000, 200)
        .over(75)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .tell(Kind::delay, 600, 0, 25)
        .tell(memory, 600, 0, 200)
        .on(Kind::load, 600, 1, 0, 50)
        .over(600)
        .tell(memory, 650, 1, 200)
        .tell(Kind::start, 650, 1)
        .over(650)
        .tell(Kind::completion, 1650, 1)
        .tell(Kind::load, 1650, 0, 25)
        .over(1650);
    CHECK(told.objection().empty());
}

TEST_CASE("schedules with relocation and prefetching that hold") {
    ScojoCell cell;
    cell.relocates = true;
    StepFeed moved(cell);
    with_loaded_job(moved)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .tell(memory, 600, 0, 0)
        .on(Kind::load, 600, 0, 2, 75)
        .over(600)
        .tell(memory, 675, 0, 300)
        .tell(Kind::start, 675, 0)
        .over(675);
    CHECK(moved.objection().empty());
    CHECK(prefetched(200).objection().empty());
}

TEST_CASE("a job is prefetched faster than the rate, too early, or of a type that is not next") {
    const std::string problem = "job 0 has more in memory than was loaded";
    CHECK(prefetched(201).objection() == "at time 1800: " + problem);
    CHECK(prefetched(200, 10).objection() == "at time 1800: " + problem);
    CHECK(prefetched(200, 50, 0).objection() == "at time 1800: " + problem);
}

TEST_CASE("a job leaves its nodes where it may not, loaded in part, or for those of its type") {
    StepFeed told;
    told.arrive(12000).on(Kind::start, 0, 0, 0).slice(600, 1, 1800).tell(Kind::suspend, 600, 0);
    CHECK(told.on(Kind::resume, 700, 0, 2).objection() == "at time 700: job 0 leaves its nodes");
    ScojoCell cell;
    cell.relocates = true;
    StepFeed partly(cell);
    with_loaded_job(partly)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .on(Kind::load, 600, 0, 2, 75);
    CHECK(partly.objection() == "at time 600: job 0 moves and is not loaded whole");
    StepFeed onto(cell);
    onto.arrive(12000)
        .arrive(12000)
        .on(Kind::start, 0, 0, 0)
        .on(Kind::start, 0, 1, 2)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .tell(Kind::suspend, 600, 1)
        .on(Kind::resume, 700, 0, 1);
    CHECK(onto.objection() == "at time 700: job 0 moves to nodes of another of its type");
}

TEST_CASE("a job is loaded in less time than it takes") {
    StepFeed told;
    told.arrive(12000, 300).on(Kind::load, 0, 0, 0, 74);
    CHECK(told.objection() == "at time 0: job 0 is loaded in less time than it takes");
}

TEST_CASE("a job runs and is not in memory") {
    StepFeed told;
    told.arrive(12000, 300).on(Kind::start, 0, 0, 0);
    CHECK(told.objection() == "at time 0: job 0 runs and is not in memory");
}

TEST_CASE("a job has more in memory than was loaded") {
    StepFeed told;
    told.arrive(12000, 300).on(Kind::load, 0, 0, 0, 75).tell(memory, 50, 0, 201);
    CHECK(told.objection() == "at time 50: job 0 has more in memory than was loaded");
}

TEST_CASE("a job is displaced and not charged") {
    StepFeed told;
    with_loaded_job(told)
        .tell(Kind::suspend, 600, 0)
        .tell(memory, 600, 0, 200)
        .tell(Kind::delay, 600, 0, 24)
        .over(600);
    CHECK(told.objection() == "at time 600: job 0 was displaced and not charged for it");
}

TEST_CASE("two jobs of a type share a node in their slice") {
    StepFeed told;
    told.arrive(500)
        .arrive(500)
        .on(Kind::start, 0, 0, 0)
        .tell(Kind::suspend, 10, 0)
        .on(Kind::start, 10, 1, 1);
    CHECK(
        told.objection() == "at time 10: job 1 starts in its slice on nodes of another of its type"
    );
}

TEST_CASE("a transient start that is not done within the slice") {
    StepFeed told;
    told.arrive(500)
        .arrive(501)
        .on(Kind::start, 500, 0, 0)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .over(600)
        .on(Kind::start, 1300, 1, 1);
    CHECK(
        told.objection()
        == "at time 1300: job 1 starts on nodes of its own type and cannot be done within the slice"
    );
}

TEST_CASE("a transient job is stopped") {
    StepFeed told;
    told.arrive(500)
        .arrive(500)
        .on(Kind::start, 500, 0, 0)
        .slice(600, 1, 1800)
        .tell(Kind::suspend, 600, 0)
        .on(Kind::start, 1300, 1, 1)
        .tell(Kind::suspend, 1700, 1);
    CHECK(
        told.objection()
        == "at time 1700: job 1 started on nodes of its own type and is not done within the slice"
    );
}

TEST_CASE("a job does not go on in a slice of its type") {
    StepFeed told;
    told.arrive(1000)
        .on(Kind::start, 0, 0, 0)
        .tell(Kind::suspend, 500, 0)
        .over(500)
        .slice(600, 1, 1800)
        .over(600);
    CHECK(told.objection() == "at time 600: job 0 does not go on in a slice of its type");
}

}  // namespace schedfarm::tests
