// The invariants of time slices against schedules told by hand: 4 processors, jobs of class k in
// slices of that name.
#include "tests/policies/verifiers/slice_verifier.hpp"

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)
using Kind = ScheduleStep::Kind;
using Ranges = std::vector<ProcessorRange>;

Ranges range(std::uint32_t first, std::uint32_t count) {
    return {{ProcessorId{first}, count}};
}

class Told {
  public:
    explicit Told(Resumed resumed = Resumed::on_its_processors)
        : verifier_(std::make_unique<SliceVerifier>(
            [](std::uint64_t whose, const ScheduleStep& start) {
                return start.job->job_class == whose;
            },
            resumed
        )) {
        for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
            jobs_[job].index = job;
            jobs_[job].job_class = job % 2;
        }
    }

    Told& slice(
        double time,
        std::uint64_t whose,
        double end,
        const Ranges& on = range(0, 4),
        std::uint64_t owner = 0
    ) {
        ScheduleStep step = step_of(Kind::slice, time, on);
        step.amount = end;
        step.timer = {whose, owner};
        return see(step);
    }
    Told& job(Kind kind, double time, std::uint32_t number, const Ranges& on = range(0, 4)) {
        ScheduleStep step = step_of(kind, time, on);
        step.id.value = number;
        step.job = &jobs_[number];
        return see(step);
    }
    Told& over(double time) {
        try {
            verifier_->end_of_instant(time);
        } catch (const ScheduleError& error) {
            note(error);
        }
        return *this;
    }
    const std::string& objection() const { return objection_; }

  private:
    static ScheduleStep step_of(Kind kind, double time, const Ranges& on) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.processors = on;
        return step;
    }
    Told& see(const ScheduleStep& step) {
        try {
            verifier_->observe(step);
        } catch (const ScheduleError& error) {
            note(error);
        }
        return *this;
    }
    void note(const ScheduleError& error) {
        objection_ = objection_.empty() ? error.what() : objection_;
    }

    std::unique_ptr<SliceVerifier> verifier_;
    std::vector<Job> jobs_ = std::vector<Job>(4);
    std::string objection_;  // the first
};

/// Job 0 runs in a slice from 0 to 10.
Told begun(Resumed resumed = Resumed::on_its_processors) {
    Told told(resumed);
    told.slice(0, 0, 10).job(Kind::start, 0, 0).over(0);
    return told;
}

}  // namespace

TEST_CASE("a job runs in a slice that serves it, on processors of the slice") {
    CHECK(begun().job(Kind::completion, 4, 0).over(4).objection().empty());
    CHECK(
        Told().job(Kind::start, 0, 0).objection() == "at time 0: job 0 runs outside of all slices"
    );
    CHECK(
        Told().slice(0, 1, 10).job(Kind::start, 0, 0).objection()
        == "at time 0: job 0 runs in a slice that does not serve it"
    );
    CHECK(
        Told().slice(0, 0, 10, range(0, 2)).job(Kind::start, 0, 0, range(1, 2)).objection()
        == "at time 0: job 0 runs outside of all slices"
    );
    CHECK(
        Told().slice(0, 0, 10, {}, 1).job(Kind::start, 0, 0).objection()
        == "at time 0: job 0 runs outside of all slices"
    );
}

TEST_CASE("no slice is longer than announced") {
    const std::string late = ": job 0 runs on when its slice is over";
    CHECK(begun().over(10).objection().empty());
    CHECK(begun().over(11).objection() == "at time 11" + late);
    CHECK(begun().job(Kind::suspend, 11, 0).objection() == "at time 11" + late);
    CHECK(begun().slice(11, 0, 20).objection() == "at time 11" + late);
    CHECK(begun().slice(11, 1, 20).objection() == "at time 11" + late);
    CHECK(begun().slice(10, 0, 20).over(15).objection().empty());
}

TEST_CASE("a slice that begins has its processors to itself") {
    CHECK(begun().slice(10, 1, 20).job(Kind::suspend, 10, 0).over(10).objection().empty());
    CHECK(
        begun().slice(10, 1, 20).over(10).objection()
        == "at time 10: job 0 runs on into another slice"
    );
    CHECK(
        begun().slice(5, 1, 20, range(3, 1)).over(5).objection()
        == "at time 5: job 0 runs on into another slice"
    );
    Told apart;
    apart.slice(0, 0, 10, range(0, 2)).slice(0, 1, 10, range(2, 2));
    apart.job(Kind::start, 0, 0, range(0, 2)).job(Kind::start, 0, 1, range(2, 2)).over(0);
    CHECK(apart.objection().empty());
}

TEST_CASE("a job goes on on its processors unless it may move") {
    const auto moved = [](Resumed resumed) {
        Told told(resumed);
        told.slice(0, 0, 10).job(Kind::start, 0, 0, range(0, 2)).over(0);
        told.slice(10, 0, 20).job(Kind::suspend, 10, 0).job(Kind::resume, 10, 0, range(2, 2));
        return told.over(10).objection();
    };
    CHECK(moved(Resumed::on_its_processors) == "at time 10: job 0 goes on elsewhere");
    CHECK(moved(Resumed::anywhere).empty());
}

}  // namespace schedfarm::tests
