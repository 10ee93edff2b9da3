// Logs are held to what they contained when a campaign was begun.
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

#include "tests/models/trace_model.hpp"

namespace schedfarm::tests {

using engine::Parameters;

TEST_CASE("a log is read once to be checked and checksummed and worked with") {
    const LogFile file(small_log);
    const auto written = std::filesystem::last_write_time(file.name());
    const Parameters any = parameters(file.name(), {{"resampling", "none"}});
    CHECK(problem_of(any).empty());
    const std::string jobs = jobs_of(any, 9);
    std::string other = small_log;  // which nobody sees who does not read it again
    other[other.find("50")] = '7';
    std::ofstream(file.name(), std::ios::binary) << other;
    std::filesystem::last_write_time(file.name(), written);
    const Parameters checksummed = model().checksummed(any);
    CHECK(checksummed.text("sha256") == engine::sha256_hex(small_log));
    CHECK(jobs_of(checksummed, 9) == jobs);
}

TEST_CASE("a checksummed log is the one that was there then, also inside of other models") {
    const std::string sum = engine::sha256_hex(small_log);
    const LogFile file(small_log);
    const Parameters any = parameters(file.name(), {{"resampling", "none"}});
    const Parameters checksummed = model().checksummed(any);
    CHECK(checksummed.text("sha256") == sum);
    CHECK(model().checksummed(checksummed).text() == checksummed.text());
    CHECK(jobs_of(checksummed, 9) == jobs_of(any, 9));
    const Parameters example = parameters("example", {});
    CHECK(model().checksummed(example).text("sha256").empty());  // it is part of the program

    const auto* outer = models::find_model("reserved_version");
    REQUIRE(outer != nullptr);
    Parameters given;
    given.set("jobs", engine::Choice{.name = "trace", .parameters = any});
    CHECK(outer->checksummed(given).choice("jobs").parameters.text("sha256") == sum);
    given.set("jobs", engine::Choice{.name = "lublin_feitelson"});
    CHECK(outer->checksummed(given).text() == given.text());

    std::ofstream(file.name(), std::ios::binary | std::ios::app) << "; one more comment\n";
    CHECK(is_refused(checksummed, "not the log that was asked for"));
    CHECK(model().checksummed(any).text("sha256") != sum);
}

}  // namespace schedfarm::tests
