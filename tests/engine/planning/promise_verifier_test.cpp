// Promises that are broken, one rule each, and what excuses a policy; told step by step.
#include "engine/planning/promise_verifier.hpp"

#include <array>
#include <memory>
#include <string>

#include <doctest/doctest.h>

namespace schedfarm::engine {

namespace {

using Kind = ScheduleStep::Kind;

/// Jobs that run 10 and are planned to, unless told otherwise.
class Schedule {
  public:
    explicit Schedule(
        Retraction retraction = Retraction::forbidden,
        RunTime run_time = RunTime::requested,
        const SystemDescription& system = {.clusters = {4}}
    )
        : verifier_(make_promise_verifier(run_time, system, retraction)) {
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            jobs_.at(i).index = i;
            jobs_.at(i).service_time = 10;
            jobs_.at(i).estimate = 10;
        }
    }
    Job& job(std::uint32_t i) { return jobs_.at(i); }

    Schedule& promise(double time, std::uint32_t i, const Promise& promise) {
        return tell(Kind::promise, time, i, promise);
    }
    Schedule& tell(Kind kind, double time, std::uint32_t i, const Promise& promise = {}) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.id = JobId{i};
        step.job = &jobs_.at(i);
        step.promise = promise;
        try {
            if (objection_.empty()) {
                verifier_->observe(step);
            }
        } catch (const ScheduleError& error) {
            objection_ = error.what();
        }
        return *this;
    }
    /// The first; empty: none.
    const std::string& objection() const { return objection_; }

  private:
    std::unique_ptr<ScheduleVerifier> verifier_;
    std::array<Job, 3> jobs_;
    std::string objection_;
};

/// Of job 1, that is promised a start by 20 at time 5, when something else has happened.
std::string after_late_start(Schedule& schedule) {
    return schedule.promise(5, 1, {.latest = 20}).tell(Kind::start, 21, 1).objection();
}

const std::string late =
    "at time 21.000000: job 1 starts late: it was promised a start by 20.000000";

}  // namespace

TEST_CASE("a job that starts later than it was promised is caught, an earlier one is not") {
    Schedule schedule;
    CHECK(after_late_start(schedule) == late);
    for (const double time : {5.0, 20.0}) {
        Schedule early;
        early.promise(5, 1, {.latest = 20}).tell(Kind::start, time, 1);
        CHECK(early.objection().empty());
    }
    Schedule moved;
    moved.promise(5, 1, {.latest = 20}).promise(6, 1, {.latest = 15}).tell(Kind::start, 16, 1);
    CHECK(
        moved.objection()
        == "at time 16.000000: job 1 starts late: it was promised a start by 15.000000"
    );
}

TEST_CASE("a reservation that is put off is caught") {
    for (const Retraction retraction : {Retraction::forbidden, Retraction::allowed}) {
        Schedule schedule(retraction);
        schedule.promise(5, 1, {.latest = 20}).promise(6, 1, {.latest = 21});
        CHECK(
            schedule.objection()
            == "at time 6.000000: job 1 is delayed: it was promised a start by 20.000000"
        );
        Schedule retracted(retraction);
        retracted.promise(5, 1, {.latest = 20}).promise(6, 1, {}).promise(7, 1, {.latest = 30});
        CHECK(retracted.objection().empty() == (retraction == Retraction::allowed));
    }
}

TEST_CASE("a fixed start is kept to the instant") {
    const auto started_at = [](double time) {
        Schedule schedule;
        schedule.promise(5, 1, {.earliest = 20, .latest = 20}).tell(Kind::start, time, 1);
        return schedule.objection();
    };
    CHECK(started_at(20).empty());
    CHECK(
        started_at(19)
        == "at time 19.000000: job 1 starts early: it was promised a start from 20.000000"
    );
    CHECK(!started_at(21).empty());
}

// Job 0 is planned to run from 2 to 12 and runs to 14, or job 2 from 17 on.
TEST_CASE("a job that runs longer than planned excuses what was promised before its end") {
    Schedule excused;
    excused.job(0).service_time = 12;
    excused.tell(Kind::start, 2, 0);
    CHECK(after_late_start(excused).empty());
    Schedule later;
    later.job(2).service_time = 11;
    later.promise(5, 1, {.latest = 20}).tell(Kind::start, 17, 2).tell(Kind::start, 21, 1);
    CHECK(later.objection().empty());
    // Not what is promised afterwards, nor where plans know the run times.
    Schedule after;
    after.job(0).service_time = 12;
    after.tell(Kind::start, 2, 0).promise(14.5, 1, {.latest = 20}).tell(Kind::start, 21, 1);
    CHECK(after.objection() == late);
    Schedule known(Retraction::forbidden, RunTime::actual);
    known.job(0).service_time = 12;
    known.tell(Kind::start, 2, 0);
    CHECK(after_late_start(known) == late);
}

TEST_CASE("a job that was taken back, or another in its slot, begins anew") {
    for (const Kind kind : {Kind::withdrawal, Kind::arrival}) {
        Schedule schedule;
        schedule.promise(5, 1, {.latest = 20}).tell(kind, 6, 1).tell(Kind::start, 30, 1);
        CHECK(schedule.objection().empty());
    }
}

TEST_CASE("nothing is said where processors change or requests have components") {
    SystemDescription changing{.clusters = {4}};
    changing.outages.listed = {{.from = 30, .until = 40, .first_processor = 0, .count = 1}};
    Schedule with_changes(Retraction::forbidden, RunTime::requested, changing);
    CHECK(after_late_start(with_changes).empty());
    Schedule split;
    split.job(0).structure = RequestStructure::unordered;
    split.tell(Kind::arrival, 1, 0);
    CHECK(after_late_start(split).empty());
}

}  // namespace schedfarm::engine
