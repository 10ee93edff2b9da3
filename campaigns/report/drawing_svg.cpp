#include <cmath>

#include <fmt/format.h>

#include "engine/foundation/utf8.hpp"

#include "campaigns/report/drawing.hpp"

namespace schedfarm::campaigns {

namespace {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char character : engine::valid_utf8(text)) {
        const auto byte = static_cast<unsigned char>(character);
        if (character == '&') {
            safe += "&amp;";
        } else if (character == '<') {
            safe += "&lt;";
        } else {
            safe += byte < ' ' || byte == 127 ? '?' : character;
        }
    }
    return safe;
}

std::string hex(Colour colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

/// In hundredths of a pixel, without zeros that say nothing.
void append(std::string& text, double value) {
    const auto hundredths = std::llround(value * 100);
    const auto whole = hundredths / 100;
    const auto part = std::abs(hundredths % 100);
    if (hundredths < 0 && whole == 0) {
        text += '-';
    }
    text += std::to_string(whole);
    if (part != 0) {
        text += part % 10 == 0 ? fmt::format(".{}", part / 10) : fmt::format(".{:02}", part);
    }
}

std::string number(double value) {
    std::string text;
    append(text, value);
    return text;
}

void append_path_part(std::string& text, const Box& box) {
    text += 'M';
    append(text, box.x);
    text += ' ';
    append(text, box.y);
    text += 'h';
    append(text, box.width);
    text += 'v';
    append(text, box.height);
    text += 'h';
    append(text, -box.width);
    text += 'z';
}

void append_rectangle(std::string& text, const Box& box) {
    text += fmt::format(
        R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}")",
        number(box.x),
        number(box.y),
        number(box.width),
        number(box.height),
        hex(box.fill)
    );
    text += box.tip.empty() ? "/>\n" : fmt::format("><title>{}</title></rect>\n", escaped(box.tip));
}

void append_boxes(std::string& text, const std::vector<Box>& boxes) {
    for (std::size_t i = 0; i < boxes.size();) {
        std::size_t end = i + 1;
        while (end < boxes.size() && boxes[end].fill == boxes[i].fill && boxes[end].tip.empty()) {
            ++end;
        }
        if (!boxes[i].tip.empty() || end == i + 1) {
            append_rectangle(text, boxes[i]);
            ++i;
            continue;
        }
        text += fmt::format(R"(<path fill="{}" d=")", hex(boxes[i].fill));
        for (; i < end; ++i) {
            append_path_part(text, boxes[i]);
        }
        text += "\"/>\n";
    }
}

const char* word(Anchor anchor) {
    switch (anchor) {
        case Anchor::start:
            return "start";
        case Anchor::middle:
            return "middle";
        default:
            return "end";
    }
}

void append_label(std::string& text, const Label& label) {
    text += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
        number(label.x),
        number(label.y),
        word(label.anchor),
        number(label.size),
        hex(label.colour),
        escaped(label.text)
    );
}

}  // namespace

std::string svg_text(const Drawing& drawing) {
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" shape-rendering=\"crispEdges\">\n"
        "<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        drawing.width,
        drawing.height,
        escaped(drawing.title)
    );
    append_boxes(text, drawing.boxes);
    for (const Label& label : drawing.labels) {
        append_label(text, label);
    }
    return text + "</svg>\n";
}

}  // namespace schedfarm::campaigns
