// Rows of tables worked out by hand, in which every number is another one: what a job asked for and
// had, what the parts of a resized one are together, and when it was submitted, ran and waited.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/trace/reading/reader.hpp"

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

/// `columns`: the header, whose names are those of the quantities.
Log read(const std::string& columns, const std::string& rows) {
    std::string map;
    for (std::size_t at = 0; at < columns.size();) {
        const std::size_t end = std::min(columns.find(',', at), columns.size());
        const std::string name = columns.substr(at, end - at);
        map += name + "=" + name + (name == "memory" ? " [MB]; " : "; ");
        at = end + 1;
    }
    return read_log_text(columns + "\n" + rows, "a.csv", {.columns = column_map(map)});
}

}  // namespace

TEST_CASE("memory is per node that a job had, or asked for, per processor or of the job") {
    const Log log = read(
        "id,submit,start,end,nodes,requested_nodes,processors,requested_processors,memory",
        "1,0,3,10,3,5,12,7,6000Mn\n"
        "2,1,4,12,,4,,11,2200Mn\n"
        "3,2,5,14,2,6,8,10,1500Mc\n"
        "4,3,6,16,2,7,9,13,3600\n"
    );
    REQUIRE(log.jobs() == 4);
    CHECK(log.requested_memory[0] == 6000.0 * 1024 * 3 / 12);
    CHECK(log.requested_memory[1] == 2200.0 * 1024 * 4 / 11);
    CHECK(log.requested_memory[2] == 1500.0 * 1024);
    CHECK(log.requested_memory[3] == 3600.0 * 1024 / 9);
    CHECK(log.allocated_nodes[0] == 3);
    CHECK(log.requested_nodes[0] == 5);
    CHECK(log.allocated_processors[0] == 12);
    CHECK(log.requested_processors[0] == 7);
}

TEST_CASE("a resized job came with its first part and had the most of each") {
    const Log log = read(
        "id,submit,eligible,start,end,nodes,requested_nodes,processors,requested_processors,gpus,"
        "state",
        "7,1,2,10,16,6,9,24,30,5,RESIZING\n"
        "7,16,17,10,31,2,4,8,11,3,COMPLETED\n"
        "8,3,4,40,46,1,2,5,6,2,RESIZING\n"
        "8,46,47,40,60,3,7,12,13,4,COMPLETED\n"
        "9,5,6,70,75,2,3,8,10,1,RESIZING\n"
        "9,80,82,90,99,4,5,16,17,7,COMPLETED\n"  // another run: it starts at another time
    );
    REQUIRE(log.jobs() == 4);
    CHECK(log.submit_time[0] == 1);
    CHECK(log.eligible_time[0] == 2);
    CHECK(log.wait_time[0] == 9);
    CHECK(log.run_time[0] == 21);
    CHECK(log.allocated_nodes[0] == 6);
    CHECK(log.requested_nodes[0] == 9);
    CHECK(log.allocated_processors[0] == 24);
    CHECK(log.requested_processors[0] == 30);
    CHECK(log.gpus[0] == 5);
    CHECK(log.run_time[1] == 20);
    CHECK(log.allocated_nodes[1] == 3);
    CHECK(log.requested_nodes[1] == 7);
    CHECK(log.allocated_processors[1] == 12);
    CHECK(log.requested_processors[1] == 13);
    CHECK(log.gpus[1] == 4);
    CHECK(log.submit_time[2] == 80);
    CHECK(log.run_time[2] == 9);
    CHECK(log.run_time[3] == 5);  // what is left of the run before
    CHECK(log.job_number[3] == 4);
    CHECK(count(log, OddityKind::resized) == 3);
    CHECK(count(log, OddityKind::run_again) == 1);
}

TEST_CASE(
    "a job was submitted when it was eligible, and started after its wait, if nothing else is "
    "said"
) {
    const Log log = read(
        "id,submit,eligible,start,wait,run,processors",
        "1,,5,,11,7,2\n"
        "2,20,21,,0,8,3\n"
        "3,30,32,37,99,9,4\n"
    );
    REQUIRE(log.jobs() == 3);
    CHECK(log.submit_time[0] == 5);
    CHECK(log.start(0) == 16);
    CHECK(log.start(1) == 20);
    CHECK(log.wait_time[1] == 0);
    CHECK(log.wait_time[2] == 7);
    CHECK(count(log, OddityKind::started_before_submit) == 0);
    const Log sooner = read(
        "id,submit,eligible,start,run,processors",
        "1,1700000100,1700000090,1700000117,7,2\n2,1700000130,1700000141,1700000152,9,3\n"
    );
    CHECK(sooner.eligible_time[0] == 0);  // the log begins with its first submission
    CHECK(sooner.eligible_time[1] == 41);
}

