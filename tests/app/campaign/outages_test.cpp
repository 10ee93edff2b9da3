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

std::string errors_with(const std::string& outages) {
    return errors_of({{5, system_with(outages)}});
}

std::string key_with(const std::string& outages) {
    return plan_of({{5, system_with(outages)}}).cells.front().replication_key;
}

std::string log_errors(const std::string& row) {
    return errors_of(
        {{5, system_with("{file: log.csv}")}},
        {{"log.csv", "from,until,cluster,first,count\n" + row + "\n"}}
    );
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
    CHECK(
        errors_with("{windows: [{from: 1, until: 2, processors: 3, first: 38}]}")
        == "a.yaml:5:81: 3 processors from number 38 on of a system that has 40. Give a smaller "
           "'first'? Numbers begin at 0"
    );
    CHECK(
        errors_with("{windows: [{from: 1, until: 2, first: 3}]}")
        == "a.yaml:5:76: 'first' without 'processors' (how many are out of order?). Add "
           "'processors: 8'?"
    );
    CHECK(
        errors_with("{windows: [{from: 1, until: 2, clusters: [1], first: 3}]}")
        == "a.yaml:5:84: 'first' beside 'clusters' (which would be out of order?). Remove one?"
    );
}

TEST_CASE("windows that cannot be are refused") {
    CHECK(
        errors_with("{windows: [{from: 5, until: 5}]}")
        == "a.yaml:5:66: an outage from 5 until 5 (it ends before it begins). Exchange them?"
    );
    CHECK(
        errors_with("{windows: [{from: 5, until: 8, every: 3}]}")
        == "a.yaml:5:76: an outage of 3 every 3 (its processors would never come back). A longer "
           "time between them?"
    );
    CHECK(
        errors_with("{windows: [{from: 5, until: 8, processors: 41}]}")
        == "a.yaml:5:81: 41 processors of a system that has 40. Remove 'processors', and all are "
           "out of order?"
    );
    CHECK(
        errors_with("{windows: [{from: 5, until: 8, clusters: [2]}]}")
        == "a.yaml:5:79: cluster 2 of a system that has 2 (they are numbered from 0). Write [0]?"
    );
    CHECK(
        errors_with("{windows: {from: 5}}")
        == "a.yaml:5:48: 'system.outages.windows' must be a list, not a mapping. Write [{from: "
           "100, until: 108}]?"
    );
    CHECK(
        errors_with("{failures: {mean_time_between_failures: 9, mean_time_to_repair: 1, "
                    "processors_per_node: 3}}")
        == "a.yaml:5:126: nodes of 3 processors in a cluster of 32 (one would be smaller). Take a "
           "number that divides every cluster?"
    );
}

TEST_CASE("what is wrong with a log of outages is told by file and line") {
    CHECK(log_errors("1,2,0,0") == "log.csv:2:1: 4 fields, but there are 5 columns");
    CHECK(log_errors("2,1,0,0,1") == "log.csv:2:3: the outage ends before it begins");
    CHECK(log_errors("a,1,0,0,1") == "log.csv:2:1: from 'a' is not a finite number from 0");
    CHECK(log_errors("0,1,0.5,0,1") == "log.csv:2:5: cluster '0.5' is not a whole number from 0");
    CHECK(
        log_errors("0,1,2,0,1")
        == "log.csv:2:5: cluster 2 of a system that has 2 (they are numbered from 0)"
    );
    CHECK(
        log_errors("0,1,1,3,6") == "log.csv:2:9: 6 processors from number 3 on, in a cluster of 8"
    );
    CHECK(
        errors_of({{5, system_with("{file: log.csv}")}}, {{"log.csv", "from,until\n"}})
        == "log.csv:1:1: the first line does not name the columns. Write "
           "'from,until,cluster,first,count'?"
    );
    CHECK(
        errors_of(
            {{5, "system: {clusters: [32]}"},
             {10, "factors: {system.outages: [{file: log.csv}, none]}"}}
        )
        == "a.yaml:10:35: log.csv is not among the campaign's files (a factor or an override names "
           "it). Name it in 'system: {outages: {file: …}}'?"
    );
}

TEST_CASE("what has no meaning where processors come and go is refused with the reason") {
    const std::string outages = system_with("{windows: [{from: 5, until: 6}]}");
    const auto refused = [&](Lines changes) {
        changes[5] = outages;
        return errors_of(changes);
    };
    CHECK(
        refused({{4, "experiment: bin_filling"}, {8, ""}})
        == "a.yaml:4:13: 'system.outages': experiment 'bin_filling' has no time. Remove "
           "'system.outages'?"
    );
    CHECK(
        refused({{4, "experiment: saturated"}, {8, ""}})
        == "a.yaml:4:13: 'system.outages': experiment 'saturated' measures what all processors can "
           "do. Remove 'system.outages'?"
    );
    CHECK(
        refused({{8, "load: {search: {criterion: response_time, threshold: 9}}"}, {9, ""}})
        == "a.yaml:8:7: 'system.outages': no saturation point is estimated where processors come "
           "and go. Remove 'system.outages'?"
    );
    CHECK(
        refused({{8, ""}, {10, "factors: {load.utilization: {below_saturation: 4}}"}}
        ).find("no saturation point is estimated")
        != std::string::npos
    );
    CHECK(
        refused({{7, "policy: matrix_gang"}})
        == "a.yaml:7:9: 'system.outages': policy 'matrix_gang' switches jobs off and on by a plan "
           "of all processors. Remove 'system.outages'?"
    );
    CHECK(
        refused({{10, "probes: [fair_start_miss]"}})
        == "a.yaml:10:9: 'system.outages': fair_start_miss compares with a machine that does not "
           "change. Remove 'system.outages'?"
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
}

TEST_CASE("events that cannot be placed are refused") {
    const auto errors = [](const std::string& keys, const std::string& row) {
        return errors_of(
            {{5, system_with("{file: e.txt" + keys + "}")}},
            {{"e.txt", "NodeName|TimeStart|TimeEnd|State|Reason|User\n" + row + "\n"}}
        );
    };
    const std::string row = "n1|1|2|DOWN|x|root(0)";
    CHECK(errors(", nodes: 'n[1-8]', begin: 0", row).empty());
    CHECK(
        errors("", row)
        == "e.txt:1:1: events of nodes, of which neither place nor time is known. Add 'nodes: "
           "n[1-8]', in the order of their processors, and 'begin: 2026-03-02T00:00:00', the time "
           "at second 0?"
    );
    CHECK(
        errors(", nodes: 'n[1-7]', begin: 0", row).find("7 nodes for 40 processors")
        != std::string::npos
    );
    CHECK(errors(", nodes: 'n[1-', begin: 0", row).find("no list of nodes") != std::string::npos);
    CHECK(
        errors(", nodes: 'n[1-8]', begin: noon", row).find("'noon' is no time") != std::string::npos
    );
    CHECK(
        errors(", nodes: 'n[1-8]', begin: 0", "n9|1|2|DOWN|x|y")
        == "e.txt:2:1: node 'n9' is none of the machine's"
    );
    CHECK(
        errors(", nodes: 'n[1-8]', begin: 0", "n1|1|soon|DOWN|x|y")
        == "e.txt:2:1: its times cannot be read"
    );
    CHECK(errors(", nodes: 'n[1-8]', begin: 0", "n1|1|2") == "e.txt:2:1: 3 fields of 6");
}

}  // namespace schedfarm::app::tests
