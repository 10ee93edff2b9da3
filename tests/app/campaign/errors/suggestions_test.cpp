// What somebody may have meant who writes names and forms as other tools have them.
#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("a name in capital letters is the one in small letters") {
    CHECK(
        errors_of({{7, "policy: EASY"}})
        == "a.yaml:7:9: unknown policy 'EASY'. Did you mean 'easy'?"
    );
}

TEST_CASE("a key that begins like one that is missing stands for it") {
    CHECK(
        errors_of({{7, "policies: [fcfs]"}})
        == "a.yaml:7:1: unknown key 'policies' in the campaign (it would be ignored). Did you mean "
           "'policy'?"
    );
}

TEST_CASE("a key without its section is named with it") {
    CHECK(
        errors_of({{10, "factors: {clusters: [[32], [64]]}"}})
        == "a.yaml:10:11: unknown key 'clusters' in the campaign (it would be ignored). Did you mean "
           "'system.clusters'?"
    );
    CHECK(
        errors_of({{10, "factors: {components: [1, 2]}"}})
        == "a.yaml:10:11: unknown key 'components' in the campaign (it would be ignored). Did you "
           "mean 'workload.components'?"
    );
    CHECK(
        errors_of({{7, "policy: fpfs"}, {10, "factors: {max_jumps: [1, 2]}"}})
        == "a.yaml:10:11: unknown key 'max_jumps' in the campaign (it would be ignored). Did you mean "
           "'policy.fpfs.max_jumps'?"
    );
}

TEST_CASE("a label of a table is told from the form that campaigns have") {
    CHECK(
        errors_of({{7, "policy: fpfs(max_jumps=7, placement=worst_fit)"}})
        == "a.yaml:7:9: unknown policy 'fpfs(max_jumps=7, placement=worst_fit)'. Write {fpfs: "
           "{max_jumps: 7, placement: worst_fit}}?"
    );
    CHECK(errors_of({{7, "policy: fpps()"}}).find("Write") == std::string::npos);
}

TEST_CASE("a number where something named should stand") {
    CHECK(
        errors_of({{10, "horizon: {jobs: 100, warm_up: 20}"}})
        == "a.yaml:10:31: unknown warm_up '20'. Write {name: 20}, the name one of none, fraction, "
           "jobs?"
    );
}

TEST_CASE("a number where a list of numbers should stand") {
    CHECK(
        errors_of({{5, "system: {clusters: 32}"}})
        == "a.yaml:5:20: 'system.clusters' must be a list of integers, not '32'. Write [32]?"
    );
    CHECK(
        errors_of({{5, "system: {clusters: many}"}})
        == "a.yaml:5:20: 'system.clusters' must be a list of integers, not 'many'"
    );
}

TEST_CASE("a name alone that needs parameters is shown with them") {
    CHECK(
        errors_of({{10, "horizon: {start: backlog}"}})
        == "a.yaml:10:18: 'horizon.start.backlog' is missing (jobs at time 0). Write {backlog: …}?"
    );
}

TEST_CASE("two quantiles of one name, and so of one column, are refused") {
    CHECK(
        errors_of({{10, "probes: [{response_time: {quantiles: [0.5, 0.95, 0.95]}}]"}})
        == "a.yaml:10:38: 'probes.response_time': two quantiles have one name, p95. Remove one."
    );
    CHECK(
        errors_of({{10, "probes: [{response_time: {quantiles: [0.9999, 0.999900000001]}}]"}}
        ).find("have one name, p99.99")
        != std::string::npos
    );
    CHECK(errors_of({{10, "probes: [{response_time: {quantiles: [0.9999, 0.99999]}}]"}}).empty());
}

TEST_CASE("a workload is not written as a policy is") {
    CHECK(
        errors_of({{6, "workload: {coallocation: {component_size: {uniform: [1, 4]}}}"}})
        == "a.yaml:6:12: 'coallocation' stands where a key of 'workload' should. Write {model: "
           "coallocation, …}?"
    );
}

TEST_CASE("an integer may be too large") {
    CHECK(
        errors_of({{3, "seed: 99999999999999999999"}})
        == "a.yaml:3:7: 'seed' is 99999999999999999999 (it must be >= 1 and <= "
           "9223372036854774784)"
    );
    CHECK(
        errors_of({{3, "seed: 1e17"}})
        == "a.yaml:3:7: 'seed' must be an integer, not '1e17'. Write all its digits?"
    );
}

TEST_CASE("what lies beyond every number is refused by the range and what lies at 0 is named") {
    const auto count = [](const std::string& number) {
        return errors_of({{7, "policy: {k_reservations: {reservations: " + number + "}}"}});
    };
    for (const std::string number : {"inf", ".inf", "+Infinity", "1e400", "1e300"}) {
        CHECK(
            count(number)
            == "a.yaml:7:41: 'policy.k_reservations.reservations' is " + number
                   + " (it must be >= 0 and <= 1000000000000000)"
        );
    }
    CHECK(
        count("-inf")
        == "a.yaml:7:41: 'policy.k_reservations.reservations' is -inf (it must be >= 0)"
    );
    for (const std::string number : {"nan", ".nan", "2.5", "..inf", "--inf", "info"}) {
        CHECK(
            count(number)
            == "a.yaml:7:41: 'policy.k_reservations.reservations' must be an integer, not '"
                   + number + "'"
        );
    }
    const auto load = [](const std::string& number) {
        return errors_of({{8, "load: {utilization: " + number + "}"}});
    };
    CHECK(
        load("1e-400") == "a.yaml:8:21: 'load.utilization' is 1e-400 (no number is so near to 0)"
    );
    CHECK(
        load("-0." + std::string(400, '0') + "1")
        == "a.yaml:8:21: 'load.utilization' is -0." + std::string(400, '0')
               + "1 (no number is so near to 0)"
    );
}

TEST_CASE("a metric that is called like its probe is listed once") {
    const std::string text = errors_of(
        {{4, "experiment: saturated"}, {8, ""}, {9, "precision: {metric: utilisation_of_all}"}}
    );
    CHECK(text.find("gross_utilization") != std::string::npos);
    CHECK(text.find("gross_utilization") == text.rfind("gross_utilization"));
    CHECK(
        errors_of({{4, "experiment: saturated"}, {8, ""}, {9, "precision: {metric: utilization}"}})
        == "a.yaml:9:21: metric 'utilization' is not observed. Did you mean 'gross_utilization'?"
    );
}

}  // namespace schedfarm::app::tests
