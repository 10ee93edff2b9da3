#include "engine/foundation/expression.hpp"

#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

double value_of(const std::string& text) {
    return Expression::parse(text).evaluate([](const std::string& path) {
        return path == "load.utilization" ? std::optional<double>(0.5)
               : path == "a[1]{b=c, d=e}" ? std::optional<double>(8)
                                          : std::nullopt;
    });
}

/// As expressions.txt has it.
std::string outcome_of(const std::string& text) {
    const char* problem = "error";
    try {
        Expression::parse(text);
        problem = "nan";
        return fmt::format("{}", value_of(text));
    } catch (const ExpressionError& error) {
        return fmt::format("{} at {}", problem, error.offset());
    }
}

}  // namespace

TEST_CASE("expressions give what the table of cases says") {
    std::ifstream file(SCHEDFARM_CASES "/expressions.txt");
    int cases = 0;
    for (std::string line; std::getline(file, line);) {
        const std::size_t mark = line.find(" => ");
        if (!line.starts_with('#') && mark != std::string::npos) {
            CAPTURE(line);
            CHECK(outcome_of(line.substr(0, mark)) == line.substr(mark + 4));
            ++cases;
        }
    }
    CHECK(cases == 45);
}

TEST_CASE("roots, logarithms and powers of e have the bits of our own functions") {
    CHECK(value_of("log(3)") == logarithm(3));
    CHECK(value_of("exp(0.7)") == exponential(0.7));
}

TEST_CASE("expressions have numbers for their paths and are not nested too deep") {
    CHECK(outcome_of("1 + load.utilisation") == "nan at 4");
    CHECK(outcome_of(std::string(5000, '(')) == "error at 100");
    std::string wide = "0";
    for (int i = 1; i <= 200; ++i) {
        wide += fmt::format(" + {}", i);
    }
    CHECK(outcome_of(wide) == "20100");
    CHECK(outcome_of(std::string(5000, '-') + "1") == "error at 100");
}

}  // namespace schedfarm::engine
