// Which jobs are kept and what they become, by hand.
#include "models/trace/selection.hpp"

#include <string>

#include <doctest/doctest.h>

#include "models/trace/reading/reader.hpp"

namespace schedfarm::models::trace {

namespace {

/// Fields: number submit wait run allocated cpu memory requested request memory status user …
Log example() {
    return read_log_text(
        "; MaxProcs: 64\n"
        "1 100 0  50  4 40.5 -1  8 100 -1 1 7 -1 -1 -1 -1 -1 -1\n"   // faultless
        "2  90 0 200 -1   -1 -1 16 150 -1 0 8 -1 -1 -1 -1 -1 -1\n"   // early; overrun; requested
                                                                     // only
        "3 110 0   0  2    1 -1  2 100 -1 1 7 -1 -1 -1 -1 -1 -1\n"   // run 0
        "4 120 0  -1  2    1 -1  2 100 -1 5 7 -1 -1 -1 -1 -1 -1\n"   // cancelled
        "5 130 0  30 -1    1 -1  0 100 -1 1 7 -1 -1 -1 -1 -1 -1\n"   // no processors
        "6 140 0  30  1    1 -1 -1  -1 -1 1 9 -1 -1 -1 -1 -1 -1\n"   // no request
        "7  -1 0  30  1    1 -1 -1  60 -1 1 9 -1 -1 -1 -1 -1 -1\n"   // no submit
        "8 160 0  70 32    0 -1 32  60 -1 0 9 -1 -1 -1 -1 -1 -1\n",  // overrun
        "example.swf"
    );
}

/// "row: submit run request processors; " of every job.
std::string text(const JobList& jobs) {
    std::string result;
    const auto integer = [](double value) {
        CHECK(value == static_cast<double>(static_cast<long>(value)));
        return std::to_string(static_cast<long>(value));
    };
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        result += std::to_string(jobs.row[i]) + ": " + integer(jobs.submit[i]) + " "
                  + integer(jobs.run[i]) + " " + integer(jobs.request[i]) + " "
                  + std::to_string(jobs.processors[i]) + "; ";
    }
    return result;
}

std::uint64_t dropped_for(Dropped reason, const SelectedJobs& selected) {
    return selected.dropped[static_cast<std::size_t>(reason)];
}

std::string selected(const Selection& selection, const Filling& filling = {}) {
    return text(select(example(), selection, filling).jobs);
}

}  // namespace

TEST_CASE("the usual normalisation sorts and kills and drops what cannot run") {
    // Row 1 comes first, at 90; it ran 200 s but asked for 150. Row 7 asked for 60.
    const SelectedJobs usual = select(example());
    CHECK(text(usual.jobs) == "1: 90 150 150 16; 0: 100 50 100 4; 7: 160 60 60 32; ");
    CHECK(usual.jobs.user.values() == std::vector<std::int64_t>{8, 7, 9});
    CHECK(dropped_for(Dropped::no_submit_time, usual) == 1);
    CHECK(dropped_for(Dropped::no_processors, usual) == 1);
    CHECK(dropped_for(Dropped::no_run_time, usual) == 1);
    CHECK(dropped_for(Dropped::zero_run_time, usual) == 1);
    CHECK(dropped_for(Dropped::no_requested_time, usual) == 1);
    // 16 · 150 + 4 · 50 + 32 · 60
    CHECK(area(usual.jobs) == 4520);
}

TEST_CASE("jobs that outlive their request run on or raise it") {
    CHECK(
        selected({}, {.overrun = OverrunRule::runs_on})
        == "1: 90 200 150 16; 0: 100 50 100 4; 7: 160 70 60 32; "
    );
    CHECK(
        selected({}, {.overrun = OverrunRule::request_raised})
        == "1: 90 200 200 16; 0: 100 50 100 4; 7: 160 70 70 32; "
    );
}

