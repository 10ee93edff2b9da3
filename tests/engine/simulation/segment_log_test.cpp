// Segments from the steps of a schedule told by hand.
#include "engine/simulation/logs/segment_log.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::engine {

namespace {

using Kind = ScheduleStep::Kind;
using Ranges = std::vector<ProcessorRange>;

struct StepFeed {
    SegmentLog log;
    std::vector<Job> jobs{2};

    StepFeed() { jobs[1].index = 1; }

    void tell(double time, Kind kind, std::size_t job, const Ranges& ranges = {}) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.job = &jobs[job];
        step.processors = ranges;
        log.observe(step);
    }
};

void expect_segment(
    const RunSegment& segment, std::size_t job, double begin, double end, const Ranges& processors
) {
    CHECK(segment.job == job);
    CHECK(segment.begin == begin);
    CHECK(segment.end == end);
    CHECK(segment.processors == processors);
}

const Ranges left{{ProcessorId{0}, 2}};
const Ranges right{{ProcessorId{2}, 1}, {ProcessorId{5}, 1}};

}  // namespace

TEST_CASE("a job that pauses has a segment for every stretch on its processors") {
    StepFeed teller;
    teller.tell(0, Kind::arrival, 0);
    teller.tell(1, Kind::start, 0, left);
    teller.log.end_of_instant(1);
    teller.tell(4, Kind::suspend, 0);
    teller.tell(4, Kind::start, 1, right);
    teller.log.end_of_instant(4);
    teller.tell(6, Kind::completion, 1);
    teller.tell(6, Kind::resume, 0, right);
    teller.log.end_of_instant(6);
    teller.tell(9, Kind::completion, 0);
    const auto& segments = teller.log.segments();
    REQUIRE(segments.size() == 3);
    expect_segment(segments[0], 0, 1, 4, left);
    expect_segment(segments[1], 1, 4, 6, right);
    expect_segment(segments[2], 0, 6, 9, right);
    CHECK(segments[0].size == 2);
}

TEST_CASE("a job that goes on at once goes on with its segment unless it moves") {
    StepFeed teller;
    teller.tell(0, Kind::start, 0, left);
    teller.log.end_of_instant(0);
    teller.tell(3, Kind::suspend, 0);
    teller.tell(3, Kind::resume, 0, left);
    teller.log.end_of_instant(3);
    teller.tell(5, Kind::suspend, 0);
    teller.tell(5, Kind::resume, 0, right);
    teller.log.end_of_instant(5);
    teller.tell(5, Kind::suspend, 0);
    teller.log.end_of_instant(5);
    teller.tell(7, Kind::resume, 0, left);
    teller.tell(8, Kind::completion, 0);
    const auto& segments = teller.log.segments();
    REQUIRE(segments.size() == 2);  // on the right it held processors for no time
    expect_segment(segments[0], 0, 0, 5, left);
    expect_segment(segments[1], 0, 7, 8, left);
}

TEST_CASE("where processors are given by number a segment has the shares of clusters and the home"
) {
    SegmentLog log;
    Job job;
    job.origin = 2;
    const std::vector<ClusterShare> shares{{ClusterId{0}, 3}, {ClusterId{1}, 1}};
    ScheduleStep step;
    step.job = &job;
    step.kind = Kind::start;
    step.shares = shares;
    log.observe(step);
    step.kind = Kind::completion;
    step.time = 5;
    log.observe(step);
    REQUIRE(log.segments().size() == 1);
    CHECK(log.segments()[0].shares == shares);
    CHECK(log.segments()[0].origin == 2);
    CHECK(log.segments()[0].size == 4);
}

}  // namespace schedfarm::engine
