// A drawing as a value: boxes and labels, painted in this order, on white. One description gives
// the vector file for a publication and the picture for a screen. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::campaigns {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr Colour black{0x22, 0x22, 0x22};
inline constexpr Colour grey{0x77, 0x77, 0x77};
inline constexpr Colour pale_grey{0xe2, 0xe2, 0xe2};
inline constexpr Colour blue{0x44, 0x77, 0xaa};
inline constexpr Colour pale_blue{0x9f, 0xbf, 0xdf};

/// A filled rectangle; lines are thin ones. Units: pixels from the top left corner.
struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    Colour fill = black;
    std::string tip;  ///< what a browser says under the mouse; may be empty
};

enum class Anchor : std::uint8_t { start, middle, end };

/// Text on one line; (x, y) is the anchor on the base line.
struct Label {
    double x = 0;
    double y = 0;
    std::string text;
    Anchor anchor = Anchor::start;
    double size = 11;
    Colour colour = black;
};

struct Drawing {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::string title;  ///< of the document; not painted
    std::vector<Box> boxes;
    std::vector<Label> labels;  ///< above all boxes

    void add(Box box) { boxes.push_back(std::move(box)); }
    void add(Label label) { labels.push_back(std::move(label)); }
};

/// SVG 1.1 without scripts and without fonts of its own. Boxes of one colour that follow each other
/// share a path, so that ten thousand take a few hundred kilobytes.
std::string svg_text(const Drawing& drawing);

/// A PNG of width × height pixels. Box edges lie on pixels; what is thinner is blended with what is
/// below; labels use a built-in font of ASCII, others become '?'.
std::string png_bytes(const Drawing& drawing);

}  // namespace schedfarm::campaigns
