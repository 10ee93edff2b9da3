// Identities follow from values: how a campaign is written changes no key and no seed, what is only
// measured changes no seed, and every value that is simulated changes both.
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/campaign/plan/identity/keys.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

using engine::Parameters;
using engine::ParameterType;
using engine::Value;

const std::string independent = "random_numbers: {streams: independent}";

/// A cell of `before` and one of `after`, which differ in the value of one key.
struct Changed {
    Lines before;
    Lines after;
};

Lines outages(const std::string& text) {
    return {{5, "system: {clusters: [32, 8], outages: {" + text + "}}"}};
}

Changed of_outages(const std::string& before, const std::string& after) {
    return {outages(before), outages(after)};
}

Changed of_search(const std::string& before, const std::string& after) {
    const auto lines = [](const std::string& search) {
        return Lines{
            {8, "load: {search: {" + search + "}}"},
            {9, ""},
            {10, "horizon: {jobs: 9000, warm_up: {jobs: 500}, start: {backlog: 500}}"}};
    };
    return {lines(before), lines(after)};
}

Changed of_pilot(const std::string& after) {
    const auto lines = [](const std::string& pilot) {
        return Lines{
            {7, "policy: {fpfs: 7}"},
            {8, ""},
            {10, "factors: {load.utilization: {of_saturation: [0.5]}}"},
            {11, "pilot: {" + pilot + "}"}};
    };
    return {lines(""), lines(after)};
}

Changed of_site(const std::string& nodes, const std::string& other_nodes) {
    const auto lines = [](const std::string& which) {
        return Lines{
            {5,
             "system: {slurm: {conf: \"" + which
                 + "\\nPartitionName=all Nodes=ALL Default=YES\\n\"}}"},
            {7, "policy: slurm"}};
    };
    return {lines(nodes), lines(other_nodes)};
}

/// The keys of the campaign file that say what is simulated, each with a change of its value.
const std::map<std::string, Changed>& simulated_keys() {
    const std::string windows = "windows: [{from: 10, until: 20, processors: 4}]";
    const std::string failures =
        "failures: {mean_time_between_failures: 9, mean_time_to_repair: 2}";
    const Lines saturated{{4, "experiment: saturated"}, {8, ""}};
    const Lines filling{{4, "experiment: bin_filling"}, {8, ""}};
    const auto with = [](Lines lines, const std::string& text) {
        lines[10] = text;
        return lines;
    };
    static const std::map<std::string, Changed> keys{
        {"system.clusters", {{}, {{5, "system: {clusters: [33]}"}}}},
        {"system.memory_per_processor",
         {{}, {{5, "system: {clusters: [32], memory_per_processor: 1}"}}}},
        {"system.slurm", of_site("NodeName=n[1-32] CPUs=1", "NodeName=n[1-16] CPUs=2")},
        {"system.outages", {{{5, "system: {clusters: [32, 8]}"}}, outages(windows)}},
        {"system.outages.windows",
         of_outages(
             windows, "windows: [{from: 10, until: 20, processors: 4}, {from: 30, until: 40}]"
         )},
        {"system.outages.failures", of_outages(windows, windows + ", " + failures)},
        {"system.outages.file", of_outages("file: o.csv", "file: p.csv")},
        {"system.outages.nodes",
         of_outages(
             "file: e.txt, nodes: 'n[1-8]', begin: 0", "file: e.txt, nodes: 'n[8,1-7]', begin: 0"
         )},
        {"system.outages.begin",
         of_outages(
             "file: e.txt, nodes: 'n[1-8]', begin: 0", "file: e.txt, nodes: 'n[1-8]', begin: 5"
         )},
        {"system.outages.running", of_outages(windows, windows + ", running: cut")},
        {"system.outages.windows.from",
         of_outages(windows, "windows: [{from: 11, until: 20, processors: 4}]")},
        {"system.outages.windows.until",
         of_outages(windows, "windows: [{from: 10, until: 21, processors: 4}]")},
        {"system.outages.windows.every",
         of_outages(windows, "windows: [{from: 10, until: 20, processors: 4, every: 99}]")},
        {"system.outages.windows.processors",
         of_outages(windows, "windows: [{from: 10, until: 20, processors: 5}]")},
        {"system.outages.windows.first",
         of_outages(windows, "windows: [{from: 10, until: 20, processors: 4, first: 2}]")},
        {"system.outages.windows.clusters",
         of_outages(
             "windows: [{from: 10, until: 20, clusters: [0]}]",
             "windows: [{from: 10, until: 20, clusters: [1]}]"
         )},
        {"system.outages.failures.mean_time_between_failures",
         of_outages(failures, "failures: {mean_time_between_failures: 8, mean_time_to_repair: 2}")},
        {"system.outages.failures.mean_time_to_repair",
         of_outages(failures, "failures: {mean_time_between_failures: 9, mean_time_to_repair: 3}")},
        {"system.outages.failures.processors_per_node",
         of_outages(
             failures,
             "failures: {mean_time_between_failures: 9, mean_time_to_repair: 2, "
             "processors_per_node: 2}"
         )},
        {"load.utilization", {{}, {{8, "load: {utilization: 0.51}"}}}},
        {"load.search", {{}, of_search("", "criterion: drift").after}},
        {"load.search.criterion",
         of_search("criterion: response_time, threshold: 3", "criterion: drift")},
        {"load.search.threshold",
         of_search(
             "criterion: response_time, threshold: 3", "criterion: response_time, threshold: 4"
         )},
        {"load.search.between",
         of_search("criterion: drift", "criterion: drift, between: [0.3, 0.9]")},
        {"load.search.width", of_search("criterion: drift", "criterion: drift, width: 0.02")},
        {"load.search.confidence",
         of_search("criterion: drift", "criterion: drift, confidence: 0.9")},
        {"load.search.reliability",
         of_search("criterion: drift", "criterion: drift, reliability: 0.9")},
        {"load.search.round", of_search("criterion: drift", "criterion: drift, round: 17")},
        {"horizon.jobs", {{}, {{10, "horizon: {jobs: 19999}"}}}},
        {"horizon.warm_up", {{}, {{10, "horizon: {warm_up: {fraction: 0.3}}"}}}},
        {"horizon.backlog", {saturated, with(saturated, "horizon: {backlog: 65}")}},
        {"horizon.fills", {filling, with(filling, "horizon: {fills: 9999}")}},
        {"horizon.start", {{}, {{10, "horizon: {start: {backlog: 5}}"}}}},
        {"horizon.queue_limit", {{}, {{10, "horizon: {queue_limit: 99999}"}}}},
        {"random_numbers.generator", {{}, {{10, "random_numbers: {generator: mrg32k3a}"}}}},
        {"random_numbers.streams", {{}, {{10, independent}}}},
        {"pilot.jobs", of_pilot("jobs: 19999")},
        {"pilot.warm_up", of_pilot("warm_up: {jobs: 7}")},
        {"pilot.backlog", of_pilot("backlog: 65")},
        {"pilot.replications", of_pilot("replications: 65")}};
    return keys;
}

