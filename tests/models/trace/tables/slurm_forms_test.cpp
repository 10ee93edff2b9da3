// Tables of Slurm with what they hold beside usual rows: sentinels of its database, texts with what
// parts columns, several clusters, numbers of SWF in the place of states, and jobs in JSON. Every
// number of a case is another one.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

namespace {

std::uint64_t count(const Log& log, OddityKind kind) {
    for (const Oddity& oddity : log.oddities) {
        if (oddity.kind == kind) {
            return oddity.count;
        }
    }
    return 0;
}

std::string first(const Log& log, OddityKind kind) {
    for (const Oddity& oddity : log.oddities) {
        if (oddity.kind == kind) {
            return oddity.first;
        }
    }
    return "none";
}

Log read(const std::string& text, const Reading& reading = {}) {
    return read_log_text(text, "a.txt", reading);
}

std::string error_of(const std::string& text, const Reading& reading = {}) {
    try {
        read(text, reading);
        return "";
    } catch (const LogError& error) {
        return error.what();
    }
}

const Reading database{
    .columns = column_map(
        "id=id_job; submit=time_submit; eligible=time_eligible; start=time_start; end=time_end; "
        "limit=timelimit [min]; nodes=nodes_alloc; requested_processors=cpus_req; "
        "processors=tres_alloc [1]; gpus=tres_alloc [1002]; memory=mem_req [MB]; state=state"
    )};
const std::string database_header =
    "id_job,time_submit,time_eligible,time_start,time_end,timelimit,nodes_alloc,cpus_req,"
    "tres_alloc,mem_req,state\n";
const std::string usual_row =
    "1,1700000003,1700000005,1700000012,1700000041,7,2,9,\"1=10,1002=3\",4000,3\n";

const std::string sacct_header =
    "JobIDRaw|JobID|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|"
    "Reason|NodeList|Constraints|DBIndex\n";

std::string sacct_row(int number, const std::string& texts, const std::string& limit = "13") {
    return fmt::format(
        "{0}|{0}|ann|p|{1}|{2}|{3}|29|{4}|COMPLETED|7|{5}|{6}\n",
        number,
        1'700'000'000 + 100 * number,
        1'700'000'011 + 100 * number,
        1'700'000'040 + 100 * number,
        limit,
        texts,
        1000 + number
    );
}

}  // namespace

TEST_CASE("what says nothing in Slurm's database makes no time, limit, count or memory") {
    for (const std::string never : {"0", "-1", "4294967294", "4294967295"}) {
        CAPTURE(never);
        const Log log = read(
            database_header + usual_row
                + fmt::format("2,1700000103,{0},{0},1700000141,5,0,11,,4294967294,4\n", never)
                + fmt::format("3,1700000203,1700000207,1700000211,{0},5,1,11,\"1=12\",0,1\n", never)
                + fmt::format("4,{0},1700000307,1700000311,1700000317,5,1,6,,2,3\n", never),
            database
        );
        REQUIRE(log.jobs() == 4);
        CHECK(log.eligible_time[1] == -1);
        CHECK(log.run_time[1] == -1);
        CHECK(log.wait_time[1] == -1);
        CHECK(log.allocated_nodes[1] == 0);
        CHECK(log.requested_memory[1] == -1);
        CHECK(log.run_time[2] == -1);
        CHECK(log.wait_time[2] == 8);
        CHECK(log.submit_time[3] == 304);  // when it was eligible
        CHECK(log.run_time[3] == 6);
        CHECK(log.requested_memory[3] == 2.0 * 1024 / 6);
        CHECK(count(log, OddityKind::never_started) == 1);
        CHECK(count(log, OddityKind::never_eligible) == 1);
        CHECK(count(log, OddityKind::still_running) == 1);
        CHECK(count(log, OddityKind::started_before_submit) == 0);
    }
    const Log counts = read(
        database_header + usual_row
            + "2,1700000103,1700000104,1700000106,1700000141,4294967294,4294967295,4294967294,"
              "\"1=18446744073709551614,1002=4294967295\",18446744073709551615,3\n"
              "3,1700000203,1700000204,1700000206,1700000241,4294967295,3,2.5,\"1=12.25\","
              "9223372036854775831,1027\n",
        database
    );
    REQUIRE(counts.jobs() == 3);
    CHECK(counts.requested_time[1] == limit_of_partition);
    CHECK(counts.requested_time[2] == 31536000);
    CHECK(counts.allocated_nodes[1] == -1);
    CHECK(counts.requested_processors[1] == -1);
    CHECK(counts.allocated_processors[1] == -1);
    CHECK(counts.gpus[1] == -1);
    CHECK(counts.requested_memory[1] == -1);
    CHECK(counts.requested_processors[2] == 3);
    CHECK(counts.allocated_processors[2] == 13);
    CHECK(counts.requested_memory[2] == 23 * 1024);
    CHECK(counts.state[2] == static_cast<int>(JobState::requeued));
    CHECK(count(counts, OddityKind::without_limit) == 1);
    CHECK(count(counts, OddityKind::partition_limit) == 1);
    CHECK(count(counts, OddityKind::fraction_of_count) == 1);
}

