// The verifiers of the gang policies object to schedules told by hand that break one invariant
// each: T = 30 and c = 1 on 4 processors, so that classes 2, 1 and 0 have slices of 10 s, where
// nothing else is said. Only how a schedule goes wrong is told, not how it might go on.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

using Kind = ScheduleStep::Kind;

class StepFeed {
  public:
    explicit StepFeed(
        const char* policy, std::uint32_t processors = 4, double cycle = 30, double cost = 1
    ) {
        const PolicyUnderTest made = gang_policy(policy, cycle, cost);
        const Parameters given =
            with_defaults(made.description->alternative.parameters, made.parameters);
        const SystemDescription system{.clusters = {processors}};
        const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
        verifier_ = make_own_verifier(*made.description, given, context);
    }
    StepFeed& slice(double time, std::uint64_t row, double end, std::uint32_t processors = 4) {
        ScheduleStep step;
        step.kind = Kind::slice;
        step.time = time;
        step.timer.tag = row;
        step.amount = end;
        const ProcessorRange range{ProcessorId{0}, processors};
        step.processors = {&range, 1};
        return observe(step);
    }

    StepFeed& arrive(double time, std::uint32_t size, double service) {
        auto job = std::make_unique<Job>();
        job->index = jobs_.size();
        job->submit_time = time;
        job->service_time = service;
        job->size = size;
        job->components = {&job->size, 1};
        jobs_.push_back(std::move(job));
        return tell(Kind::arrival, time, jobs_.size() - 1);
    }
    /// For the first time, from this processor on.
    StepFeed& start(double time, std::size_t job, std::uint32_t first, double paid = 1) {
        return run(Kind::start, time, job, first, paid);
    }
    StepFeed& resume(double time, std::size_t job, std::uint32_t first, double paid = 1) {
        return run(Kind::resume, time, job, first, paid);
    }
    StepFeed& suspend(double time, std::size_t job) { return tell(Kind::suspend, time, job); }
    StepFeed& complete(double time, std::size_t job) { return tell(Kind::completion, time, job); }
    StepFeed& over(double time) {
        try {
            if (objection_.empty()) {
                verifier_->end_of_instant(time);
            }
        } catch (const ScheduleError& error) {
            objection_ = error.what();
        }
        return *this;
    }
    const std::string& objection() const { return objection_; }

  private:
    StepFeed& run(Kind kind, double time, std::size_t job, std::uint32_t first, double paid) {
        if (paid > 0) {
            tell(Kind::delay, time, job, {}, paid);
        }
        return tell(kind, time, job, {{ProcessorId{first}, jobs_[job]->size}});
    }
    StepFeed& tell(
        Kind kind,
        double time,
        std::size_t job,
        const std::vector<ProcessorRange>& ranges = {},
        double amount = 0
    ) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.id.value = static_cast<std::uint32_t>(job);
        step.job = jobs_[job].get();
        step.processors = ranges;
        step.amount = amount;
        return observe(step);
    }
    StepFeed& observe(const ScheduleStep& step) {
        try {
            if (objection_.empty()) {
                verifier_->observe(step);
            }
        } catch (const ScheduleError& error) {
            objection_ = error.what();
        }
        return *this;
    }

    std::unique_ptr<ScheduleVerifier> verifier_;
    std::vector<std::unique_ptr<Job>> jobs_;
    std::string objection_;  // the first
};

constexpr std::array all = {
    "vanilla_gang", "push_down_gang", "migration_gang", "tree_packing_gang"};

}  // namespace

TEST_CASE("the gang policies' own verifiers see the invariants of buddy trees") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        const auto told = [policy] {
            StepFeed own(policy);
            own.slice(0, 0, 10).arrive(0, 2, 5).arrive(0, 1, 5).arrive(0, 1, 5);
            return own;
        };
        CHECK(told().start(0, 0, 1).objection() == "at time 0: job 0 runs on no node of its class");
        CHECK(
            told().start(0, 1, 0).start(0, 2, 0).objection()
            == "at time 0: job 2 runs on a node where another job runs"
        );
        CHECK(told().start(0, 2, 0).objection() == "at time 0: job 1 is overtaken in its class");
        CHECK(
            told().start(0, 1, 0).over(0).complete(5, 1).objection()
            == "at time 5: job 1 did not receive its service"
        );
        CHECK(told().start(0, 1, 0).over(0).complete(6, 1).over(6).objection().empty());
    }
}

TEST_CASE("the gang policies' own verifiers hold each slice to the jobs that it serves") {
    const auto in_slice_of_class_1 = [](const char* policy, std::uint32_t size) {
        StepFeed told(policy);
        told.slice(0, 1, 10).arrive(0, size, 5).start(0, 0, 0).over(0);
        return told.objection();
    };
    const std::string unserved = "at time 0: job 0 runs in a slice that does not serve it";
    for (const char* const policy : all) {
        CAPTURE(policy);
        const std::string name = policy;
        const bool is_vanilla = name == "vanilla_gang";
        CHECK(in_slice_of_class_1(policy, 2).empty());
        CHECK(in_slice_of_class_1(policy, 1) == (is_vanilla ? unserved : ""));
        CHECK(
            in_slice_of_class_1(policy, 4)
            == (is_vanilla || name == "push_down_gang" ? unserved : "")
        );
        // 6 processors: class 3 is the root class, of which no other slice runs a job.
        StepFeed root(policy, 6, 40);
        root.slice(0, 2, 10, 6).arrive(0, 6, 5).start(0, 0, 0);
        CHECK(root.objection() == unserved);
    }
}

TEST_CASE("only migration moves a gang") {
    for (const char* const policy : {"vanilla_gang", "tree_packing_gang", "migration_gang"}) {
        StepFeed told(policy);
        told.slice(0, 0, 10).arrive(0, 1, 20).start(0, 0, 0).over(0);
        told.slice(10, 0, 20).suspend(10, 0).resume(10, 0, 1).over(10);
        CHECK(told.objection().empty() == (std::string(policy) == "migration_gang"));
    }
}

}  // namespace schedfarm::tests
