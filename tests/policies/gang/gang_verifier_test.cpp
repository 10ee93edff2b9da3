// The verifiers of gang scheduling object to schedules told by hand that break one invariant each:
// T = 30 and c = 1 on 4 processors, so that classes 2, 1 and 0 have slices of 10 s, where nothing
// else is said. Only how a schedule goes wrong is told, not how it might go on.
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
        const char* policy,
        const std::vector<std::pair<const char*, const char*>>& readings = {},
        std::uint32_t processors = 4,
        double cycle = 30,
        double cost = 1
    ) {
        PolicyUnderTest made = gang_policy(policy, cycle, cost);
        for (const auto& [word, value] : readings) {
            made.parameters.set(word, value);
        }
        const Parameters given =
            with_defaults(made.description->alternative.parameters, made.parameters);
        const SystemDescription system{.clusters = {processors}};
        const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
        verifier_ = make_plain_verifier(*made.description, given, context);
        own_ = made.description->make_verifier(given, context);
    }
    /// The policy's own verifier listens, not the plain one.
    StepFeed& to_own() {
        verifier_ = std::move(own_);
        return *this;
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
    std::unique_ptr<ScheduleVerifier> own_;
    std::vector<std::unique_ptr<Job>> jobs_;
    std::string objection_;  // the first
};

constexpr std::array all = {
    "vanilla_gang", "push_down_gang", "migration_gang", "tree_packing_gang"};
constexpr std::array bound = {"vanilla_gang", "push_down_gang"};

}  // namespace

TEST_CASE("a job runs on an aligned node of its class") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 2, 5).start(0, 0, 1);
        CHECK(told.objection() == "at time 0: job 0 runs on no node of its class");
    }
}

TEST_CASE("no processor runs two jobs of a gang schedule") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 5).arrive(0, 2, 5).start(0, 1, 0).start(0, 0, 1);
        CHECK(told.objection() == "at time 0: job 0 runs on a node where another job runs");
    }
}

// It works from 1 on.
TEST_CASE("a gang receives the service that it requires and no less") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 5).start(0, 0, 0).over(0).complete(5, 0);
        CHECK(told.objection() == "at time 5: job 0 did not receive its service");
    }
}

TEST_CASE("nothing runs before it is submitted or when it is complete") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 5).start(0, 0, 0).over(0).complete(6, 0).over(6).start(6, 0, 0);
        CHECK(told.objection() == "at time 6: job 0 is not there");
    }
}

TEST_CASE("first dispatch is first come first served in a class") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 5).arrive(0, 1, 5).start(0, 1, 0);
        CHECK(told.objection() == "at time 0: job 0 is overtaken in its class");
    }
}

TEST_CASE("bound jobs never move") {
    for (const char* const policy : bound) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 20).start(0, 0, 0).over(0).suspend(10, 0).resume(10, 0, 1);
        CHECK(told.objection() == "at time 10: job 0 leaves its node");
    }
}

TEST_CASE("a node has one job of its class") {
    for (const char* const policy : bound) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 20).start(0, 0, 0).over(0);
        told.arrive(10, 1, 5).suspend(10, 0).start(10, 1, 0);
        CHECK(told.objection() == "at time 10: job 1 is bound to a node that is taken");
    }
}

TEST_CASE("every slice pays for its switch") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 5).start(0, 0, 0, 0).over(0);
        CHECK(told.objection() == "at time 0: job 0 does not pay what the switch costs");
    }
    for (const char* const policy : bound) {
        CAPTURE(policy);
        StepFeed told(policy);
        told.arrive(0, 1, 20).start(0, 0, 0).over(0).arrive(10, 1, 20).start(10, 1, 1).over(10);
        CHECK(told.objection() == "at time 10: job 0 runs on into a new slice");
    }
}

