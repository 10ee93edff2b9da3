// The summary of a log, by hand; its text; written logs.
#include "models/trace/summary/summary.hpp"

#include <cmath>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "models/trace/reading/reader.hpp"
#include "models/trace/summary/summary_text.hpp"
#include "models/trace/writing/swf_writer.hpp"

#include "tests/models/trace/plain_reader.hpp"
#include "tests/support/dice.hpp"

namespace schedfarm::models::trace {

namespace {

/// Second 0 is Sunday, 2001-09-09, 03:46:40 local time. Fields: number submit wait run allocated
/// cpu memory requested request memory status user …
const std::string example =
    "; Computer: A machine\n"
    "; UnixStartTime: 1000000000\n"
    "; TimeZone: 7200\n"
    "; MaxProcs: 10\n"
    "1    0 0   5  1 -1 -1  1  10 -1 1 3 -1 -1 -1 -1 -1 -1\n"    // 03:46 Sunday
    "2  100 0  60  4 -1 -1  4  30 -1 1 3 -1 -1 -1 -1 -1 -1\n"    // 03:48 Sunday
    "3  100 0  -1  4 -1 -1  4  30 -1 5 7 -1 -1 -1 -1 -1 -1\n"    // did not run
    "4  800 0 700 -1 -1 -1  3  -1 -1 0 4 -1 -1 -1 -1 -1 -1\n"    // 04:00 Sunday
    "5 72800 0  20  6 -1 -1  6  40 -1 1 5 -1 -1 -1 -1 -1 -1\n";  // 00:00 Monday

std::size_t columns(const std::string& line) {
    std::size_t count = 0;
    for (const char c : line) {
        count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1U : 0U;
    }
    return count;
}

void check_width(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(columns(line) <= 80);
    }
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("quantiles are the values of the smallest sufficient rank") {
    // Of 4 values: 5 % and 25 % need rank 1, 50 % rank 2, 75 % rank 3, 95 % rank 4.
    const Distribution four = distribution_of({9, 2, 4, 5});
    CHECK(four.quantiles == std::array<double, 7>{2, 2, 2, 4, 5, 9, 9});
    CHECK(four.mean == 5);
    CHECK(four.jobs == 4);
    CHECK(distribution_of({3}).quantiles == std::array<double, 7>{3, 3, 3, 3, 3, 3, 3});
    CHECK(distribution_of({}).jobs == 0);
}

TEST_CASE("a summary of five jobs by hand") {
    const LogSummary summary =
        summarise(read_log_text(example, "e.swf", {.checksum = Checksum::sha256}));
    CHECK(summary.sha256 == engine::sha256_hex(example));
    CHECK(summary.jobs == 5);
    CHECK(summary.ran == 4);
    // Job 3 did not run; job 4 requested no time.
    CHECK(summary.selected == 3);
    CHECK(summary.dropped[static_cast<std::size_t>(Dropped::no_requested_time)] == 1);
    CHECK(summary.dropped[static_cast<std::size_t>(Dropped::no_run_time)] == 1);
    CHECK(summary.users == 3);
    CHECK(summary.first_submit == 0);
    CHECK(summary.last_submit == 72800);
    // 1 · 5 + 4 · 60 + 3 · 700 + 6 · 20
    CHECK(summary.area == 2465);
    CHECK(summary.offered_load == 2465 / 728000.0);
    CHECK(summary.processors.mean == 3.5);
    CHECK(summary.run_time.quantiles == std::array<double, 7>{5, 5, 5, 20, 60, 700, 700});
    CHECK(summary.requested_time.jobs == 3);
    CHECK(summary.accuracy.quantiles[6] == 2);
    CHECK(summary.accuracy.quantiles[0] == 0.5);
    // 100, 700, 72000
    CHECK(summary.interarrival_time.quantiles[3] == 700);
    CHECK(summary.serial_fraction == 0.25);
    CHECK(summary.power_of_two_fraction == 0.25);
    // 1 | 2 | 3–4 | 5–8
    REQUIRE(summary.by_size.size() == 4);
    CHECK(summary.by_size[0].jobs == 1);
    CHECK(summary.by_size[1].jobs == 0);
    CHECK(summary.by_size[2].jobs == 2);
    CHECK(summary.by_size[2].area == 2340);
    CHECK(summary.by_size[3].high == 9);
    REQUIRE(summary.by_run_time.size() == 8);
    CHECK(summary.by_run_time[0].jobs == 1);
    CHECK(summary.by_run_time[1].jobs == 1);
    CHECK(summary.by_run_time[2].jobs == 1);  // 60 s lie in 1 min to 10 min
    CHECK(summary.by_run_time[3].area == 2100);
    CHECK(summary.by_hour[3] == 2);
    CHECK(summary.by_hour[4] == 1);
    CHECK(summary.by_hour[0] == 1);
    CHECK(summary.by_weekday == std::array<std::uint64_t, 7>{1, 0, 0, 0, 0, 0, 3});
}

TEST_CASE("a log that has more processors in use than its machine has says how long and from where"
) {
    // Of 10 processors: 6 on [0, 100); 5 more on [40, 60), beyond for 20 s; 10 on [100, 110) from
    // the instant of a finish on; 3 on [105, 108), beyond for 3 s; a job without wait; one that
    // did not run.
    const std::string crowded =
        "; MaxProcs: 10\n"
        "1   0  0 100  6 -1 -1  6 100 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "7  30 10  20  5 -1 -1  5  30 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "8  50 50  10 10 -1 -1 10  10 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "9  50 55   3  3 -1 -1  3  10 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "10 50 -1  90  9 -1 -1  9  10 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "11 50  0   0  9 -1 -1  9  10 -1 1 3 -1 -1 -1 -1 -1 -1\n";
    const LogSummary summary = summarise(read_log_text(crowded, "c.swf"));
    REQUIRE(summary.logged_use);
    CHECK(summary.logged_use->most_processors == 13);
    CHECK(summary.logged_use->beyond_machine_s == 23);
    CHECK(summary.logged_use->first_job_beyond == 7);
    const std::string text = summary_text(summary);
    check_width(text);
    CHECK(contains(text, "in use          at most 13 processors at once, more than the machine"));

    const LogSummary usual = summarise(read_log_text(example, "e.swf"));
    REQUIRE(usual.logged_use);
    CHECK(usual.logged_use->most_processors == 6);  // none overlap
    CHECK(usual.logged_use->beyond_machine_s == 0);
    CHECK(usual.logged_use->first_job_beyond == -1);
    CHECK(contains(summary_text(usual), "processors at once\n"));
    const std::string without_waits = "1 0 -1 5 1 -1 -1 1 10 -1 1 3 -1 -1 -1 -1 -1 -1\n";
    CHECK_FALSE(summarise(read_log_text(without_waits, "w.swf")).logged_use);
}

TEST_CASE("the text of a summary says what the data say in 80 columns") {
    const std::string text =
        summary_text(summarise(read_log_text(example, "e.swf", {.checksum = Checksum::sha256})));
    check_width(text);
    CHECK(contains(text, "log             e.swf\n"));
    CHECK(contains(text, "computer        A machine\n"));
    CHECK(contains(text, "0.843 days, 2001-09-09 03:46:40 to 2001-09-10 00:00:00 (UTC+2 h)\n"));
    CHECK(contains(text, "5; 4 ran; 3 kept by the default selection, without 1 (no run"));
    CHECK(contains(text, "load            0.3 % of the machine"));
    CHECK(contains(
        text, "run time (s)           5       5       5      20      60     700     700     196\n"
    ));
    CHECK(contains(text, "3 - 4                      2    50.0 %    94.9 %  ####"));
    CHECK(contains(text, "Sunday                     3  ####"));
    CHECK(contains(text, "          6          1 ran longer than requested\n"));
}

TEST_CASE("a blank stands between any two numbers of a summary however large they are") {
    schedfarm::tests::Dice dice(3);
    const auto number = [&dice] {  // of any magnitude that is read
        return fmt::format("{:.6g}", std::pow(10.0, dice.below(2000) / 100.0 - 5) * 0.99);
    };
    for (int log = 0; log < 200; ++log) {
        std::string text = "; MaxProcs: 8\n";
        for (int job = 1; job <= 4; ++job) {
            text += fmt::format(
                "{} {} 0 {} {} -1 -1 1 {} -1 1 1 1 1 1 1 -1 -1\n",
                job,
                number(),
                number(),
                1 + dice.below(2147483647),
                number()
            );
        }
        LogSummary summary = summarise(read_log_text(text, "a.swf"));
        for (Oddity& oddity : summary.oddities) {
            oddity.first_line = 1 + dice.below(99999999);
            oddity.count = 1 + dice.below(99999999);
        }
        const std::string told = summary_text(summary);
        CAPTURE(told);
        check_width(told);
        for (const auto& [label, words] : std::vector<std::pair<std::string, std::size_t>>{
                 {"processors  ", 8},
                 {"run time (s)", 8},
                 {"requested (s)", 8},
                 {"run / requested", 8},
                 {"between submits", 8}}) {
            const std::size_t place = told.find(label, told.find("jobs that ran"));
            const std::string line = told.substr(place + label.size(), 90);
            std::istringstream in(line.substr(0, line.find('\n')));
            CHECK(
                std::vector<std::string>{std::istream_iterator<std::string>(in), {}}.size() == words
            );
        }
        const std::regex line_and_count("^ {0,10}[0-9,]{1,10} {1,10}([0-9,]{1,10}|-) +[^ ]");
        std::istringstream lines(told.substr(told.find("first line")));
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);) {
            CAPTURE(line);
            CHECK(
                (std::regex_search(line, line_and_count) || line.starts_with(std::string(23, ' '))
                 || line.find(" - ") != std::string::npos)
            );
        }
    }
}

