#include <cmath>

#include <doctest/doctest.h>

#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

TEST_CASE("the nearest name is within a third of the length") {
    const std::vector<std::string> known{"policy", "probes", "seed"};
    CHECK(nearest_name("polcy", known) == "policy");
    CHECK(nearest_name("poilcy", known) == "policy");  // exchanged neighbours count once
    CHECK(nearest_name("prob", known) == "probes");
    CHECK(nearest_name("fxxs", {"fcfs", "sjf"}) == "fcfs");  // two letters of a short name
    CHECK(nearest_name("see", known) == "seed");
    CHECK(!nearest_name("x", known));
    CHECK(!nearest_name("", known));
    CHECK(!nearest_name("completely", known));
    const std::vector<std::string> longer{
        "gross_utilization", "bounded_slowdown", "old_gang", "new_gang"};
    CHECK(nearest_name("slowdown", longer) == "bounded_slowdown");
    CHECK(nearest_name("utilization", longer) == "gross_utilization");
    CHECK(!nearest_name("gang", longer));  // of two, neither
    CHECK(!nearest_name("ross", longer));
    CHECK(nearest_name("SEED", known) == "seed");
    CHECK(nearest_name("conf", {"count", "confidence"}) == "confidence");
    CHECK(!nearest_name("co", {"count", "confidence"}));
    CHECK(nearest_name("policies", known) == "policy");
    CHECK(!nearest_name("policy_of_mine", known));  // less than half is the same
    CHECK(!nearest_name("ganging", {"gang_one", "gang_two"}));
    CHECK(name_suggestion("xyz", known) == "Known: policy, probes, seed");
}

TEST_CASE("numbers are decimal and finite") {
    CHECK(parse_real("0.5") == 0.5);
    CHECK(parse_real("+1e3") == 1000);
    CHECK(parse_real("-.5") == -0.5);
    CHECK(!std::signbit(*parse_real("-0.0")));
    for (const char* text :
         {"", "nan", "inf", "-inf", "1e999", "1,5", "0x10", "1 ", "+-1", "++1", "1_000"}) {
        CAPTURE(text);
        CHECK(!parse_real(text));
    }
    CHECK(parse_integer("20000.0") == 20000);
    CHECK(parse_integer("1e5") == 100000);
    CHECK(parse_integer("9223372036854775807") == 9223372036854775807);
    for (const char* text : {"1.5", "1e30", "9223372036854775808", "x", ""}) {
        CAPTURE(text);
        CHECK(!parse_integer(text));
    }
    CHECK(parse_natural("18446744073709551615") == 18446744073709551615U);
    CHECK(parse_natural("+1e5") == 100000);
    CHECK(parse_natural("010") == 10);
    CHECK(parse_natural("-0") == 0);
    for (const char* text : {"-1", "18446744073709551616", "0x10", "1.5", "+-1", "nan", ""}) {
        CAPTURE(text);
        CHECK(!parse_natural(text));
    }
}

TEST_CASE("JSON reads back as the same tree") {
    for (const char* text :
         {R"({"a": [1, 0.5, "x", "0.5"], "b": {"c": null}})",
          R"("a, b")",
          R"("tab\t\"\\\n")",
          "[]",
          "{}",
          R"("")",
          R"("null")",
          R"("~")",
          R"([-1, 1e+300, true, "true"])",
          "18446744073709551615"}) {
        CAPTURE(text);
        CHECK(json_text(read_yaml("x", text)) == text);
    }
    const Node map = read_yaml("x", "{a: fcfs, 1: [2.50, 1e3]}");
    CHECK(json_text(map) == R"({"a": "fcfs", "1": [2.5, 1000]})");
    CHECK(
        json_lines(read_yaml("x", "{a: {b: 1, c: {d: 2}}, e: {f: 3}}"), "a")
        == "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": {\"d\": 2}\n  },\n  \"e\": {\"f\": 3}\n}\n"
    );
    CHECK(json_lines(map) == "{\n  \"a\": \"fcfs\",\n  \"1\": [2.5, 1000]\n}\n");
}

TEST_CASE("positions are those of the values") {
    const Node root = read_yaml("x.yaml", "a:\n  - b: 1\n    c: [x, y]\nd:\n");
    CHECK(find_path(root, "a")->items[0]->entries[1].at.line == 3);
    CHECK(find_path(root, "a")->items[0]->entries[1].value->items[1]->at.column == 12);
    CHECK(root.find("d")->is_null());
    CHECK(root.find("d")->at.line == 4);
}

TEST_CASE("trees are equal by value, style and position") {
    const auto made = [](const char* text, const char* file, Node::Style style) {
        Node node = Node::text(text, {file, 3, 5});
        node.style = style;
        return Tree(node);
    };
    const Tree tree = made("10", "a.yaml", Node::Style::plain);
    CHECK(tree == made("10", "a.yaml", Node::Style::plain));
    CHECK_FALSE(tree == made("11", "a.yaml", Node::Style::plain));
    CHECK_FALSE(tree == made("10", "b.yaml", Node::Style::plain));
    CHECK_FALSE(tree == made("10", "a.yaml", Node::Style::quoted));  // a number, and a text
}

TEST_CASE("aliases count as deep as what they name") {
    const std::string open(40, '['), close(40, ']');
    const std::string named = "a: &deep " + open + "1" + close + "\nb: ";
    CHECK_NOTHROW(read_yaml("x", named + "[*deep]"));
    CHECK_THROWS_WITH_AS(
        read_yaml("x", named + open + "*deep" + close),
        "x:2:44: nested more than 64 levels deep",
        ConfigErrors
    );
}

TEST_CASE("a section of an included file is merged, or replaced as a whole") {
    const Node below = read_yaml("x", "{load: {utilization: 0.3}, horizon: {jobs: 7, backlog: 5}}");
    const Node above = read_yaml("y", "{load: {search: 1}, horizon: {jobs: 9}}");
    CHECK(
        json_text(merged(below, above))
        == R"({"load": {"search": 1}, "horizon": {"jobs": 9, "backlog": 5}})"
    );
}

TEST_CASE("of an included file that is no campaign nothing is quoted") {
    const CampaignSource source{
        "a.yaml", {{"a.yaml", "include: b.yaml\nname: x\n"}, {"b.yaml", "password: 1234\n"}}};
    Problems problems;
    CHECK_THROWS_WITH_AS(
        read_campaign(source, problems),
        "b.yaml: it is included, and is no part of a campaign (it has none of its keys)",
        ConfigErrors
    );
}

TEST_CASE("a path sets values and makes the maps on its way") {
    Node root = read_yaml("x", "{policy: fpfs, b: {c: 1}}");
    CHECK(!set_path(root, "policy.fpfs.max_jumps", Node::text("3", {}), {}));
    CHECK(!set_path(root, "b.c", Node::text("2", {}), {}));
    CHECK(!set_path(root, "d.e", Node::text("4", {}), {}));
    CHECK(
        json_text(root) == R"({"policy": {"fpfs": {"max_jumps": 3}}, "b": {"c": 2}, "d": {"e": 4}})"
    );
    CHECK(set_path(root, "b.c.d", Node::text("2", {}), {}) == "b.c");
    erase_path(root, "b.c");
    erase_path(root, "x.y");
    CHECK(json_text(root) == R"({"policy": {"fpfs": {"max_jumps": 3}}, "b": {}, "d": {"e": 4}})");
}

}  // namespace schedfarm::app
