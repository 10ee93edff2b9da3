#include "app/report/wrapped_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not a continuation byte
}

}  // namespace

std::size_t display_width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    if (display_width(text) <= width) {
        return {text};
    }
    std::vector<std::string> lines(1);
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (display_width(longer) <= width || lines.back().empty()) {
            lines.back() = longer;
        } else {
            lines.push_back(word);
        }
        begin = end + 1;
    }
    return lines;
}

std::string labelled(
    const std::string& label, const std::string& text, std::size_t label_width, std::size_t width
) {
    std::string lines;
    for (const std::string& line : wrapped(text, width - label_width)) {
        lines += fmt::format("{:<{}}{}\n", lines.empty() ? label : "", label_width, line);
    }
    return lines;
}

}  // namespace schedfarm::app
