// Tables of sacct. The files in data/ are those of a real Slurm 22.05 in which every odd kind of
// job was made on purpose; sacct_epoch.txt holds its times in seconds of the Unix clock.
#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/row_columns.hpp"
#include "models/trace/selection.hpp"
#include "models/trace/summary/summary.hpp"
#include "models/trace/tables/table_reader.hpp"

#include "tests/models/trace/reading/zone_folder.hpp"

namespace schedfarm::models::trace {

using tests::zone_file;
using tests::ZoneFolder;

namespace {

std::string data(const std::string& name) {
    std::ifstream in(std::string(SCHEDFARM_TRACE_DATA) + "/" + name, std::ios::binary);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t count(const Log& log, OddityKind kind) {
    for (const Oddity& oddity : log.oddities) {
        if (oddity.kind == kind) {
            return oddity.count;
        }
    }
    return 0;
}

std::vector<std::string> parts(const std::string& text, char separator) {
    std::vector<std::string> result{""};
    for (const char c : text) {
        if (c == separator) {
            result.emplace_back();
        } else {
            result.back() += c;
        }
    }
    return result;
}

/// Rows by column, of a table without separators in its texts.
std::vector<std::map<std::string, std::string>> rows(const std::string& text) {
    const std::vector<std::string> lines = parts(text, '\n');
    const std::vector<std::string> header = parts(lines[0], '|');
    std::vector<std::map<std::string, std::string>> result;
    for (std::size_t line = 1; line < lines.size() && !lines[line].empty(); ++line) {
        const std::vector<std::string> cells = parts(lines[line], '|');
        result.emplace_back();
        for (std::size_t i = 0; i < header.size(); ++i) {
            result.back()[header[i]] = cells[i];
        }
    }
    return result;
}

double base_of(const Log& log) {
    return static_cast<double>(log.header.number("UnixStartTime").value());
}

/// Submit, eligible and start in s since 1970; −1: not known.
std::vector<double> times(const Log& log, std::size_t row) {
    const double base = base_of(log);
    const auto unix_time = [base](double time) {
        return time < 0 ? -1 : base + time;
    };
    return {
        unix_time(log.submit_time[row]),
        unix_time(log.eligible_time[row]),
        unix_time(log.start(row))};
}

double number(const std::string& text) {
    return text == "Unknown" || text == "None" ? -1 : std::stod(text);
}

Log table(const std::string& text, const std::string& zone = "") {
    return read_log_text(text, "a.txt", {.zone = zone});
}

std::string error_of_table(const std::string& text) {
    try {
        table(text);
        return "";
    } catch (const LogError& error) {
        return error.what();
    }
}

/// `change` of every line, with its number from 1.
std::string each_line(
    const std::string& text,
    const std::function<std::string(const std::string& line, int number)>& change
) {
    std::string result;
    int number = 0;
    for (const std::string& line : parts(text.substr(0, text.size() - 1), '\n')) {
        result += change(line, ++number) + "\n";
    }
    return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

const std::string first_line =
    "JobIDRaw|JobID|Submit|Eligible|Start|End|ElapsedRaw|State|AllocCPUS|User\n";

}  // namespace

TEST_CASE("each kind of job is counted as often as it was made") {
    struct Dump {
        const char* file;
        std::uint64_t jobs;
        std::uint64_t steps;
        std::uint64_t runs_again;
        std::uint64_t suspended;
    };
    for (const Dump& dump :
         {Dump{"sacct_epoch.txt", 35, 0, 0, 0},
          Dump{"sacct_all.txt", 35, 0, 0, 0},
          Dump{"sacct_all_steps.txt", 35, 34, 0, 0},
          Dump{"sacct_all_duplicates.txt", 38, 0, 3, 1}}) {
        CAPTURE(dump.file);
        const Log log = table(data(dump.file));
        CHECK(log.jobs() == dump.jobs);
        CHECK(count(log, OddityKind::job_step) == dump.steps);
        CHECK(count(log, OddityKind::run_again) == dump.runs_again);     // 18, 19 and 21
        CHECK(count(log, OddityKind::was_suspended) == dump.suspended);  // 19
        CHECK(count(log, OddityKind::array_task) == 5);                  // 11_0 to 11_4
        CHECK(count(log, OddityKind::het_component) == 2);               // 15+0 and 15+1
        CHECK(count(log, OddityKind::never_started) == 1);               // 29, DEADLINE
        CHECK(count(log, OddityKind::still_running) == 3);               // 19, 21 and 39
        CHECK(count(log, OddityKind::still_waiting) == 1);               // 40
        CHECK(count(log, OddityKind::without_limit) == 2);               // 24 and 25
        CHECK(count(log, OddityKind::resized) == 1);                     // 37
        CHECK(count(log, OddityKind::torn_row) == 0);
        CHECK(count(log, OddityKind::unreadable_row) == 0);
        CHECK(count(log, OddityKind::elapsed_differs) == 0);
        CHECK(count(log, OddityKind::unknown_state) == 0);
        CHECK(count(log, OddityKind::submits_in_unix_time) == 0);
        const std::uint64_t left = select(log, {}, {.missing_request = RequestRule::run_time})
                                       .dropped[static_cast<std::size_t>(Dropped::still_running)];
        CHECK(left == 3);
    }
}

TEST_CASE("what a job is, is read whatever the columns are") {
    for (const char* file : {"sacct_epoch.txt", "sacct_all.txt", "sacct_all_steps.txt"}) {
        CAPTURE(file);
        const Log log = table(data(file));
        const auto row_of = [&log](std::int64_t job) {
            std::size_t row = 0;
            while (log.job_number[row] != job) {
                ++row;
            }
            return row;
        };
        const std::size_t preempting = row_of(36);  // on n7 and n8, whole
        CHECK(log.allocated_processors[preempting] == 8);
        CHECK(log.requested_processors[preempting] == 2);
        CHECK(log.allocated_nodes[preempting] == 2);
        CHECK(log.gpus[preempting] == 4);
        CHECK(log.name_of(Field::partition, log.partition[preempting]) == "high");
        CHECK(log.name_of(Field::user, log.user[preempting]) == "user3");
        CHECK(log.name_of(Field::group, log.group[preempting]) == "chem");
        CHECK(log.name_of(Field::quality, log.quality[preempting]) == "normal");
        CHECK(log.number_of(Field::partition, "high") == log.partition[preempting]);
        CHECK(log.node_lists[static_cast<std::size_t>(log.node_list[preempting])] == "n[7-8]");
        CHECK(log.started_by[preempting] == static_cast<int>(StartedBy::main));
        CHECK(log.requested_time[preempting] > 0);
        CHECK(log.requested_memory[preempting] == 1000 * 1024 / 8.0);
        const std::size_t killed = row_of(4);  // its name has a |
        CHECK(log.state[killed] == static_cast<int>(JobState::cancelled));
        CHECK(log.name_of(Field::user, log.user[killed]) == "user2");
        CHECK(log.run_time[killed] == 15);
        CHECK(log.started_by[row_of(10)] == static_cast<int>(StartedBy::backfill));
        CHECK(log.requested_time[row_of(24)] == 31536000);  // UNLIMITED
        const std::size_t resized = row_of(37);             // on 2 nodes, after 6 s on 1
        CHECK(log.run_time[resized] == 20);
        CHECK(log.allocated_nodes[resized] == 2);
        CHECK(log.wait_time[resized] == 0);
    }
    CHECK(count(table(data("sacct_all.txt")), OddityKind::separator_in_text) == 1);
}

TEST_CASE("times are those of the epoch") {
    const auto expected = rows(data("sacct_epoch.txt"));
    const auto check = [&](const Log& log, bool is_merged, double shift) {
        std::size_t row = 0;
        for (const auto& job : expected) {
            if (is_merged && job.at("JobID") == "37") {
                row += job.at("State") == "COMPLETED" ? 1U : 0U;  // of two rows one job
                continue;
            }
            const double start = number(job.at("Start"));
            const double submit = number(job.at("Submit"));
            CAPTURE(job.at("JobID"));
            CHECK(times(log, row)[0] == submit + shift);
            CHECK(times(log, row)[2] == (start < submit ? -1 : start + shift));
            CHECK(
                (!log.eligible_time.is_given()
                 || times(log, row)[1] == number(job.at("Eligible")) + shift)
            );
            const double run = number(job.at("End")) - start;
            CHECK((job.at("End") == "Unknown" || start < 0 || log.run_time[row] == run));
            ++row;
        }
        CHECK(row == log.jobs());
    };
    check(table(data("sacct_epoch.txt")), true, 0);
    check(table(data("sacct_all.txt")), true, 0);
    check(table(data("sacct_zone.txt")), false, 0);
    CHECK(count(table(data("sacct_zone.txt")), OddityKind::unsaid_zone) == 36);
    const ZoneFolder zones;
    zones.write("Europe/Winter", zone_file(3600, "ABC-1"));
    const Log plain = table(data("sacct_fall_back.txt"), "Europe/Winter");
    check(plain, false, 0);
    CHECK(count(plain, OddityKind::unsaid_zone) == 0);
    CHECK(plain.header.find("TimeZoneString") == "Europe/Winter");
    // At 09:21:36 UTC the clocks go back: all these times come twice, and nothing says which is
    // meant.
    zones.write("Europe/Autumn", zone_file(3600, "ABC-1ABD,M3.5.0,M11.4.5/11:21:36"));
    const Log autumn = table(data("sacct_fall_back.txt"), "Europe/Autumn");
    REQUIRE(autumn.jobs() == plain.jobs());
    for (std::size_t row = 0; row < autumn.jobs(); ++row) {
        const bool is_resized =
            autumn.job_number[row] == 37;  // seems to start before its submission
        CHECK((is_resized || autumn.start(row) == plain.start(row)));
        CHECK(autumn.run_time[row] == plain.run_time[row]);
    }
    CHECK(count(autumn, OddityKind::ambiguous_hour) == 35);
    try {
        table(data("sacct_fall_back.txt"), "Europe/Nowhere");
        FAIL("a zone that nobody knows");
    } catch (const LogError& error) {
        CHECK(std::string(error.what()).find("'Europe/Nowhere'") != std::string::npos);
    }
}

TEST_CASE("the hour that comes twice is settled by the run time") {
    const ZoneFolder zones;  // Europe/Stockholm; 2026-10-25 03:00 CEST is 02:00 CET, 01:00 UTC
    const auto read = [](const std::string& row) {
        return table(first_line + row, "Europe/Stockholm");
    };
    const std::string from = "1|1|2026-10-25T00:10:00|2026-10-25T00:10:00|";
    const std::string to = "|COMPLETED|4|u\n";
    const Log first = read(from + "2026-10-25T02:30:00|2026-10-25T03:30:00|7200" + to);
    CHECK(times(first, 0)[2] == 1792888200);  // 00:30 UTC
    CHECK(first.oddities.size() == 2);        // no size of the machine, no requested time
    const Log second = read(from + "2026-10-25T02:30:00|2026-10-25T03:30:00|3600" + to);
    CHECK(times(second, 0)[2] == 1792891800);
    // Across the change the End seems to come before the Start.
    const Log across = read(from + "2026-10-25T02:50:00|2026-10-25T02:20:00|1800" + to);
    CHECK(times(across, 0)[2] == 1792889400);  // 00:50 UTC
    CHECK(count(across, OddityKind::elapsed_differs) == 0);
    CHECK(count(across, OddityKind::ambiguous_hour) == 0);
    CHECK(
        count(
            read(from + "2026-10-25T02:50:00|2026-10-25T02:55:00|300" + to),
            OddityKind::ambiguous_hour
        )
        == 1
    );
    // A part of a resized job was submitted when it was resized, after its start, which both share.
    const Log resized = read(
        "7|7|2026-10-25T02:10:00|2026-10-25T02:10:00|2026-10-25T02:10:00|2026-10-25T02:10:06|6|"
        "RESIZING|4|u\n"
        "7|7|2026-10-25T02:10:06|2026-10-25T02:10:06|2026-10-25T02:10:00|2026-10-25T02:10:20|20|"
        "COMPLETED|2|u\n"
    );
    CHECK(count(resized, OddityKind::resized) == 1);
    CHECK(count(resized, OddityKind::run_again) == 0);
    REQUIRE(resized.jobs() == 1);
    CHECK(times(resized, 0) == std::vector<double>(3, 1792887000));  // 00:10 UTC
    CHECK(resized.run_time[0] == 20);
    // In spring an hour is left out.
    const std::string missing =
        "2|2|2026-03-29T02:30:00|2026-03-29T02:30:00|2026-03-29T03:30:00|"
        "2026-03-29T03:40:00|600|COMPLETED|4|u\n";
    CHECK(
        count(
            read(missing + from + "2026-10-25T04:00:00|2026-10-25T04:00:10|10" + to),
            OddityKind::unreadable_row
        )
        == 1
    );
    // Without a zone the hour is seen in the run time.
    const Log utc = table(first_line + from + "2026-10-25T01:30:00|2026-10-25T03:30:00|10800" + to);
    CHECK(count(utc, OddityKind::unsaid_summer_time) == 1);
    CHECK(
        count(
            table(first_line + from + "2026-10-25T01:30:00|2026-10-25T03:30:00|77" + to),
            OddityKind::elapsed_differs
        )
        == 1
    );
}

TEST_CASE("what is said of the reading of other formats is refused") {
    const std::string swf = "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n";
    const std::string batsim = R"({"nb_res": 4, "jobs": [], "profiles": {}})";
    const std::string sacct = data("sacct_epoch.txt");
    const auto error_of = [](const std::string& text, const Reading& reading) -> std::string {
        try {
            read_log_text(text, "a.txt", reading);
        } catch (const LogError& error) {
            return error.what();
        }
        return "";
    };
    const Reading mapped{.columns = column_map("id=JobID; submit=Submit; run=ElapsedRaw")};
    const Reading mapped_zone{.columns = column_map("zone=Europe/Winter")};
    const Reading zone{.zone = "Europe/Winter"};
    const Reading fields{.fields = {"nodes"}};
    const std::string no_table = "a.txt: it is no table with a header ";
    const ZoneFolder zones;
    zones.write("Europe/Winter", zone_file(3600, "ABC-1"));
    for (const std::string& text : {swf, batsim}) {
        CHECK(error_of(text, mapped) == no_table + "(columns are named of it). Write a header, "
                                                "or leave columns out.");
        CHECK(error_of(text, mapped_zone) == error_of(text, mapped));
        CHECK(error_of(text, zone) == no_table + "(zone is that of its times). Leave zone out.");
    }
    for (const std::string& text : {sacct, batsim}) {
        CHECK(
            error_of(text, fields)
            == "a.txt: it is no SWF (fields are those behind its 18). Leave fields out."
        );
    }
    CHECK(error_of(swf, fields).starts_with("a.txt:1: 18 fields (18 and the 1 that 'fields' names")
    );
    // Columns of sacct by an own map, and a zone beside them.
    CHECK(error_of(sacct, mapped).empty());
    const std::string local = data("sacct_fall_back.txt");
    const Log by_map = read_log_text(local, "a.txt", mapped_zone);
    const Log by_zone = read_log_text(local, "a.txt", zone);
    CHECK(by_map.header.find("TimeZoneString") == "Europe/Winter");
    CHECK(base_of(by_map) == base_of(by_zone));
    const Log own = read_log_text(sacct, "a.txt", mapped);
    CHECK(own.jobs() > 0);
    CHECK_FALSE(own.requested_time.is_given());
}

TEST_CASE("nodes and run times add up to those of the file") {
    const Log log = table(data("sacct_epoch.txt"));
    double expected = 0;
    for (const auto& job : rows(data("sacct_epoch.txt"))) {
        expected += job.at("JobID") == "37"
                        ? 0
                        : number(job.at("AllocNodes")) * number(job.at("ElapsedRaw"));
    }
    expected += 2 * 20;  // 37: from its first start to its last end on the most nodes
    double found = 0;
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        found += log.run_time[row] > 0 ? log.allocated_nodes[row] * log.run_time[row] : 0;
    }
    CHECK(found == expected);
    CHECK(expected > 400);
}

TEST_CASE("damaged tables are read as far as they can be") {
    const std::string all = data("sacct_all.txt");
    const Log whole = table(all);
    const auto check_same = [&](const std::string& text) {
        const Log log = table(text);
        CHECK(log.jobs() == whole.jobs());
        CHECK(log.oddities == whole.oddities);
        CHECK(log.names == whole.names);
        CHECK(log.run_time[30] == whole.run_time[30]);
    };
    const auto with_end = [&](const std::string& end) {
        return each_line(all, [&](const std::string& line, int) { return line + end; });
    };
    check_same(with_end("|"));
    check_same(with_end("\r"));
    check_same("\xEF\xBB\xBF" + all);

    const Log doubled = table(each_line(all, [](const std::string& line, int number) {
        return number == 1 ? line : line + "\n" + line;
    }));
    CHECK(doubled.jobs() == whole.jobs());
    CHECK(count(doubled, OddityKind::doubled_row) == 36);
    CHECK(count(doubled, OddityKind::array_task) == 5);
    const Log twice = table(all + all);  // two dumps, one after the other
    CHECK(twice.jobs() == whole.jobs());
    CHECK(count(twice, OddityKind::repeated_header) == 1);

    const auto check_torn = [&](const std::string& text, OddityKind kind, std::uint64_t line) {
        const Log log = table(text);
        std::uint64_t found = 0;
        for (const Oddity& oddity : log.oddities) {
            found = oddity.kind == kind && oddity.count == 1 ? oddity.first_line : found;
        }
        CHECK(found == line);
    };
    check_torn(
        each_line(
            all,
            [](const std::string& line, int number) {
                return number == 3 ? replaced(line, "|", ";") : line;
            }
        ),
        OddityKind::torn_row,
        3
    );
    check_torn(all.substr(0, 8900), OddityKind::torn_row, 15);
    check_torn(all.substr(0, 9000), OddityKind::torn_row, 15);  // in its last field
    check_torn(
        each_line(
            all,
            [](const std::string& line, int number) {
                return number == 4 ? replaced(line, "2026-11-27T09", "2026-02-30T25") : line;
            }
        ),
        OddityKind::torn_row,  // the one with a separator in its name
        4
    );
    check_torn(
        each_line(
            all,
            [](const std::string& line, int number) {
                return number == 5 ? replaced(line, "2026-11-27T09", "2026-02-30T25") : line;
            }
        ),
        OddityKind::unreadable_row,
        5
    );
    const Log unknown = table(replaced(all, "COMPLETED", "FINISHED"));
    CHECK(unknown.jobs() == whole.jobs());
    CHECK(count(unknown, OddityKind::unknown_state) > 20);
}

TEST_CASE("what is no table of jobs is refused in one line with the reason and the way out") {
    const std::string all = data("sacct_all.txt");
    const auto check = [](const std::string& text, const std::string& reason) {
        const std::string error = error_of_table(text);
        CAPTURE(error);
        CHECK(error.starts_with("a.txt:"));
        CHECK(error.find(reason) != std::string::npos);
        CHECK(error.find('\n') == std::string::npos);
        CHECK(error.ends_with("."));
    };
    check(all.substr(0, 700), "a.txt:1: there is no job below the header");
    check(all.substr(0, all.find('\n') + 1), "a.txt:1: there is no job below the header");
    check(all.substr(all.find('\n') + 1), "a.txt:1: this is a table with '|'");
    check(
        each_line(
            all,
            [](const std::string& line, int) {
                std::string few;
                for (const std::string& cell : parts(line, '|')) {
                    few += (few.empty() ? "" : "|") + cell;
                    if (std::count(few.begin(), few.end(), '|') == 19) {
                        break;
                    }
                }
                return few;
            }
        ),
        "a.txt:1: this is a table with '|'"
    );
    check(
        replaced(all, "2026-11-27T", "27.11.2026 "),
        "a.txt:2: its Submit is '27.11.2026 09:22:39' (submit cannot be read)"
    );
    check("JobID|User\n1|u\n", "no column says when jobs were submitted");
    check(
        "JobID|Submit|ElapsedRaw|submit\n1|5|6|7\n",
        ":1: column 'Submit' stands in the header 2 times"
    );
    check("JobID|Submit\n1|2026-11-27T09:22:39\n", "no column says when jobs ran");
}

TEST_CASE("a pending rest of an array is as many tasks as its list says") {
    const auto tasks = [](const std::string& list) {
        return count(
            table(
                first_line + "12|12_" + list
                + "|2026-11-27T09:22:39|Unknown|Unknown|Unknown|0|PENDING|0|u\n"
            ),
            OddityKind::pending_tasks
        );
    };
    CHECK(tasks("[5-9%2]") == 5);
    CHECK(tasks("[1,3,7-9]") == 5);
    CHECK(tasks("[0]") == 1);
    CHECK(tasks("[1,3,...]") == 2);
    const Log log = table(
        first_line + "12|12_[0-9]|2026-11-27T09:22:39|Unknown|Unknown|Unknown|0|PENDING|0|u\n"
    );
    CHECK(count(log, OddityKind::never_eligible) == 1);
    CHECK(log.run_time[0] == -1);
}

TEST_CASE("jobs come when they are eligible unless their submission is asked for") {
    const Log log = table(
        first_line
        + "1|1|1795771360|1795771364|1795771364|1795771368|4|COMPLETED|2|u\n"
          "2|2|1795771361|1795771361|1795771362|1795771368|6|COMPLETED|2|u\n"
    );
    const Filling as_logged{.missing_request = RequestRule::run_time};
    const Filling submitted{
        .arrival = ArrivalRule::submit, .missing_request = RequestRule::run_time};
    CHECK(select(log, {}, as_logged).jobs.submit == std::vector<double>{1, 4});
    CHECK(select(log, {}, submitted).jobs.submit == std::vector<double>{0, 1});

    // One after the other on the same two processors, however long they were held.
    const Log held = table(
        first_line
        + "1|1|1795771360|1795771370|1795771370|1795771380|10|COMPLETED|2|u\n"
          "2|2|1795771375|1795771380|1795771380|1795771385|5|COMPLETED|2|u\n"
    );
    const auto use = summarise(held).logged_use;
    REQUIRE(use);
    CHECK(use->most_processors == 2);
}

TEST_CASE("partitions make classes and queues by their names") {
    const Log log = table(data("sacct_epoch.txt"));
    const JobList jobs = select(log, {}, {.missing_request = RequestRule::run_time}).jobs;
    const QueueRule rule{.field = Field::partition, .numbered = {"high", "batch"}};
    const RowColumns columns =
        row_columns(log, jobs, MemoryRule::requested_else_used, ClassRule::partitions, rule);
    CHECK(columns.job_classes == 5);
    CHECK(std::ranges::count(columns.class_names, "partition high") == 1);
    for (const std::uint32_t row : jobs.row) {
        const std::string name = log.name_of(Field::partition, log.partition[row]);
        CHECK(columns.queue[row] == (name == "high" ? 1 : name == "batch" ? 2 : 0));
        CHECK(columns.class_names[columns.job_class[row]] == "partition " + name);
    }
    CHECK_THROWS_WITH_AS(
        row_columns(
            log,
            jobs,
            MemoryRule::requested_else_used,
            ClassRule::none,
            {.field = Field::partition, .numbered = {"hihg"}}
        ),
        "a.txt: no job is of partition 'hihg' ('queues' names it). Check the name.",
        LogError
    );
}

TEST_CASE("columns of sacct parted by commas have quotes") {
    const Log log = table(
        "JobID,User,Account,Submit,Start,End\n1,ann,\"physics, "
        "theory\",0,0,10\n2,bob,\"a\nb\",1,1,5\n"
    );
    REQUIRE(log.jobs() == 2);
    CHECK(log.name_of(Field::group, log.group[0]) == "physics, theory");
    CHECK(log.run_time[1] == 4);
}

TEST_CASE("nodes may be the processors of a job") {
    const Log log = table(data("sacct_epoch.txt"));
    const JobList jobs =
        select(
            log, {}, {.processors = ProcessorsRule::nodes, .missing_request = RequestRule::run_time}
        )
            .jobs;
    REQUIRE(jobs.size() == 30);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        CHECK(static_cast<std::int32_t>(jobs.processors[i]) == log.allocated_nodes[jobs.row[i]]);
    }
}

}  // namespace schedfarm::models::trace
