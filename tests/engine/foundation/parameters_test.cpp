#include "engine/foundation/parameters.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<ParameterDescription> small_table() {
    return {
        {.name = "mean", .meaning = "the mean", .unit = "s", .default_value = 1.5},
        {.name = "shape",
         .meaning = "the shape",
         .type = ParameterType::integer,
         .range = {.low = 1}},
    };
}

}  // namespace

TEST_CASE("canonical text of single values") {
    CHECK(Value(true).text() == "true");
    CHECK(Value(false).text() == "false");
    CHECK(Value(-3).text() == "-3");
    CHECK(Value(1.0).text() == "1.0");
    CHECK(Value(0.1).text() == "0.1");
    CHECK(Value(-0.0).text() == "-0.0");
    CHECK(Value(infinity).text() == ".inf");
    CHECK(Value(-infinity).text() == "-.inf");
    CHECK(Value("plain-word_1").text() == "plain-word_1");
    CHECK(Value(Value::List{1, 2.5, "x"}).text() == "[1, 2.5, x]");
    CHECK(Value(Value::List{}).text() == "[]");
}

TEST_CASE("texts that would read back as something else are quoted") {
    CHECK(Value("").text() == "\"\"");
    CHECK(Value("12").text() == "\"12\"");
    CHECK(Value("1e5").text() == "\"1e5\"");
    CHECK(Value("true").text() == "\"true\"");
    CHECK(Value("null").text() == "\"null\"");
    CHECK(Value("a b").text() == "\"a b\"");
    CHECK(Value("a: b").text() == "\"a: b\"");
    CHECK(Value("say \"x\\y\"").text() == "\"say \\\"x\\\\y\\\"\"");
}

TEST_CASE("the text of a real number reads back to the same bits") {
    for (std::uint64_t i = 1; i <= 100'000; ++i) {
        const auto value = std::bit_cast<double>(mix(i));
        if (std::isfinite(value)) {
            const std::string text = Value(value).text();
            CHECK(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)) == mix(i));
            CHECK(text.find_first_of(".e") != std::string::npos);
        }
    }
}

TEST_CASE("a choice is written with its parameters and equal choices have equal text") {
    Choice choice{.name = "exponential"};
    CHECK(choice.text() == "exponential");
    choice.parameters.set("mean", 2.0);
    CHECK(choice.text() == "{exponential: {mean: 2.0}}");
    Parameters outer;
    outer.set("service", choice);
    outer.set("jobs", 10);
    CHECK(outer.text() == "{service: {exponential: {mean: 2.0}}, jobs: 10}");
    CHECK(Value(choice).as_choice().text() == choice.text());
}

TEST_CASE("values are read as what they are") {
    CHECK(Value(3).as_integer() == 3);
    CHECK(Value(3).as_real() == 3.0);
    CHECK(Value(2.5).as_real() == 2.5);
    CHECK(Value(true).as_boolean());
    CHECK(Value("x").as_text() == "x");
    CHECK(Value(Value::List{1, 2.5}).as_reals() == std::vector<double>{1.0, 2.5});
}

TEST_CASE("reading a value as something else breaks the contract") {
    CHECK_THROWS_AS(Value(2.0).as_integer(), ContractViolation);
    CHECK_THROWS_AS(Value(1).as_boolean(), ContractViolation);
    CHECK_THROWS_AS(Value("x").as_real(), ContractViolation);
    CHECK_THROWS_AS(Value(1).as_text(), ContractViolation);
    CHECK_THROWS_AS(Value(1).as_list(), ContractViolation);
    CHECK_THROWS_AS(Value(1).as_choice(), ContractViolation);
    CHECK_THROWS_AS((Value(Value::List{1, "x"}).as_reals()), ContractViolation);
}

TEST_CASE("parameters keep their order and a second set replaces the first") {
    Parameters parameters;
    parameters.set("b", 1);
    parameters.set("a", 2);
    parameters.set("b", 3);
    CHECK(parameters.text() == "{b: 3, a: 2}");
    CHECK(parameters.contains("a"));
    CHECK_FALSE(parameters.contains("c"));
    CHECK(parameters.integer("b") == 3);
    CHECK_THROWS_AS(parameters.at("c"), ContractViolation);
    CHECK_THROWS_AS(parameters.text("a"), ContractViolation);
}

TEST_CASE("a range holds its closed ends and not its open ones") {
    const Range closed{.low = 0, .high = 1};
    CHECK(closed.contains(0.0));
    CHECK(closed.contains(1.0));
    CHECK_FALSE(closed.contains(std::nextafter(1.0, 2.0)));
    const Range open{.low = 0, .high = 1, .low_is_open = true, .high_is_open = true};
    CHECK_FALSE(open.contains(0.0));
    CHECK_FALSE(open.contains(1.0));
    CHECK(open.contains(0.5));
    CHECK_FALSE(closed.contains(std::nan("")));
    CHECK_FALSE(Range{}.contains(std::nan("")));
    CHECK(Range{}.contains(-1e308));
}

TEST_CASE("the text of a range names the ends it has") {
    CHECK(Range{}.text() == "any");
    CHECK(Range{.low = 1}.text() == ">= 1");
    CHECK(Range{.low = 0, .low_is_open = true}.text() == "> 0");
    CHECK(Range{.high = 2}.text() == "<= 2");
    CHECK(Range{.low = 0, .high = 1, .high_is_open = true}.text() == ">= 0 and < 1");
}

TEST_CASE("defaults are filled in the order of the table") {
    Parameters given;
    given.set("shape", 4);
    CHECK(with_defaults(small_table(), given).text() == "{mean: 1.5, shape: 4}");
    given.set("mean", 2);
    CHECK(with_defaults(small_table(), given).text() == "{mean: 2, shape: 4}");
}

TEST_CASE("a missing parameter without default breaks the contract and is named") {
    std::string message;
    try {
        with_defaults(small_table());
    } catch (const ContractViolation& violation) {
        message = violation.what();
    }
    CHECK(message.find("'shape'") != std::string::npos);
    CHECK(message.find("parameters.cpp") != std::string::npos);
}

}  // namespace schedfarm::engine