TEST_CASE("summaries of empty and extreme and undated logs stay within 80 columns") {
    const std::string empty = summary_text(summarise(read_log_text("", "empty.swf")));
    check_width(empty);
    CHECK(contains(
        empty, "load            unknown (the log does not say the machine's size). Write -p N"
    ));
    CHECK(contains(empty, "the log has no dates"));
    const std::string extreme = summary_text(summarise(read_log_text(
        "; UnixStartTime: 99999999999\n; Computer: " + std::string(300, 'x') + "\xff\n"
            + "-7 1 999999999999999 0.0000001 2147483647 -9 1 1 1e15 1 9 1 1 1 1 1 1 1.5\n"
              "-7 0 999999999999999 1e15 2147483647 -9 1 1 0.001 1 3 2.5 1.0 1 1 1 1 1.5\n"
              "; x\n1 999999999999999 -1 123456.789 1 -9 1 1 12345.678 1 9 1 1 1 1 1 1 1.5\n"
              "1 999999999999998 -1 0 0 -9 1 0 -1 1 9 1 1 1 1 1 1 1.5\n"
              "1 -1 -1 -1 0 -9 1 0 -1 1 9 1 1 1 1 1 1 1.5\n",
        std::string(200, '/') + "a b"
    )));
    check_width(extreme);
}

