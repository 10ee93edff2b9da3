// Reading of logs: numbers, lines, header, oddities, errors.
#include "models/trace/reading/reader.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/foundation/hash.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/writing/swf_writer.hpp"

#include "tests/models/trace/log_texts.hpp"
#include "tests/models/trace/plain_reader.hpp"

namespace schedfarm::models::trace {

using namespace tests;  // NOLINT(google-build-using-namespace)

TEST_CASE("numbers have the value of the nearest double") {
    for (const char* token :
         {"0",
          "7",
          "12345678",
          "123456789",
          "-1",
          "-2",
          "142.00",
          "0.1",
          ".5",
          "3.",
          "1e3",
          "999999999999999",
          "0.30000000000000004",
          "123456789.123456",
          "12345.67890123456",
          "1000000000000000",
          "-0.25",
          "00012",
          "2.5e-3"}) {
        CAPTURE(token);
        const auto value = parse_number(token);
        REQUIRE(value);
        CHECK(*value == std::strtod(token, nullptr));
        // Behind a first job, which is read word by word.
        CHECK(log_of(line_of(1) + line_of(2, 5, token)).cpu_time[1] == std::strtod(token, nullptr));
    }
    CHECK(!std::signbit(*parse_number("-0")));
    CHECK(!std::signbit(*parse_number("-0.0")));
}

TEST_CASE("what is no number up to 1e15 is refused") {
    for (const char* token :
         {"",
          "-",
          ".",
          "-.",
          "+1",
          "1,5",
          "0x10",
          "inf",
          "-inf",
          "nan",
          "1e",
          "1.2.3",
          "--1",
          "1-",
          "12a",
          "1e16",
          "1000000000000001",
          "1e999",
          "1e-999",
          "99999999999999999999"}) {
        CAPTURE(token);
        CHECK(!parse_number(token));
    }
}

TEST_CASE("every field comes into its column") {
    const Log log = log_of(header + "1 2 3 4 5 6.5 7 8 9 10 11 12 13 14 15 16 17 18\n");
    REQUIRE(log.jobs() == 1);
    double sum = 0;
    for_each_column(log, [&](Field field, const auto& column) {
        const double number = static_cast<double>(field) + 1;
        CHECK(column[0] == (field == Field::cpu_time ? 6.5 : number));
        sum += static_cast<double>(column[0]);
    });
    CHECK(sum == 171.5);
}

TEST_CASE("columns without a value take no memory") {
    std::string text = header;
    for (int i = 1; i <= 1200; ++i) {
        text += line_of(i, 6, i == 1100 ? "77" : "-1");
    }
    const Log log = log_of(text);
    CHECK(log.jobs() == 1200);
    CHECK(!log.think_time.is_given());
    CHECK(log.think_time[1199] == -1);
    REQUIRE(log.used_memory.size_bytes() == 1200);
    CHECK(log.used_memory[1098] == -1);
    CHECK(log.used_memory[1099] == 77);
    CHECK(log.used_memory[1199] == -1);
}

TEST_CASE("spacing and line ends and the length of lines do not matter") {
    std::string wide = "\t 1";
    for (int i = 2; i <= 18; ++i) {
        wide += std::string(static_cast<std::size_t>(i) * 3, ' ') + std::to_string(i);
    }
    const std::string narrow = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18";
    const std::string text = header + narrow + "\r\n\n" + wide + "   \r\n \t\n" + narrow;
    const Log log = log_of(text);
    CHECK(tests::difference(log, tests::plain_log(text)) == "");
    CHECK(log.jobs() == 3);
    // Lines of every length around the 64 and 128 characters that are looked at in one go.
    for (std::size_t blanks = 0; blanks < 140; ++blanks) {
        for (const std::size_t place : {std::size_t{0}, std::size_t{20}, narrow.size()}) {
            std::string line = narrow;
            line.insert(
                line.find(' ', place) == std::string::npos ? place : line.find(' ', place),
                blanks,
                ' '
            );
            const std::string lines = header + line + "\n" + line;
            CAPTURE(line);
            CHECK(tests::difference(log_of(lines), tests::plain_log(lines)) == "");
        }
    }
}

TEST_CASE("keys of the header are found whatever their spacing") {
    const Log log = log_of(
        ";MaxProcs : 338 (batch partition; 512 total)\n"
        ";  UnixStartTime:835823160\n; max_nodes: many\n; Information: one\n"
        ";              http://www.cs.huji.ac.il/labs/parallel/workload/\n; Queue:  1 DSI\n;\n"
        "; TimeZone: -18000\n;; Note: two\n"
    );
    CHECK(log.header.number("MaxProcs") == 338);
    CHECK(log.header.processors() == 338);
    CHECK(log.header.number("unixstarttime") == 835823160);
    CHECK(log.header.find("MaxNodes") == "many");
    CHECK(!log.header.number("MaxNodes"));
    CHECK(log.header.number("TimeZone") == -18000);
    CHECK(log.header.find("Queue") == "1 DSI");
    CHECK(log.header.find("Note") == "two");
    CHECK(!log.header.find("http"));
    REQUIRE(log.header.lines.size() == 9);
    CHECK(log.header.lines[4].key.empty());
    CHECK(log_of("; MaxProcs: unknown\n; MaxNodes: 16\n").header.processors() == 16U);
    CHECK(!log_of("; MaxProcs: -1\n; MaxNodes: 0\n").header.processors());
}

TEST_CASE("numbers of the header are read whole or refused") {
    for (const auto& [text, number] : std::vector<std::pair<std::string, std::int64_t>>{
             {"1024", 1024},
             {"1,024", 1024},
             {"1,048,576", 1048576},
             {"-18,000", -18000},
             {"+3600", 3600},
             {"338 (batch partition; 512 total)", 338},
             {"1,024(8 per node)", 1024},
             {"9223372036854775807", 9223372036854775807}}) {
        CAPTURE(text);
        CHECK(log_of("; MaxProcs: " + text).header.number("MaxProcs") == number);
        CHECK(log_of("; MaxProcs: " + text).header.unreadable_number("MaxProcs") == nullptr);
    }
    for (const std::string text : {"64 nodes x 16", "1.024",  "1 024",      "1,02",
                                   "1,0244",        "1024,",  ",024",       "1024,512",
                                   "1e3",           "0x40",   "64;",        "64 processors",
                                   "64x16",         "64.5",   "2002-07-28", "9223372036854775808",
                                   "- 5",           "--5",    "+-5",        "(64)",
                                   "about 64",      "64) (x", "1_024",      "1'024",
                                   "hundred"}) {
        CAPTURE(text);
        const Log log = log_of("; Version: 2.2\n; MaxProcs: " + text + "\n; MaxNodes: 16\n");
        CHECK(!log.header.number("MaxProcs"));
        REQUIRE(log.header.unreadable_number("MaxProcs") != nullptr);
        CHECK(log.header.unreadable_number("MaxProcs")->line == 2);
        // Nodes are no processors.
        CHECK(!log.header.processors());
        REQUIRE(log.oddities.size() == 1);
        CHECK(log.oddities[0] == Oddity{OddityKind::unreadable_size, 2, 1});
    }
    CHECK(!log_of("; MaxProcs: 4294967300\n; MaxNodes: 16\n").header.processors());
    CHECK(!log_of("; MaxProcs: -100\n; MaxNodes: 16\n").header.processors());
    for (const std::string nothing : {"", "0", "-1", "unknown", "N/A"}) {
        CHECK(log_of("; MaxProcs: " + nothing + "\n; MaxNodes: 16\n").header.processors() == 16U);
    }
}

TEST_CASE("lines of the header that contradict one above are odd, and the first counts") {
    for (const auto& [key, value, other] : std::vector<std::array<std::string, 3>>{
             {"MaxProcs", "1,024", "2048"},
             {"MaxNodes", "64", "32 (batch)"},
             {"UnixStartTime", "1027839845", "1027839846"},
             {"TimeZone", "3600", "7200"},
             {"TimeZoneString", "Europe/Paris", "UTC"},
             {"StartTime", "Sun Jul 28 09:04:05 CEST 2002", "Sun Jul 28 09:04:06 CEST 2002"},
             {"Computer", "SP2", "CM-5"}}) {
        CAPTURE(key);
        const auto contradictory = [&, &key = key](
                                       const std::string& first, const std::string& second
                                   ) {
            const Log log = log_of("; " + key + ": " + first + "\n; " + key + ": " + second + "\n");
            CHECK(log.header.find(key) == first);
            std::uint64_t count = 0;
            for (const Oddity& oddity : log.oddities) {
                if (oddity.kind == OddityKind::contradictory_line) {
                    CHECK(oddity.first_line == 2);
                    count += oddity.count;
                }
            }
            return count;
        };
        CHECK(contradictory(value, other) == 1);
        CHECK(contradictory(other, value) == 1);
        CHECK(contradictory(value, value) == 0);
        CHECK(contradictory("", value) == 1);  // which is of no use then
    }
    const auto lines = [](const std::string& text) {
        return log_of(text).header.contradictory_lines().size();
    };
    CHECK(lines("; MaxProcs: 1,024\n; Max Procs: 1024 (all)\n; MAXPROCS: +1024\n") == 0);
    CHECK(lines("; MaxProcs: 8\n; MaxNodes: 4\n; Max_Procs: 9\n; maxprocs: 10\n") == 2);
    CHECK(lines("; Note: one\n; Note: another\n; Information: a\n; Information: b\n") == 0);
    CHECK(
        lines("; Queue: 1 day\n; Queue: 2 night\n; Partition: 1 big\n; Queue: 1 day (8 h)\n") == 0
    );
    CHECK(
        lines("; Queue: 1 day\n; Queue: 1 night\n; Queue: names of queues\n; Queue: text\n") == 1
    );
}

TEST_CASE("names of 64 bits are read and written as they are and told where simulations cannot") {
    for (const std::string name :
         {"2147483648", "3000000000", "4294967296", "9007199254740993", "9223372036854775807"}) {
        CAPTURE(name);
        for (std::size_t place = 0; place < field_count; ++place) {
            const Field field{static_cast<std::uint8_t>(place)};
            const std::string text = header + line_of(1, place, name);
            if (!is_name(field)) {
                continue;
            }
            const Log log = log_of(text);
            std::ostringstream written;
            write_log(written, log);
            CHECK(written.str().find(name) != std::string::npos);
            CHECK(tests::difference(log_of(written.str()), tests::plain_log(text)) == "");
            const double number = std::stod(name);
            const bool is_wide =
                (field == Field::job_number && number > 2147483647)
                || ((field == Field::user || field == Field::queue) && number > 4294967295);
            const std::string follows =
                field == Field::preceding_job ? expected(OddityKind::follows_another, 2, 1) : "";
            CHECK(
                oddities_of(text)
                == follows + (is_wide ? expected(OddityKind::wide_name, 2, 1) : "")
            );
        }
    }
    CHECK(log_of(header + line_of(1, 11, "-9223372036854775808")).user[0] < -1);
    CHECK(
        error_of(header + line_of(1, 11, "9223372036854775808"))
        == "a.swf:2: the user is '9223372036854775808' (not a number up to 2^63). Write -1 where it is "
           "unknown."
    );
    // Numbers that differ in their last digit stay in order.
    const std::string in_order =
        header + line_of(1, 0, "9223372036854775806") + line_of(2, 0, "9223372036854775807");
    CHECK(oddities_of(in_order) == expected(OddityKind::wide_name, 2, 2));
}

TEST_CASE("a faultless log has no oddities") {
    CHECK(oddities_of(header + line_of(1) + line_of(2) + line_of(3)).empty());
    CHECK(oddities_of(header).empty());
}

TEST_CASE("each kind of oddity is told once with its first line and its count") {
    struct Example {
        std::size_t field;
        const char* value;
        OddityKind kind;
    };
    const Example examples[] = {
        {4, "4.00", OddityKind::decimals_in_integer},
        {11, "2.5", OddityKind::fraction_in_integer},
        {14, "-7", OddityKind::negative_value},
        {1, "-1", OddityKind::missing_submit_time},
        {1, "0", OddityKind::unsorted_submit},
        {0, "1", OddityKind::job_number_not_increasing},
        {4, "9", OddityKind::more_than_machine},
        {7, "9", OddityKind::more_than_machine},
        {3, "-1", OddityKind::missing_run_time},
        {3, "0", OddityKind::zero_run_time},
        {8, "-1", OddityKind::missing_requested_time},
        {8, "0", OddityKind::missing_requested_time},
        {3, "101", OddityKind::run_above_request},
        {0, "2", OddityKind::job_number_not_increasing},
        {10, "6", OddityKind::unknown_status},
        {10, "3", OddityKind::partial_execution},
        {16, "1", OddityKind::follows_another}};
    for (const Example& example : examples) {
        CAPTURE(example.field);
        CAPTURE(example.value);
        // Line 1 is the header; the jobs of lines 3 and 5 are odd.
        const std::string text = header + line_of(2) + line_of(3, example.field, example.value)
                                 + line_of(4) + line_of(5, example.field, example.value);
        std::string all = expected(example.kind, 3, 2);
        if (example.kind == OddityKind::missing_submit_time) {
            all += expected(OddityKind::unsorted_submit, 3, 2);
        }
        CHECK(oddities_of(text) == all);
    }
    CHECK(oddities_of(line_of(1)) == expected(OddityKind::no_machine_size, 0, 1));
    CHECK(
        oddities_of(header + line_of(1) + "; later\n" + line_of(2))
        == expected(OddityKind::comment_among_jobs, 3, 1)
    );
    CHECK(
        oddities_of(header + "1 1 5 60 -1 50 -1 0 100 -1 1 2 3 4 5 6 -1 -1\n")
        == expected(OddityKind::missing_processors, 2, 1)
    );
}

TEST_CASE("odd lines are counted beyond the first batch") {
    std::string text = header;
    for (int i = 1; i <= 3000; ++i) {
        text += line_of(i, 3, i % 1000 == 0 ? "0" : "60");
    }
    CHECK(oddities_of(text) == expected(OddityKind::zero_run_time, 1001, 3));
    // The batches end at 248 and 496. Equal submits do not fall; one before all others does.
    for (const int fall : {247, 248, 249, 250, 496, 497}) {
        CAPTURE(fall);
        std::string falling = header;
        for (int i = 1; i <= 600; ++i) {
            falling += line_of(i, 1, i == fall ? "4" : "5");
        }
        CHECK(oddities_of(falling) == expected(OddityKind::unsorted_submit, fall + 1, 1));
    }
}

TEST_CASE("errors name file and line and reason and suggestion") {
    const std::string begin = header + line_of(1);
    CHECK(
        error_of(begin + "1 2 3\n")
        == "a.swf:3: 3 fields (a job has 18). Check that the line is whole; a field that is not known "
           "is -1."
    );
    CHECK(
        error_of(begin + line_of(2, 17, "-1 5"))
        == "a.swf:3: 19 fields (the jobs above have 18). Check that no blank parts a number and that "
           "each job has its own line."
    );
    CHECK(
        error_of(begin + line_of(2, 3, "6o"))
        == "a.swf:3: the run time is '6o' (not a number up to 1e15). Write -1 where it is unknown."
    );
    CHECK(
        error_of(begin + line_of(2, 4, "3000000000"))
        == "a.swf:3: the allocated processors is 3000000000 (an integer of 32 bits is expected). Check that no "
           "column is missing before it."
    );
    CHECK(error_of(std::string(200000, '1')).find("a line of more than") != std::string::npos);
    CHECK(
        error_of(std::string(200000, ' ') + "\n").find("a line of more than") != std::string::npos
    );
    CHECK(error_of("").empty());
}

TEST_CASE("a mark of UTF-8 before the first line is skipped and UTF-16 is named") {
    const std::string mark = "\xEF\xBB\xBF";
    for (const std::string& text : {header + line_of(1), line_of(1)}) {
        const Log log = read_log_text(mark + text, "a.swf");
        CHECK(log.jobs() == 1);
        CHECK(log.header.processors() == read_log_text(text, "a.swf").header.processors());
    }
    CHECK(error_of(header + mark + line_of(1)).find("a.swf:2: the job number is") == 0);
    CHECK(error_of("\xFF\xFE;").find("a.swf:1: the text is UTF-16") == 0);
    CHECK(error_of("\xFE\xFF;").find("a.swf:1: the text is UTF-16") == 0);
}

TEST_CASE("files are read plain and compressed and a broken one is refused") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("schedfarm_reader_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::string text = header;
    for (int i = 1; i <= 5000; ++i) {
        text += line_of(i, 5, std::to_string(i) + ".25");
    }
    const std::filesystem::path plain = folder / "a.swf";
    const std::filesystem::path compressed = folder / "a.swf.gz";
    std::ofstream(plain, std::ios::binary) << text;
    gzFile file = gzopen(compressed.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    const tests::PlainLog expected = tests::plain_log(text);
    for (const auto& path : {plain, compressed}) {
        const Log log = read_log(path, {.checksum = Checksum::sha256});
        CHECK(tests::difference(log, expected) == "");
        CHECK(log.sha256 == engine::sha256_hex(text));
        CHECK(log.name == path.string());
    }
    const auto error_of_file = [](const std::filesystem::path& path) -> std::string {
        try {
            read_log(path);
            return "";
        } catch (const LogError& error) {
            return error.what();
        }
    };
    std::filesystem::resize_file(compressed, std::filesystem::file_size(compressed) / 2);
    CHECK(
        error_of_file(compressed)
        == compressed.string()
               + ": the log cannot be read (it is cut off). Check that the file is complete."
    );
    CHECK(
        error_of_file(folder / "b.swf")
        == (folder / "b.swf").string()
               + ": the log cannot be opened (No such file or directory). Check the path."
    );
    CHECK(error_of_file(folder).find("it is a directory") != std::string::npos);
    std::filesystem::remove_all(folder);
}

}  // namespace schedfarm::models::trace
