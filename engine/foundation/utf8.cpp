#include "engine/foundation/utf8.hpp"

#include <algorithm>
#include <array>
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

struct Sequence {
    std::size_t length = 0;
    std::uint32_t code_point = 0;
};

/// At the beginning of the text; of length 0 where there is none.
Sequence sequence_of(std::string_view text) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
    if (lead.length > text.size()) {
        return {};
    }
    std::uint32_t code_point = lead.bits;
    for (std::size_t i = 1; i < lead.length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U) {
            return {};
        }
        code_point = (code_point << 6) | (byte & 0x3FU);
    }
    const bool overlong =
        (lead.length == 3 && code_point < 0x800) || (lead.length == 4 && code_point < 0x10000);
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    return overlong || surrogate || code_point > 0x10FFFF ? Sequence{}
                                                          : Sequence{lead.length, code_point};
}

struct CodePoints {
    std::uint32_t first;
    std::uint32_t last;
};

constexpr std::array<CodePoints, 6> controls{
    {{0x0, 0x1F},
     {0x7F, 0x9F},
     {0x61C, 0x61C},
     {0x200E, 0x200F},
     {0x2028, 0x202E},
     {0x2066, 0x2069}}};

/// Unicode 15: default ignorable characters and the other marks that are not seen.
constexpr std::array<CodePoints, 16> unseen{
    {{0xAD, 0xAD},
     {0x34F, 0x34F},
     {0x115F, 0x1160},
     {0x17B4, 0x17B5},
     {0x180B, 0x180F},
     {0x200B, 0x200D},
     {0x2060, 0x2065},
     {0x206A, 0x206F},
     {0x3164, 0x3164},
     {0xFE00, 0xFE0F},
     {0xFEFF, 0xFEFF},
     {0xFFA0, 0xFFA0},
     {0xFFF0, 0xFFFB},
     {0x1BCA0, 0x1BCA3},
     {0x1D173, 0x1D17A},
     {0xE0000, 0xE0FFF}}};

template <std::size_t N>
bool lies_in(const std::array<CodePoints, N>& ranges, std::uint32_t code_point) {
    return std::any_of(ranges.begin(), ranges.end(), [code_point](const CodePoints& range) {
        return code_point >= range.first && code_point <= range.last;
    });
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
}

bool is_printed_ascii(char c) {
    return c >= ' ' && c <= '~';
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    return sequence_of(text).length;
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
    const Sequence sequence = sequence_of(text);
    if (sequence.length == 0) {
        return static_cast<unsigned char>(text[0]) < 0xA0 ? 1
                                                          : 0;  // C1 to a terminal without UTF-8
    }
    return lies_in(controls, sequence.code_point) ? sequence.length : 0;
}

std::string without_controls(std::string_view text, LineBreaks breaks) {
    std::string safe;
    while (!text.empty()) {
        const auto plain = std::find_if_not(text.begin(), text.end(), is_printed_ascii);
        safe.append(text.begin(), plain);
        text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
        if (text.empty()) {
            break;
        }
        const bool is_kept = breaks == LineBreaks::keep && text[0] == '\n';
        const Sequence sequence = sequence_of(text);
        const bool is_replaced =
            !is_kept
            && (control_length(text) > 0
                || (sequence.length > 0 && lies_in(unseen, sequence.code_point)));
        const std::size_t length = std::max(sequence.length, std::size_t{1});
        safe += is_replaced ? "?" : text.substr(0, length);
        text.remove_prefix(length);
    }
    return safe;
}

}  // namespace schedfarm::engine
