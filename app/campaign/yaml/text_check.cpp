#include "app/campaign/yaml/text_check.hpp"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "engine/foundation/utf8.hpp"

#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t largest_campaign = std::size_t{4} << 20;

bool is_control(std::string_view text) {
    return std::string_view("\n\r\t").find(text[0]) == std::string_view::npos
           && engine::control_length(text) > 0;
}

}  // namespace

void expect_text(const std::string& name, const std::string& content, TextKind kind) {
    if (content.find_first_not_of(" \r\n\t") == std::string::npos) {
        throw_problem({name, 0, 0}, "the file is empty");
    }
    const bool is_campaign = kind == TextKind::campaign;
    if (is_campaign && content.size() > largest_campaign) {
        throw_problem({name, 0, 0}, "the file is larger than 4 MiB (a campaign is a short text)");
    }
    int line = 1;
    std::size_t line_begin = 0;
    bool in_indentation = true;
    for (std::size_t i = 0; i < content.size();) {
        const std::string_view rest = std::string_view(content).substr(i);
        const std::size_t length = engine::utf8_length(rest);
        const SourcePosition at{name, line, static_cast<int>(i - line_begin) + 1};
        if (length == 0 || is_control(rest)) {
            throw_problem(
                at,
                fmt::format("byte 0x{:02x} is not text", static_cast<unsigned char>(content[i])),
                fmt::format("Write the {} file in UTF-8.", is_campaign ? "campaign" : "CSV")
            );
        }
        if (is_campaign && in_indentation && content[i] == '\t') {
            throw_problem(at, "a tab in the indentation (YAML indents with spaces)", "Use spaces.");
        }
        in_indentation = in_indentation && content[i] == ' ';
        i += length;
        if (content[i - 1] == '\n') {
            ++line;
            line_begin = i;
            in_indentation = true;
        }
    }
}

}  // namespace schedfarm::app