TEST_CASE("missing requests and run times of 0 are filled as asked") {
    CHECK(
        selected({}, {.missing_request = RequestRule::run_time})
        == "1: 90 150 150 16; 0: 100 50 100 4; 5: 140 30 30 1; 7: 160 60 60 32; "
    );
    CHECK(
        selected({}, {.missing_request = RequestRule::given, .request_s = 20})
        == "1: 90 150 150 16; 0: 100 50 100 4; 5: 140 20 20 1; 7: 160 60 60 32; "
    );
    CHECK(  // of a run time of 0 the filled one is requested
        select(
            read_log_text("1 0 0 0 2 1 -1 2 -1 -1 1 7 -1 -1 -1 -1 -1 -1\n", "zero.swf"),
            {},
            {.zero_run_s = 3, .missing_request = RequestRule::run_time}
        )
            .jobs.request
        == std::vector<double>{3}
    );
    CHECK(
        selected({}, {.zero_run_s = 1})
        == "1: 90 150 150 16; 0: 100 50 100 4; 2: 110 1 100 2; 7: 160 60 60 32; "
    );
}

TEST_CASE("processors are taken as the rule says") {
    // Row 0 was given 4 and asked for 8; row 1 says only what it asked for.
    CHECK(
        selected({}, {.processors = ProcessorsRule::requested_else_allocated})
        == "1: 90 150 150 16; 0: 100 50 100 8; 7: 160 60 60 32; "
    );
    // A number of 0 says nothing.
    const Log zeros = read_log_text(
        "1 0 0 9 0 1 -1 2 9 -1 1 7 -1 -1 -1 -1 -1 -1\n"
        "2 0 0 9 3 1 -1 0 9 -1 1 7 -1 -1 -1 -1 -1 -1\n",
        "zeros.swf"
    );
    for (const ProcessorsRule rule :
         {ProcessorsRule::allocated_else_requested, ProcessorsRule::requested_else_allocated}) {
        CHECK(
            select(zeros, {}, {.processors = rule}).jobs.processors
            == std::vector<std::uint32_t>{2, 3}
        );
    }
    CHECK(
        selected({}, {.processors = ProcessorsRule::allocated})
        == "0: 100 50 100 4; 7: 160 60 60 32; "
    );
    CHECK(
        selected({}, {.processors = ProcessorsRule::requested})
        == "1: 90 150 150 16; 0: 100 50 100 8; 7: 160 60 60 32; "
    );
}

TEST_CASE("dates and status and size and times choose jobs") {
    // The first instant belongs to the dates, the last does not.
    CHECK(selected({.submit_from = 100, .submit_before = 160}) == "0: 100 50 100 4; ");
    CHECK(selected({.size = {4, 16}}) == "1: 90 150 150 16; 0: 100 50 100 4; ");
    // Row 1 ran 200 s before it was cut to 150.
    CHECK(selected({.run_time = {160, 300}}) == "1: 90 150 150 16; ");
    // Row 1 has no CPU time.
    CHECK(selected({.cpu_time = {0, 1e9}}) == "0: 100 50 100 4; 7: 160 60 60 32; ");
    // Nor does it come in where the times begin below what means unknown.
    CHECK(selected({.cpu_time = {-10, 30}}) == "7: 160 60 60 32; ");
    // Row 2 ran 0 s, whatever it is given.
    CHECK(selected({.run_time = {1, 40}}, {.zero_run_s = 20}).empty());
    CHECK(selected({.statuses = {Status::failed}}) == "1: 90 150 150 16; 7: 160 60 60 32; ");
    CHECK(selected({.statuses = {Status::failed, Status::completed}}) == selected({}));
    const SelectedJobs none = select(example(), {.statuses = {Status::partial}});
    CHECK(none.jobs.size() == 0);
    CHECK(dropped_for(Dropped::status, none) == 7);
}

TEST_CASE("partial executions are left out unless statuses ask for them") {
    // A job that was swapped out once: its line as a whole, and its two partial executions.
    const Log log = read_log_text(
        "; MaxProcs: 8\n"
        "1  0  0 50 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "1  0  0 20 4 -1 -1 4 60 -1 2 3 -1 -1 -1 -1 -1 -1\n"
        "1 20 10 30 4 -1 -1 4 60 -1 3 3 -1 -1 -1 -1 -1 -1\n"
        "2 30  0  9 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n",
        "a.swf"
    );
    const SelectedJobs usual = select(log);
    CHECK(usual.jobs.run == std::vector<double>{50, 9});
    CHECK(dropped_for(Dropped::partial_execution, usual) == 2);
    const Selection partial{.statuses = {static_cast<Status>(2), static_cast<Status>(3)}};
    CHECK(select(log, partial).jobs.run == std::vector<double>{20, 30});
}

}  // namespace schedfarm::models::trace
