// Loads that are looked for or placed by pilots, and certificates.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "app/campaign/plan/analyses/package_plan.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

Lines searched(const std::string& search, const std::string& horizon = "{}") {
    return {{8, "load: {search: " + search + "}"}, {9, ""}, {10, "horizon: " + horizon}};
}

const char* const deep = "{jobs: 5000, warm_up: {jobs: 500}, start: {backlog: 500}}";

Lines placed(const std::string& levels, const std::string& policy = "{fpfs: 7}") {
    return {{7, "policy: " + policy}, {8, ""}, {10, "factors: {load.utilization: " + levels + "}"}};
}

}  // namespace

TEST_CASE("a search for the drift has every default and decides its replications") {
    const Plan plan = plan_of(searched("{criterion: drift}", deep));
    const Cell& cell = plan.cells.front();
    REQUIRE(cell.load_search);
    const LoadSearch& search = *cell.load_search;
    CHECK(search.criterion == SearchCriterion::drift);
    CHECK(search.low == 0.3);
    CHECK(search.high == 1.0);
    CHECK(search.width == 0.01);
    CHECK(search.confidence == 0.95);
    CHECK(search.reliability == 0.95);
    CHECK(search.round == 16);
    CHECK(search.most_rounds == 400);
    CHECK(!cell.utilization);
    CHECK(!cell.placed_load);
    CHECK(cell.replications.limits.max == 6400);
    CHECK(cell.replications.targets.empty());
    CHECK(cell.experiment.horizon.start_backlog == 500);
    CHECK(cell.experiment.series_bins == 0);
    CHECK(cell.known_values.empty());
    CHECK(cell.maximal_utilization);
}

TEST_CASE("a threshold is given in mean service times and becomes a time") {
    Lines lines = searched("{criterion: response_time, threshold: 1500, between: [0.5, 0.9]}");
    lines[6] =
        "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
        "service: {exponential: 4}}";
    const LoadSearch search = *plan_of(lines).cells[0].load_search;
    CHECK(search.threshold == 6000);
    CHECK(search.low == 0.5);
    CHECK(search.high == 0.9);
}

TEST_CASE("the key of a searched cell holds what its loads follow from and not their number") {
    const auto key = [](const std::string& search) {
        return plan_of(searched(search, deep)).cells[0].replication_key;
    };
    const auto hash = [](const std::string& search) {
        return plan_of(searched(search, deep)).plan_hash;
    };
    {
        const char* more = ", most_rounds: 7";
        const std::string search = std::string("{criterion: drift") + more + "}";
        CHECK(key(search) == key("{criterion: drift}"));
        CHECK(hash(search) != hash("{criterion: drift}"));
    }
    for (const char* more :
         {", round: 8",
          ", width: 0.02",
          ", confidence: 0.9",
          ", between: [0.3, 0.9]",
          ", reliability: 0.9"}) {
        CAPTURE(more);
        CHECK(key(std::string("{criterion: drift") + more + "}") != key("{criterion: drift}"));
    }
}

TEST_CASE("a load below an unknown saturation point waits for a pilot") {
    const Plan plan = plan_of(placed("{below_saturation: 3}"));
    REQUIRE(plan.cells.size() == 4);
    // 1 - f = 0.8 (1/16)^(i/2): f = 0.2, 0.8, 0.95.
    const char* const labels[] = {"0.2 of saturation", "0.8 of saturation", "0.95 of saturation"};
    const double fractions[] = {0.2, 0.8, 0.95};
    for (std::size_t i = 0; i < 3; ++i) {
        const Cell& cell = plan.cells[i];
        CHECK(!cell.utilization);
        REQUIRE(cell.placed_load);
        CHECK(cell.placed_load->fraction == fractions[i]);
        CHECK(cell.placed_load->pilot == 3);
        CHECK(cell.levels[0].label == labels[i]);
        CHECK(!cell.levels[0].number);
        CHECK(!cell.is_pilot);
        CHECK(cell.known_values.empty());
    }
    const Cell& pilot = plan.cells[3];
    CHECK(pilot.is_pilot);
    CHECK(pilot.index == 3);
    CHECK(pilot.experiment.kind == engine::ExperimentKind::saturated);
    CHECK(pilot.experiment.horizon.jobs == 20000);
    CHECK(pilot.experiment.horizon.warm_up_jobs == 4000);
    CHECK(pilot.experiment.horizon.backlog == 64);
    CHECK(pilot.replications.limits.max == 64);
    CHECK(pilot.policy->name == "fpfs");
    CHECK(pilot.levels.empty());
    CHECK(pilot.probes.requests.empty());
}

TEST_CASE("pilots are the saturated cells that a campaign would name itself") {
    Lines lines = placed("{below_saturation: 1}");
    lines[11] = "pilot: {jobs: 900, warm_up: {jobs: 90}, backlog: 5, replications: 7}";
    const Cell pilot = plan_of(lines).cells[1];
    const Cell own = plan_of({{4, "experiment: saturated"},
                              {7, "policy: {fpfs: 7}"},
                              {8, ""},
                              {9, "replications: 7"},
                              {10, "horizon: {jobs: 900, warm_up: {jobs: 90}, backlog: 5}"}}
    ).cells[0];
    CHECK(pilot.replication_key == own.replication_key);
    CHECK(pilot.measures->columns == own.measures->columns);
    CHECK(pilot.random.seed == own.random.seed);
}

