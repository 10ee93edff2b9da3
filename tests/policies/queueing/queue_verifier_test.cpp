// Broken schedules of a queue, one rule each, that its verifier must catch, and the second
// implementation too; told step by step.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/planning/queue_policy.hpp"

#include "tests/policies/verifiers/plain_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

using Kind = ScheduleStep::Kind;

enum class Which : std::uint8_t { own, plain };
constexpr std::array both = {Which::own, Which::plain};

const SystemDescription system{.clusters = {2, 2}};

// Two clusters of 2 processors; total requests, in the order of arrival.
class Schedule {
  public:
    Schedule(Which which, const QueueSettings& settings, MustStart must = MustStart::all)
        : verifier_(
            which == Which::own ? make_queue_verifier(settings, {}, system, must)
                                : make_plain_queue_verifier(settings, {}, system)
        ) {}

    Schedule& arrive(std::uint32_t i, std::uint32_t size) {
        jobs_->at(i).index = i;
        jobs_->at(i).size = size;
        tell(Kind::arrival, i);
        return *this;
    }
    Schedule& start(std::uint32_t i, std::vector<ClusterShare> shares) {
        shares_.at(i) = std::move(shares);
        tell(Kind::start, i);
        return *this;
    }
    Schedule& complete(std::uint32_t i) {
        tell(Kind::completion, i);
        return *this;
    }
    Schedule& next_instant() {
        verifier_->end_of_instant(time_++);
        return *this;
    }

  private:
    void tell(Kind kind, std::uint32_t i) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time_;
        step.id = JobId{i};
        step.job = &jobs_->at(i);
        step.shares = shares_.at(i);
        verifier_->observe(step);
    }

    std::unique_ptr<ScheduleVerifier> verifier_;
    std::unique_ptr<std::array<Job, 4>> jobs_ = std::make_unique<std::array<Job, 4>>();
    std::array<std::vector<ClusterShare>, 4> shares_;
    double time_ = 0;
};

std::vector<ClusterShare> one_of(std::uint32_t cluster) {
    return {{ClusterId{cluster}, 1}};
}

const std::vector<ClusterShare> first_cluster = {{ClusterId{0}, 2}};
const std::vector<ClusterShare> both_clusters = {{ClusterId{0}, 2}, {ClusterId{1}, 2}};

/// Job 0 holds the first cluster, job 1 waits for the whole machine.
Schedule blocked(Which which, const QueueSettings& settings, MustStart must = MustStart::all) {
    Schedule schedule(which, settings, must);
    schedule.arrive(0, 2).start(0, first_cluster).arrive(1, 4).next_instant();
    return schedule;
}

}  // namespace

TEST_CASE("a job that is overtaken more than max_jumps times is caught") {
    for (const Which which : both) {
        Schedule schedule = blocked(which, {.max_jumps = 1});
        schedule.arrive(2, 1).start(2, one_of(1)).next_instant();
        schedule.arrive(3, 1);
        CHECK_THROWS_WITH_AS(
            schedule.start(3, one_of(1)),
            doctest::Contains("job 1 was overtaken more than max_jumps times"),
            ScheduleError
        );
    }
}

TEST_CASE("a job that fits and waits is caught unless one ahead of it forbids its start") {
    for (const Which which : both) {
        Schedule head(which, {.max_jumps = 0});
        head.arrive(0, 2);
        CHECK_THROWS_WITH_AS(
            head.next_instant(), doctest::Contains("job 0 waits though it fits"), ScheduleError
        );
        Schedule behind = blocked(which, {.max_jumps = 1});
        behind.arrive(2, 1);
        CHECK_THROWS_WITH_AS(
            behind.next_instant(), doctest::Contains("job 2 waits though it fits"), ScheduleError
        );
        Schedule forbidden = blocked(which, {.max_jumps = 0});
        CHECK_NOTHROW(forbidden.arrive(2, 1).next_instant());
    }
}

TEST_CASE("where the head alone must start it may not wait, and others may") {
    Schedule schedule = blocked(Which::own, {.max_jumps = 7}, MustStart::head);
    CHECK_NOTHROW(schedule.arrive(2, 1).next_instant());
    CHECK_THROWS_WITH_AS(
        schedule.complete(0).next_instant(),
        doctest::Contains("job 1 waits though it fits"),
        ScheduleError
    );
}

TEST_CASE("without scans on arrival only a finish or an empty queue calls for a start") {
    for (const Which which : both) {
        Schedule schedule =
            blocked(which, {.max_jumps = 7, .arrival_scan = ArrivalScan::only_if_queue_was_empty});
        CHECK_NOTHROW(schedule.arrive(2, 1).next_instant());
        CHECK_THROWS_WITH_AS(
            schedule.complete(0).next_instant(),
            doctest::Contains("job 1 waits though it fits"),
            ScheduleError
        );
    }
}

TEST_CASE("where events are taken in turn every start is foreseen") {
    struct Problem {
        const char* own;  // null: not seen
        const char* plain;
    };
    const auto expect = [](const Problem& problem, const auto& steps) {
        for (const Simultaneous order : {Simultaneous::submit_first, Simultaneous::finish_first}) {
            const QueueSettings settings{.max_jumps = 0, .simultaneous = order};
            Schedule plain = blocked(Which::plain, settings);
            CHECK_THROWS_WITH_AS(
                steps(plain).next_instant(), doctest::Contains(problem.plain), ScheduleError
            );
            Schedule own = blocked(Which::own, settings);
            if (problem.own == nullptr) {
                CHECK_NOTHROW(steps(own).next_instant());
                continue;
            }
            CHECK_THROWS_WITH_AS(
                steps(own).next_instant(), doctest::Contains(problem.own), ScheduleError
            );
        }
    };
    const char* const waits = "job 1 waits though it fits";
    const char* const overtaken = "job 1 was overtaken";
    const char* const is_next = "job 1 fits and is next";
    expect({waits, is_next}, [](Schedule& s) -> Schedule& { return s.complete(0); });
    expect({overtaken, is_next}, [](Schedule& s) -> Schedule& {
        return s.complete(0).arrive(2, 1).start(2, one_of(0));
    });
    expect({overtaken, is_next}, [](Schedule& s) -> Schedule& {
        return s.complete(0).arrive(2, 4).start(2, both_clusters);
    });
    expect({overtaken, "job 2 starts out of turn"}, [](Schedule& s) -> Schedule& {
        return s.arrive(2, 1).start(2, one_of(1));
    });
    expect({nullptr, "job 2 fits and is next"}, [](Schedule& s) -> Schedule& {
        s.complete(0).start(1, both_clusters).next_instant();  // but on the first cluster
        return s.complete(1).arrive(2, 1).start(2, one_of(1));
    });
}

// Job 0 may not have been there yet when job 1 started; an instant later it was.
TEST_CASE("where events are taken in turn a newcomer may be overtaken at its own instant") {
    for (const Simultaneous order : {Simultaneous::batch, Simultaneous::submit_first}) {
        Schedule schedule(Which::own, {.max_jumps = 0, .simultaneous = order});
        schedule.arrive(0, 4).arrive(1, 1);
        if (order == Simultaneous::batch) {
            CHECK_THROWS_AS(schedule.start(1, one_of(0)), ScheduleError);
            continue;
        }
        CHECK_NOTHROW(schedule.start(1, one_of(0)).next_instant());
        schedule.arrive(2, 1);
        CHECK_THROWS_AS(schedule.start(2, one_of(1)), ScheduleError);
    }
}

}  // namespace schedfarm::tests
