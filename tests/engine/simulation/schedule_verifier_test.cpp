// Broken schedules, one invariant each, that the machine verifier must catch; told step by step,
// without a simulator.
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::engine {

namespace {

using Kind = ScheduleStep::Kind;

// Two clusters of 4; 100 of memory per processor. Jobs of 2 processors and service 5, submitted at
// 10, total requests.
class Schedule {
  public:
    Schedule()
        : system_{.clusters = {4, 4}, .memory_per_processor = 100}
        , verifier_(make_machine_verifier(system_)) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            jobs_[i].index = i;
            jobs_[i].submit_time = 10;
            jobs_[i].service_time = 5;
            jobs_[i].size = 2;
        }
    }

    Job& job(std::uint32_t i) { return jobs_[i]; }

    Schedule& step(Kind kind, double time, std::uint32_t i, double amount = 0) {
        ScheduleStep told = made(kind, time, i);
        told.amount = amount;
        verifier_->observe(told);
        return *this;
    }
    Schedule& by_count(
        Kind kind, double time, std::uint32_t i, std::span<const ClusterShare> shares
    ) {
        ScheduleStep told = made(kind, time, i);
        told.shares = shares;
        verifier_->observe(told);
        return *this;
    }
    Schedule& by_name(
        Kind kind, double time, std::uint32_t i, ProcessorRange range, double amount = 0
    ) {
        ScheduleStep told = made(kind, time, i);
        told.processors = {&range, 1};
        told.amount = amount;
        verifier_->observe(told);
        return *this;
    }
    Schedule& capacity(double time, CapacityChange change) {
        ScheduleStep told;
        told.kind = Kind::capacity_changed;
        told.time = time;
        told.change = &change;
        verifier_->observe(told);
        return *this;
    }
    void end_of_instant(double time) { verifier_->end_of_instant(time); }
    void finish() { verifier_->finish(); }

  private:
    ScheduleStep made(Kind kind, double time, std::uint32_t i) const {
        ScheduleStep told;
        told.kind = kind;
        told.time = time;
        told.id = JobId{i};
        told.job = &jobs_[i];
        return told;
    }

    SystemDescription system_;
    std::array<Job, 3> jobs_;
    std::unique_ptr<ScheduleVerifier> verifier_;
};

constexpr std::array<ClusterShare, 1> two = {{{ClusterId{0}, 2}}};
std::vector<ClusterShare> shares(std::vector<ClusterShare> list) {
    return list;
}

constexpr ProcessorRange low{ProcessorId{0}, 2};
constexpr ProcessorRange middle{ProcessorId{1}, 2};
constexpr ProcessorRange high{ProcessorId{2}, 2};

}  // namespace

TEST_CASE("a right schedule passes") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).step(Kind::arrival, 10, 1);
    schedule.by_count(Kind::start, 10, 0, two).by_count(Kind::start, 10, 1, two);
    schedule.step(Kind::suspend, 12, 0).step(Kind::delay, 13, 0, 1);
    schedule.by_count(Kind::resume, 14, 0, shares({{ClusterId{0}, 1}, {ClusterId{1}, 1}}));
    schedule.step(Kind::completion, 15, 1).step(Kind::completion, 18, 0);
    CHECK_NOTHROW(schedule.finish());
}

TEST_CASE("too many processors of a cluster are caught") {
    Schedule schedule;
    for (const std::uint32_t i : {0U, 1U, 2U}) {
        schedule.step(Kind::arrival, 10, i);
    }
    schedule.by_count(Kind::start, 10, 0, two).by_count(Kind::start, 10, 1, two);
    CHECK_THROWS_WITH_AS(
        schedule.by_count(Kind::start, 10, 2, two),
        "job 2 at time 10: more processors of a cluster are used than there are",
        ScheduleError
    );
}

TEST_CASE("a named processor that is held twice is caught") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).step(Kind::arrival, 10, 1);
    schedule.by_name(Kind::start, 10, 0, low);
    CHECK_THROWS_WITH_AS(
        schedule.by_name(Kind::start, 11, 1, middle),
        "job 1 at time 11: processor 1 is held by job 0",
        ScheduleError
    );
}

TEST_CASE("a start before the submission is caught") {
    Schedule schedule;
    schedule.step(Kind::arrival, 9, 0);
    CHECK_THROWS_WITH_AS(
        schedule.by_count(Kind::start, 9, 0, two),
        doctest::Contains("before it was submitted"),
        ScheduleError
    );
}

