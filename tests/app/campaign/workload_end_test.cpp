// A workload with an end is not asked for more jobs than it has.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

/// A version of a workload, under a policy that serves it.
Lines moldable(const std::string& version, const std::string& horizon) {
    return {
        {4, "experiment: trace"},
        {5, "system: {clusters: [128]}"},
        {6, "workload: {model: " + version + "}"},
        {7, "policy: {demt: {bounds: none}}"},
        {8, ""},
        {9, "replications: 2\nhorizon: " + horizon}};
}

}  // namespace

TEST_CASE("a horizon beyond the end of the workload is refused") {
    const auto errors = [](const std::string& workload, const std::string& horizon) {
        return errors_of(
            {{4, "experiment: trace"},
             {5, "system: {clusters: [128]}"},
             {6, "workload: " + workload},
             {8, ""},
             {9, "replications: 1\nhorizon: " + horizon}}
        );
    };
    const std::string log = "{model: trace, file: example, resampling: ";
    const std::string none = "none, sizes: [1, 8]";
    const std::string beyond = errors(log + none + "}", "{jobs: 1000000, warm_up: none}");
    const std::string begin = "a.yaml:10:17: 1000000 jobs of a workload that has ";
    REQUIRE(beyond.starts_with(begin));
    const std::uint64_t kept = std::stoull(beyond.substr(begin.size()));
    CHECK(
        beyond
        == begin + std::to_string(kept) + " (it would end before the horizon). Write 'jobs: all'."
    );
    const std::string exact = "{jobs: " + std::to_string(kept) + ", warm_up: none}";
    const std::string longer = "{jobs: " + std::to_string(kept + 1) + ", warm_up: none}";
    for (const std::string& given :
         {none, none + ", shake: 60", none + ", load_factor: 2", none + ", estimates: tsafrir"}) {
        CAPTURE(given);
        CHECK(errors(log + given + "}", exact).empty());
        CHECK(errors(log + given + "}", longer).find("the horizon") != std::string::npos);
    }
    CHECK(errors(log + none + "}", "{jobs: all, warm_up: none}").empty());
    for (const std::string& given : {none, none + ", shake: 60"}) {
        CAPTURE(given);
        const std::string inside = "{trace: {file: example, resampling: " + given + "}}";
        const std::string version = "moldable_version, rigid: ";
        CHECK(errors_of(moldable(version + inside, exact)).empty());
        const std::string found = errors_of(moldable(version + inside, longer));
        CHECK(found.find("the horizon). Write 'jobs: all'.") != std::string::npos);
    }
    for (const std::string endless : {"users", "weeks"}) {
        CHECK(errors(log + endless + "}", "{jobs: 1000000, warm_up: none}").empty());
    }
    CHECK(
        errors_of(
            {{6, "workload: {model: listed, service_times: [1, 1], sizes: [1, 1]}"},
             {8, ""},
             {9, "replications: 1\nhorizon: {jobs: 3, warm_up: none}"}}
        )
        == "a.yaml:10:17: 3 jobs of a workload that has 2 (it would end before the horizon). Write "
           "'jobs: 2'."
    );
}

// Of an endless home nothing is counted: 20,000,000 jobs would take minutes here.
TEST_CASE("a federation ends when all of its homes do") {
    const auto lines = [](const std::string& homes, const std::string& jobs) {
        return Lines{
            {4, "experiment: trace"},
            {5, "system: {clusters: [128, 128]}"},
            {6, "workload: {model: federation, homes: [" + homes + "]}"},
            {8, ""},
            {9, "replications: 2\nhorizon: {jobs: " + jobs + ", warm_up: none}"}};
    };
    const auto queue_limit = [&lines](const std::string& homes) {
        return plan_of(lines(homes, "500")).cells.front().experiment.horizon.queue_limit;
    };
    const std::string log = "{trace: {file: example, resampling: none, shake: 60}}";
    CHECK(queue_limit(log + ", " + log) == 0);
    CHECK(queue_limit(log + ", lublin_feitelson") == 100000);
}

}  // namespace schedfarm::app::tests
