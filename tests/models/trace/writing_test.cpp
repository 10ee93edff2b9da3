// Lists of nodes, tables and anonymous logs as they are written.
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/node_names.hpp"

#include "models/trace/writing/anonymous.hpp"
#include "models/trace/writing/swf_writer.hpp"
#include "models/trace/writing/table_writer.hpp"

#include "tests/models/trace/log_texts.hpp"

namespace schedfarm::models::trace::tests {

namespace {

using engine::nodes_in;
using engine::numbered_nodes;
using Texts = std::vector<std::string>;

/// Three jobs: the second became eligible later than submitted, the third never started.
Log three_jobs() {
    Log log;
    log.name = "a.sacct";
    // 2026-11-27T09:22:39Z, a Friday.
    log.header.lines = {
        {.key = "UnixStartTime", .value = "1795771359"},
        {.key = "TimeZone", .value = "3600"},
        {.key = "MaxProcs", .value = "8"},
        {.key = "Computer", .value = "somewhere"}};
    log.job_number = Log::Names({17, 18, 30});
    log.submit_time = Log::Reals({0, 10, 20});
    log.eligible_time = Log::Reals({0, 70, -1});
    log.wait_time = Log::Reals({5, 100, -1});
    log.run_time = Log::Reals({60, 0.5, -1});
    log.allocated_processors = Log::Integers({4, 2, -1});
    log.requested_time = Log::Reals({90061, 60, -1});
    log.requested_memory = Log::Reals({1024000, -1, -1});
    log.status = Log::Integers({1, 0, 5});
    log.state = Log::Small({3, 6, 4});
    log.user = Log::Names({2, 1, 2});
    log.group = Log::Names({1, 1, 1});
    log.partition = Log::Names({1, 2, 2});
    log.names = {
        {Field::user, {"ann", "bob, jr"}},
        {Field::group, {"a|b"}},
        {Field::partition, {"cpu", "gpu"}}};
    log.gpus = Log::Integers({-1, 2, -1});
    log.started_by = Log::Small({0, 1, -1});
    log.node_list = Log::Integers({0, 1, -1});
    log.node_lists = {"x[7-8]", "x8,y03"};
    return log;
}

std::string swf_of(const Log& log) {
    std::ostringstream out;
    write_log(out, log);
    return out.str();
}

}  // namespace

TEST_CASE("lists of nodes") {
    CHECK(nodes_in("n[1-3,8],gpu[01-02]") == Texts{"n1", "n2", "n3", "n8", "gpu01", "gpu02"});
    CHECK(nodes_in("x1c[0-1]n[2,4]") == Texts{"x1c0n2", "x1c0n4", "x1c1n2", "x1c1n4"});
    CHECK(nodes_in("login") == Texts{"login"});
    CHECK(nodes_in("n[008-010]") == Texts{"n008", "n009", "n010"});
    CHECK(nodes_in("") == Texts{});
    for (const char* wrong :
         {",", "n[", "n]", "n[]", "n[3-1]", "n[a]", "n[1-2", "n[0-9999999]", "n[1-]"}) {
        CAPTURE(wrong);
        CHECK_FALSE(nodes_in(wrong).has_value());
    }
    CHECK(numbered_nodes({4}) == "n4");
    CHECK(numbered_nodes({1, 2, 3, 8}) == "n[1-3,8]");
    for (std::uint32_t bits = 1; bits < 256; ++bits) {
        std::vector<std::uint32_t> numbers;
        Texts names;
        for (std::uint32_t number = 0; number < 8; ++number) {
            if ((bits >> number & 1U) != 0) {
                numbers.push_back(number);
                names.push_back("n" + std::to_string(number));
            }
        }
        CHECK(nodes_in(numbered_nodes(numbers)) == names);
    }
}

TEST_CASE("a log as a table of sacct and as CSV") {
    CHECK(
        table_text(three_jobs(), TableForm::sacct)
        == "JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|Timelimit|State|"
           "AllocCPUS|ReqMem|AllocTRES|Flags|NodeList\n"
           "17|bob, jr|a_b|cpu|1795771359|1795771359|1795771364|1795771424|60|1-01:01:01|COMPLETED|"
           "4|1024000Kc||SchedMain|x[7-8]\n"
           "18|ann|a_b|gpu|1795771369|1795771429|1795771469|1795771469.5|0.5|0-00:01:00|TIMEOUT|2||"
           "gres/gpu=2|SchedBackfill|x8,y03\n"
           "30|bob, jr|a_b|gpu|1795771379|Unknown|Unknown|Unknown|||CANCELLED|||||\n"
    );
    const std::string csv = table_text(three_jobs(), TableForm::csv);
    CHECK(csv.find("\n17,\"bob, jr\",a|b,cpu,1795771359,") != std::string::npos);
    Log foreign = three_jobs();
    for (std::string& name : foreign.names.at(Field::user)) {
        name = "=1+" + name;
    }
    const std::string guarded = table_text(foreign, TableForm::csv);
    CHECK(guarded.find("\n17,\"'=1+bob, jr\",") != std::string::npos);
    CHECK(table_text(foreign, TableForm::sacct).find("\n17|=1+bob, jr|") != std::string::npos);
    CHECK(csv.find(",SchedBackfill,\"x8,y03\"\n") != std::string::npos);
    CHECK(lost_in_table(three_jobs()) == "the header with the size of the machine");
}

TEST_CASE("as SWF a job is submitted when it became eligible") {
    const std::string text = swf_of(three_jobs());
    CHECK(text.find("; Partition: 2 gpu\n") != std::string::npos);
    CHECK(text.find("\n17 0 5 60 4 ") != std::string::npos);
    CHECK(text.find("\n18 70 40 0.5 2 ") != std::string::npos);
    CHECK(text.find("\n30 20 -1 -1 -1 ") != std::string::npos);
    CHECK(log_of(text).name_of(Field::partition, 2) == "gpu");
    CHECK(lost_in_swf(log_of(text)).empty());
    CHECK(
        lost_in_swf(three_jobs())
        == "submit times of jobs that became eligible later, GPUs, states finer than failed, "
           "completed and cancelled, who started a job, lists of nodes"
    );
}

TEST_CASE("a selected log has the waits of jobs that come as logged") {
    JobList jobs;
    jobs.submit = {0, 70, 71};  // as submitted, as eligible, moved
    jobs.run = {60, 0.5, 0.5};
    jobs.request = {90061, 60, 60};
    jobs.processors = {4, 2, 2};
    jobs.user = Log::Names({2, 1, 1});
    jobs.row = {0, 1, 1};
    const Log log = models::trace::log_of(jobs, three_jobs());
    CHECK(log.wait_time[0] == 5);
    CHECK(log.wait_time[1] == 40);
    CHECK(log.wait_time[2] == -1);
    CHECK(log.name_of(Field::user, log.user[0]) == "bob, jr");
}

TEST_CASE("an anonymous log has numbers, and its week and hour") {
    Log log = three_jobs();
    make_anonymous(log);
    CHECK(
        table_text(log, TableForm::sacct)
        // Friday 2001-01-05, 10:22:39 of a clock one hour east of UTC, which is now UTC.
        == "JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|Timelimit|State|"
           "AllocCPUS|ReqMem|AllocTRES|Flags|NodeList\n"
           "1|1|1|1|978690159|978690159|978690164|978690224|60|1-01:01:01|COMPLETED|4|1024000Kc||"
           "SchedMain|n[1-2]\n"
           "2|2|1|2|978690169|978690229|978690269|978690269.5|0.5|0-00:01:00|TIMEOUT|2||gres/gpu=2|"
           "SchedBackfill|n[2-3]\n"
           "3|1|1|2|978690179|Unknown|Unknown|Unknown|||CANCELLED|||||\n"
    );
    const std::string text = swf_of(log);
    for (const char* secret : {"ann", "bob", "a|b", "gpu", "somewhere", "17957"}) {
        CAPTURE(secret);
        CHECK(text.find(secret) == std::string::npos);
    }
    CHECK(text.find("; MaxProcs: 8\n") != std::string::npos);
}

TEST_CASE("preceding jobs keep their jobs in an anonymous log") {
    Log log = log_of(
        "; MaxProcs: 8\n"
        "7 0 0 5 1 -1 -1 1 9 -1 1 3 -1 -1 1 -1 -1 -1\n"
        "9 1 0 5 1 -1 -1 1 9 -1 1 3 -1 -1 1 -1 7 3\n"
        "9 2 0 5 1 -1 -1 1 9 -1 1 3 -1 -1 1 -1 9 3\n"
    );
    make_anonymous(log);
    CHECK(log.preceding_job[0] == -1);
    CHECK(log.preceding_job[1] == 1);
    CHECK(log.preceding_job[2] == -1);  // 9 is the number of two
}

}  // namespace schedfarm::models::trace::tests
