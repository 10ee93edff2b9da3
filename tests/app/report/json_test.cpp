#include "app/report/json.hpp"

#include <limits>

#include <doctest/doctest.h>

using schedfarm::app::Json;
using schedfarm::app::json_number;
using schedfarm::app::json_text;

TEST_CASE("numbers have the digits that bring them back, and whole ones no point") {
    CHECK(json_number(4400).dump() == "4400");
    CHECK(json_number(-3).dump() == "-3");
    CHECK(json_number(0.1).dump() == "0.1");
    CHECK(json_number(1.0 / 3).dump() == "0.3333333333333333");
    CHECK(json_number(1e300).dump() == "1e+300");
    CHECK(json_number(std::numeric_limits<double>::infinity()).dump() == "null");
    CHECK(json_number(std::numeric_limits<double>::quiet_NaN()).dump() == "null");
}

TEST_CASE("text is UTF-8 as it was given, and what is none is replaced") {
    CHECK(json_text(Json("Université")) == "\"Université\"\n");
    CHECK(json_text(Json("Universit\xE9")) == "\"Universit\uFFFD\"\n");  // Latin-1
    CHECK(json_text(Json("a\033\"b")) == "\"a\\u001b\\\"b\"\n");
}