TEST_CASE("service that is missing or too much is caught") {
    for (const double end : {14.0, 16.0, 15.001}) {
        Schedule schedule;
        schedule.step(Kind::arrival, 10, 0).by_count(Kind::start, 10, 0, two);
        CHECK_THROWS_WITH_AS(
            schedule.step(Kind::completion, end, 0), doctest::Contains("requires 5"), ScheduleError
        );
    }
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).by_count(Kind::start, 10, 0, two);
    schedule.step(Kind::delay, 11, 0, 2);
    CHECK_THROWS_AS(schedule.step(Kind::completion, 15, 0), ScheduleError);
}

TEST_CASE("a moldable job must receive the service of its processors") {
    const std::vector<double> times = {6, 4, 3};
    const MoldableTimes moldable{times};
    for (const double end : {13.0, 15.0}) {
        Schedule schedule;
        schedule.job(0).moldable = &moldable;
        schedule.step(Kind::arrival, 10, 0);
        schedule.by_count(Kind::start, 10, 0, shares({{ClusterId{1}, 3}}));
        if (end == 13) {
            CHECK_NOTHROW(schedule.step(Kind::completion, end, 0));
        } else {
            CHECK_THROWS_AS(schedule.step(Kind::completion, end, 0), ScheduleError);
        }
    }
    Schedule schedule;
    schedule.job(0).moldable = &moldable;
    schedule.step(Kind::arrival, 10, 0);
    CHECK_THROWS_WITH_AS(
        schedule.by_count(Kind::start, 10, 0, shares({{ClusterId{1}, 4}})),
        doctest::Contains("cannot run on so many"),
        ScheduleError
    );
}

TEST_CASE("another placement than requested is caught") {
    const std::array<std::uint32_t, 2> components = {1, 1};
    for (const RequestStructure structure :
         {RequestStructure::ordered, RequestStructure::unordered}) {
        Schedule schedule;
        schedule.job(0).structure = structure;
        schedule.job(0).components = components;
        schedule.step(Kind::arrival, 10, 0);
        CHECK_THROWS_WITH_AS(
            schedule.by_count(Kind::start, 10, 0, two),
            doctest::Contains("not placed as it was requested"),
            ScheduleError
        );
    }
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0);
    CHECK_THROWS_AS(
        schedule.by_count(Kind::start, 10, 0, shares({{ClusterId{0}, 3}})), ScheduleError
    );
}

TEST_CASE("memory beyond what a processor has is caught") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).step(Kind::arrival, 10, 1);
    schedule.by_name(Kind::resident_memory, 10, 0, low, 80);
    schedule.by_name(Kind::resident_memory, 10, 0, low, 60);
    schedule.by_name(Kind::resident_memory, 10, 1, high, 100);
    CHECK_THROWS_WITH_AS(
        schedule.by_name(Kind::resident_memory, 10, 1, middle, 41),
        doctest::Contains("memory of a processor is exceeded"),
        ScheduleError
    );
    Schedule large;
    large.job(0).memory_per_processor = 101;
    large.step(Kind::arrival, 10, 0);
    CHECK_THROWS_WITH_AS(
        large.by_name(Kind::start, 10, 0, low),
        doctest::Contains("more memory per processor"),
        ScheduleError
    );
}

TEST_CASE("a job that never completes is caught") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0);
    CHECK_THROWS_WITH_AS(
        schedule.finish(), doctest::Contains("job 0 never completed"), ScheduleError
    );
}

TEST_CASE("a job that is twice on the machine is caught") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).by_count(Kind::start, 10, 0, two);
    CHECK_THROWS_AS(schedule.by_count(Kind::start, 10, 0, two), ScheduleError);
    CHECK_THROWS_AS(schedule.by_count(Kind::resume, 10, 0, two), ScheduleError);
    CHECK_THROWS_AS(schedule.step(Kind::arrival, 10, 0), ScheduleError);
    CHECK_THROWS_AS(schedule.step(Kind::completion, 15, 1), ScheduleError);
}