Plan plan_with(Lines lines) {
    return plan_of(
        lines,
        {{"o.csv", "from,until,cluster,first,count\n10,20,0,0,4\n"},
         {"p.csv", "from,until,cluster,first,count\n10,20,0,1,4\n"},
         {"e.txt", "NodeName|TimeStart|TimeEnd|State|Reason|User\nn1|10|20|DOWN|x|root(0)\n"}}
    );
}

/// Two different values of a parameter, whether or not they make sense.
std::vector<Value> two_values(const engine::ParameterDescription& row) {
    switch (row.type) {
        case ParameterType::boolean:
            return {false, true};
        case ParameterType::integer:
            return {1, 2};
        case ParameterType::real:
            return {0.5, 0.25};
        case ParameterType::text:
            return {"a", "b"};
        case ParameterType::integer_list:
            return {Value::List{1, 2}, Value::List{2, 1}};
        case ParameterType::real_list:
            return {Value::List{0.5}, Value::List{0.5, 0.5}};
        case ParameterType::choice:
            return {engine::Choice{"a", {}}, engine::Choice{"b", {}}};
        case ParameterType::choice_list:
            return {Value::List{engine::Choice{"a", {}}}, Value::List{}};
    }
    return {};
}

std::string key_of(const Cell& cell) {
    return simulation_key(cell, nullptr, 1);
}

/// Every parameter of the table, and of what it may name, changes the key of a cell to which
/// `put` gives the parameters.
void expect_each_counts(
    const std::vector<engine::ParameterDescription>& table,
    const std::function<Cell(Parameters)>& put,
    int depth
) {
    for (const engine::ParameterDescription& row : table) {
        CAPTURE(row.name);
        const auto with = [&](const Value& value) {
            Parameters parameters;
            parameters.set(row.name, value);
            return put(std::move(parameters));
        };
        const std::vector<Value> values = two_values(row);
        CHECK(key_of(with(values[0])) != key_of(with(values[1])));
        if (row.type == ParameterType::choice && depth > 0) {
            for (const engine::Alternative& inner : row.alternatives()) {
                const auto nested = [&](Parameters parameters) {
                    return with(engine::Choice{inner.name, std::move(parameters)});
                };
                expect_each_counts(inner.parameters, nested, depth - 1);
            }
        }
    }
}

}  // namespace

