// Accounting records of other batch systems. The files in data/ are invented, in the form of the
// vendors' manuals, twenty jobs each with every odd kind; plain_records.py reads them
// independently.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

namespace schedfarm::models::trace {

namespace {

std::string data(const std::string& name) {
    std::ifstream in(std::string(SCHEDFARM_TRACE_DATA) + "/" + name, std::ios::binary);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t count_of_kind(const Log& log, OddityKind kind) {
    for (const Oddity& oddity : log.oddities) {
        if (oddity.kind == kind) {
            return oddity.count;
        }
    }
    return 0;
}

std::string message_of(const std::string& text, const Reading& reading = {}) {
    try {
        read_log_text(text, "a.log", reading);
    } catch (const LogError& error) {
        return error.what();
    }
    return "";
}

bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("records of every batch system are told by their content and counted") {
    struct Expected {
        const char* file;
        std::size_t jobs;
        std::uint64_t other;
        std::uint64_t continued;
        std::uint64_t torn;
        std::uint64_t array_tasks;
        std::uint64_t run_again;
        std::uint64_t never_started;
    };
    const std::vector<Expected> files{
        {"pbs_pro.acct", 20, 5, 2, 0, 3, 1, 2},
        {"torque.acct", 20, 2, 2, 1, 3, 0, 2},
        {"sge.accounting", 20, 0, 1, 1, 3, 2, 1},
        {"uge.accounting", 20, 0, 1, 1, 3, 2, 1},
        {"lsb.acct", 20, 2, 3, 0, 3, 1, 1},
        {"jobcomp.txt", 20, 0, 1, 1, 3, 1, 2}};
    for (const Expected& expected : files) {
        CAPTURE(expected.file);
        const Log log = read_log_text(data(expected.file), expected.file);
        CHECK(log.jobs() == expected.jobs);
        CHECK(count_of_kind(log, OddityKind::other_record) == expected.other);
        CHECK(count_of_kind(log, OddityKind::continued_record) == expected.continued);
        CHECK(count_of_kind(log, OddityKind::torn_row) == expected.torn);
        CHECK(count_of_kind(log, OddityKind::unreadable_row) == 0);
        CHECK(count_of_kind(log, OddityKind::array_task) == expected.array_tasks);
        CHECK(count_of_kind(log, OddityKind::run_again) == expected.run_again);
        CHECK(count_of_kind(log, OddityKind::never_started) == expected.never_started);
    }
}

TEST_CASE("the run after one that was put back is submitted when that one ended") {
    const Log log = read_log_text(data("sge.accounting"), "sge.accounting");
    std::vector<double> waits;
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        if (log.job_number[row] == 5005) {
            waits.push_back(log.wait_time[row]);
        }
    }
    CHECK(waits == std::vector<double>{99 - 70, 1500 - 1099});
}

TEST_CASE("a record with a number that is none or too large is left out and counted") {
    const std::string line =
        "01/05/2026 08:04:21;E;9.s;user=a queue=q ctime=10 etime=10 start=13 end=20 "
        "exec_host=n1/0*NUMBER Exit_status=0\n";
    const auto with = [&line](const std::string& number) {
        std::string text = line;
        return text.replace(text.find("NUMBER"), 6, number);
    };
    const std::string right = with("7");
    for (const char* number : {"2147483648", "4294967297", "1.5", "abc", "-2", "nan", "1e3"}) {
        CAPTURE(number);
        const Log log = read_log_text(right + with(number), "a.log");
        CHECK(log.jobs() == 1);
        CHECK(log.allocated_processors[0] == 7);
        CHECK(count_of_kind(log, OddityKind::unreadable_row) == 1);
    }
    const std::string message = message_of(with("abc"));
    CHECK(holds(message, "a.log:1: its exec_host is 'abc'"));
    CHECK(holds(message, "Give files of server_priv/accounting"));
    // Each of two is within its range, their sum is not.
    CHECK(holds(message_of(with("2147483647+n2/0*2147483647")), "processors"));
}

TEST_CASE("a job of thousands of hosts has a line longer than what is read at once") {
    const std::string head =
        "01/05/2026 08:04:21;E;9.s;user=a queue=q ctime=10 etime=10 start=13 end=20 exec_host=";
    const std::string other = "01/05/2026 08:04:22;E;8.s;ctime=11 start=12 end=19 exec_host=";
    std::string hosts;
    for (int host = 1; host <= 20'000; ++host) {
        hosts += "node" + std::to_string(host) + "/0*3+";
    }
    hosts.pop_back();
    const std::string small = "n1/0*7 Exit_status=0\n";
    const Log log =
        read_log_text(head + small + other + hosts + " Exit_status=0\n" + head + small, "a.log");
    REQUIRE(log.jobs() == 2);  // the third is the first again
    CHECK(log.allocated_processors[1] == 60'000);
    CHECK(log.allocated_nodes[1] == 20'000);
    CHECK(holds(
        message_of(head + std::string(20'000'000, 'x') + "\n"), "a line of more than 16777216"
    ));
}

TEST_CASE("records of systems that are not read are named with the export that helps") {
    CHECK(holds(
        message_of("*** Offset = 0 ClusterId = 7 ProcId = 0 Owner = \"u\"\n"), "condor_history"
    ));
    CHECK(holds(
        message_of("000 (007.000.000) 01/05 08:00:00 Job submitted from host: <10.0.0.1:9618>\n"),
        "condor_history"
    ));
    CHECK(holds(message_of("1767600000 job 17 JOBEND 3 16 ann users\n"), "Torque, PBS or Slurm"));
    CHECK(holds(message_of("=============== Job login1.17 ===============\n"), "llsummary"));
}

}  // namespace schedfarm::models::trace
