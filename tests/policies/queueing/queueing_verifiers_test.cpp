// The verifiers of multiple queues and of static partitions object to schedules told by hand that
// break one rule each, and to none that breaks no rule. All jobs wait for processors or limits as
// the comments say; times count instants.
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
    RequestStructure structure = RequestStructure::total;
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
        job->structure = told.structure;
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

/// A processor leaves an hour later: what fits is no longer said by numbers of processors.
SystemDescription changing(std::uint32_t processors) {
    SystemDescription system{.clusters = {processors}};
    system.outages.listed = {{.from = 3600, .until = 7200, .first_processor = 0, .count = 1}};
    return system;
}

/// Two queues on eight processors, chosen by number.
StepFeed two_queues(
    const std::vector<std::pair<const char*, Value::List>>& columns,
    const std::vector<std::pair<const char*, const char*>>& words = {},
    const SystemDescription& system = {.clusters = {8}}
) {
    Parameters parameters = with_words({{"assignment", "number"}});
    parameters.set("priority", Value::List{0, 0});
    for (const auto& [name, values] : columns) {
        parameters.set(name, values);
    }
    for (const auto& [name, word] : words) {
        parameters.set(name, word);
    }
    return {"multiple_queues", parameters, system};
}

/// Two partitions of 2 and 4 of six processors.
StepFeed two_partitions(const SystemDescription& system = {.clusters = {6}}) {
    Parameters parameters;
    parameters.set("processors", Value::List{2, 4});
    return {"partitioned_fcfs", parameters, system};
}

}  // namespace

TEST_CASE("a start beyond a limit of its queue is caught") {
    for (const auto& limit : {
             std::pair<const char*, Value::List>{"most_processors", {3, 0}},
             std::pair<const char*, Value::List>{"most_running", {1, 0}},
         }) {
        CAPTURE(limit.first);
        StepFeed beyond = two_queues({limit});
        beyond.arrive({2}).arrive({2}).start(0).over();
        CHECK(beyond.objection().empty());
        CHECK(beyond.start(1).objection() == "at time 1: job 1 exceeds a limit of its queue");
        StepFeed after = two_queues({limit});  // or beside one of another queue
        after.arrive({2}).arrive({2}).arrive({2, 1}).start(0).start(2).over();
        CHECK(after.complete(0).start(1).over().objection().empty());
    }
}

TEST_CASE("a start beyond the limit of a user in a queue is caught") {
    const std::vector<std::pair<const char*, Value::List>> limit = {
        {"most_running_per_user", {1, 0}}};
    StepFeed beyond = two_queues(limit);
    beyond.arrive({1, 0, 7}).arrive({1, 0, 7}).start(0).over();
    CHECK(
        beyond.start(1).objection() == "at time 1: job 1 exceeds the limit of its user in its queue"
    );
    StepFeed others = two_queues(limit);
    others.arrive({1, 0, 7}).arrive({1, 0, 8}).arrive({1, 1, 7}).arrive({1, 1, 7});
    CHECK(others.start(0).start(1).start(2).start(3).over().objection().empty());
}

// Job 0 has 5 of 8 processors, job 1 wants 4.
TEST_CASE("a job that overtakes in its queue is caught unless it may backfill") {
    for (const char* backfilling : {"off", "easy"}) {
        StepFeed told = two_queues({}, {{"backfilling", backfilling}});
        told.arrive({5}).start(0).over().arrive({4}).arrive({1}).over();
        CHECK(told.objection().empty());
        told.start(2).over();
        CHECK(
            told.objection()
            == (backfilling == std::string("off") ? "at time 2: job 2 overtakes in its queue" : "")
        );
    }
    StepFeed other_queue = two_queues({});
    other_queue.arrive({5}).start(0).arrive({4}).arrive({1, 1}).start(2).over();
    CHECK(other_queue.objection().empty());
}