TEST_CASE("migration keeps to the slices of its grid") {
    StepFeed late("migration_gang");
    late.arrive(0, 1, 20).start(0, 0, 0).over(0).arrive(5, 1, 5).start(5, 1, 1, 0);
    CHECK(late.objection() == "at time 5: job 1 starts in the middle of a slice");
    StepFeed crossing("migration_gang");
    crossing.arrive(0, 1, 20).start(0, 0, 0).over(0).complete(21, 0);
    CHECK(crossing.objection() == "at time 21: job 0 crosses or leaves a slice");
    StepFeed early("migration_gang");
    early.arrive(0, 1, 20).start(0, 0, 0).over(0).suspend(5, 0);
    CHECK(early.objection() == "at time 5: job 0 crosses or leaves a slice");
    StepFeed left_out("migration_gang");
    left_out.arrive(0, 1, 20).start(0, 0, 0).over(0).suspend(10, 0).over(12);
    CHECK(left_out.objection() == "the time slice at 10 was left out");
}

// Class 2 has the slice at 0, and job 0 all of it.
TEST_CASE("migration runs the set of its rule") {
    StepFeed told("migration_gang");
    told.arrive(0, 4, 5).arrive(0, 1, 5).start(0, 1, 0).over(0);
    CHECK(told.objection() == "at time 0: job 0 should run");
}

// The first slice pays, the next of class 0 does not: 10–20 is as long as another.
TEST_CASE("a slice that begins for nothing ends by its quantum") {
    for (const char* const policy : bound) {
        CAPTURE(policy);
        const auto begun = [policy]() {
            StepFeed told(policy, {{"switch_paid", "row_change"}});
            told.arrive(0, 1, 40).start(0, 0, 0).over(0).suspend(10, 0);
            return told;
        };
        StepFeed right = begun();
        right.resume(10, 0, 0, 0).over(10).suspend(20, 0).resume(20, 0, 0, 0).over(20);
        CHECK(right.objection().empty());
        StepFeed paid = begun();
        paid.resume(10, 0, 0, 1).over(10);
        CHECK(paid.objection() == "at time 10: job 0 does not pay what the switch costs");
        StepFeed late = begun();
        late.resume(10, 0, 0, 0).over(10).arrive(21, 4, 5).over(21);
        CHECK(late.objection() == "at time 21: a slice was to end at 20");
        StepFeed early = begun();
        early.resume(10, 0, 0, 0).over(10).arrive(15, 4, 5).suspend(15, 0).over(15);
        CHECK(early.objection() == "at time 15: job 0 stops before its slice is over");
    }
}

TEST_CASE("slices without any switch end by their quanta") {
    for (const char* const policy : bound) {
        CAPTURE(policy);
        const auto begun = [policy]() {
            StepFeed told(policy, {{"mid_slice", "idle"}}, 4, 30, 0);
            told.arrive(0, 1, 40).start(0, 0, 0, 0).over(0);
            return told;
        };
        StepFeed early = begun();
        early.arrive(5, 1, 5).suspend(5, 0).over(5);
        CHECK(early.objection() == "at time 5: job 0 stops before its slice is over");
        StepFeed late = begun();
        late.suspend(11, 0).resume(11, 0, 0, 0).over(11);
        CHECK(late.objection() == "at time 11: a slice was to end at 10");
        StepFeed middle = begun();
        middle.arrive(5, 1, 5).start(5, 1, 1, 0).over(5);
        CHECK(middle.objection() == "at time 5: job 1 starts in the middle of a slice");
    }
}

// All work of the day before is of class 2: of 90 s it has 50, classes 1 and 0 the least, 20.
TEST_CASE("slices end by the quanta of the day") {
    for (const char* const policy : bound) {
        CAPTURE(policy);
        StepFeed told(policy, {{"quanta", "utilization"}, {"after_empty", "top"}}, 4, 90, 1);
        told.arrive(0, 4, 5).start(0, 0, 0).over(0).complete(6, 0).over(6);
        told.arrive(86400, 1, 90).start(86400, 1, 0).over(86400).arrive(86421, 4, 5).over(86421);
        CHECK(told.objection() == "at time 86421: a slice was to end at 86420");
    }
}

