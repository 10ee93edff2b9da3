#include "engine/foundation/node_names.hpp"

#include <charconv>
#include <cstddef>

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

constexpr std::size_t most_nodes = 1'000'000;

std::optional<std::uint64_t> number_in(std::string_view digits) {
    std::uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// The part before the next comma outside of brackets; takes it off the list.
std::string_view next_entry(std::string_view& list) {
    std::size_t end = 0;
    for (bool is_inside = false; end < list.size() && (is_inside || list[end] != ','); ++end) {
        is_inside = list[end] == '[' || (is_inside && list[end] != ']');
    }
    const std::string_view entry = list.substr(0, end);
    list.remove_prefix(end < list.size() ? end + 1 : end);
    return entry;
}

bool add_nodes(std::string_view entry, const std::string& before, std::vector<std::string>& names);

/// "001-003" or "8", followed by what is behind the brackets.
bool add_range(
    std::string_view range,
    std::string_view rest,
    const std::string& before,
    std::vector<std::string>& names
) {
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const auto first = number_in(low);
    const auto last = dash == std::string_view::npos ? first : number_in(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first >= most_nodes) {
        return false;
    }
    for (std::uint64_t number = *first; number <= *last; ++number) {
        if (!add_nodes(rest, fmt::format("{}{:0{}}", before, number, low.size()), names)) {
            return false;
        }
    }
    return true;
}

/// A name without a comma outside of brackets.
bool add_nodes(std::string_view entry, const std::string& before, std::vector<std::string>& names) {
    const std::size_t open = entry.find('[');
    if (open == std::string_view::npos) {
        names.push_back(before + std::string(entry));
        return names.size() <= most_nodes && entry.find(']') == std::string_view::npos;
    }
    const std::size_t close = entry.find(']', open);
    if (close == std::string_view::npos) {
        return false;
    }
    std::string_view ranges = entry.substr(open + 1, close - open - 1);
    const std::string prefix = before + std::string(entry.substr(0, open));
    bool is_read = !ranges.empty();
    while (is_read && !ranges.empty()) {
        is_read = add_range(next_entry(ranges), entry.substr(close + 1), prefix, names);
    }
    return is_read;
}

}  // namespace

std::optional<std::vector<std::string>> nodes_in(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::string_view entry = next_entry(list);
        if (entry.empty() || !add_nodes(entry, "", names)) {
            return std::nullopt;
        }
    }
    return names;
}

std::string numbered_nodes(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) {
            ++end;
        }
        text += text.empty() ? "" : ",";
        text += std::to_string(numbers[i]);
        text += end > i + 1 ? "-" + std::to_string(numbers[end - 1]) : "";
        i = end;
    }
    return numbers.size() == 1 ? "n" + text : "n[" + text + "]";
}

}  // namespace schedfarm::engine