TEST_CASE("a table in which times are seconds of the log keeps its 0") {
    const Log log = read(
        "id,submit,wait,run,n\n1,0,0,5,2\n2,3,0,7,4\n",
        {.columns = column_map("id=id; submit=submit; wait=wait; run=run; processors=n")}
    );
    CHECK(log.submit_time[0] == 0);
    CHECK(log.wait_time[0] == 0);
    CHECK(log.start(1) == 3);
}

TEST_CASE("jobs without a limit or without end have those of their partition where it is known") {
    const Log log = read(
        sacct_header + sacct_row(1, "r|n1|c", "UNLIMITED")
        + sacct_row(2, "r|n1|c", "Partition_Limit") + sacct_row(3, "r|n1|c", "")
        + sacct_row(4, "r|n1|c")
    );
    const auto requests = [&log](const Filling& filling) {
        return select(log, {}, filling).jobs.request;
    };
    CHECK(requests({}) == std::vector<double>{31536000, 780});
    Filling filling;
    filling.limits = {{"p", {.usual_s = 300, .most_s = 4000}}, {"", {.usual_s = 17, .most_s = 19}}};
    CHECK(requests(filling) == std::vector<double>{4000, 4000, 300, 780});
    filling.limits.erase("p");  // of others; a job's own run at least
    CHECK(requests(filling) == std::vector<double>{29, 29, 29, 780});
}

TEST_CASE("texts hold bars and ends of lines and lose no job") {
    for (const std::string texts :
         {"r|n[1-3]|a|b&[c|d]",
          "bad|disk|n[1-3]|c",
          "r\nr|n[1-3]|c",
          "r|n[1-3]|c\n\nd|e",
          "r\"|n[1-3]|c|"}) {
        CAPTURE(texts);
        const Log log = read(
            sacct_header + sacct_row(1, "r|n1|c") + sacct_row(2, texts) + sacct_row(3, "r|n2|c")
        );
        REQUIRE(log.jobs() == 3);
        CHECK(log.run_time[1] == 29);
        CHECK(log.submit_time[2] == 200);
        CHECK(log.allocated_processors[1] == 7);
        CHECK(count(log, OddityKind::separator_in_text) == 1);
        CHECK(count(log, OddityKind::torn_row) == 0);
    }
    // Which of two names holds the bar other rows may tell; else neither is known.
    const std::string row = sacct_row(2, "r|n1|c");
    const auto with = [&](const std::string& names) {
        std::string changed = row;
        return changed.replace(changed.find("|ann|p|"), 7, names);
    };
    const Log told = read(sacct_header + sacct_row(1, "r|n1|c") + with("|ann|p|q|"));
    REQUIRE(told.jobs() == 2);
    CHECK(told.name_of(Field::user, told.user[1]) == "ann");
    CHECK(told.name_of(Field::partition, told.partition[1]) == "p|q");
    const Log open = read(sacct_header + sacct_row(1, "r|n1|c") + with("|bob|x|y|"));
    REQUIRE(open.jobs() == 2);
    CHECK(open.user[1] == -1);
    CHECK(open.partition[1] == -1);
    CHECK(open.run_time[1] == 29);
    // Two torn rows are not put together.
    const std::string cut = row.substr(0, 40) + "\n";
    const Log torn =
        read(sacct_header + cut + sacct_row(3, "r|n1|c") + cut + cut + sacct_row(4, "r|n1|c"));
    CHECK(torn.jobs() == 2);
    CHECK(count(torn, OddityKind::torn_row) == 3);
}

