// Drawings in both formats, pixel by pixel and word by word.
#include "campaigns/report/drawing.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <zlib.h>

using namespace schedfarm::campaigns;  // NOLINT(google-build-using-namespace)

namespace {

using Rows = std::vector<std::string>;

std::size_t word_at(const std::string& bytes, std::size_t at) {
    std::size_t word = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
        word = word * 256 + static_cast<unsigned char>(bytes.at(i));
    }
    return word;
}

/// The red part of every pixel, row by row, from the one IDAT chunk of a picture.
std::vector<std::vector<int>> reds_of(const Drawing& drawing) {
    const std::string bytes = png_bytes(drawing);
    const std::size_t at = bytes.find("IDAT");
    const std::size_t stride = 1 + 3 * std::size_t{drawing.width};
    std::string rows(stride * drawing.height, '\0');
    uLongf size = rows.size();
    const int done = uncompress(
        reinterpret_cast<Bytef*>(rows.data()),
        &size,
        reinterpret_cast<const Bytef*>(bytes.data()) + at + 4,
        word_at(bytes, at - 4)
    );
    REQUIRE(done == Z_OK);
    REQUIRE(size == rows.size());
    std::vector<std::vector<int>> reds(drawing.height);
    for (std::size_t y = 0; y < drawing.height; ++y) {
        for (std::size_t x = 0; x < drawing.width; ++x) {
            reds[y].push_back(static_cast<unsigned char>(rows[y * stride + 1 + 3 * x]));
        }
    }
    return reds;
}

/// '#' where anything is painted.
Rows picture_of(const Drawing& drawing) {
    Rows rows;
    for (const std::vector<int>& reds : reds_of(drawing)) {
        std::string& row = rows.emplace_back();
        for (const int red : reds) {
            row += red < 255 ? '#' : '.';
        }
    }
    return rows;
}

Rows painted(Label label, std::uint32_t width, std::uint32_t height) {
    Drawing drawing{.width = width, .height = height, .title = {}, .boxes = {}, .labels = {}};
    drawing.add(std::move(label));
    return picture_of(drawing);
}

std::string svg_of(std::vector<Box> boxes, std::vector<Label> labels = {}) {
    const std::string text = svg_text(
        {.width = 9,
         .height = 9,
         .title = {},
         .boxes = std::move(boxes),
         .labels = std::move(labels)}
    );
    const std::string before = "fill=\"#ffffff\"/>\n";
    const std::size_t begin = text.find(before) + before.size();
    return text.substr(begin, text.rfind("</svg>") - begin);
}

}  // namespace

TEST_CASE("boxes of a picture fill whole pixels up to the last and thin ones are blended") {
    Drawing drawing{.width = 6, .height = 4, .title = {}, .boxes = {}, .labels = {}};
    drawing.add(Box{.x = 3.6, .y = -1, .width = 5, .height = 2.4, .fill = {0, 0, 0}, .tip = {}});
    CHECK(picture_of(drawing) == Rows{"....##", "......", "......", "......"});
    drawing.add(Box{.x = 0, .y = 2, .width = 6, .height = 2, .fill = {0, 0, 0}, .tip = {}});
    CHECK(picture_of(drawing) == Rows{"....##", "......", "######", "######"});
    // A quarter of a pixel's width, then a quarter of the height as well: 255 · 3/4 and 255 ·
    // 15/16.
    drawing.boxes = {
        {.x = 1.6, .y = 0, .width = 0.25, .height = 1, .fill = {0, 0, 0}, .tip = {}},
        {.x = 2.6, .y = 1, .width = 0.25, .height = 0.25, .fill = {0, 0, 0}, .tip = {}}};
    const auto reds = reds_of(drawing);
    CHECK(reds[0] == std::vector<int>{255, 191, 255, 255, 255, 255});
    CHECK(reds[1] == std::vector<int>{255, 255, 239, 255, 255, 255});
}

TEST_CASE("a letter stands on its base line and may hang below it") {
    CHECK(
        painted({.x = 1, .y = 8, .text = "p"}, 7, 10)
        == Rows{
            ".......",
            ".......",
            ".......",
            ".####..",
            ".#...#.",
            ".#...#.",
            ".####..",
            ".#.....",
            ".#.....",
            "......."}
    );
    // Twice as large from size 14 on.
    const Rows large = painted({.x = 0, .y = 14, .text = "p", .size = 14}, 10, 16);
    CHECK(large[4] == "########..");
    CHECK(large[15] == "##........");
}

TEST_CASE("a label begins, is centred or ends at its anchor") {
    // Two letters of 5 pixels and one between them.
    const auto row = [](double x, Anchor anchor) {
        return painted({.x = x, .y = 7, .text = "LL", .anchor = anchor}, 14, 8)[6];
    };
    CHECK(row(1, Anchor::start) == ".#####.#####..");
    CHECK(row(7, Anchor::middle) == "..#####.#####.");
    CHECK(row(13, Anchor::end) == "..#####.#####.");
}

TEST_CASE("a character beyond ASCII is one question mark in a picture") {
    CHECK(
        painted({.x = 1, .y = 8, .text = "\u00e9p\u20ac"}, 20, 10)
        == painted({.x = 1, .y = 8, .text = "?p?"}, 20, 10)
    );
}

TEST_CASE("numbers of an SVG have hundredths and no zeros that say nothing") {
    const std::string text = svg_of(
        {{.x = -0.5, .y = 0.05, .width = 12, .height = 3.204, .fill = {1, 2, 255}, .tip = {}}}
    );
    CHECK(text == "<rect x=\"-0.5\" y=\"0.05\" width=\"12\" height=\"3.2\" fill=\"#0102ff\"/>\n");
}

TEST_CASE("boxes of one colour share a path unless they have something to say") {
    const Box plain{.x = 1, .y = 2, .width = 3, .height = 4, .fill = {0, 0, 0}, .tip = {}};
    Box telling = plain;
    telling.tip = "a < b";
    const std::string rect = R"(<rect x="1" y="2" width="3" height="4" fill="#000000")";
    const std::string path = "M1 2h3v4h-3z";
    CHECK(
        svg_of({plain, plain, telling, plain})
        == "<path fill=\"#000000\" d=\"" + path + path + "\"/>\n" + rect
               + "><title>a &lt; b</title></rect>\n" + rect + "/>\n"
    );
    CHECK(svg_of({plain, telling}) == rect + "/>\n" + rect + "><title>a &lt; b</title></rect>\n");
}
