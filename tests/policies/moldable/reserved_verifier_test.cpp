// The verifier of moldable jobs beside reservations objects to schedules told by hand that break
// one invariant each, on 2 processors. Only how a schedule goes wrong is told.
#include "tests/policies/verifiers/reserved_verifier.hpp"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

class StepFeed {
  public:
    explicit StepFeed(MoldableStarts starts, MoldableAllotment allotment = MoldableAllotment::any)
        : verifier_(make_reserved_verifier({allotment, starts}, {.clusters = {2}})) {}

    StepFeed& rigid(double time, std::uint32_t size, double service) {
        return arrive(time, size, service, no_fixed_start);
    }
    StepFeed& reserve(double time, std::uint32_t size, double service, double fixed_start) {
        return arrive(time, size, service, fixed_start);
    }
    StepFeed& moldable(double time, std::vector<double> times) {
        times_.push_back(std::move(times));
        moldable_.push_back({times_.back()});
        arrive(time, 1, times_.back().front(), no_fixed_start, &moldable_.back());
        return *this;
    }
    StepFeed& start(double time, std::size_t job, std::uint32_t processors) {
        const ClusterShare share{ClusterId{0}, processors};
        tell(ScheduleStep::Kind::start, time, job, {&share, 1});
        return *this;
    }
    /// "" if there is none.
    std::string objection() {
        try {
            verifier_->finish();
        } catch (const ScheduleError& error) {
            return error.what();
        }
        return "";
    }

  private:
    StepFeed& arrive(
        double time,
        std::uint32_t size,
        double service,
        double fixed_start,
        const MoldableTimes* moldable = nullptr
    ) {
        Job job;
        job.index = jobs_.size();
        job.submit_time = time;
        job.service_time = service;
        job.size = size;
        job.fixed_start = fixed_start;
        job.moldable = moldable;
        jobs_.push_back(job);
        tell(ScheduleStep::Kind::arrival, time, jobs_.size() - 1, {});
        return *this;
    }

    void tell(
        ScheduleStep::Kind kind, double time, std::size_t job, std::span<const ClusterShare> shares
    ) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.job = &jobs_[job];
        step.shares = shares;
        verifier_->observe(step);
    }

    std::unique_ptr<ScheduleVerifier> verifier_;
    std::deque<Job> jobs_;
    std::deque<std::vector<double>> times_;
    std::deque<MoldableTimes> moldable_;
};

constexpr auto any = MoldableStarts::any;
constexpr auto at_ends = MoldableStarts::at_ends;
constexpr auto without_gaps = MoldableStarts::without_gaps;

}  // namespace

TEST_CASE("a reservation that has room begins at its time") {
    // Job 0 runs 0 … 4 on one processor. One processor is free at 2 when it is asked for at 1.
    const auto told = [](double start) {
        return StepFeed(any)
            .rigid(0, 1, 4)
            .reserve(1, 1, 2, 2)
            .start(0, 0, 1)
            .start(start, 1, 1)
            .objection();
    };
    CHECK(told(2).empty());
    CHECK(told(4) == "at time 2.000000: job 1 does not begin, though its reservation had room");
    CHECK_FALSE(StepFeed(any).reserve(0, 1, 2, 2).start(2, 0, 2).objection().empty());
}

TEST_CASE("a reservation in conflict with the plan is refused") {
    // Job 0 runs 0 … 4 on both: a reservation of 2 … 4 made at 1 has no room and waits for the next
    // batch, at 4; one of 4 has room.
    const auto told = [](double wanted, double start) {
        return StepFeed(any)
            .rigid(0, 2, 4)
            .reserve(1, 1, 2, wanted)
            .start(0, 0, 2)
            .start(start, 1, 1)
            .objection();
    };
    CHECK(told(2, 4).empty());
    CHECK(told(4, 4).empty());
    CHECK(told(2, 2) == "at time 2.000000: job 1 starts though its batch has not begun");
    // In conflict with a reservation that was taken.
    const auto twice = [](double start) {
        return StepFeed(any)
            .reserve(0, 2, 2, 5)
            .reserve(0, 1, 2, 6)
            .start(start, 1, 1)
            .start(5, 0, 2)
            .objection();
    };
    CHECK(twice(0).empty());
    CHECK(twice(7).empty());
}

TEST_CASE("a batch does not wait for reservations and no job comes before its batch") {
    // A reservation 1 … 9; job 1 runs 0 … 3, job 2 came at 1: its batch begins at 3.
    const auto told = [](double start) {
        return StepFeed(at_ends)
            .reserve(0, 1, 8, 1)
            .rigid(0, 1, 3)
            .rigid(1, 1, 2)
            .start(0, 1, 1)
            .start(1, 0, 1)
            .start(start, 2, 1)
            .objection();
    };
    CHECK(told(3).empty());
    CHECK(told(9).empty());
    CHECK(told(2) == "at time 2.000000: job 2 starts though its batch has not begun");
    CHECK(told(5) == "at time 5.000000: job 2 starts though nothing has ended");
}

TEST_CASE("a list lets nobody wait who had room until the reservation") {
    // Both reserved 4 … 6; job 1 runs 0 … 3 on one. Job 2, 4 long, has no room before 6; 3 long, it
    // had at 0; beside a job 3 that had started by then it has none.
    const auto told = [](double service, double start) {
        return StepFeed(without_gaps)
            .reserve(0, 2, 2, 4)
            .rigid(0, 1, 3)
            .rigid(0, 1, service)
            .start(0, 1, 1)
            .start(4, 0, 2)
            .start(start, 2, 1)
            .objection();
    };
    CHECK(told(5, 6).empty());
    CHECK(told(4, 0).empty());
    CHECK(told(4, 6) == "at time 6.000000: job 2 would have fitted before");
    CHECK(told(1, 3) == "at time 3.000000: job 2 would have fitted before");
}

TEST_CASE("allotments hold for all but reservations") {
    const auto told = [](MoldableAllotment allotment, std::uint32_t processors) {
        return StepFeed(any, allotment)
            .reserve(0, 1, 2, 0)
            .moldable(0, {4, 3})
            .start(0, 0, 1)
            .start(2, 1, processors)
            .objection();
    };
    CHECK(told(MoldableAllotment::all, 2).empty());
    CHECK(
        told(MoldableAllotment::all, 1) == "at time 2.000000: job 1 does not run on all processors"
    );
    CHECK(told(MoldableAllotment::one, 1).empty());
    CHECK(
        told(MoldableAllotment::one, 2) == "at time 2.000000: job 1 runs on more than one processor"
    );
}

}  // namespace schedfarm::tests
