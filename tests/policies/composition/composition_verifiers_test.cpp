// The verifiers of queues and of static partitions, over fcfs, object to schedules told by hand
// that break one rule each, and to none that breaks no rule. All jobs wait for processors or limits
// as the comments say; times count instants.
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

using Kind = ScheduleStep::Kind;

struct Told {
    std::uint32_t size = 1;
    std::uint32_t queue = 0;
    std::uint32_t user = 0;
};

class StepFeed {
  public:
    StepFeed(const char* policy, const Parameters& parameters, const SystemDescription& system) {
        const PolicyDescription& description = policy_named(policy);
        verifier_ = make_plain_verifier(
            description,
            with_defaults(description.alternative.parameters, parameters),
            PolicyContext{system, Stream(1, Purpose::policy, 0)}
        );
    }

    /// The jobs are numbered from 0 on.
    StepFeed& arrive(const Told& told) {
        auto job = std::make_unique<Job>();
        job->index = jobs_.size();
        job->size = told.size;
        job->queue = told.queue;
        job->user = told.user;
        jobs_.push_back(std::move(job));
        return tell(Kind::arrival, jobs_.size() - 1);
    }
    StepFeed& start(std::size_t job) { return tell(Kind::start, job); }
    StepFeed& complete(std::size_t job) { return tell(Kind::completion, job); }
    /// The instant is over.
    StepFeed& over() {
        return guarded([this] { verifier_->end_of_instant(time_++); });
    }
    /// The first; empty: none.
    const std::string& objection() const { return objection_; }

  private:
    template <typename Step>
    StepFeed& guarded(Step step) {
        try {
            if (objection_.empty()) {
                step();
            }
        } catch (const ScheduleError& error) {
            objection_ = error.what();
        }
        return *this;
    }
    StepFeed& tell(Kind kind, std::size_t job) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time_;
        step.id.value = static_cast<std::uint32_t>(job);
        step.job = jobs_[job].get();
        const ClusterShare share{ClusterId{0}, step.job->size};
        step.shares = {&share, 1};
        return guarded([&] { verifier_->observe(step); });
    }

    std::unique_ptr<ScheduleVerifier> verifier_;
    std::vector<std::unique_ptr<Job>> jobs_;
    std::string objection_;
    double time_ = 0;
};

/// Two queues on eight processors, chosen by number.
StepFeed two_queues(const std::pair<const char*, Value::List>& limit) {
    Parameters parameters = with_words({{"assignment", "number"}});
    parameters.set("priority", Value::List{0, 0});
    parameters.set(limit.first, limit.second);
    return {"queues", parameters, {.clusters = {8}}};
}

/// Two partitions of 2 and 4 of six processors.
StepFeed two_partitions() {
    Parameters parameters;
    parameters.set("processors", Value::List{2, 4});
    return {"partitions", parameters, {.clusters = {6}}};
}

}  // namespace

TEST_CASE("a start beyond a limit of its queue is caught") {
    for (const auto& limit : {
             std::pair<const char*, Value::List>{"most_processors", {3, 0}},
             std::pair<const char*, Value::List>{"most_running", {1, 0}},
         }) {
        CAPTURE(limit.first);
        StepFeed beyond = two_queues(limit);
        beyond.arrive({2}).arrive({2}).start(0).over();
        CHECK(beyond.objection().empty());
        CHECK(beyond.start(1).objection() == "at time 1: job 1 exceeds a limit of its queue");
        StepFeed after = two_queues(limit);  // or beside one of another queue
        after.arrive({2}).arrive({2}).arrive({2, 1}).start(0).start(2).over();
        CHECK(after.complete(0).start(1).over().objection().empty());
    }
}

TEST_CASE("a start beyond the limit of a user in a queue is caught") {
    const std::pair<const char*, Value::List> limit = {"most_running_per_user", {1, 0}};
    StepFeed beyond = two_queues(limit);
    beyond.arrive({1, 0, 7}).arrive({1, 0, 7}).start(0).over();
    CHECK(
        beyond.start(1).objection() == "at time 1: job 1 exceeds the limit of its user in its queue"
    );
    StepFeed others = two_queues(limit);
    others.arrive({1, 0, 7}).arrive({1, 0, 8}).arrive({1, 1, 7}).arrive({1, 1, 7});
    CHECK(others.start(0).start(1).start(2).start(3).over().objection().empty());
}

TEST_CASE("a job that overtakes in its partition is caught") {
    // Sizes of 1 and 2 go to the first partition, of 2, and of 3 and 4 to the other, of 4.
    CHECK(
        two_partitions().arrive({2}).arrive({1}).start(1).objection()
        == "at time 0.000000: job 0 was overtaken more than max_jumps times"
    );
    CHECK(two_partitions().arrive({2}).arrive({4}).start(1).start(0).over().objection().empty());
}

TEST_CASE("a partition in use beyond its processors is caught") {
    StepFeed told = two_partitions();
    told.arrive({2}).start(0).arrive({1}).over();
    CHECK(told.objection().empty());
    CHECK(told.start(1).objection() == "at time 1: job 1 exceeds its partition");
    StepFeed after = two_partitions();
    after.arrive({2}).start(0).arrive({2}).over();
    CHECK(after.complete(0).start(1).over().objection().empty());
}

TEST_CASE("a job that heads its partition and fits may not wait") {
    const std::string waits = "waits though it fits and no job ahead of it forbids its start";
    CHECK(two_partitions().arrive({2}).over().objection() == "at time 0.000000: job 0 " + waits);
    // Not the next, of which nothing is said while the first waits; the other partition is apart.
    StepFeed told = two_partitions();
    told.arrive({1}).start(0).arrive({2}).arrive({1}).over();
    CHECK(told.objection().empty());
    CHECK(told.arrive({3}).over().objection() == "at time 1.000000: job 3 " + waits);
}

}  // namespace schedfarm::tests
