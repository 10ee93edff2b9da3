// Spans of nodes from the steps of a schedule told by hand.
#include "engine/simulation/logs/node_log.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::engine {

namespace {

using Kind = ScheduleStep::Kind;
using Does = NodeSpan::Kind;
using Ranges = std::vector<ProcessorRange>;

struct StepFeed {
    NodeLog log;
    std::vector<Job> jobs{2};

    StepFeed() { jobs[1].index = 1; }

    void tell(
        double time, Kind kind, std::size_t job, const Ranges& ranges = {}, double amount = 0
    ) {
        ScheduleStep step;
        step.kind = kind;
        step.time = time;
        step.job = &jobs[job];
        step.processors = ranges;
        step.amount = amount;
        log.observe(step);
    }
};

ProcessorRange nodes(std::uint32_t first, std::uint32_t count) {
    return {ProcessorId{first}, count};
}

void check_spans(const NodeLog& log, const std::vector<NodeSpan>& expected) {
    REQUIRE(log.spans().size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        const NodeSpan& span = log.spans()[i];
        CHECK(span.job == expected[i].job);
        CHECK(span.kind == expected[i].kind);
        CHECK(span.begin == expected[i].begin);
        CHECK(span.end == expected[i].end);
        CHECK(span.nodes == expected[i].nodes);
        CHECK(span.memory == expected[i].memory);
    }
}

}  // namespace

// Job 0 loads 200 units on nodes 0 to 2 in 50 s and runs to 100. Job 1 loads on nodes 1 to 3 from
// 100 on and displaces 150 of its units on two of them; it is cut after 20 s with 80 units there.
// Job 0 comes back at 120, brings its 150 in 40 s, runs and is done at 200.
TEST_CASE("nodes load, run and keep what is resident until it is displaced") {
    StepFeed teller;
    teller.tell(0, Kind::arrival, 0);
    teller.tell(0, Kind::load, 0, {nodes(0, 3)}, 50);
    teller.tell(50, Kind::resident_memory, 0, {nodes(0, 3)}, 200);
    teller.tell(50, Kind::load_finished, 0);
    teller.tell(50, Kind::start, 0, {nodes(0, 3)});
    teller.tell(100, Kind::suspend, 0);
    teller.tell(100, Kind::load, 1, {nodes(1, 3)}, 90);
    teller.tell(100, Kind::resident_memory, 0, {nodes(1, 2)}, 50);
    teller.tell(120, Kind::resident_memory, 1, {nodes(1, 3)}, 80);
    teller.tell(120, Kind::load_cut, 1);
    teller.tell(120, Kind::load, 0, {nodes(0, 3)}, 40);
    teller.tell(160, Kind::resident_memory, 0, {nodes(0, 3)}, 200);
    teller.tell(160, Kind::load_finished, 0);
    teller.tell(160, Kind::start, 0, {nodes(0, 3)});
    teller.tell(200, Kind::completion, 0);
    check_spans(
        teller.log,
        {{0, Does::loading, 0, 50, nodes(0, 3), 0},
         {0, Does::running, 50, 100, nodes(0, 3), 0},
         {0, Does::resident, 50, 100, nodes(1, 2), 200},
         {1, Does::loading, 100, 120, nodes(1, 3), 0},
         {0, Does::resident, 100, 160, nodes(1, 2), 50},
         {0, Does::loading, 120, 160, nodes(0, 3), 0},
         {0, Does::running, 160, 200, nodes(0, 3), 0},
         {0, Does::resident, 50, 200, nodes(0, 1), 200},
         {0, Does::resident, 160, 200, nodes(1, 2), 200}}
    );
}

TEST_CASE("what takes no time, and memory that is none, is no span") {
    StepFeed teller;
    teller.tell(0, Kind::start, 0, {nodes(0, 1), nodes(4, 2)});
    teller.tell(0, Kind::suspend, 0);
    teller.tell(0, Kind::resident_memory, 0, {nodes(4, 2)}, 100);
    teller.tell(0, Kind::resident_memory, 0, {nodes(4, 2)}, 30);
    teller.tell(5, Kind::resident_memory, 0, {nodes(4, 2)}, 0);
    teller.tell(7, Kind::resume, 0, {nodes(0, 1), nodes(4, 2)});
    teller.tell(9, Kind::completion, 0);
    check_spans(
        teller.log,
        {{0, Does::resident, 0, 5, nodes(4, 2), 30},
         {0, Does::running, 7, 9, nodes(0, 1), 0},
         {0, Does::running, 7, 9, nodes(4, 2), 0}}
    );
}

}  // namespace schedfarm::engine
