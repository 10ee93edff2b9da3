// Claims laid out over cells: places, terms, names, and exact messages.

#include <string>

#include <doctest/doctest.h>

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

TEST_CASE("a claim is measured in every combination and names cells by levels") {
    const Plan plan = plan_of(with_claim(
        "value: \"normalized{policy=fpfs(7)} / normalized{policy=fcfs}\", in: {class: [0, 1], "
        "load.utilization: all}, above: 1"
    ));
    REQUIRE(plan.claims.list.size() == 1);
    const ClaimPlan& claim = plan.claims.list[0];
    REQUIRE(claim.instances.size() == 4);
    CHECK(claim.text == "normalized{policy=fpfs(7)} / normalized{policy=fcfs}");
    CHECK(claim.instances[1].label == "class 0, utilization 0.6");
    CHECK(claim.instances[2].label == "class 1, utilization 0.5");
    CHECK(claim.instances[3].value == "normalized[1]{cell=3} / normalized[1]{cell=1}");
    CHECK(claim.request.region.kind == ClaimRegion::Kind::above);
    CHECK(claim.request.expected == "holds");
    CHECK(claim.request.needs == ClaimNeeds::every);
}

TEST_CASE("what a claim measures names the levels that are the same at all its places") {
    const Plan plan = plan_of(with_claim(
        "value: \"normalized / 1\", in: {policy: fcfs, class: [0, 1], load.utilization: 0.5}, "
        "above: 1"
    ));
    REQUIRE(plan.claims.list.size() == 1);
    CHECK(plan.claims.list[0].text == "normalized / 1 at policy fcfs, load.utilization 0.5");
    CHECK(plan.claims.list[0].instances[1].label == "class 1");
}

TEST_CASE("a term has its own class and levels and names stand for expressions or numbers") {
    const Plan plan = plan_of(with_claim(
        "value: \"normalized[1]{policy=fcfs, utilization=0.5} - base + printed - printed[0]\", in: "
        "{class: 1, load.utilization: 0.6}, between: [0, 2], needs: some, expect: does not hold",
        ", names: {base: \"normalized{policy=fcfs}\", printed: [1.5, 2.5]}"
    ));
    const ClaimPlan& claim = plan.claims.list.at(0);
    REQUIRE(claim.instances.size() == 1);
    const ClaimInstance& only = claim.instances[0];
    CHECK(only.label.empty());
    CHECK(only.value == "normalized[1]{cell=0} - (normalized[1]{cell=1}) + 2.5 - 1.5");
}

TEST_CASE("a quantity of all jobs takes no class of its place") {
    const Plan plan = plan_of(with_claim(
        "value: \"2 * response\", in: {class: 1, policy: fcfs, load.utilization: 0.6}, above: 1"
    ));
    CHECK(plan.claims.list.at(0).instances.at(0).value == "2 * response{cell=1}");
}

TEST_CASE("names that are written out nest no deeper than expressions may") {
    const std::string open(60, '(');
    const std::string close(60, ')');
    CHECK(
        errors_of(with_claim(
                      "value: \"" + open + "deep" + close + "\", above: 1",
                      ", names: {deep: \"" + open + "response{policy=fcfs, utilization=0.5}" + close
                          + "\"}"
                  ))
            .find("claim 'one': its value is nested too deep with its names written out")
        != std::string::npos
    );
}

TEST_CASE("what a claim leaves open must not matter") {
    CHECK(
        errors_of(with_claim("value: response, in: {policy: fcfs}, above: 1"))
        == "a.yaml:12:166: claim 'one': 'response' is that of 2 cells (0 and 1, …). Say which, as "
           "in response{factor=level}?"
    );
    CHECK(
        errors_of(with_claim("value: normalized, in: {policy: fcfs, load.utilization: 0.5}, above: 1"
        ))
        == "a.yaml:12:166: claim 'one': 'normalized' is one for each class, but no class is said. "
           "Add 'in: {class: 0}'?"
    );
}

