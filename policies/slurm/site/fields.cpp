#include "policies/slurm/site/fields.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

/// As strtoul reads it: 0x10 is 16, 010 is 8.
std::optional<std::int64_t> based_field(
    std::string_view text, std::int64_t least, std::int64_t most
) {
    const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const bool is_octal = !is_hexadecimal && text.size() > 1 && text.front() == '0';
    text.remove_prefix(is_hexadecimal ? 2 : is_octal ? 1 : 0);
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(
        text.data(),
        end,
        value,
        is_hexadecimal ? 16
        : is_octal     ? 8
                       : 10
    );
    const bool is_whole = read.ec == std::errc{} && read.ptr == end;
    return is_whole && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// Of one part of a time: sums of four stay far within 64 bits.
constexpr std::int64_t most_of_part = 10'000'000'000;

}  // namespace

std::optional<std::int64_t> scaled_field(
    std::string_view text, std::int64_t least, std::int64_t most
) {
    if (!text.ends_with('k') && !text.ends_with('K')) {
        return based_field(text, least, most);
    }
    text.remove_suffix(1);
    const auto count = based_field(text, 0, most / 1024);
    return count && *count * 1024 >= least ? std::optional(*count * 1024) : std::nullopt;
}

std::optional<std::int64_t> time_field(
    std::string_view text, std::int64_t least, std::int64_t most
) {
    std::int64_t seconds = 0;
    const std::size_t dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto days = field<std::int64_t>(text.substr(0, dash), 0, most_of_part);
        if (!days) {
            return std::nullopt;
        }
        seconds = *days * 86400;
        text.remove_prefix(dash + 1);
    }
    const std::vector<std::string> parts_of_day = parts(text, ':');
    if (parts_of_day.size() > 3) {
        return std::nullopt;
    }
    // What the first part counts: hours after days or of three parts, else minutes.
    std::int64_t unit = dash != std::string_view::npos || parts_of_day.size() == 3 ? 3600 : 60;
    for (const std::string& part : parts_of_day) {
        const auto count = field<std::int64_t>(part, 0, most_of_part);
        if (!count) {
            return std::nullopt;
        }
        seconds += *count * unit;
        unit /= 60;
    }
    seconds = (seconds + 59) / 60 * 60;
    return seconds >= least && seconds <= most ? std::optional(seconds) : std::nullopt;
}

bool is_unlimited(std::string_view text) {
    const std::string word = small_letters(text);
    return word == "infinite" || word == "unlimited" || word == "-1";
}

}  // namespace schedfarm::policies::slurm