TEST_CASE("one partition of all jobs is named where the log has its name") {
    const std::string row = "1 0 5 5 1 -1 -1 1 9 -1 1 3 -1 -1 1 2 -1 -1\n";
    const auto groups_of = [](const Log& log) {
        std::string names;
        for (const WaitGroup& group : summarise(log).waits) {
            names += group.kind + ": " + group.name + "\n";
        }
        return names;
    };
    Log log = read_log_text(row, "one.swf");
    CHECK_FALSE(contains(groups_of(log), "partition"));
    log.names[Field::partition] = {"short", "batch"};
    CHECK(contains(groups_of(log), "all: all jobs\npartition: partition batch\nsize: "));
    log = read_log_text("1 0 5 5 1 -1 -1 1 9 -1 1 3 -1 -1 1 -1 -1 -1\n", "one.swf");
    log.names[Field::partition] = {"short", "batch"};
    CHECK_FALSE(contains(groups_of(log), "partition"));
}

TEST_CASE("a written log reads as the same log") {
    const std::string text =
        "; Version: 2.2\n;\n; Note: two words\n;  and a remark\n; MaxProcs: 8\n"
        "1 0.1 -1 0.30000000000000004 4 142.5 12345678901 4 1e15 5 1 2 3 4 5 6 7 8.25\n"
        "3 123456789.125 5 0 2147483647 -1 -1 -1 -2 -1 -1 -1 -2147483647 -1 -1 -1 -1 -1\n"
        "2 7 5 0 2 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1\n";
    const Log log = read_log_text(text, "a.swf");
    std::ostringstream out;
    write_log(out, log);
    const Log again = read_log_text(out.str(), "a.swf");
    CHECK(tests::difference(again, tests::plain_log(text)) == "");
    REQUIRE(again.header.lines.size() == log.header.lines.size());
    for (std::size_t i = 0; i < log.header.lines.size(); ++i) {
        CHECK(again.header.lines[i].key == log.header.lines[i].key);
        CHECK(again.header.lines[i].value == log.header.lines[i].value);
    }
    CHECK(
        out.str().find("\n2 7 5 0 2 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1\n") != std::string::npos
    );
}

