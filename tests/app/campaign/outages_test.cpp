// `system.outages`: what is read, what it changes, and exact messages for what cannot be.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

using engine::Outage;

std::string system_with(const std::string& outages) {
    return "system: {clusters: [32, 8], outages: " + outages + "}";
}

std::string key_with(const std::string& outages) {
    return plan_of({{5, system_with(outages)}}).cells.front().replication_key;
}

}  // namespace

TEST_CASE("windows, failures and a log are outages of the cell") {
    const Plan plan = plan_of(
        {{5,
          system_with("{windows: [{from: 1, until: 2, every: 9, processors: 3}, {from: 3, until: "
                      "4, clusters: [1]}, {from: 5, until: 6}], failures: "
                      "{mean_time_between_failures: 100, mean_time_to_repair: 2, "
                      "processors_per_node: 8}, file: log.csv, running: cut}")}},
        {{"log.csv", "# a comment\nfrom,until,cluster,first,count\n7,8.5,1,2,6\n"}}
    );
    const engine::Outages& outages = plan.cells.front().system.outages;
    REQUIRE(outages.listed.size() == 4);
    const auto is = [&](std::size_t i, std::uint32_t first, std::uint32_t count, bool planned) {
        const Outage& outage = outages.listed.at(i);
        CHECK(outage.first_processor == first);
        CHECK(outage.count == count);
        CHECK(outage.is_planned == planned);
    };
    is(0, 0, 3, true);
    is(1, 32, 8, true);
    is(2, 0, 40, true);
    is(3, 34, 6, false);
    CHECK(outages.listed[0].every == 9);
    CHECK(outages.listed[3].until == 8.5);
    CHECK(outages.failures.mean_time_between_failures == 100);
    CHECK(outages.failures.processors_per_node == 8);
    CHECK(outages.cut_jobs());
    const auto& columns = plan.cells.front().measures->columns;
    CHECK(columns[columns.size() - 3].name == "availability");
    CHECK(plan.cells.front().known_values.empty());
}

TEST_CASE("without outages a cell's key is what it was, and with them it follows from them alone") {
    const std::string none = plan_of({{5, "system: {clusters: [32, 8]}"}}).cells[0].replication_key;
    CHECK(key_with("none") == none);
    CHECK(key_with("{running: cut}") == none);
    const std::string one = key_with("{windows: [{from: 1, until: 2}]}");
    CHECK(one != none);
    CHECK(key_with("{windows: [{from: 1.0, until: 2, processors: 40}]}") == one);
    CHECK(key_with("{windows: [{from: 1, until: 2}], running: cut}") != one);
    CHECK(key_with("{windows: [{from: 1, until: 2, every: 9}]}") != one);
    CHECK(
        key_with("{failures: {mean_time_between_failures: 9, mean_time_to_repair: 1}}")
        != key_with("{failures: {mean_time_between_failures: 9, mean_time_to_repair: 2}}")
    );
    const auto logged = [](const std::string& rows) {
        return plan_of(
                   {{5, system_with("{file: log.csv}")}},
                   {{"log.csv", "from,until,cluster,first,count\n" + rows}}
        )
            .cells[0]
            .replication_key;
    };
    std::string many;
    for (int i = 0; i < 30; ++i) {
        many += std::to_string(i) + "," + std::to_string(i + 1) + ",0,0,1\n";
    }
    CHECK(logged(many) == logged("# said otherwise\n" + many));
    CHECK(logged(many) != logged(many + "50,51,0,0,1\n"));
}

TEST_CASE("outages may be a factor, and come back from the effective configuration") {
    const Plan plan = plan_of(
        {{5, "system: {clusters: [32]}"},
         {10, "factors: {system.outages: [none, {windows: [{from: 5, until: 6}]}]}"}}
    );
    REQUIRE(plan.cells.size() == 2);
    CHECK(plan.cells[0].system.outages.empty());
    CHECK(!plan.cells[1].system.outages.empty());
    CHECK(make_plan(source_of(plan.effective)).plan_hash == plan.plan_hash);
    const Plan one = plan_of({{5, system_with("{windows: [{from: 5, until: 6}], running: cut}")}});
    CHECK(make_plan(source_of(one.effective)).plan_hash == one.plan_hash);
}

