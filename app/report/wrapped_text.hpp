// Texts for terminals: how wide they are and how they are broken into lines. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace schedfarm::app {

/// Columns of a terminal that every report fits where its content allows.
inline constexpr std::size_t terminal_width = 80;

/// Characters that a UTF-8 text occupies on a terminal (no wide characters are used here).
std::size_t display_width(const std::string& text);

/// The text in lines of at most `width`, broken at spaces; a longer word has a line of its own. At
/// least one line.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// "label     text": a text wrapped to `width` beside a label of `label_width`; ends in a newline.
/// REQUIRES: label_width < width.
std::string labelled(
    const std::string& label, const std::string& text, std::size_t label_width, std::size_t width
);

}  // namespace schedfarm::app
