// What is wrong in a file and cannot stand in a case of tests/cases/errors.
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("bytes that are no UTF-8 are refused") {
    CHECK(
        errors_of({{2, "name: \377"}})
        == "a.yaml:2:7: byte 0xff is not text. Is this a campaign file, written in UTF-8?"
    );
    CHECK(
        errors_of({{2, "name: \303("}})
        == "a.yaml:2:7: byte 0xc3 is not text. Is this a campaign file, written in UTF-8?"
    );
}

TEST_CASE("what is advised for the same jobs works for the log") {
    const auto file =
        std::filesystem::temp_directory_path() / fmt::format("schedfarm-one-user-{}.swf", getpid());
    const auto advice = [&file](int users, int days, const std::string& resampling) {
        std::ofstream log(file);
        log << "; MaxProcs: 4\n";
        for (int job = 0; job < 4; ++job) {
            log << fmt::format(
                "{} {} 0 10 1 -1 -1 1 20 -1 1 {} -1 -1 -1 -1 -1 -1\n",
                job + 1,
                86400 * days * job,
                job % users
            );
        }
        log.close();
        return errors_of(
            {{4, "experiment: trace"},
             {6,
              fmt::format(
                  "workload: {{model: trace, file: {}, resampling: {}}}", file.string(), resampling
              )},
             {8, ""},
             {9, "replications: 2"}}
        );
    };
    const auto says = [](const std::string& text, const std::string& ways) {
        return text.find("or in the workload " + ways + "?") != std::string::npos;
    };
    CHECK(says(advice(1, 1, "none"), "'shake: 60'"));
    CHECK(says(advice(2, 3, "none"), "'resampling: users' or 'shake: 60'"));
    CHECK(says(advice(1, 15, "none"), "'resampling: weeks' or 'shake: 60'"));
    CHECK(says(advice(2, 15, "none"), "'resampling: weeks' or 'users', or 'shake: 60'"));
    CHECK(advice(2, 3, "users").empty());
    CHECK(advice(1, 15, "weeks").empty());
    CHECK(advice(1, 1, "none, shake: 60").empty());
    std::filesystem::remove(file);
}

}  // namespace schedfarm::app::tests
