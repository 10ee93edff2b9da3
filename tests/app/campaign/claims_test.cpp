// The form of claims, and what is asked of the package that plans them.

#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "app/campaign/plan/analyses/package_plan.hpp"
#include "app/campaign/yaml/config_error.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

/// Cells: fcfs 0 1, fpfs 2 3; two classes of sizes, up to 2 and above.
Lines with_claims(const std::string& claims) {
    return {
        {6,
         "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
         "size_classes: [2]}"},
        {7, ""},
        {8, ""},
        {10, "factors: {policy: [fcfs, {fpfs: 7}], load.utilization: [0.5, 0.6]}"},
        {11, "probes: [{response_time: {per_class: true}}, {service_time: {per_class: true}}]"},
        {12, "claims: {" + claims + "}"}};
}

const std::string quantities =
    "quantities: {normalized: \"response_time.mean[class] / service_time.mean[class]\", response: "
    "response_time.mean}";

Lines with_claim(const std::string& claim, const std::string& names = "") {
    return with_claims(
        quantities + names + ", list: [{id: one, paper: A sentence., " + claim + "}]"
    );
}

}  // namespace

TEST_CASE("claims of included files come first") {
    const Plan plan = plan_of(
        [] {
            Lines lines = with_claim("value: \"response{policy=fcfs, utilization=0.5}\", above: 1");
            lines[13] = "include: [b.yaml]";
            return lines;
        }(),
        {{"b.yaml",
          "claims: {list: [{id: below, paper: Another., value: \"response{policy=fcfs, "
          "utilization=0.6}\", below: 2}]}"}}
    );
    const auto claims = nlohmann::json::parse(package_question(plan))["configuration"]["claims"];
    REQUIRE(claims["list"].size() == 2);
    CHECK(claims["list"][0]["id"] == "below");
    CHECK(claims["list"][1]["id"] == "one");
}

TEST_CASE("the package is told cells, and what it says is told at its place") {
    Plan plan = plan_of(with_claim("value: \"response / 2\", above: 1"));
    const auto cells = nlohmann::json::parse(package_question(plan))["cells"];
    CHECK(cells["factors"] == nlohmann::json{"policy", "load.utilization"});
    CHECK(cells["levels"][2] == nlohmann::json{"fpfs(7)", "0.5"});
    CHECK(cells["numbers"][3] == nlohmann::json{nullptr, 0.6});
    CHECK(cells["replications"] == nlohmann::json{0, 1, 2, 3});
    CHECK(cells["columns"].size() == 1);
    CHECK(cells["observed"] == nlohmann::json{0, 0, 0, 0});
    CHECK(package_question(plan_of({})).empty());

    take_package_answer(
        R"({"certificates": {}, "tables": {"claim_places": [{"claim": "one", "n": 2.5, "none": null}]}, "problems": [],
            "references": []})",
        plan
    );
    REQUIRE(plan.claims.size() == 1);
    const auto& row = plan.claims[0].rows.at(0);
    CHECK(row.at(0).text == "one");
    CHECK(row.at(1).number == 2.5);
    CHECK_FALSE(row.at(2).number.has_value());

    const auto told = [&](const std::string& place) {
        try {
            take_package_answer(
                R"({"certificates": {}, "tables": {}, "problems": [{"reason": "no", )" + place
                    + "}]}",
                plan
            );
        } catch (const ConfigErrors& errors) {
            return std::string(errors.what());
        }
        return std::string();
    };
    CHECK(
        told(R"("section": "claims.list", "item": 0, "key": "value", "suggestion": "Do.",
                "name": "", "known": [])")
        == "a.yaml:12:167: no. Do."
    );
    CHECK(
        told(R"("section": "claims.quantities", "item": -1, "key": "normalized", "suggestion": "",
                "name": "respone", "known": ["response", "other"])")
        == "a.yaml:12:36: no. Did you mean 'response'?"
    );
}

TEST_CASE("claims change no replication") {
    const Plan with =
        plan_of(with_claim("value: \"response{policy=fcfs, utilization=0.5}\", above: 1"));
    const Plan without = plan_of(with_claims(""));
    CHECK(with.plan_hash == without.plan_hash);
    CHECK(with.cells[3].replication_key == without.cells[3].replication_key);
}

TEST_CASE("a factor over a parameter of several policies leaves the others as they are") {
    const Plan plan =
        plan_of({{7, ""}, {10, "factors: {policy.*.max_jumps: [3, 9], policy: [fcfs, fpfs, sjf]}"}}
        );
    REQUIRE(plan.cells.size() == 6);
    CHECK(plan.cells[0].replication_key == plan.cells[3].replication_key);  // fcfs
    CHECK(plan.cells[1].policy->parameters.integer("max_jumps") == 3);
    CHECK(plan.cells[2].policy->parameters.integer("max_jumps") == 3);
    CHECK(plan.cells[4].policy->parameters.integer("max_jumps") == 9);
}

}  // namespace schedfarm::app::tests