TEST_CASE("how a campaign is written changes no key and no seed") {
    const Lines base{
        {7, "policy: {fpfs: {max_jumps: 7}}"}, {10, "horizon: {jobs: 1000}"}, {11, independent}};
    const Plan plan = plan_of(base);
    const Cell& cell = plan.cells[0];
    for (const Lines& other : std::vector<Lines>{
             {{10, "# a comment\nhorizon: {jobs: 1e3}  # another"}},
             {{10, "horizon: {jobs: 1000.0}"}},
             {{10,
               "horizon: {queue_limit: 1e5, ensemble_bins: 200, warm_up: {fraction: 0.20}, jobs: "
               "1000, start: empty}"}},
             {{7, "policy: {fpfs: 7}"}},
             {{7, "policy: {fpfs: {scan_on_arrival: true, placement: first_fit, max_jumps: 7.0}}"}},
             {{5, "system: {memory_per_processor: 0, clusters: [32.0]}"}},
             {{6,
               "workload: {component_size: {uniform: {high: 4, low: 1e0}}, interarrival: &time "
               "{exponential: {mean: 1}}, service: *time, components: 1, model: coallocation}"}},
             {{8, "load: {utilization: 5e-1}"}},
             {{11, "random_numbers: {generator: philox, streams: independent}"}},
             {{1, independent}, {11, "campaign_format: 1"}},
             {{2, "name: other"},
              {12, "description: other words"},
              {13, "probes: [response_time]"}}}) {
        Lines lines = base;
        for (const auto& [number, text] : other) {
            lines[number] = text;
        }
        CAPTURE(campaign_text(lines));
        const Plan again = plan_of(lines);
        CHECK(again.cells[0].replication_key == cell.replication_key);
        CHECK(again.cells[0].random.seed == cell.random.seed);
        CHECK(again.plan_hash == plan.plan_hash);
    }
}

TEST_CASE("a choice that is left out has all its parameters") {
    const std::string moldable = "workload: {model: moldable_version";
    const std::string memory = "workload: {model: memory_version, jobs: lublin_feitelson";
    for (const auto& [line, left_out, written] : std::vector<std::array<std::string, 3>>{
             {"policy", "managers", "{managers: {inner: calendar}}"},
             {"policy", "queues", "{queues: {inner: [fcfs]}}"},
             {"policy", "partitions", "{partitions: {inner: fcfs}}"},
             {"policy", "slices", "{slices: {inner: {fcfs: {}}}}"},
             {"workload", moldable + "}", moldable + ", rigid: lublin_feitelson}"},
             {"workload", memory + "}", memory + ", memory: [default, default, default]}"}}) {
        const std::string system = "system: {clusters: [256], memory_per_processor: 8}";
        const auto plan_with_text = [&](const std::string& text) {
            return line == "policy" ? plan_of({{7, "policy: " + text}})
                                    : plan_of({{5, system}, {6, text}});
        };
        CAPTURE(written);
        const Plan before = plan_with_text(left_out);
        const Plan after = plan_with_text(written);
        CHECK(before.cells[0].replication_key == after.cells[0].replication_key);
        CHECK(before.effective == after.effective);
    }
}

TEST_CASE("integers that a double does not hold are different numbers") {
    const auto key_with = [](Value value) {
        Cell cell = plan_of({}).cells[0];
        engine::Choice policy = *cell.policy;
        policy.parameters.set("x", std::move(value));
        cell.policy = std::make_shared<const engine::Choice>(std::move(policy));
        return key_of(cell);
    };
    const auto key_of_seed = [&](std::int64_t number) {
        return key_with(Value(number));
    };
    const std::int64_t last = std::int64_t{1} << 53;
    CHECK(key_of_seed(last) != key_of_seed(last + 1));
    CHECK(key_of_seed(last + 1) != key_of_seed(last + 2));
    CHECK(key_of_seed(1000) == key_with(Value(1000.0)));
}

