#include "campaigns/cli/option_kind.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "campaigns/config/suggestion.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr const char* positive = "above 0";

/// "INT in [1 - 100]" → "1 to 100"; "POSITIVE" → "above 0"
std::string range_of(const std::string& check) {
    if (check == "POSITIVE") {
        return positive;
    }
    const std::size_t begin = check.find("in [");
    const std::size_t middle = check.find(" - ", begin);
    if (begin == std::string::npos || middle == std::string::npos) {
        return "";
    }
    return check.substr(begin + 4, middle - begin - 4) + " to "
           + check.substr(middle + 3, check.size() - middle - 4);
}

/// "{a,b}" → a, b
std::vector<std::string> words_of(const std::string& check) {
    std::vector<std::string> words;
    std::istringstream list(check.substr(1, check.size() - 2));
    for (std::string word; std::getline(list, word, ',');) {
        words.push_back(word);
    }
    return words;
}

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

bool is_digits(const std::string& text) {
    return !text.empty()
           && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string word_problem(const std::vector<std::string>& words, const std::string& value) {
    constexpr std::size_t shortest_resembling = 5;  // shorter ones resemble too many
    const std::string text = fmt::format("'{}' is none of {}", value, joined(words));
    const auto nearest =
        value.size() < shortest_resembling ? std::nullopt : nearest_name(value, words);
    return nearest ? fmt::format("{}. Did you mean '{}'?", text, *nearest) : text;
}

std::string integer_problem(const std::string& range, const std::string& value) {
    std::string limits = range.empty() ? "from 0" : "from " + range;
    if (range == positive) {
        limits = "from 1";
    }
    const bool has_zeros = is_digits(value) && value.size() > 1 && value.front() == '0';
    if (is_digits(value) && !has_zeros && value != "0" && (range.empty() || range == positive)) {
        const bool is_readable = number_in<std::uint64_t>(value).has_value();
        limits += is_readable ? " to 4294967295" : " to 18446744073709551615";
    }
    return fmt::format(
        "'{}' is no whole number {}{}", value, limits, has_zeros ? " without zeros in front" : ""
    );
}

}  // namespace

/// CLI11 says "UINT:INT in [1 - 100]", "TEXT:{a,b}", "FLOAT:FLOAT [TIME]", "UINT:POSITIVE".
OptionKind kind_of(const CLI::Option& option) {
    if (option.get_expected_max() == 0) {
        return {OptionValue::none, {}, ""};
    }
    const std::string name = option.get_type_name();
    const std::size_t colon = name.find(':');
    const std::string type = name.substr(0, colon);
    const std::string check = colon == std::string::npos ? "" : name.substr(colon + 1);
    if (check.size() > 2 && check.front() == '{') {
        return {OptionValue::word, words_of(check), ""};
    }
    if (check.find("[TIME]") != std::string::npos) {
        return {OptionValue::time, {}, ""};
    }
    if (type == "UINT" || type == "INT") {
        return {OptionValue::integer, {}, range_of(check)};
    }
    return {type == "FLOAT" ? OptionValue::number : OptionValue::text, {}, range_of(check)};
}

std::string value_word(const OptionKind& kind) {
    switch (kind.value) {
        case OptionValue::none:
            return "";
        case OptionValue::text:
            return "<text>";
        case OptionValue::word:
            return fmt::format("{}", fmt::join(kind.words, "|"));
        case OptionValue::integer:
            return "<integer>";
        case OptionValue::number:
            return "<number>";
        case OptionValue::time:
            break;
    }
    return "<time>";
}

std::string value_problem(const OptionKind& kind, const std::string& value) {
    switch (kind.value) {
        case OptionValue::none:
            return fmt::format("it takes no value (here '{}')", value);
        case OptionValue::text:
            return fmt::format("'{}' cannot be read", value);
        case OptionValue::word:
            return word_problem(kind.words, value);
        case OptionValue::integer:
            return integer_problem(kind.range, value);
        case OptionValue::number:
            return fmt::format(
                "'{}' is no number{}{}", value, kind.range.empty() ? "" : " ", kind.range
            );
        case OptionValue::time:
            break;
    }
    return fmt::format(
        "'{}' is no time (seconds, or a number with s, m, h or d behind it). Write 90, 1.5h or 2d?",
        value
    );
}

bool is_readable(const OptionKind& kind, const std::string& value) {
    if (kind.value == OptionValue::integer) {
        return number_in<std::uint64_t>(value) && (value.size() == 1 || value.front() != '0');
    }
    if (kind.value == OptionValue::number) {
        const auto number = number_in<double>(value);
        return number && std::isfinite(*number);
    }
    return true;
}

CLI::Validator time_in_seconds() {
    const auto convert = [](std::string& text) -> std::string {
        static const std::map<char, double> units{{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
        const auto unit = text.empty() ? units.end() : units.find(text.back());
        const bool has_unit = unit != units.end();
        const auto number =
            number_in<double>(std::string_view(text).substr(0, text.size() - (has_unit ? 1 : 0)));
        if (!number || !std::isfinite(*number)) {
            return "no time";
        }
        text = fmt::format("{}", *number * (has_unit ? unit->second : 1));
        return "";
    };
    return {convert, "FLOAT [TIME]"};
}

}  // namespace schedfarm::campaigns
