#include "app/cli/number_options.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const bool has_limit = most != std::numeric_limits<std::uint64_t>::max();
    const std::string range =
        fmt::format("from {}{}", least, has_limit ? fmt::format(" to {}", most) : "");
    const auto convert = [=](std::string& text) -> std::string {
        const auto number = parse_natural(text);
        if (!number || *number < least || *number > most) {
            return fmt::format("'{}' is not a whole number {}", text, range);
        }
        text = std::to_string(*number);
        return "";
    };
    return {convert, least == 0 && !has_limit ? "" : range};
}

CLI::Validator positive_number() {
    const auto convert = [](std::string& text) -> std::string {
        const auto number = parse_real(text);
        if (!number || !(*number > 0)) {
            return fmt::format("'{}' is not a number above 0", text);
        }
        text = number_text(*number);
        return "";
    };
    return {convert, "above 0"};
}

CLI::Validator number_between(double least, double most) {
    const std::string range = fmt::format("from {} to {}", least, most);
    const auto convert = [=](std::string& text) -> std::string {
        const auto number = parse_real(text);
        if (!number || *number < least || *number > most) {
            return fmt::format("'{}' is not a number {}", text, range);
        }
        text = number_text(*number);
        return "";
    };
    return {convert, range};
}

CLI::Validator time_in_seconds() {
    const auto convert = [](std::string& text) -> std::string {
        static const std::map<char, double> units{{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
        const auto unit = text.empty() ? units.end() : units.find(text.back());
        const bool has_unit = unit != units.end();
        const auto number =
            parse_real(std::string_view(text).substr(0, text.size() - (has_unit ? 1 : 0)));
        if (!number) {
            return fmt::format("'{}' is not a time. Write 90, 1.5h or 2d.", text);
        }
        text = number_text(*number * (has_unit ? unit->second : 1));
        return "";
    };
    return {convert, "time"};
}

CLI::Validator word_or_file(const std::vector<std::string>& words) {
    const std::string known = fmt::format("{{{}}}", fmt::join(words, ","));
    const auto examine = [=](const std::string& text) -> std::string {
        std::error_code error;
        const bool is_known = std::find(words.begin(), words.end(), text) != words.end();
        return is_known || std::filesystem::is_regular_file(text, error)
                   ? ""
                   : fmt::format("'{}' is not in {}, and no file", text, known);
    };
    return {examine, known + "|FILE"};
}

}  // namespace schedfarm::app
