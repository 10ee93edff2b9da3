#include "engine/foundation/utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace schedfarm::engine {

namespace {

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
    return {byte < 0x80 ? 1U : 0U, byte};
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
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

std::string valid_utf8(std::string_view text) {
    if (is_ascii(text)) {
        return std::string(text);
    }
    std::string valid;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        valid += length == 0 ? replacement_character : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return valid;
}

std::size_t control_length(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte < 0x80) {
        return byte < ' ' || byte == 0x7F ? 1 : 0;
    }
    const std::size_t length = utf8_length(text);
    if (length == 0) {
        return byte < 0xA0 ? 1 : 0;  // a terminal without UTF-8 takes it for C1
    }
    const auto lies_in = [character = text.substr(0, length)](auto first, auto last) {
        return character >= std::string_view(first) && character <= std::string_view(last);
    };
    const bool is_control = lies_in("\xC2\x80", "\xC2\x9F")              // U+0080 to U+009F
                            || lies_in("\xD8\x9C", "\xD8\x9C")           // U+061C
                            || lies_in("\xE2\x80\x8E", "\xE2\x80\x8F")   // U+200E, U+200F
                            || lies_in("\xE2\x80\xA8", "\xE2\x80\xAE")   // U+2028 to U+202E
                            || lies_in("\xE2\x81\xA6", "\xE2\x81\xA9");  // U+2066 to U+2069
    return is_control ? length : 0;
}

std::string without_controls(std::string_view text, LineBreaks breaks) {
    std::string safe;
    while (!text.empty()) {
        const bool is_kept = breaks == LineBreaks::keep && text[0] == '\n';
        const std::size_t control = is_kept ? 0 : control_length(text);
        const std::size_t length = std::max({control, utf8_length(text), std::size_t{1}});
        safe += control > 0 ? "?" : text.substr(0, length);
        text.remove_prefix(length);
    }
    return safe;
}

}  // namespace schedfarm::engine
