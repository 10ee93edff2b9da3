// Warnings before anything runs; those of short runs are in steady_state_test.cpp.
#include "app/campaign/plan/plan_warnings.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

std::vector<std::string> warnings_of(const std::string& service, const std::string& rest) {
    return plan_warnings(plan_of(
        {{6,
          "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 1]}, "
          "service: "
              + service + "}"},
         {8, "load: {utilization: 0.5}"},
         {9, "replications: 20"},
         {11, rest}}
    ));
}

}  // namespace

TEST_CASE("slowdown without a finite mean is warned of, and so are oddities, once") {
    const std::string probes = "probes: [slowdown]";
    const auto warnings = warnings_of("exponential", probes);
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(warnings[0].find("slowdown has no finite mean in 1 cell") == 0, warnings[0]);
    CHECK(warnings[0].find("bounded_slowdown?") != std::string::npos);
    CHECK(warnings_of("{erlang: {shape: 2}}", probes).empty());
    CHECK(warnings_of("exponential", "probes: [bounded_slowdown]").empty());
}

TEST_CASE("times of infinite variance are warned of") {
    for (const char* const service : {"{pareto: {shape: 1.5}}", "{pareto: {shape: 2}}"}) {
        const auto warnings = warnings_of(service, "probes: [response_time]");
        REQUIRE(warnings.size() == 1);
        CHECK_MESSAGE(
            warnings[0].find("times have an infinite variance in 1 cell: ") == 0, warnings[0]
        );
    }
    for (const char* const service :
         {"{pareto: {shape: 3.1}}", "{bounded_pareto: {shape: 1.5, ratio: 1000}}"}) {
        CHECK(warnings_of(service, "probes: [response_time]").empty());
    }
}

TEST_CASE("waits of infinite variance are warned of: of one server surely, of several perhaps") {
    const auto warning_of = [](const std::string& clusters, const std::string& policy) {
        const auto warnings = plan_warnings(plan_of(
            {{5, "system: {clusters: [" + clusters + "]}"},
             {6,
              "workload: {model: coallocation, components: 1, component_size: {constant: 1}, "
              "service: {pareto: {shape: 2.5}}}"},
             {7, "policy: " + policy},
             {8, "load: {utilization: 0.5}"},
             {9, "replications: 20"},
             {11, "probes: [response_time]"}}
        ));
        return warnings.size() == 1 ? warnings[0].substr(0, warnings[0].find(" variance")) : "";
    };
    CHECK(warning_of("1", "fcfs") == "waits have an infinite");
    CHECK(warning_of("1", "sjf") == "waits have an infinite");
    CHECK(warning_of("2", "fcfs") == "waits may have an infinite");
}

TEST_CASE("control variates of too few replications are warned of") {
    const std::string controls =
        "probes: [response_time, service_time]\n"
        "control_variates: {metric: response_time, controls: [service_time]}";
    CHECK(warnings_of("exponential", controls).empty());
    const auto warnings = warnings_of(
        "exponential",
        "probes: [response_time, service_time, interarrival_time]\n"
        "control_variates: {metric: response_time, controls: [service_time, interarrival_time]}"
    );
    REQUIRE(warnings.size() == 1);
    CHECK_MESSAGE(
        warnings[0].find("20 replications, too few for its control variates") != std::string::npos,
        warnings[0]
    );
    CHECK(warnings[0].find("below 30.") != std::string::npos);
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
    CHECK(warnings[1].find("'missing_request: run_time'?") != std::string::npos);
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
