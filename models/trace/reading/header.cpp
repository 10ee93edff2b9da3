#include "models/trace/reading/header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/tables/cells.hpp"

namespace schedfarm::models::trace {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t longest_key = 40;

/// "Max Procs" and "MAXPROCS" are the same key.
std::string comparable(std::string_view key) {
    std::string result;
    for (const char c : key) {
        if (c != ' ' && c != '\t' && c != '_') {
            result += lower(c);
        }
    }
    return result;
}

bool is_key(std::string_view text) {
    return !text.empty() && text.size() <= longest_key && is_letter(text.front())
           && std::all_of(text.begin(), text.end(), [](char c) {
                  return is_letter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-';
              });
}

/// "1,024" without its commas; empty where they do not part thousands.
std::string without_commas(std::string_view text) {
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    const std::size_t first = text.find(',');
    std::string result(text.substr(0, first));
    if (first == std::string_view::npos) {
        return result;
    }
    for (std::size_t comma = first; comma < text.size(); comma += 4) {
        const std::string_view digits = text.substr(comma + 1, 3);
        if (text[comma] != ',' || digits.size() != 3
            || !std::all_of(digits.begin(), digits.end(), is_digit)) {
            return {};
        }
        result += digits;
    }
    return first > sign && first <= sign + 3 ? result : std::string();
}

/// The whole of the text, but for a remark in parentheses behind it.
std::optional<std::int64_t> whole_number(std::string_view text) {
    if (text.ends_with(')')) {
        text = trimmed(text.substr(0, text.find('(')));
    }
    text.remove_prefix(text.starts_with('+') && text.size() > 1 && is_digit(text[1]) ? 1 : 0);
    return parse_integer(without_commas(text));
}

bool is_above_all_sizes(std::int64_t value) {
    return value > std::numeric_limits<std::int32_t>::max();
}

/// "3 night (10 to 12 processors)" in its parts.
struct NumberedName {
    std::int64_t number = 0;
    std::string_view name;
};

std::optional<NumberedName> numbered_name(std::string_view text) {
    NumberedName result;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, result.number);
    if (error != std::errc() || rest == end || (*rest != ' ' && *rest != '\t')) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    result.name = trimmed(text.substr(0, text.find('(')));
    return result;
}

/// What one line alone says: of what, and what. Absent: another line may say more of it.
struct SaidOnce {
    std::string what;
    std::string value;
};

std::optional<SaidOnce> said_once(const HeaderLine& line) {
    constexpr std::array fields{
        "maxprocs"sv,
        "maxnodes"sv,
        "unixstarttime"sv,
        "timezone"sv,
        "timezonestring"sv,
        "starttime"sv,
        "computer"sv};
    constexpr std::array named{"queue"sv, "partition"sv, "group"sv, "user"sv};
    const std::string key = comparable(line.key);
    if (std::ranges::find(named, key) != named.end()) {
        const auto name = numbered_name(line.value);
        return name ? std::optional(SaidOnce{
                   fmt::format("{} {}", key, name->number), std::string(name->name)})
                    : std::nullopt;
    }
    if (std::ranges::find(fields, key) == fields.end()) {
        return std::nullopt;
    }
    const auto number = whole_number(line.value);
    return SaidOnce{key, number ? std::to_string(*number) : line.value};
}

}  // namespace

HeaderLine header_line(std::string_view comment) {
    comment.remove_prefix(std::min(comment.find_first_not_of(';'), comment.size()));
    const std::size_t colon = comment.find(':');
    if (colon != std::string_view::npos) {
        const std::string_view key = trimmed(comment.substr(0, colon));
        const std::string_view value = comment.substr(colon + 1);
        if (is_key(key) && !value.starts_with("//")) {  // http://…
            return {.key = std::string(key), .value = std::string(trimmed(value))};
        }
    }
    return {.key = "", .value = std::string(trimmed(comment))};
}

bool is_same_key(std::string_view a, std::string_view b) {
    return comparable(a) == comparable(b);
}

std::optional<std::string_view> Header::find(std::string_view key) const {
    const HeaderLine* const line = line_of(key);
    return line == nullptr ? std::nullopt : std::optional<std::string_view>(line->value);
}

const HeaderLine* Header::line_of(std::string_view key) const {
    const std::string wanted = comparable(key);
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const HeaderLine& line) {
        return comparable(line.key) == wanted;
    });
    return found == lines.end() ? nullptr : &*found;
}

std::optional<std::int64_t> Header::number(std::string_view key) const {
    return whole_number(find(key).value_or(""));
}

const HeaderLine* Header::unreadable_number(std::string_view key) const {
    const HeaderLine* const line = line_of(key);
    const bool is_given = line != nullptr && !says_nothing(line->value);
    return is_given && !whole_number(line->value) ? line : nullptr;
}

std::string Header::name_of(std::string_view key, std::int64_t number) const {
    const std::string wanted = comparable(key);
    std::string name;
    for (const HeaderLine& line : lines) {
        const auto named =
            comparable(line.key) == wanted ? numbered_name(line.value) : std::nullopt;
        if (named && named->number == number) {
            name = named->name;
        }
    }
    const auto is_control = [](unsigned char c) {
        return c < ' ' || c == 0x7f;
    };
    std::replace_if(name.begin(), name.end(), is_control, '?');
    return name;
}

std::vector<const HeaderLine*> Header::contradictory_lines() const {
    std::map<std::string, std::string> values;
    std::vector<const HeaderLine*> found;
    for (const HeaderLine& line : lines) {
        if (const auto said = said_once(line)) {
            const std::string& above = values.try_emplace(said->what, said->value).first->second;
            if (above != said->value) {
                found.push_back(&line);
            }
        }
    }
    return found;
}

const HeaderLine* Header::unreadable_processors() const {
    for (const char* key : {"MaxProcs", "MaxNodes"}) {
        const std::int64_t value = number(key).value_or(0);
        if (unreadable_number(key) != nullptr || is_above_all_sizes(value) || value < -1) {
            return line_of(key);
        }
        if (value > 0) {
            return nullptr;
        }
    }
    return nullptr;
}

std::optional<std::uint32_t> Header::processors() const {
    if (unreadable_processors() != nullptr) {
        return std::nullopt;
    }
    for (const char* key : {"MaxProcs", "MaxNodes"}) {
        if (const std::int64_t value = number(key).value_or(0); value > 0) {
            return static_cast<std::uint32_t>(value);
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::models::trace
