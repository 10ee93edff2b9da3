#include "models/trace/reading/header.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace schedfarm::models::trace {

namespace {

constexpr std::size_t longest_key = 40;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\v\f";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

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
    const std::string wanted = comparable(key);
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const HeaderLine& line) {
        return comparable(line.key) == wanted;
    });
    if (found == lines.end()) {
        return std::nullopt;
    }
    return found->value;
}

std::optional<std::int64_t> Header::number(std::string_view key) const {
    const std::string_view text = find(key).value_or("");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) {
        return std::nullopt;
    }
    return value;
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

std::optional<std::uint32_t> Header::processors() const {
    for (const char* key : {"MaxProcs", "MaxNodes"}) {
        const std::int64_t value = number(key).value_or(0);
        if (value > 0 && value <= std::numeric_limits<std::int32_t>::max()) {
            return static_cast<std::uint32_t>(value);
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::models::trace
