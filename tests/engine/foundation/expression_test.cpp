#include "engine/foundation/expression.hpp"

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

double value_of(const std::string& text) {
    return Expression::parse(text).evaluate([](const std::string& path) {
        return path == "load.utilization" ? std::optional<double>(0.5) : std::nullopt;
    });
}

std::size_t error_offset(const std::string& text) {
    try {
        value_of(text);
    } catch (const ExpressionError& error) {
        return error.offset();
    }
    return 999;
}

}  // namespace

TEST_CASE("products bind closer than sums and both go left to right") {
    CHECK(value_of("1 + 2 * 3") == 7);
    CHECK(value_of("(1 + 2) * 3") == 9);
    CHECK(value_of("10 - 3 - 2") == 5);
    CHECK(value_of("16 / 4 / 2") == 2);
    CHECK(value_of("1+2*3-8/4") == 5);
}

TEST_CASE("signs and numbers are read as in campaigns") {
    CHECK(value_of("-2 * -3") == 6);
    CHECK(value_of("--2") == 2);
    CHECK(value_of("1e3 + 2.5E-1") == 1000.25);
    CHECK(value_of("1e+2") == 100);
    CHECK(value_of("2 - -3") == 5);
}

TEST_CASE("functions take expressions") {
    CHECK(value_of("min(3, 1 + 1, 5)") == 2);
    CHECK(value_of("max(3, 1)") == 3);
    CHECK(value_of("max(7)") == 7);
    CHECK(value_of("round(2.5)") == 3);
    CHECK(value_of("round(-0.4) + round(7 / 2)") == 4);
}

TEST_CASE("roots, logarithms and powers of e have the bits of our own functions") {
    CHECK(value_of("sqrt(6.25) + 1") == 3.5);
    CHECK(value_of("log(3)") == logarithm(3));
    CHECK(value_of("exp(0.7)") == exponential(0.7));
    CHECK(error_offset("2 + log(0)") == 4);
    CHECK(error_offset("sqrt(-1)") == 0);
    CHECK(error_offset("exp(1000)") == 0);
    CHECK(error_offset("log(1, 2)") == 0);
}

TEST_CASE("paths stand for the cell's numbers") {
    CHECK(value_of("20000 * (1 + load.utilization)") == 30000);
}

TEST_CASE("what is wrong is told with its place") {
    CHECK(error_offset("1 + ") == 4);
    CHECK(error_offset("1 2") == 2);
    CHECK(error_offset("(1 + 2") == 6);
    CHECK(error_offset("min()") == 4);
    CHECK(error_offset("round(1, 2)") == 0);
    CHECK(error_offset("2 * foo(1)") == 4);
    CHECK(error_offset("1 + load.utilisation") == 4);
    CHECK(error_offset("3 * (1 / 0)") == 7);
    CHECK(error_offset("1e999") == 0);
    CHECK(error_offset("") == 0);
    CHECK(error_offset("nan") == 0);
    CHECK(error_offset(std::string(5000, '(')) == 100);
    CHECK(error_offset(std::string(5000, '-') + "1") == 100);
}

}  // namespace schedfarm::engine
