// The rows of a section read it: what is given, what is not, and what is wrong, where it stands.
#include <doctest/doctest.h>

#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/yaml/reader.hpp"

namespace schedfarm::app {

namespace {

const Section& inner_section() {
    static const Section section =
        Section("sample.inner", "Within.").integer("count", {0, 9}).means("how often", 7);
    return section;
}

const Section& sample_section() {
    using Part = Section::Part::Kind;
    static const Section section = Section("sample", "A section.")
                                       .real("width", ranges::probability, "m")
                                       .means("how wide", 0.5)
                                       .integer("jobs", {1, 100})
                                       .means("how many", "auto", "a number, or `auto`")
                                       .word("colour", {"red", "green"})
                                       .required("which colour")
                                       .real("limit", ranges::positive)
                                       .optional("how far")
                                       .reals("band")
                                       .means("from where to where", engine::Value::List{2.0, 4.0})
                                       .names("names")
                                       .optional("who")
                                       .prose("note")
                                       .optional("what else")
                                       .part("inner", Part::section, &inner_section)
                                       .optional("another section")
                                       .part("all", Part::list, &inner_section)
                                       .optional("several")
                                       .other("free")
                                       .optional("read by others");
    return section;
}

struct ReadSample {
    std::optional<engine::Parameters> values;
    std::string problems;
};

ReadSample read(const std::string& text) {
    Problems problems;
    const Node node = read_yaml("a.yaml", text);
    auto values = read_section(&node, sample_section(), node.at, problems, {{"colour", "red"}});
    if (values) {
        interval_in(*values, "band", Ends::apart, sample_section(), node, "[1, 2]", problems);
    }
    try {
        problems.throw_if_any();
    } catch (const ConfigErrors& errors) {
        return {std::move(values), errors.what()};
    }
    return {std::move(values), ""};
}

}  // namespace

TEST_CASE("a section has its defaults, and what is left out is absent") {
    const ReadSample least = read("{colour: red}");
    REQUIRE(least.values);
    CHECK(least.values->text() == "{width: 0.5, jobs: auto, colour: red, band: [2.0, 4.0]}");
    CHECK(!real_in(*least.values, "limit"));
    CHECK(!count_in(*least.values, "free"));
    CHECK(text_in(*least.values, "note").empty());
    CHECK(names_in(*least.values, "names").empty());
    CHECK(section_in(*least.values, "inner") == nullptr);
    CHECK(sections_in(*least.values, "all").empty());
}

TEST_CASE("a section has what is given, and the sections within") {
    const ReadSample all = read(
        "{colour: green, width: 0.25, jobs: 3, limit: 8, band: [5, 6], names: [a, b], note: n, "
        "inner: {}, all: [{count: 9}, {}], free: {x: 1}}"
    );
    CHECK(all.problems.empty());
    REQUIRE(all.values);
    CHECK(all.values->real("width") == 0.25);
    CHECK(count_in(*all.values, "jobs") == 3);
    CHECK(says(*all.values, "colour", "green"));
    CHECK(real_in(*all.values, "limit") == 8.0);
    CHECK(all.values->reals("band") == std::vector<double>{5, 6});
    CHECK(names_in(*all.values, "names") == Names{"a", "b"});
    CHECK(text_in(*all.values, "note") == "n");
    REQUIRE(section_in(*all.values, "inner") != nullptr);
    CHECK(section_in(*all.values, "inner")->integer("count") == 7);
    REQUIRE(sections_in(*all.values, "all").size() == 2);
    CHECK(sections_in(*all.values, "all")[0]->integer("count") == 9);
    CHECK(!all.values->contains("free"));
}

TEST_CASE("a section refuses what is missing, unknown or out of range where it is written") {
    CHECK(
        read("{width: 1}").problems
        == "a.yaml:1:1: 'sample.colour' is missing (which colour). Add 'colour: red'.\n"
           "a.yaml:1:9: 'sample.width' is 1 (it must be > 0 and < 1). Write 0.01 for 1 %."
    );
    CHECK(
        read("{colour: red, colours: 1, band: [2, 2]}").problems
        == "a.yaml:1:15: unknown key 'colours' in 'sample' (it would be ignored). Did you mean "
           "'colour'?\n"
           "a.yaml:1:33: 'sample.band' must be two numbers, the lower one first. Write [1, 2]."
    );
    CHECK(
        read("{colour: red, names: a}").problems
        == "a.yaml:1:22: 'sample.names' must be a list of names. Write [name, name]."
    );
    const ReadSample inner = read("{colour: red, inner: {count: 10}, all: [{}, {cout: 1}]}");
    CHECK(!inner.values);
    CHECK(
        inner.problems
        == "a.yaml:1:30: 'sample.inner.count' is 10 (it must be >= 0 and <= 9)\n"
           "a.yaml:1:46: unknown key 'cout' in 'sample.inner' (it would be ignored). Did you mean "
           "'count'?"
    );
}

TEST_CASE("every key of every section has a meaning") {
    for (const Section& section : sections()) {
        CAPTURE(section.name);
        CHECK(!section.summary.empty());
        CHECK(section.keys.size() == section.forms.size());
        for (const engine::ParameterDescription& row : section.keys) {
            CAPTURE(row.name);
            CHECK(!row.meaning.empty());
        }
    }
}

}  // namespace schedfarm::app