// User 7 runs job 0 and waits with job 1, of 8 processors, until job 0 ends.
TEST_CASE("a job that its user's limit holds may be overtaken until a finish lets it go") {
    const auto told = [](const char* simultaneous) {
        StepFeed teller =
            two_queues({{"most_running_per_user", {1, 0}}}, {{"simultaneous", simultaneous}});
        teller.arrive({1, 0, 7}).start(0).arrive({8, 0, 7}).arrive({4, 0, 8}).start(2).over();
        CHECK(teller.objection().empty());
        return teller;
    };
    // Where events are taken in turn, job 3 may have started before job 0 had ended.
    StepFeed batch = told("batch");
    batch.arrive({1, 0, 9}).complete(0).start(3);
    CHECK(batch.objection() == "at time 1: job 3 overtakes in its queue");
    StepFeed in_turn = told("submit_first");
    CHECK(in_turn.arrive({1, 0, 9}).complete(0).start(3).over().objection().empty());
    in_turn.arrive({1, 0, 10}).start(4);
    CHECK(in_turn.objection() == "at time 2: job 4 overtakes in its queue");
    // A finish of another user, or in another queue, lets nobody go.
    for (const Told& other : {Told{1, 0, 8}, Told{1, 1, 7}}) {
        StepFeed apart =
            two_queues({{"most_running_per_user", {1, 1}}}, {{"simultaneous", "submit_first"}});
        apart.arrive(other).start(0).arrive({4, 1, 9}).start(1).arrive({8, 0, 7}).over();
        CHECK(apart.objection().empty());
        apart.arrive({1, 0, 9}).complete(0).start(3);
        CHECK(apart.objection() == "at time 1: job 3 overtakes in its queue");
    }
}

TEST_CASE("the first job that no limit holds and that fits may not wait") {
    const std::string waits = " is the first, fits and waits";
    CHECK(two_queues({}).arrive({8}).over().objection() == "at time 0: job 0" + waits);
    CHECK(
        two_queues({}, {{"backfilling", "easy"}}).arrive({8}).over().objection()
        == "at time 0: job 0" + waits
    );
    // Behind one that does not fit, of its queue or of a queue before it, it may.
    CHECK(two_queues({}).arrive({9}).arrive({1}).over().objection().empty());
    CHECK(two_queues({}).arrive({9}).arrive({1, 1}).over().objection().empty());
    CHECK(
        two_queues({{"priority", {0, 1}}}).arrive({9}).arrive({1, 1}).over().objection()
        == "at time 0: job 1" + waits
    );
    // One that its user's limit holds lets its queue pass, one that its queue's holds other queues.
    CHECK(
        two_queues({{"most_running_per_user", {1, 0}}})
            .arrive({1, 0, 7})
            .start(0)
            .arrive({1, 0, 7})
            .arrive({1, 0, 8})
            .over()
            .objection()
        == "at time 0: job 2" + waits
    );
    CHECK(
        two_queues({{"most_running", {1, 0}}})
            .arrive({1})
            .start(0)
            .arrive({1})
            .arrive({1})
            .arrive({1, 1})
            .over()
            .objection()
        == "at time 0: job 3" + waits
    );
    CHECK(two_queues({{"most_running", {1, 0}}})
              .arrive({1})
              .start(0)
              .arrive({1})
              .over()
              .objection()
              .empty());
}

TEST_CASE("what a finish gives back is free for the first job") {
    StepFeed told = two_queues({});
    told.arrive({8}).start(0).arrive({1}).over();
    CHECK(told.objection().empty());
    CHECK(told.complete(0).over().objection() == "at time 1: job 1 is the first, fits and waits");
}

// Job 1, of all processors, has a reservation; job 2 of its queue backfills and uses the limit of
// the queue up. Job 3, of the next queue, would be in the way of job 1.
TEST_CASE("a backfilled job does not count against one that was looked at before it") {
    StepFeed told = two_queues({{"most_running", {2, 0}}}, {{"backfilling", "easy"}});
    told.arrive({4}).start(0).over();
    CHECK(told.arrive({8}).arrive({1}).arrive({1, 1}).start(2).over().objection().empty());
}

TEST_CASE("nothing is said of waiting where processors change or places decide or events in turn") {
    CHECK(two_queues({}, {}, changing(8)).arrive({1}).over().objection().empty());
    const Told split{.structure = RequestStructure::unordered};
    CHECK(two_queues({}).arrive(split).over().arrive({1}).over().objection().empty());
    const auto in_turn = [] {
        return two_queues({}, {{"simultaneous", "finish_first"}});
    };
    CHECK(in_turn().arrive({1}).arrive({1}).over().objection().empty());
    CHECK(!in_turn().arrive({1}).over().objection().empty());
    CHECK(!in_turn().arrive({1}).start(0).over().arrive({1}).over().objection().empty());
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