TEST_CASE("loading holds processors and takes the time planned") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).step(Kind::arrival, 10, 1);
    schedule.by_name(Kind::load, 10, 0, low, 3);
    CHECK_THROWS_AS(schedule.by_name(Kind::start, 11, 1, middle), ScheduleError);
    CHECK_THROWS_WITH_AS(
        schedule.step(Kind::load_finished, 12, 0),
        doctest::Contains("another time than planned"),
        ScheduleError
    );
    Schedule moved;
    moved.step(Kind::arrival, 10, 0);
    moved.by_name(Kind::load, 10, 0, low, 3).step(Kind::load_finished, 13, 0);
    CHECK_THROWS_WITH_AS(
        moved.by_name(Kind::start, 13, 0, high),
        doctest::Contains("elsewhere than it was loaded"),
        ScheduleError
    );
}

TEST_CASE("each step must follow from the one before it") {
    const auto expect = [](const char* problem, const auto& steps) {
        Schedule schedule;
        schedule.step(Kind::arrival, 10, 0);
        CHECK_THROWS_WITH_AS(steps(schedule), doctest::Contains(problem), ScheduleError);
    };
    expect("started twice or resumed before", [](Schedule& s) {
        s.by_count(Kind::resume, 10, 0, two);
    });
    expect("started twice or resumed before", [](Schedule& s) {
        s.by_count(Kind::start, 10, 0, two).step(Kind::suspend, 11, 0);
        s.by_count(Kind::start, 12, 0, two);
    });
    expect("started while it was on processors", [](Schedule& s) {
        s.by_count(Kind::start, 10, 0, two).by_count(Kind::resume, 11, 0, two);
    });
    expect("started while it was on processors", [](Schedule& s) {
        s.by_name(Kind::load, 10, 0, low, 3).by_name(Kind::start, 11, 0, low);
    });
    expect("loaded while it was on processors", [](Schedule& s) {
        s.by_name(Kind::start, 10, 0, low).by_name(Kind::load, 11, 0, high, 3);
    });
    expect("loaded before it was submitted", [](Schedule& s) {
        s.job(0).submit_time = 11;
        s.by_name(Kind::load, 10, 0, low, 3);
    });
    expect("suspended and did not run", [](Schedule& s) { s.step(Kind::suspend, 10, 0); });
    expect("cut and it did not load", [](Schedule& s) { s.step(Kind::load_cut, 10, 0); });
    expect("ended and it did not load", [](Schedule& s) { s.step(Kind::load_finished, 10, 0); });
    expect("completed and did not run", [](Schedule& s) { s.step(Kind::completion, 10, 0); });
    expect("slot that is taken", [](Schedule& s) { s.step(Kind::arrival, 10, 0); });
    expect("slot belongs to another job", [](Schedule& s) {
        s.job(0).index = 7;
        s.by_count(Kind::start, 10, 0, two);
    });
    expect("a cluster does not exist", [](Schedule& s) {
        s.by_count(Kind::start, 10, 0, shares({{ClusterId{2}, 2}}));
    });
    expect("left or came back twice", [](Schedule& s) {
        const CapacityChange change{.time = 10, .first_processor = 1, .count = 1};
        s.capacity(10, change).capacity(10, change);
    });
    expect("time goes back from 12 to 11", [](Schedule& s) {
        s.end_of_instant(12);
        s.step(Kind::arrival, 11, 1);
    });
}

TEST_CASE("every stretch of service may be rounded a little") {
    // Four stretches, each longer by 1e-11: 4e-11 in all, of 1e-12 (1 + 18) allowed for each and
    // for their sum, 9.5e-11.
    constexpr double excess = 1e-11;
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0).by_count(Kind::start, 10, 0, two);
    for (const double time : {11.0, 13.0, 15.0}) {
        schedule.step(Kind::suspend, time + excess, 0).by_count(Kind::resume, time + 1, 0, two);
    }
    CHECK_NOTHROW(schedule.step(Kind::completion, 18 + excess, 0));
}

TEST_CASE("processors out of order are not used and time does not go back") {
    Schedule schedule;
    schedule.step(Kind::arrival, 10, 0);
    schedule.capacity(11, {.time = 11, .first_processor = 1, .count = 3});
    CHECK_THROWS_AS(schedule.by_count(Kind::start, 11, 0, two), ScheduleError);
    Schedule named;
    named.step(Kind::arrival, 10, 0);
    named.capacity(11, {.time = 11, .first_processor = 1, .count = 1});
    CHECK_THROWS_WITH_AS(
        named.by_name(Kind::start, 11, 0, low), doctest::Contains("out of order"), ScheduleError
    );
    CHECK_THROWS_WITH_AS(
        named.step(Kind::arrival, 10, 1), doctest::Contains("time goes back"), ScheduleError
    );
}

}  // namespace schedfarm::engine