TEST_CASE("a job runs from start to end but for its suspensions, and on where no end is said") {
    const Log log = read(
        "id,submit,start,end,suspended,run,processors,state",
        "1,0,3,40,13,,2,COMPLETED\n"
        "2,1,4,17,0,11,3,COMPLETED\n"
        "3,2,5,19,6,7,4,COMPLETED\n"
        "4,3,8,,,,5,\n"
        "5,9,9,20,,11,6,COMPLETED\n"
    );
    REQUIRE(log.jobs() == 5);
    CHECK(log.run_time[0] == 24);
    CHECK(log.run_time[1] == 11);
    CHECK(log.state[3] == static_cast<int>(JobState::running));
    CHECK(count(log, OddityKind::elapsed_differs) == 1);  // by 2 s; of the third by 1
    CHECK(count(log, OddityKind::was_suspended) == 2);
    CHECK(count(log, OddityKind::still_running) == 1);
    CHECK(count(log, OddityKind::started_before_submit) == 0);
}

TEST_CASE("a quoted cell goes on over lines without quotation marks") {
    const Log log =
        read("id,user,submit,run,processors", "1,\"ann\nmary\nsue\",4,7,2\n2,bob,5,9,3\n");
    REQUIRE(log.jobs() == 2);
    CHECK(log.name_of(Field::user, log.user[0]) == "ann\nmary\nsue");
    CHECK(log.run_time[1] == 9);
    CHECK(count(log, OddityKind::torn_row) == 0);
}

TEST_CASE("limits without end, limits that are not set and memory in JSON") {
    const auto job = [](int number, const std::string& limit) {
        return R"({"job_id": )" + std::to_string(number)
               + R"(, "tres": {"allocated": [{"type": "cpu", "name": "", "count": 8}], "requested":)"
                 R"( [{"type": "mem", "name": "", "count": 5200}]}, "time": {"submission": 3, "start": 5,)"
                 R"( "end": 16, "elapsed": 11, "limit": )"
               + limit + "}}";
    };
    const Log log = read_log_text(
        R"({"jobs": [)" + job(1, R"({"set": true, "infinite": true, "number": 6})") + ","
            + job(2, R"({"set": false, "infinite": false, "number": 7})") + "," + job(3, "9")
            + "]}",
        "a.json"
    );
    REQUIRE(log.jobs() == 3);
    CHECK(log.requested_time[0] == 31536000);
    CHECK(log.requested_time[1] == -1);
    CHECK(log.requested_time[2] == 540);
    CHECK(log.requested_memory[2] == 5200.0 * 1024 / 8);
}

TEST_CASE("job numbers written in two ways are two jobs, and neighbours are not doubled") {
    std::string text = "JobID|Submit|Start|End|AllocCPUS\n";
    const std::string same = "|2026-01-05T08:00:00|2026-01-05T08:00:03|2026-01-05T08:01:04|5\n";
    for (int number = 6; number < 18; ++number) {
        text += std::to_string(number) + same;
    }
    text.append("07").append(same).append("16").append(same);
    const Log log = read_log_text(text, "a.sacct", {});
    CHECK(log.jobs() == 13);
    CHECK(count(log, OddityKind::doubled_row) == 1);
}

TEST_CASE("rows are told apart whether job numbers rise or not") {
    std::string text = "JobID|Submit|Start|End|AllocCPUS\n";
    const auto add = [&text](int number, int start) {
        text += fmt::format(
            "{0}|2026-01-05T08:00:00|2026-01-05T08:{1:02}:03|2026-01-05T08:{1:02}:44|5\n",
            number,
            start
        );
    };
    // Numbers above all before, between them and equal; then second runs, two of them twice.
    for (const int number : {5, 9, 7, 9, 7, 12, 5}) {
        add(number, 1);
    }
    for (const int number : {9, 7, 12, 7, 12}) {
        add(number, 2);
    }
    const Log log = read_log_text(text, "a.sacct", {});
    CHECK(log.jobs() == 7);
    CHECK(count(log, OddityKind::doubled_row) == 5);
    CHECK(count(log, OddityKind::run_again) == 3);
}

}  // namespace schedfarm::models::trace