// Clusters of 32 and 8: numbers 30 to 33 are the last two processors of the first cluster and the
// first two of the second; numbers 38 and 39 are the last two of all.
TEST_CASE("a window may name the first of its processors") {
    const auto outage_of = [](const std::string& window) {
        const Plan plan = plan_of({{5, system_with("{windows: [" + window + "]}")}});
        return plan.cells.front().system.outages.listed.at(0);
    };
    const Outage across = outage_of("{from: 1, until: 2, processors: 4, first: 30}");
    CHECK(across.first_processor == 30);
    CHECK(across.count == 4);
    CHECK(outage_of("{from: 1, until: 2, processors: 2, first: 38}").first_processor == 38);
    CHECK(
        key_with("{windows: [{from: 1, until: 2, processors: 4, first: 0}]}")
        == key_with("{windows: [{from: 1, until: 2, processors: 4}]}")
    );
    CHECK(
        key_with("{windows: [{from: 1, until: 2, processors: 4, first: 1}]}")
        != key_with("{windows: [{from: 1, until: 2, processors: 4}]}")
    );
}

TEST_CASE("events of sacctmgr are outages of nodes") {
    const std::string head = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n";
    const std::string events =
        head
        + "c||2026-11-27T09:21:21|Unknown||Cluster Registered TRES|\n"
          "c|n1|2026-11-27T09:21:21|2026-11-27T09:21:22|UNK|cold-start|root(0)\n"
          "c|n3|2026-11-27T09:23:16|2026-11-27T09:24:56|DRAIN|disk | smart|root(0)\n"
          "c|n5|2026-11-27T09:21:50|2026-11-27T09:23:13|DOWN|cable|root(0)\n"
          "c|n6|2026-11-27T09:20:00|2026-11-27T09:22:00|DOWN|before the log|root(0)\n"
        + head + "c|n8|2026-11-27T09:30:00|Unknown|DOWN*|still|root(0)\n";
    const auto outages_of = [](const std::string& file, const std::string& begin) {
        return plan_of(
                   {{5, system_with("{file: e.txt, nodes: 'n[1-8],m1,m2', begin: " + begin + "}")}},
                   {{"e.txt", file}}
        )
            .cells.front()
            .system.outages.listed;
    };
    // 40 processors of ten nodes, four each; second 0 is 09:22:00.
    const std::vector<Outage> listed = outages_of(events, "2026-11-27T09:22:00");
    REQUIRE(listed.size() == 3);
    const auto is = [](const Outage& outage, double from, double until, std::uint32_t first) {
        CHECK(outage.from == from);
        CHECK(outage.until == until);
        CHECK(outage.first_processor == first);
        CHECK(outage.count == 4);
        CHECK_FALSE(outage.is_planned);
    };
    is(listed[0], 76, 176, 8);
    is(listed[1], 0, 73, 16);
    is(listed[2], 480, 1e12, 28);
    // Other columns, seconds of the Unix clock.
    const std::vector<Outage> epoch = outages_of(
        "State|NodeName|TimeEnd|TimeStart\nFAIL|m2|1795806878|1795806875\n", "1795806870"
    );
    REQUIRE(epoch.size() == 1);
    is(epoch[0], 5, 8, 36);
    // A | of a reason moves the columns behind it.
    const std::vector<Outage> moved = outages_of(
        "NodeName|State|Reason|TimeStart|TimeEnd\nn2|DOWN|disk | smart|1795806871|1795806879\n",
        "1795806870"
    );
    REQUIRE(moved.size() == 1);
    is(moved[0], 1, 9, 4);
}

}  // namespace schedfarm::app::tests
