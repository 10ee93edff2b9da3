#include "results_schema/stored_text.hpp"

#include <algorithm>
#include <cstdint>

namespace schedfarm::results_schema {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Lead {
    std::size_t length;  // bytes of the sequence; 0: no sequence starts so
    std::uint32_t bits;  // of the code point, from the first byte
};

Lead lead_of(unsigned char byte) {
    if (byte >= 0xC2 && byte < 0xE0) {
        return {2, byte & 0x1FU};
    }
    if (byte >= 0xE0 && byte < 0xF0) {
        return {3, byte & 0x0FU};
    }
    if (byte >= 0xF0 && byte < 0xF5) {
        return {4, byte & 0x07U};
    }
    return {byte > 0 && byte < 0x80 ? 1U : 0U, byte};
}

/// Length of the valid UTF-8 sequence at the beginning; 0 where there is none.
std::size_t sequence_length(std::string_view text) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
    if (lead.length > text.size()) {
        return 0;
    }
    std::uint32_t code_point = lead.bits;
    for (std::size_t i = 1; i < lead.length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) {
            return 0;
        }
        code_point = (code_point << 6) | (byte & 0x3FU);
    }
    const bool overlong =
        (lead.length == 3 && code_point < 0x800) || (lead.length == 4 && code_point < 0x10000);
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    return overlong || surrogate || code_point > 0x10FFFF ? 0 : lead.length;
}

bool is_plain_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte > 0 && byte < 0x80;
    });
}

}  // namespace

std::string stored_text(std::string_view text) {
    if (is_plain_ascii(text)) {
        return std::string(text);
    }
    std::string stored;
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        stored += length == 0 ? replacement : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return stored;
}

}  // namespace schedfarm::results_schema
