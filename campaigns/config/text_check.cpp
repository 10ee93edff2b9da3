#include "campaigns/config/text_check.hpp"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "campaigns/config/config_error.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::size_t largest_campaign = std::size_t{4} << 20;

/// Length of the UTF-8 sequence that begins at i, 0 when it is malformed (overlong forms,
/// surrogates and values above U+10FFFF included).
std::size_t sequence_length(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
    };
    const unsigned lead = byte(i);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || lead > 0xF4) {
        return 0;
    }
    std::uint32_t code = lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0U) != 0x80U) {
            return 0;
        }
        code = (code << 6U) | (byte(i + k) & 0x3FU);
    }
    const std::uint32_t smallest = length == 4 ? 0x10000U : length == 3 ? 0x800U : 0x80U;
    const bool is_surrogate = code >= 0xD800U && code <= 0xDFFFU;
    return code < smallest || is_surrogate || code > 0x10FFFFU ? 0 : length;
}

bool is_control(char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\n' && c != '\r' && c != '\t') || code == 0x7F;
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
        const std::size_t length = sequence_length(content, i);
        const SourcePosition at{name, line, static_cast<int>(i - line_begin) + 1};
        if (length == 0 || is_control(content[i])) {
            throw_problem(
                at,
                fmt::format("byte 0x{:02x} is not text", static_cast<unsigned char>(content[i])),
                fmt::format(
                    "Is this a {} file, written in UTF-8?", is_campaign ? "campaign" : "CSV"
                )
            );
        }
        if (is_campaign && in_indentation && content[i] == '\t') {
            throw_problem(at, "a tab in the indentation (YAML indents with spaces)", "Use spaces?");
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

}  // namespace schedfarm::campaigns