TEST_CASE("selected jobs become a log from which the same jobs are selected") {
    const Log log = read_log_text(example, "e.swf");
    const Filling filling{.missing_request = RequestRule::run_time};
    const JobList jobs = select(log, {}, filling).jobs;
    std::ostringstream out;
    write_log(out, log_of(jobs, log));
    const Log own = read_log_text(out.str(), "own.swf");
    const JobList again = select(own).jobs;
    CHECK(again.submit == jobs.submit);
    CHECK(again.run == jobs.run);
    CHECK(again.request == jobs.request);
    CHECK(again.processors == jobs.processors);
    CHECK(again.user.values() == jobs.user.values());
    CHECK(again.row == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(own.status[2] == 0);
    CHECK(own.header.processors() == 10U);
}

TEST_CASE("a written log says in its header and fields what holds of the jobs that are left") {
    const Log log = read_log_text(
        "; Max Jobs: 28490\n; MaxRecords: 5\n; StartTime: then\n; EndTime: Fri Aug 29\n; MaxProcs: "
        "8\n"
        "4  0 5 50 4 12 70 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n"
        "6 10 5 90 4 80 71 4 60 -1 1 3 -1 -1 -1 -1 4 10\n"
        "7 20 5 -1 4 13 72 4 60 -1 1 3 -1 -1 -1 -1 6 20\n"
        "8 30 5 40 4 14 73 4 60 -1 1 3 -1 -1 -1 -1 6 30\n"
        "9 40 5 40 4 15 74 4 60 -1 1 3 -1 -1 -1 -1 7 40\n",
        "a.swf"
    );
    JobList jobs = select(log).jobs;
    const Log own = log_of(jobs, log);
    CHECK(own.header.number("MaxJobs") == 4);
    CHECK(own.header.number("MaxRecords") == 4);
    CHECK(own.header.number("MaxProcs") == 8);
    CHECK(own.header.find("StartTime") == "then");
    CHECK(!own.header.find("EndTime"));
    CHECK(own.header.find("Note") == "jobs selected and renumbered by schedfarm");
    const auto are = [](const auto& column, const std::vector<double>& values) {
        const auto held = column.values();
        return std::vector<double>(held.begin(), held.end()) == values;
    };
    CHECK(are(own.cpu_time, {12, -1, 14, 15}));  // job 6 was cut at 60 s
    CHECK(are(own.used_memory, {70, 71, 73, 74}));
    CHECK(are(own.preceding_job, {-1, 1, 2, -1}));  // job 7 is not there
    CHECK(are(own.think_time, {-1, 10, 30, -1}));
    jobs.submit[1] += 1;
    CHECK(are(log_of(jobs, log).think_time, {-1, -1, -1, -1}));
    CHECK(are(log_of(jobs, log).preceding_job, {-1, 1, 2, -1}));
    std::swap(jobs.row[0], jobs.row[1]);  // the first job comes behind the one that follows it
    CHECK(are(log_of(jobs, log).preceding_job, {-1, -1, 1, -1}));
    std::swap(jobs.row[0], jobs.row[1]);
    jobs.row[2] = 1;  // drawn twice
    CHECK(are(log_of(jobs, log).preceding_job, {-1, -1, -1, -1}));
}

}  // namespace schedfarm::models::trace
