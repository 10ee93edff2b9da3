// What gang scheduling derives from its parameters: switches, the quanta of a day, cycles that are
// refused. Schedules by hand: tests/cases.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/gang/gang.hpp"
#include "policies/gang/migration_gang.hpp"
#include "policies/gang/switch_cost.hpp"

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

using Readings = std::vector<std::pair<std::string, Value>>;

Parameters with_switches(const Readings& readings) {
    Parameters given;
    for (const auto& [parameter, value] : readings) {
        given.set(parameter, value);
    }
    return with_defaults(policies::switch_cost_parameters(), given);
}

}  // namespace

// 64 MB are 16,000 pages of 4 KB, at 1,000 a second 16 s; 25 % of them 4 s.
TEST_CASE("a switch lasts as long as a working set is loaded") {
    using policies::switch_cost;
    CHECK(switch_cost(with_switches({})).seconds == 1);
    CHECK(switch_cost(with_switches({{"switch_model", "paging"}})).seconds == 16);
    Readings blocks = {{"switch_model", "block_paging"}, {"prefetched_fraction", 0.75}};
    CHECK(switch_cost(with_switches(blocks)).seconds == 4);
    blocks.emplace_back("working_set_mb", 32);
    blocks.emplace_back("page_kb", 8);
    blocks.emplace_back("pages_per_s", 500);
    CHECK(switch_cost(with_switches(blocks)).seconds == 2);
}

// Day 0: 25 s on 4 processors, 150 on 2, 600 on 1: w = 100, 300, 600. With two slices of class 0:
// 920 s above the least for 100, 300, 300, 300.
TEST_CASE("the quanta of a day follow the work of the day before in whole seconds") {
    policies::GangSettings settings{.rule = policies::QuantaRule::utilization};
    const auto second_day = [&settings] {
        policies::GangQuanta quanta(settings, BuddyTrees(4));
        quanta.arrive(0, 25, 2);
        quanta.arrive(10, 150, 1);
        quanta.arrive(86399, 600, 0);
        quanta.arrive(86400, 1000, 0);
        CHECK(quanta.of_cycle(86399) == policies::uniform_quanta(1000, quanta.slices()));
        return quanta.of_cycle(86400);
    };
    CHECK(second_day() == std::vector<double>{114, 302, 584});
    settings.quanta_classes = {2, 1, 0, 0};
    CHECK(second_day() == std::vector<double>{112, 296, 296, 296});
}

TEST_CASE("cycles that leave out a class or name one that is not there are refused") {
    const PolicyDescription& policy = policy_named("vanilla_gang");
    SystemDescription system;
    system.clusters = {4};
    const auto problems_of = [&](const Value::List& classes) {
        Parameters given = gang_policy("vanilla_gang", 30, 1).parameters;
        given.set("quanta_classes", classes);
        return policy.check_system(with_defaults(policy.alternative.parameters, given), system);
    };
    CHECK(problems_of({0, 1, 0, 2}).empty());
    REQUIRE(problems_of({0, 1, 0}).size() == 1);
    CHECK(problems_of({0, 1, 0}).front().reason.find("class 2 has no time slice") == 0);
    CHECK(problems_of({0, 1, 2, 3}).front().reason.find("there is no class 3") == 0);
}

}  // namespace schedfarm::tests
