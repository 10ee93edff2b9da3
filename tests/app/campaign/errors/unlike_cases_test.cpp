// What is wrong in a file and cannot stand in a case of tests/cases/errors.
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/campaign/plan/plan_warnings.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("bytes that are no UTF-8 are refused") {
    CHECK(
        errors_of({{2, "name: \377"}})
        == "a.yaml:2:7: byte 0xff is not text. Write the campaign file in UTF-8."
    );
    CHECK(
        errors_of({{2, "name: \303("}})
        == "a.yaml:2:7: byte 0xc3 is not text. Write the campaign file in UTF-8."
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
        return text.find("or in the workload " + ways + ".") != std::string::npos;
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

TEST_CASE(
    "a log of which a tenth or more lacks requested times is warned of, and so are oddities, once"
) {
    const auto path =
        std::filesystem::temp_directory_path() / fmt::format("schedfarm-requests-{}.swf", getpid());
    const auto warnings_of_log = [&path](int without, const std::string& more) {
        std::ofstream file(path);
        file << "; MaxProcs: 32\n";
        for (int job = 0; job < 20; ++job) {
            file << fmt::format(
                "{} {} 0 100 4 -1 -1 4 {} -1 1 1 -1 -1 -1 -1 -1 -1\n",
                job + 1,
                100 * job,
                job < without ? -1 : 200
            );
        }
        file.close();
        return plan_warnings(make_plan(source_of(campaign_text(
            {{4, "experiment: trace"},
             {7, ""},
             {6,
              fmt::format(
                  "workload: {{model: trace, file: {}, resampling: users{}}}", path.string(), more
              )},
             {8, "horizon: {warm_up: none}"},
             {9, "replications: 1"},
             {10, "factors: {policy: [easy, fcfs]}"}}
        ))));
    };
    const auto warnings = warnings_of_log(2, "");
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].starts_with(path.string() + ": oddities, first in line 2"));
    CHECK_MESSAGE(warnings[1].find("2 of the 20 jobs in " + path.string()) == 0, warnings[1]);
    CHECK(warnings[1].find("'missing_request: run_time'.") != std::string::npos);
    // One that lacks it is an oddity, as in what `simulate` says.
    for (const auto& others :
         {warnings_of_log(1, ""), warnings_of_log(2, ", missing_request: run_time")}) {
        REQUIRE(others.size() == 1);
        CHECK(
            others[0]
            == path.string(
               ) + ": oddities, first in line 2 (no requested time). See all with `schedfarm trace "
                   + path.string() + "`"
        );
    }
    CHECK(warnings_of_log(0, "").empty());
    std::filesystem::remove(path);
}

}  // namespace schedfarm::app::tests
