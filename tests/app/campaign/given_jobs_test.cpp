// Jobs that are given and not drawn: they are the same in every replication and take no load.
#include <string>

#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("replications that are the same cannot be compared, which is said at once") {
    const auto errors = [](const std::string& workload, const std::string& replications) {
        return errors_of(
            {{4, "experiment: trace"},
             {5, "system: {clusters: [128]}"},
             {6, "workload: " + workload},
             {7, ""},
             {8, ""},
             {9,
              "replications: " + replications
                  + "\nfactors: {policy: [easy, fcfs]}\n"
                    "comparison: {factor: policy, metric: response_time}"}}
        );
    };
    const std::string whole = "{model: trace, file: example, resampling: none}";
    CHECK(
        errors(whole, "2")
            .find("Write 'replications: 1' without 'comparison', or in the workload 'resampling: "
                  "weeks' or 'users', or 'shake: 60'?")
        != std::string::npos
    );
    CHECK(
        errors(whole, "1")
            .find("Give it more 'replications' and in the workload 'resampling: weeks' or 'users', "
                  "or "
                  "'shake: 60', or remove 'comparison'?")
        != std::string::npos
    );
    CHECK(
        errors("{model: trace, file: example}", "1")
            .find("Give it more 'replications', or remove 'comparison'?")
        != std::string::npos
    );
}

TEST_CASE("listed jobs take no load") {
    const std::string listed = "workload: {model: listed, service_times: [1], sizes: [1]}";
    const std::string one = "replications: 1\nhorizon: {jobs: 1, warm_up: none}";
    CHECK(errors_of({{6, listed}, {8, ""}, {9, one}}).empty());
    CHECK(!plan_of({{6, listed}, {8, ""}, {9, one}}).cells.at(0).utilization);
    const std::string reason =
        "is not used by workload 'listed' with arrivals of its own (it "
        "would be ignored). Remove it?";
    CHECK(errors_of({{6, listed}, {9, one}}) == "a.yaml:8:1: 'load' " + reason);
    CHECK(
        errors_of({{6, listed}, {8, "load: {search: {criterion: drift}}"}, {9, one}})
        == "a.yaml:8:1: 'load' " + reason
    );
    CHECK(
        errors_of({{6, listed}, {8, ""}, {9, one}, {10, "factors: {load.utilization: [0.5, 0.6]}"}}
        ).find("is varied but workload 'listed' with arrivals of its own does not use it")
        != std::string::npos
    );
    // The other cells need it.
    const std::string both =
        "factors: {workload: [{model: listed, service_times: [1], sizes: [1]}, "
        "{model: coallocation, component_size: {uniform: [1, 4]}}]}";
    const Plan plan = plan_of({{6, ""}, {9, one}, {10, both}});
    CHECK(!plan.cells.at(0).utilization);
    CHECK(plan.cells.at(1).utilization);
}

TEST_CASE("what was meant in per cent is suggested as a fraction") {
    CHECK(
        errors_of({{8, "load: {utilization: 70}"}})
        == "a.yaml:8:21: 'load.utilization' is 70 (it must be > 0 and < 1). Write 0.7 for 70 %?"
    );
    CHECK(
        errors_of({{8, "load: {utilization: 1.2}"}})
        == "a.yaml:8:21: 'load.utilization' is 1.2 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{8, "load: {utilization: 2}"}})
        == "a.yaml:8:21: 'load.utilization' is 2 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{9, "precision: {metric: response_time, relative: 1}"}})
        == "a.yaml:9:46: 'precision.relative' is 1 (it must be > 0 and < 1). Write 0.01 for 1 %?"
    );
    CHECK(
        errors_of({{9, "replications: {count: 2, confidence: 1}"}})
        == "a.yaml:9:38: 'replications.confidence' is 1 (it must be > 0 and < 1)"
    );
    CHECK(errors_of({{9, "replications: {count: 2, confidence: 95}"}}) ==
"a.yaml:9:38: 'replications.confidence' is 95 (it must be > 0 and < 1). Write 0.95 for 95 %?");
}

}  // namespace schedfarm::app::tests