TEST_CASE("command lines are told from the texts before them, and go on in lines below") {
    const std::string header = "JobIDRaw|Submit|ElapsedRaw|AllocCPUS|Constraints|SubmitLine\n";
    const Log log = read(
        header + "5_1|1700000001|3|2|a|b|sbatch -C a|b --array=0-9%4 x |\nsed '|' |\n\ntail\n"
                 "6|1700000007|11|2||srun y\n"
    );
    REQUIRE(log.jobs() == 2);
    CHECK(log.run_time[1] == 11);
    CHECK(count(log, OddityKind::torn_row) == 0);
    CHECK(count(log, OddityKind::unreadable_row) == 0);
}

TEST_CASE("a quotation mark too many in CSV loses its own row alone") {
    const Log log = read(
        database_header + usual_row + "2,1700000103,\"1700000104,1700000106,1700000141,5,1,2,,1,3\n"
            + "3,1700000203,1700000204,1700000206,1700000241,5,1,2,,1,3\n"
              "4,1700000303,1700000304,1700000306,1700000341,5,1,2,,1,3\n",
        database
    );
    CHECK(log.jobs() == 3);
    CHECK(count(log, OddityKind::torn_row) + count(log, OddityKind::unreadable_row) == 1);
}

TEST_CASE("states are told from statuses of SWF by jobs that have ended") {
    const std::string header = "id,submit,start,end,n,status\n";
    const Reading reading{
        .columns =
            column_map("id=id; submit=submit; start=start; end=end; processors=n; state=status")};
    const Log swf =
        read(header + "1,0,5,9,2,1\n2,1,5,11,3,5\n3,2,5,13,4,0\n4,3,5,17,5,-1\n", reading);
    REQUIRE(swf.jobs() == 4);
    CHECK(swf.status[0] == 1);
    CHECK(swf.status[1] == 5);
    CHECK(swf.status[2] == 0);
    CHECK(swf.status[3] == -1);
    CHECK(swf.state[0] == -1);
    CHECK(count(swf, OddityKind::still_running) == 0);
    const Log slurm =
        read(header + "1,0,5,-1,2,1\n2,1,5,11,3,5\n3,2,5,13,4,3\n4,3,-1,-1,5,0\n", reading);
    CHECK(slurm.state[0] == static_cast<int>(JobState::running));
    CHECK(slurm.state[1] == static_cast<int>(JobState::failed));
    CHECK(slurm.state[2] == static_cast<int>(JobState::completed));
    CHECK(count(slurm, OddityKind::still_waiting) == 1);
    CHECK(count(slurm, OddityKind::partial_execution) == 0);
}

TEST_CASE("jobs of several clusters are no log until one is chosen") {
    const std::string header =
        "Cluster|JobIDRaw|Partition|Account|Submit|Start|End|ElapsedRaw|AllocCPUS\n";
    const std::string text = header + "east|7|p|a|1700000001|1700000002|1700000005|3|2\n"
                                      "west|7|q|b|1700000001|1700000002|1700000005|3|4\n"
                                      "west|8|p,q|c|1700000003|1700000009|1700000020|11|6\n";
    CHECK(error_of(text).find("its jobs are of 2 clusters, east, west") != std::string::npos);
    const Log west = read(text, {.choice = {.cluster = "west", .partitions = {}, .accounts = {}}});
    REQUIRE(west.jobs() == 2);
    CHECK(west.allocated_processors[0] == 4);
    CHECK(count(west, OddityKind::not_chosen) == 1);
    CHECK(count(west, OddityKind::run_again) == 0);
    CHECK(first(west, OddityKind::several_partitions) == "8");
    const Log part =
        read(text, {.choice = {.cluster = "west", .partitions = {"p"}, .accounts = {"c"}}});
    REQUIRE(part.jobs() == 1);
    CHECK(part.job_number[0] == 8);
    CHECK(
        error_of(
            text, {.choice = {.cluster = "north", .partitions = {}, .accounts = {}}}
        ).find("its clusters are east, west")
        != std::string::npos
    );
}

