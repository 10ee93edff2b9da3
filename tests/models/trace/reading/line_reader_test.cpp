// What must not be seen of the reader's taking many lines together and leaving columns out.
#include "models/trace/reading/line_reader.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/models/trace/log_texts.hpp"
#include "tests/models/trace/plain_reader.hpp"

namespace schedfarm::models::trace {

using namespace tests;  // NOLINT(google-build-using-namespace)

TEST_CASE("long lines and decimals may stand anywhere") {
    // Every seventh line is long, so that over seven times as many lines as are read together each
    // of their places is taken once.
    std::string text = header;
    for (int i = 1; i <= 3600; ++i) {
        text += i % 7 == 0 ? std::string(130, ' ') + line_of(i, 3, "7") : line_of(i, 9, "1.5");
    }
    CHECK(tests::difference(log_of(text), tests::plain_log(text)) == "");
    CHECK(log_of(text).oddities.empty());
}

TEST_CASE("the first wrong line is the one that is told wherever the number stands in it") {
    const std::string begin = header + line_of(1);
    const std::string wrong = "a.swf:3: the think time is '1x'";
    CHECK(error_of(begin + line_of(2, 17, "1x") + line_of(3, 1, "y")).starts_with(wrong));
    CHECK(error_of(begin + line_of(2, 17, "1x") + "1 2 3\n").starts_with(wrong));
    CHECK(error_of(begin + line_of(2, 17, "1x") + line_of(3, 1, "123456789x")).starts_with(wrong));
    CHECK(
        error_of(begin + line_of(2, 1, "y") + line_of(2, 17, "1x")).starts_with("a.swf:3: the sub")
    );
    CHECK(
        oddities_of(begin + line_of(2, 14, "-7") + line_of(3, 12, "-7"))
        == expected(OddityKind::negative_value, 3, 2)
    );
}

TEST_CASE("zeros before a sign make no number") {
    for (const char* number : {"0-1", "00-1", "-1-", "0-", "-"}) {
        const std::string wrong = "a.swf:2: the think time is '" + std::string(number) + "'";
        CHECK(error_of(header + line_of(1, 17, number)).starts_with(wrong));
    }
    CHECK(log_of(header + line_of(1, 3, "-01") + line_of(2, 3, "007")).run_time[1] == 7);
}

TEST_CASE("counts have 32 bits on both sides of 0") {
    for (const char* number : {"2147483648", "-2147483649", "-3000000000"}) {
        const std::string error = error_of(header + line_of(1, 4, number));
        CAPTURE(error);
        CHECK(error.find("an integer of 32 bits is expected") != std::string::npos);
    }
    CHECK(log_of(header + line_of(1, 4, "2147483647")).allocated_processors[0] == 2147483647);
}

TEST_CASE("columns that are not kept are examined all the same") {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("schedfarm_kept_" + std::to_string(::getpid()));
    const auto read = [&](const std::string& text, FieldSet kept) {
        std::ofstream(file, std::ios::binary) << text;
        return read_log(file, {.kept = kept});
    };
    const FieldSet few{Field::submit_time, Field::user};
    const std::string text = header + line_of(1) + line_of(2, 12, "-3") + line_of(3, 12, "4.5")
                             + line_of(4, 10, "7") + line_of(5, 3, "101");
    const Log all = read(text, FieldSet::all());
    const Log log = read(text, few);
    CHECK(log.jobs() == 5);
    for_each_column(log, [&](Field field, const auto& column) {
        CHECK(column.is_given() == few.has(field));
        CHECK(column.size() == 5);
    });
    CHECK(log.submit_time[4] == 5);
    CHECK(log.user[0] == 2);
    REQUIRE(log.oddities.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(log.oddities[i] == all.oddities[i]);
    }
    CHECK_THROWS_AS(read(header + line_of(1, 12, "x"), few), LogError);
    CHECK_THROWS_AS(read(header + line_of(1, 7, "3000000000"), few), LogError);
    std::filesystem::remove(file);
}

}  // namespace schedfarm::models::trace