TEST_CASE("vanilla runs its row and nothing else") {
    StepFeed lazy("vanilla_gang");
    lazy.arrive(0, 1, 5).arrive(0, 1, 5).start(0, 0, 0).over(0);
    CHECK(lazy.objection() == "at time 0: job 1 waits though its row is served");
    StepFeed other("vanilla_gang");
    other.arrive(0, 4, 5).arrive(0, 1, 5).start(0, 1, 0).over(0);
    CHECK(other.objection() == "at time 0: job 1 runs in another row's slice");
    StepFeed idle("vanilla_gang");
    idle.arrive(0, 1, 20).start(0, 0, 0).over(0).suspend(10, 0).over(10);
    CHECK(idle.objection() == "at time 10: job 0 waits though its row is served");
}

// Job 0 of class 1 has 0–1 from 0 on.
TEST_CASE("pushing fills a slice by its rules") {
    StepFeed neglects("push_down_gang");
    neglects.arrive(0, 2, 9).arrive(0, 1, 5).start(0, 0, 0).over(0);
    CHECK(neglects.objection() == "at time 0: job 1 is neglected");
    StepFeed wrong("push_down_gang");
    wrong.arrive(0, 1, 9).start(0, 0, 0).over(0).arrive(2, 2, 5).start(2, 1, 2, 0).over(2);
    CHECK(wrong.objection() == "at time 2: job 1 fills but may not");
    StepFeed first("push_down_gang");
    first.arrive(0, 2, 9).arrive(0, 2, 9).arrive(0, 1, 5).start(0, 0, 0).start(0, 2, 2).over(0);
    CHECK(first.objection() == "at time 0: job 1 is neglected");
    StepFeed displaced("push_down_gang");
    displaced.arrive(0, 2, 9).arrive(0, 1, 9).start(0, 0, 0).start(0, 1, 2).over(0);
    displaced.arrive(3, 2, 5).suspend(3, 1).start(3, 2, 2, 0).over(3);
    CHECK(displaced.objection() == "at time 3: job 1 stops before its slice is over");
    StepFeed kept("push_down_gang");
    kept.arrive(0, 2, 3).arrive(0, 1, 9).start(0, 0, 0).start(0, 1, 2).over(0);
    kept.complete(4, 0).over(4);
    CHECK(kept.objection() == "at time 4: job 1 runs on into a new slice");
}

// 6 processors, T = 40: the larger tree serves job 1 of class 0, the smaller waits for the
// root.
TEST_CASE("a tree that waits for the root class runs nothing") {
    StepFeed told("push_down_gang", {{"root_slice", "in_turn"}}, 6, 40);
    told.arrive(0, 5, 3).arrive(0, 1, 5).start(0, 1, 0).over(0);
    told.arrive(1, 1, 5).start(1, 2, 4, 0).over(1);
    CHECK(told.objection() == "at time 1: job 2 runs though no slice is on");
    StepFeed root("push_down_gang", {}, 6, 40);
    root.arrive(0, 5, 3).over(0);
    CHECK(root.objection() == "at time 0: job 0 is neglected");
    StepFeed first("push_down_gang", {}, 6, 40);
    first.arrive(0, 5, 3).arrive(0, 1, 5).start(0, 1, 0).over(0);
    CHECK(first.objection() == "at time 0: job 1 runs though no slice is on");
}

TEST_CASE("the gang policies' own verifiers see the invariants of buddy trees") {
    for (const char* const policy : all) {
        CAPTURE(policy);
        const auto told = [policy] {
            StepFeed own(policy);
            own.to_own().slice(0, 0, 10).arrive(0, 2, 5).arrive(0, 1, 5).arrive(0, 1, 5);
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
        told.to_own().slice(0, 1, 10).arrive(0, size, 5).start(0, 0, 0).over(0);
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
        StepFeed root(policy, {}, 6, 40);
        root.to_own().slice(0, 2, 10, 6).arrive(0, 6, 5).start(0, 0, 0);
        CHECK(root.objection() == unserved);
    }
}

TEST_CASE("only migration moves a gang") {
    for (const char* const policy : {"vanilla_gang", "tree_packing_gang", "migration_gang"}) {
        StepFeed told(policy);
        told.to_own().slice(0, 0, 10).arrive(0, 1, 20).start(0, 0, 0).over(0);
        told.slice(10, 0, 20).suspend(10, 0).resume(10, 0, 1).over(10);
        CHECK(told.objection().empty() == (std::string(policy) == "migration_gang"));
    }
}

}  // namespace schedfarm::tests
