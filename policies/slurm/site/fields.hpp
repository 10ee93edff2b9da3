// Fields of a site's files, read whole and within a range: nothing is cut or guessed.
// Pure functions.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace schedfarm::policies::slurm {

/// The number that the whole text is; nothing where it is none or lies outside of the range.
template <typename T>
std::optional<T> field(std::string_view text, T least, T most) {
    T value{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    const bool is_whole = read.ec == std::errc{} && read.ptr == end;
    return is_whole && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// Likewise; K at its end counts 1024, and as in C 0x begins a hexadecimal number, 0 an octal one.
std::optional<std::int64_t> scaled_field(
    std::string_view text, std::int64_t least, std::int64_t most
);

/// Seconds of "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
/// "days-hours:minutes" and "days-hours:minutes:seconds", rounded up to minutes.
std::optional<std::int64_t> time_field(
    std::string_view text, std::int64_t least, std::int64_t most
);

/// INFINITE, UNLIMITED and -1, in any letters.
bool is_unlimited(std::string_view text);

}  // namespace schedfarm::policies::slurm
