// Lines with more fields than the format has, and with two columns that run together.
#include <string>

#include <doctest/doctest.h>

#include "tests/models/trace/log_texts.hpp"

namespace schedfarm::models::trace {

using namespace tests;  // NOLINT(google-build-using-namespace)

TEST_CASE("fields beyond those of the format are passed over and told once") {
    const std::string text = header + line_of(1, 17, "-1 7 8 x") + line_of(2, 17, "-1 0 0 0")
                             + line_of(3, 17, "-1 9 9 9");
    CHECK(oddities_of(text) == expected(OddityKind::further_fields, 2, 3));
    const Log log = log_of(text);
    CHECK(log.jobs() == 3);
    CHECK(log.run_time[2] == 60);
    CHECK(log.think_time[0] == -1);
    CHECK(
        error_of(text + line_of(4))
        == "a.swf:5: 18 fields (the jobs above have 21). Check that the line is whole; a field "
           "that is not known is -1."
    );
}

TEST_CASE("columns that run together are parted where a field is missing and one word is two") {
    // Requested time and memory of LLNL's logs: 57600 and 7.39e+08, at most one digit before a
    // point.
    const auto together = [](const std::string& words, const std::string& last = "-1") {
        return "2 2 5 60 4 50 -1 4 " + words + " 1 2 3 4 5 6 -1 " + last + "\n";
    };
    const std::string text = header + line_of(1) + together("576007.39e+08");
    CHECK(oddities_of(text) == expected(OddityKind::columns_run_together, 3, 1));
    CHECK(log_of(text).requested_time[1] == 57600);
    CHECK(log_of(text).requested_memory[1] == 7.39e8);
    CHECK(log_of(header + together("-17.5e-01")).requested_time[0] == -1);
    CHECK(log_of(header + together("-17.5e-01")).requested_memory[0] == 0.75);
    // Such a word in a line that lacks nothing is a number.
    CHECK(log_of(header + together("5.76e+04 739.0e+06")).requested_memory[0] == 739e6);
    for (const char* words :
         {"576007.39", "7.39e+08", "576007.39e08", "576007.e+08", "576007.39e+"}) {
        CAPTURE(words);
        CHECK(error_of(header + together(words)).starts_with("a.swf:2: 17 fields (a job has 18)."));
    }
    // Two such words: which of them is two columns, nobody knows.
    CHECK(
        error_of(header + together("576007.39e+08", "12.5e+00")).find("17 fields")
        != std::string::npos
    );
    // Logs with more fields: as many as their other lines.
    const std::string many =
        header + line_of(1, 17, "-1 7 8") + together("576007.39e+08", "-1 7 8");
    CHECK(log_of(many).requested_memory[1] == 7.39e8);
}

}  // namespace schedfarm::models::trace