TEST_CASE("what is not there is told with what might be meant") {
    CHECK(
        errors_of(with_claim("value: normalised, in: {class: 0}, above: 1"))
        == "a.yaml:12:166: claim 'one': 'normalised' is neither a quantity nor a name. Did you mean "
           "'normalized'?"
    );
    CHECK(
        errors_of(with_claim(
            "value: twice, in: {class: 0}, above: 1",
            ", names: {once: normalized, twice: 2 * once}"
        ))
        == "a.yaml:12:210: claim 'one': a name it uses stands for 'once', another name. Write out "
           "what 'once' stands for: names are made of quantities?"
    );
    CHECK(
        errors_of(with_claim("value: response, in: {polcy: fcfs}, above: 1"))
        == "a.yaml:12:166: claim 'one': 'polcy' is no factor of the campaign. Did you mean "
           "'policy'?"
    );
    CHECK(
        errors_of(with_claim("value: response, in: {policy: sjf}, above: 1"))
        == "a.yaml:12:166: claim 'one': no cell has policy sjf"
    );
    CHECK(
        errors_of(with_claim(
            "value: normalized, in: {class: 7, policy: fcfs, load.utilization: 0.5}, above: 1"
        ))
        == "a.yaml:12:166: claim 'one': cell 0 observes no 'normalized' of class 7"
    );
    CHECK(
        errors_of(with_claim("value: response + , above: 1"))
        == "a.yaml:12:176: expected a number, a path or '('"
    );
}

TEST_CASE("a name takes neither class nor levels") {
    CHECK(
        errors_of(with_claim("value: \"base[1]\", above: 1", ", names: {base: response}"))
        == "a.yaml:12:192: claim 'one': 'base[1]' stands for a text of its own, which nothing can be "
           "put to. Write out what 'base' stands for?"
    );
}

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
    REQUIRE(plan.claims.list.size() == 2);
    CHECK(plan.claims.list[0].request.id == "below");
    CHECK(plan.claims.list[1].request.id == "one");
}

TEST_CASE("a claim needs one rule") {
    const std::string message =
        "a.yaml:12:129: a claim needs one of 'above', 'below' and 'between' (which says when it "
        "holds). Write 'above: 1', or 'between: [2, 4]'?";
    CHECK(errors_of(with_claim("value: response")) == message);
    CHECK(errors_of(with_claim("value: response, above: 1, below: 2")) == message);
    CHECK(errors_of(with_claim("value: response, between: [2, 1]")) == message);
}

TEST_CASE("a quantity is observed somewhere") {
    CHECK(
        errors_of(with_claims("quantities: {q: wait.mean}"))
        == "a.yaml:12:26: no cell observes all columns of quantity 'q'. Add probes, with "
           "'per_class: true' for what is of a class?"
    );
}

TEST_CASE("a claim on what is wrong itself adds no message") {
    const std::string claims =
        ", list: [{id: one, paper: A sentence., value: q, above: 1}, {id: two, paper: A sentence., "
        "value: 2 * twice, above: 1}]";
    const std::string names = ", names: {twice: 2 * q}";
    CHECK(
        errors_of(with_claims("quantities: {q: wait.mean}" + names + claims))
        == errors_of(with_claims("quantities: {q: wait.mean}"))
    );
    CHECK(
        errors_of(with_claims("quantities: {q: 2 *}" + names + claims))
        == "a.yaml:12:29: expected a number, a path or '('"
    );
    CHECK(
        errors_of(with_claim("value: once, above: 1", ", names: {once: 2 *}"))
        == "a.yaml:12:139: expected a number, a path or '('"
    );
}

TEST_CASE("a quantity that a cell does not observe is no one of a class") {
    Lines lines = with_claims(
        "quantities: {q: wait.mean}, list: [{id: one, paper: A sentence., value: q, in: "
        "{probes: all}, above: 1}]"
    );
    lines[7] = "policy: fcfs";
    lines[8] = "load: {utilization: 0.5}";
    lines[10] = "factors: {probes: [[response_time], [wait]]}";
    lines[11] = "";
    CHECK(errors_of(lines) == "a.yaml:12:82: claim 'one': cell 0 observes no 'q'");
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
    CHECK(
        errors_of({{7, ""}, {10, "factors: {policy: [fcfs, sjf], policy.*.most_jumps: [3]}"}})
        == "a.yaml:10:32: no policy has a parameter 'most_jumps' (the factor would do nothing). See "
           "schedfarm list policies"
    );
}

}  // namespace schedfarm::app::tests