TEST_CASE("runs again are of one year, and a job that ends early has changed no clock") {
    const std::string header = "JobIDRaw|JobID|Submit|Start|End|ElapsedRaw|AllocCPUS\n";
    const auto row = [](const std::string& job, long submit, long run, long end) {
        return fmt::format(
            "{}|{}|{}|{}|{}|{}|2\n", job, job, submit, submit + 3, submit + 3 + end, run
        );
    };
    const long day = 86400;
    const Log log = read(
        header + row("5", 1'500'000'000, 7, 7) + row("5", 1'500'000'000 + 360 * day, 9, 9)
        + row("5", 1'500'000'000 + 800 * day, 11, 11) + row("6", 1'500'000'100, 1800, -1800)
    );
    CHECK(count(log, OddityKind::run_again) == 1);
    CHECK(first(log, OddityKind::run_again) == "5");
    CHECK(count(log, OddityKind::ended_before_start) == 1);
    CHECK(count(log, OddityKind::unsaid_summer_time) == 0);
    CHECK(log.run_time[3] == 1800);
    const Log hour = read(header + row("6", 1'500'000'100, 1800, 5400));  // of the Unix clock
    CHECK(count(hour, OddityKind::unsaid_summer_time) == 0);
    CHECK(count(hour, OddityKind::elapsed_differs) == 1);
}

TEST_CASE("generic resources of dumps before 21.08 are GPUs") {
    const auto gpus = [](const std::string& cell) {
        return read(
                   "JobIDRaw|Submit|ElapsedRaw|AllocCPUS|AllocGRES\n1|1700000001|3|2|" + cell + "\n"
        )
            .gpus[0];
    };
    CHECK(gpus("gpu:2") == 2);
    CHECK(gpus("gpu:a100:3(S:0-1),mps:100,gpu:v100:4") == 7);
    CHECK(gpus("gpu") == 1);
    CHECK(gpus("mps:100") == -1);
    CHECK(gpus("") == -1);
}

TEST_CASE("a table without a header has the names or the places that are given") {
    const std::string text = sacct_row(1, "r|n1|c") + sacct_row(2, "r|n1|c");
    std::string names = sacct_header.substr(0, sacct_header.size() - 1);
    std::replace(names.begin(), names.end(), '|', ',');
    for (const std::string& columns :
         {"header=" + names, std::string("id=1; submit=5; start=6; run=8; processors=11")}) {
        const Log log = read(text, {.columns = column_map(columns)});
        REQUIRE(log.jobs() == 2);
        CHECK(log.submit_time[1] == 100);
        CHECK(log.wait_time[0] == 11);
        CHECK(log.allocated_processors[1] == 7);
    }
}

TEST_CASE("jobs in JSON are those of sacct's columns, and what is hostile is refused") {
    const std::string job =
        R"({"job_id": 21, "user": "ann", "account": "a", "partition": "p", "nodes": "n[1-2]",)"
        R"( "allocation_nodes": 2, "required": {"CPUs": 6}, "flags": ["STARTED_ON_SUBMIT"],)"
        R"( "array": {"job_id": 20, "task_id": {"set": true, "infinite": false, "number": 3}},)"
        R"( "state": {"current": ["FAILED", "REQUEUED"]}, "tres": {"requested": [], "allocated":)"
        R"( [{"type": "cpu", "name": "", "count": 8}, {"type": "gres", "name": "gpu:a", "count": 5}]},)"
        R"( "time": {"submission": 1700000001, "eligible": 1700000002, "start": 1700000011,)"
        R"( "end": 1700000040, "elapsed": 29, "limit": {"set": true, "infinite": false, "number": 13}}})";
    const Log log = read(R"({"meta": {}, "jobs": [)" + job + "]}");
    REQUIRE(log.jobs() == 1);
    CHECK(log.job_number[0] == 21);
    CHECK(log.wait_time[0] == 10);
    CHECK(log.run_time[0] == 29);
    CHECK(log.requested_time[0] == 780);
    CHECK(log.allocated_processors[0] == 8);
    CHECK(log.requested_processors[0] == 6);
    CHECK(log.gpus[0] == 5);
    CHECK(log.array[0] == 20);
    CHECK(log.state[0] == static_cast<int>(JobState::failed));
    CHECK(log.started_by[0] == static_cast<int>(StartedBy::submit));
    const std::string batsim = R"({"jobs": [{"id": 1, "subtime": 2, "res": 3, "profile": "d")";
    CHECK(error_of(batsim + R"(, "res": 4}], "profiles": {}})").find("'res' comes twice") < 60);
    CHECK(error_of(batsim + R"(}], "profiles": {"d": {}, "d": {}}})").find("'d' comes twice") < 60);
    CHECK(error_of(std::string(100'000, '[')).find("more than 64 brackets") < 60);
    CHECK(error_of(batsim + "}").find("JSON other than Batsim's") < 60);
    CHECK(error_of(R"({"jobs": [7], "profiles": {}})").find("something else than an object") < 60);
}

}  // namespace schedfarm::models::trace
