#include "campaigns/cli/option_kind.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "campaigns/config/numbers.hpp"
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
    const auto number = parse_natural(value);
    const bool is_too_large = number ? *number > 0 : is_digits(value);
    if (is_too_large && (range.empty() || range == positive)) {
        limits += number ? " to 4294967295" : " to 18446744073709551615";
    }
    return fmt::format("'{}' is not a whole number {}", value, limits);
}

std::string number_problem(const std::string& range, const std::string& value) {
    if (range.empty()) {
        return fmt::format("'{}' is not a number", value);
    }
    return fmt::format("'{}' is not a number {}{}", value, range == positive ? "" : "from ", range);
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
            return number_problem(kind.range, value);
        case OptionValue::time:
            break;
    }
    return fmt::format(
        "'{}' is not a time (seconds, or a number with s, m, h or d behind it). Write 90, 1.5h or "
        "2d?",
        value
    );
}

bool is_readable(const OptionKind& kind, const std::string& value) {
    if (kind.value == OptionValue::integer) {
        return parse_natural(value).has_value();
    }
    return kind.value != OptionValue::number || parse_real(value);
}

std::string plain_value(const OptionKind& kind, const std::string& value) {
    if (kind.value == OptionValue::integer) {
        const auto number = parse_natural(value);
        return number ? std::to_string(*number) : value;
    }
    const bool has_plus = kind.value == OptionValue::number && value.starts_with('+');
    return has_plus && parse_real(value) ? value.substr(1) : value;
}

CLI::Validator time_in_seconds() {
    const auto convert = [](std::string& text) -> std::string {
        static const std::map<char, double> units{{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
        const auto unit = text.empty() ? units.end() : units.find(text.back());
        const bool has_unit = unit != units.end();
        const auto number =
            parse_real(std::string_view(text).substr(0, text.size() - (has_unit ? 1 : 0)));
        if (!number) {
            return "no time";
        }
        text = fmt::format("{}", *number * (has_unit ? unit->second : 1));
        return "";
    };
    return {convert, "FLOAT [TIME]"};
}

}  // namespace schedfarm::campaigns
