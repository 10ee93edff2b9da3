// One table describes a section: what it documents, reads, refuses and visits is held against a
// section written by hand.
#include "app/config/schema/table.hpp"

#include <array>
#include <sstream>

#include <doctest/doctest.h>

#include "app/config/schema/describe.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/yaml/reader.hpp"

namespace schedfarm::app {

namespace {

enum class Colour : std::uint8_t { red, green };

struct Inner {
    std::uint32_t count = 7;
};

struct Sample {
    double width = 0.5;
    std::uint64_t jobs = 20;
    Colour colour = Colour::green;
    bool is_outside = false;
    std::optional<double> limit;
    double low = 0;
    double high = 1;
    Names names;
    Inner inner;
    std::string note = "none";
    std::vector<std::uint32_t> sizes;
    Inner section;
};

}  // namespace

template <>
inline constexpr auto words_of<Colour> = std::array{"red", "green"};

namespace {

const auto& sample_table() {
    using T = Sample;
    static const auto table = Table<T>("sample", "A section.")
                                  .key("width", &T::width, ranges::probability, "m")
                                  .means("how wide")
                                  .key("jobs", &T::jobs, {1, 100})
                                  .means("how many", "a number, or `auto`")
                                  .by_default("auto")
                                  .key("colour", &T::colour)
                                  .required("which colour")
                                  .word("place", &T::is_outside, {"inside", "outside"})
                                  .means("where")
                                  .key("limit", &T::limit, ranges::positive)
                                  .means("how far")
                                  .interval("band", &T::low, &T::high, {}, Ends::apart, "[1, 2]")
                                  .optional("from where to where")
                                  .key("names", &T::names)
                                  .optional("who")
                                  .key("count", nested(&T::inner, &Inner::count), {0, 9})
                                  .means("how often")
                                  .apart_from_identity()
                                  .key("note", &T::note)
                                  .optional("what else")
                                  .key("sizes", &T::sizes, {1, 9})
                                  .optional("how large")
                                  .part("section", &T::section, "inner_section")
                                  .optional("another section");
    return table;
}

struct ReadSample {
    std::optional<Sample> sample;
    std::string problems;
};

ReadSample read(const std::string& text) {
    Problems problems;
    const Node node = read_yaml("a.yaml", text);
    auto sample = read_table(sample_table(), &node, node.at, problems, {{"colour", "red"}});
    try {
        problems.throw_if_any();
    } catch (const ConfigErrors& errors) {
        return {std::move(sample), errors.what()};
    }
    return {std::move(sample), ""};
}

}  // namespace

TEST_CASE("a table documents type, default, range and unit of its members") {
    const Section& section = sample_table().section();
    std::string text;
    for (std::size_t i = 0; i < section.keys.size(); ++i) {
        const engine::ParameterDescription& row = section.keys[i];
        const bool is_optional = section.is_optional(row.name);
        text += row.name + ": " + (section.forms[i].empty() ? type_text(row) : section.forms[i])
                + ", " + (is_optional ? "optional" : default_text(row)) + "\n";
    }
    CHECK(
        text
        == "width: number > 0 and < 1 (m), 0.5\n"
           "jobs: a number, or `auto`, auto\n"
           "colour: one of red, green, required\n"
           "place: one of inside, outside, inside\n"
           "limit: number > 0, optional\n"
           "band: list of numbers, optional\n"
           "names: text, optional\n"
           "count: integer >= 0 and <= 9, 7\n"
           "note: text, optional\n"
           "sizes: list of integers >= 1 and <= 9, optional\n"
           "section: text, optional\n"
    );
}

TEST_CASE("a table reads its members and leaves those that are not given") {
    const ReadSample least = read("{colour: red}");
    REQUIRE(least.sample);
    CHECK(least.sample->width == 0.5);
    CHECK(least.sample->jobs == 20);  // `auto` is no number
    CHECK(least.sample->colour == Colour::red);
    CHECK(!least.sample->is_outside);
    CHECK(!least.sample->limit);
    CHECK(least.sample->high == 1);
    CHECK(least.sample->inner.count == 7);
    CHECK(least.sample->note == "none");

    const ReadSample all = read(
        "{colour: green, width: 0.25, jobs: 3, place: outside, limit: 8, band: [2, 4], names: [a, "
        "b], count: 9, note: n, sizes: [1, 9], section: {x: 1}}"
    );
    CHECK(all.problems.empty());
    REQUIRE(all.sample);
    CHECK(all.sample->width == 0.25);
    CHECK(all.sample->jobs == 3);
    CHECK(all.sample->colour == Colour::green);
    CHECK(all.sample->is_outside);
    CHECK(all.sample->limit == 8.0);
    CHECK(all.sample->low == 2);
    CHECK(all.sample->high == 4);
    CHECK(all.sample->names == Names{"a", "b"});
    CHECK(all.sample->inner.count == 9);
    CHECK(all.sample->note == "n");
    CHECK(all.sample->sizes == std::vector<std::uint32_t>{1, 9});
}

TEST_CASE("a table refuses what is missing, unknown or out of range where it is written") {
    CHECK(
        read("{width: 1}").problems
        == "a.yaml:1:1: 'sample.colour' is missing (which colour). Add 'colour: red'?\n"
           "a.yaml:1:9: 'sample.width' is 1 (it must be > 0 and < 1). Write 0.01 for 1 %?"
    );
    CHECK(
        read("{colour: red, colours: 1, band: [2, 2]}").problems
        == "a.yaml:1:15: unknown key 'colours' in 'sample' (it would be ignored). Did you mean "
           "'colour'?\n"
           "a.yaml:1:33: 'sample.band' must be two numbers, the lower one first. Write [1, 2]?"
    );
    CHECK(
        read("{colour: red, names: a}").problems
        == "a.yaml:1:22: 'sample.names' must be a list of names. Write [name, name]?"
    );
}

TEST_CASE("a table visits the values of a cell in its order") {
    Sample sample;
    std::ostringstream names;
    const auto field = [&names](const char* name, auto& /*member*/) {
        names << name << ' ';
    };
    sample_table().visit(sample, field);
    CHECK(names.str() == "width jobs colour place limit low high names note sizes inner_section ");
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
