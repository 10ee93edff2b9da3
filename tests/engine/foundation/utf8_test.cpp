#include "engine/foundation/utf8.hpp"

#include <doctest/doctest.h>

using schedfarm::engine::LineBreaks;
using schedfarm::engine::replacement_character;
using schedfarm::engine::utf8_length;
using schedfarm::engine::valid_utf8;
using schedfarm::engine::without_controls;

namespace {

const std::string mark(replacement_character);

}  // namespace

TEST_CASE("sequences of UTF-8 have one to four bytes") {
    CHECK(utf8_length("ab") == 1);
    CHECK(utf8_length(std::string_view("\0", 1)) == 1);
    CHECK(utf8_length("\u00e9x") == 2);
    CHECK(utf8_length("€x") == 3);
    CHECK(utf8_length("𝄞x") == 4);
    CHECK(utf8_length("\xF4\x8F\xBF\xBF") == 4);  // U+10FFFF
    CHECK(utf8_length("\xF4\x90\x80\x80") == 0);  // the one above
    CHECK(utf8_length("\xE2\x82") == 0);          // cut off
    CHECK(utf8_length("\x80") == 0);
    CHECK(utf8_length("\xC1\xBF") == 0);  // overlong
    CHECK(utf8_length("\xED\xA0\x80") == 0);
}

TEST_CASE("what is no UTF-8 is replaced byte by byte, and nothing else") {
    CHECK(valid_utf8("a\xFF\xE2\x82 ρ") == "a" + mark + mark + mark + " ρ");
    CHECK(valid_utf8(std::string_view("a\0\x1b", 3)) == std::string_view("a\0\x1b", 3));
}

TEST_CASE("control characters are replaced, line breaks where asked for") {
    const std::string text = "\x1b[31mé\t\x7f\n\xFF";
    CHECK(without_controls(text) == "?[31mé???\xFF");
    CHECK(without_controls(text, LineBreaks::keep) == "?[31mé??\n\xFF");
    // Behind ASCII: CSI of C1 (U+009B), RLO (U+202E), LRI (U+2066), line separator (U+2028); the
    // byte of CSI alone; and what must stay: é, €, ρ and U+00A0.
    CHECK(
        without_controls("\xC2\x9B"
                         "2J\u202Ea\u2066\u2028b\x9B"
                         "c")
        == "?2J?a??b?c"
    );
    CHECK(without_controls("é€ρ\u00A0\u2070") == "é€ρ\u00A0\u2070");
}

TEST_CASE("what has no width is replaced, for names that look equal would differ") {
    for (const char* unseen :
         {"\u200B",
          "\u200C",
          "\u200D",
          "\u200E",
          "\u2060",
          "\u2064",
          "\uFEFF",
          "\u00AD",
          "\u034F",
          "\u061C",
          "\u180E",
          "\uFE0F",
          "\u3164",
          "\U000E0041",
          "\uFFF9",
          "\u202A"}) {
        CHECK(without_controls(std::string("fc") + unseen + "fs") == "fc?fs");
    }
    for (const char* seen : {"\u00AE", "\u0300", "\u2010", "\u2027", "\u2030", "漢", "😀"}) {
        CHECK(without_controls(seen) == seen);
    }
}
