// What the package gets of a schedule, worked out by hand.
#include "app/report/schedule_tables.hpp"

#include <doctest/doctest.h>

#include "engine/foundation/node_names.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

// Clusters of 4 and 2: job 0 of cluster 2 holds 2 of cluster 1 and 1 of cluster 2 until 4; job 3
// has 2 of cluster 1 beside it. Of what begins at one instant that comes first which takes no time.
TEST_CASE("jobs on several clusters have the lowest free processors of each") {
    const std::vector<engine::RunSegment> segments{
        {3, 2, 6, {}, 2, {{{0}, 2}}, 0},
        {0, 1, 4, {}, 3, {{{0}, 2}, {{1}, 1}}, 1},
        {5, 2, 2, {}, 1, {{{1}, 1}}, 0}};
    const auto job_of = [](const engine::RunSegment& segment) {
        return NamedJob{static_cast<std::int64_t>(segment.job) + 10, segment.begin - 0.5};
    };
    CHECK(
        segments_table(segments, {4, 2}, job_of, {{2.5, 7, {{3}, 2}}})
        == "job,submit,start,finish,processors,ranges,kind,user,home\n"
           "10,0.5,1,4,3,0-1 4,running,,2\n"
           "15,1.5,2,2,1,5,running,,1\n"
           "13,1.5,2,6,2,2-3,running,,1\n"
           "-1,2.5,2.5,7,2,3-4,out_of_order,,\n"
    );
    const std::vector<engine::RunSegment> named{{3, 2, 6, {{{1}, 1}, {{4}, 2}}, 3}};
    CHECK(
        segments_table(named, {8}, job_of)
        == "job,submit,start,finish,processors,ranges,kind\n13,1.5,2,6,3,1 4-5,running\n"
    );
}

TEST_CASE("a log is told as it was and what cannot be drawn is counted") {
    // number submit wait run allocated cpu memory requested time memory status user …
    const std::string text =
        "; MaxProcs: 4\n"
        "1 0 0 10 3 -1 -1 -1 20 -1 1 5 1 1 1 1 -1 -1\n"
        "2 5 5 12 -1 -1 -1 4 -1 -1 0 -1 1 1 1 1 -1 -1\n"
        "3 6 -1 10 4 -1 -1 4 -1 -1 5 6 1 1 1 1 -1 -1\n"
        "4 7 1 -1 4 -1 -1 4 -1 -1 5 6 1 1 1 1 -1 -1\n"
        "5 8 1 1 -1 -1 -1 -1 -1 -1 1 6 1 1 1 1 -1 -1\n"
        "6 8 1 1 1 -1 -1 1 -1 -1 3 6 1 1 1 1 -1 -1\n";
    std::string left_out;
    CHECK(
        log_table(models::trace::read_log_text(text, "l.swf"), left_out)
        == "job,submit,start,finish,processors,ranges,kind,user\n"
           "1,0,0,10,3,,running,5\n"
           "2,5,10,22,4,,running,\n"
           "-1,0,0,0,4,,machine,\n"
    );
    CHECK(
        left_out
        == "4 lines of the log left out (1 no processors, 1 no run time, 1 no wait time, 1 part of "
           "a job)"
    );
    const std::string unstarted = "1 0 -1 10 3 -1 -1 -1 20 -1 1 5 1 1 1 1 -1 -1\n";
    const models::trace::Log none = models::trace::read_log_text(unstarted, "l.swf");
    CHECK_THROWS_AS(log_table(none, left_out), models::trace::LogError);
}

TEST_CASE("a log that names the nodes of every job has a row for each") {
    const auto table = [](const std::string& rows) {
        std::string left_out;
        const std::string header = "JobIDRaw|Submit|Start|End|AllocCPUS|NodeList\n";
        return log_table(models::trace::read_log_text(header + rows, "a.txt"), left_out);
    };
    CHECK(
        table("1|0|0|10|8|n[2,10]\n2|0|0|5|4|n1\n")
        == "job,submit,start,finish,processors,ranges,kind,user\n"
           "1,0,0,10,8,1-2,running,\n"
           "2,0,0,5,4,0,running,\n"
           "n1,0,0,0,1,0,node,\n"
           "n2,0,0,0,1,1,node,\n"
           "n10,0,0,0,1,2,node,\n"
           "-1,0,0,0,0,,machine,\n"
    );
    CHECK(table("1|0|0|10|8|n1\n2|0|0|5|4|None assigned\n").find("node") == std::string::npos);
    CHECK(node_line("=n", {{4}, 2}) == "'=n,0,0,0,2,4-5,node,\n");
}

TEST_CASE("lists of nodes are as many names as they say") {
    using Names = std::vector<std::string>;
    CHECK(engine::nodes_in("n1") == Names{"n1"});
    CHECK(engine::nodes_in("n[1-3,8]") == Names{"n1", "n2", "n3", "n8"});
    CHECK(engine::nodes_in("n[099-101],x,y[07]") == Names{"n099", "n100", "n101", "x", "y07"});
    for (const char* wrong : {"", "n[", "n[1-", "n[3-1]", "n[a-b]", ",", "n[1-9999999]"}) {
        CAPTURE(wrong);
        CHECK(engine::nodes_in(wrong).value_or(Names{}).empty());
    }
}