TEST_CASE("one pilot serves every cell of its system and workload and policy") {
    // Loads vary fastest: cells 0 1 fcfs (exact), 2 3 fpfs on 32, 4 5 sjf.
    Lines lines = placed("{of_saturation: [0.5, 0.9]}");
    lines[7] = "";
    lines[10] =
        "factors: {policy: [fcfs, {fpfs: 7}, sjf], load.utilization: {of_saturation: [0.5, 0.9]}}";
    const Plan plan = plan_of(lines);
    REQUIRE(plan.cells.size() == 8);
    CHECK(plan.cells[0].utilization == 0.4839);
    CHECK(plan.cells[0].levels[1].label == "0.4839");
    CHECK(plan.cells[2].placed_load->pilot == 6);
    CHECK(plan.cells[3].placed_load->pilot == 6);
    CHECK(plan.cells[5].placed_load->pilot == 7);
    REQUIRE(plan.cells[6].levels.size() == 1);
    CHECK(plan.cells[6].levels[0].factor == "policy");
    CHECK(plan.cells[6].levels[0].label == "fpfs(7)");
    CHECK(plan.cells[7].policy->name == "sjf");
    // Cells of the same fraction form a group, whatever their loads.
    lines[11] = "comparison: {factor: policy, metric: response_time}";
    const ComparisonPlan comparison = *plan_of(lines).comparison;
    CHECK(comparison.groups[1].label == "load.utilization=0.9 of saturation");
    CHECK(comparison.groups[1].cells == std::vector<std::uint32_t>{1, 3, 5});
}

TEST_CASE("levels that a pilot does not depend on are not its own") {
    Lines lines = placed("{of_saturation: [0.5]}");
    lines[10] = "factors: {horizon.jobs: [1000, 2000], load.utilization: {of_saturation: [0.5]}}";
    const Plan plan = plan_of(lines);
    REQUIRE(plan.cells.size() == 3);
    CHECK(plan.cells[2].levels.empty());
}

TEST_CASE("the key of a placed cell holds its pilot and the pilot's replications") {
    const auto key = [](const std::string& pilot) {
        Lines lines = placed("{of_saturation: [0.5]}");
        lines[11] = "pilot: " + pilot;
        return plan_of(lines).cells[0].replication_key;
    };
    CHECK(key("{}") == key("{jobs: 20000}"));
    CHECK(key("{}") != key("{jobs: 20001}"));
    CHECK(key("{}") != key("{replications: 65}"));
    CHECK(key("{}") != key("{backlog: 65}"));
    CHECK(
        plan_of(placed("{of_saturation: [0.5]}")).cells[0].replication_key
        != plan_of(placed("{of_saturation: [0.51]}")).cells[0].replication_key
    );
}

TEST_CASE("fractions that the program chooses are told apart by as many digits as that takes") {
    // The last two of 700 are 0.95 and 1 - 0.05 * 16^(1/699) = 0.9498.
    const Plan plan = plan_of(placed("{below_saturation: 700}"));
    CHECK(plan.cells[698].levels[0].label == "0.9498 of saturation");
    CHECK(plan.cells[698].placed_load->fraction == 0.9498);
    const Plan own = plan_of(placed("{of_saturation: [0.123456, 0.5]}"));
    CHECK(own.cells[0].levels[0].label == "0.123456 of saturation");
    CHECK(own.cells[0].placed_load->fraction == 0.123456);
}

TEST_CASE("the package that plans certificates is told what is known of their cells") {
    const Lines mm1{
        {5, "system: {clusters: [1]}"},
        {6, "workload: {model: coallocation, components: 1, component_size: {constant: 1}}"},
        {10, "certificate: {metric: response_time, band: [0.93, 0.97], where: {class: 1}}"}};
    const auto told = [](const Lines& lines) {
        return nlohmann::json::parse(package_question(plan_of(lines)))["cells"]["certificates"][0];
    };
    const auto own = told(mm1);
    CHECK(own["cell"] == 0);
    CHECK(own["sections"][0]["metric"] == "response_time");
    CHECK(own["sections"][0]["band"] == nlohmann::json{0.93, 0.97});
    CHECK(own["sections"][0]["judged"] == 0.9);
    CHECK(own["sections"][0]["where"]["class"] == "1");
    CHECK(own["load_is_known"] == true);
    CHECK(own["first_look"] == 10);
    const auto truth = std::ranges::find_if(own["truths"], [](const auto& known) {
        return known[0] == "response_time.mean" && known[1] == "exact";
    });
    REQUIRE(truth != own["truths"].end());
    CHECK((*truth)[2] == 2);
    CHECK((*truth)[3].get<std::string>().find("M/M/1") != std::string::npos);
    const Lines saturated{
        {4, "experiment: saturated"},
        {8, ""},
        {10, "certificate: [{metric: gross_utilization, band: [0.93, 0.97]}]"}};
    const auto last = told(saturated)["truths"].back();
    CHECK(last[0] == "gross_utilization");
    CHECK(last[2] == plan_of(saturated).cells[0].maximal_utilization->value);
    Lines other = mm1;
    other[10] = "certificate: {metric: response_time, band: [0.93, 0.98]}";
    CHECK(plan_of(other).plan_hash != plan_of(mm1).plan_hash);
    CHECK(plan_of(other).cells[0].replication_key == plan_of(mm1).cells[0].replication_key);
}

}  // namespace schedfarm::app::tests
