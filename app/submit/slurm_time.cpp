#include "app/submit/slurm_time.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

constexpr std::uint64_t minute_s = 60;
constexpr std::uint64_t hour_s = 3600;
constexpr std::uint64_t day_s = 86400;
constexpr std::uint64_t largest_number = 100000;

std::optional<std::uint64_t> whole_number(const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    const bool is_number = read.ec == std::errc() && read.ptr == end && number <= largest_number;
    return is_number ? std::optional(number) : std::nullopt;
}

/// The numbers between colons; none where one is no number.
std::vector<std::uint64_t> numbers_of(const std::string& text) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        const auto number = whole_number(text.substr(begin, end - begin));
        if (!number) {
            return {};
        }
        numbers.push_back(*number);
        begin = end + 1;
    }
    return numbers;
}

}  // namespace

std::optional<std::uint64_t> parse_slurm_time(const std::string& text) {
    const std::size_t dash = text.find('-');
    std::uint64_t seconds = 0;
    std::vector<std::uint64_t> units{minute_s, 1};
    std::vector<std::uint64_t> numbers = numbers_of(text.substr(dash + 1));  // npos + 1 is 0
    if (dash != std::string::npos) {
        const auto days = whole_number(text.substr(0, dash));
        if (!days) {
            return std::nullopt;
        }
        seconds = *days * day_s;
        units = {hour_s, minute_s, 1};
    } else if (numbers.size() == 3) {
        units = {hour_s, minute_s, 1};
    }
    if (numbers.empty() || numbers.size() > units.size()) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool is_first = i == 0 && dash == std::string::npos;  // it may be of any size
        const std::uint64_t larger_unit = units[i] == hour_s ? day_s : minute_s * units[i];
        if (!is_first && numbers[i] * units[i] >= larger_unit) {
            return std::nullopt;
        }
        seconds += numbers[i] * units[i];
    }
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::string slurm_time_text(std::uint64_t seconds) {
    const std::string clock = fmt::format(
        "{:02}:{:02}:{:02}",
        seconds % day_s / hour_s,
        seconds % hour_s / minute_s,
        seconds % minute_s
    );
    return seconds < day_s ? clock : fmt::format("{}-{}", seconds / day_s, clock);
}

}  // namespace schedfarm::app