TEST_CASE("what is only measured changes no seed") {
    const Plan plan = plan_of({{11, independent}});
    for (const Lines& other : std::vector<Lines>{
             {{10, "probes: [response_time, slowdown]"}},
             {{10, "probes: [{response_time: {quantiles: [0.5]}}]"}},
             {{10, "horizon: {ensemble_bins: 100}"}}}) {
        Lines lines = other;
        lines[11] = independent;
        CAPTURE(campaign_text(lines));
        const Cell cell = plan_of(lines).cells[0];
        CHECK(cell.random.seed == plan.cells[0].random.seed);
        CHECK(cell.replication_key != plan.cells[0].replication_key);
    }
}

TEST_CASE("every key of what is simulated changes the keys") {
    for (const char* name :
         {"system",
          "system.outages",
          "system.outages.windows",
          "system.outages.failures",
          "load",
          "load.search",
          "horizon",
          "random_numbers",
          "pilot"}) {
        for (const engine::ParameterDescription& row : section(name).keys) {
            const std::string path = std::string(name) + "." + row.name;
            CAPTURE(path);
            if (path == "horizon.ensemble_bins" || path == "load.search.most_rounds") {
                continue;  // measured; ends a search
            }
            const auto found = simulated_keys().find(path);
            REQUIRE(found != simulated_keys().end());
            const Plan before = plan_with(found->second.before);
            const Plan after = plan_with(found->second.after);
            CHECK(before.cells[0].replication_key != after.cells[0].replication_key);
            CHECK(before.plan_hash != after.plan_hash);
        }
    }
}

TEST_CASE("every parameter of every policy and model changes the key") {
    const Cell cell = plan_of({}).cells[0];
    const Catalogues& catalogues = registered_catalogues();
    for (const engine::Alternative& policy : catalogues.policy_alternatives) {
        CAPTURE(policy.name);
        const auto put = [&](Parameters parameters) {
            Cell copy = cell;
            copy.policy = std::make_shared<const engine::Choice>(engine::Choice{
                policy.name, std::move(parameters)});
            return copy;
        };
        expect_each_counts(policy.parameters, put, 1);
    }
    for (const engine::WorkloadModelDescription& model : catalogues.models) {
        CAPTURE(model.alternative.name);
        const auto put = [&](Parameters parameters) {
            Cell copy = cell;
            copy.workload = std::make_shared<const engine::Choice>(engine::Choice{
                model.alternative.name, std::move(parameters)});
            return copy;
        };
        expect_each_counts(model.alternative.parameters, put, 1);
    }
}

TEST_CASE("a cell travels as bytes") {
    for (const auto& [path, changed] : simulated_keys()) {
        CAPTURE(path);
        for (const Cell& cell : plan_with(changed.after).cells) {
            const engine::Bytes bytes = encode_cell(cell);
            const Cell received = decode_cell(bytes);
            CHECK(encode_cell(received) == bytes);
            CHECK(resolved_text(received) == resolved_text(cell));
            CHECK(
                received.workload->parameters.folders().campaign
                == cell.workload->parameters.folders().campaign
            );
        }
    }
}

TEST_CASE("keys have the first name of waits, and that alone") {
    CHECK(lasting_name("wait") == "queueing_time");
    CHECK(lasting_name("wait.mean") == "queueing_time.mean");
    CHECK(lasting_name("wait[class=2]") == "queueing_time[class=2]");
    CHECK(lasting_name("wait_of_mine") == "wait_of_mine");
    CHECK(lasting_name("awaited") == "awaited");
}

TEST_CASE("the resolved values of a cell stand in the result file") {
    CHECK(
        resolved_text(plan_of({{7, "policy: {fpfs: 7}"}, {10, "horizon: {jobs: 1e3}"}}).cells[0])
        == R"({"ensemble_bins":200,"experiment":"open",)"
           R"("horizon":{"backlog":0,"fills":0,"jobs":1000,"queue_limit":100000,)"
           R"("start_backlog":0,"warm_up_jobs":200},)"
           R"("policy":{"fpfs":{"max_jumps":7,"placement":"first_fit","scan_on_arrival":true}},)"
           R"("probes":[{"metric":"response_time","per_class":false,"quantiles":[],)"
           R"("sketch":false,"threshold":10.0}],)"
           R"("random_numbers":{"generator":"philox","seed":1},)"
           R"("system":{"clusters":[32],"memory_per_processor":0.0},"utilization":0.5,)"
           R"("workload":{"coallocation":{"component_size":{"uniform":{"high":4,"low":1}},)"
           R"("components":1,"interarrival":{"exponential":{"mean":1.0}},"request":"total",)"
           R"("service":{"exponential":{"mean":1.0}},"size_classes":[]}}})"
    );
}

}  // namespace schedfarm::app::tests
