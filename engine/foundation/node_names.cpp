#include "engine/foundation/node_names.hpp"

#include <charconv>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

constexpr std::size_t most_of_name = 255;
constexpr int most_brackets = 10;

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

/// What the ranges within brackets stand for: "001-003,8" is 001, 002, 003, 8. None where it is no
/// list of ranges, or of more than `most`.
std::vector<std::string> numbers_in(std::string_view ranges, std::size_t most) {
    std::vector<std::string> numbers;
    while (!ranges.empty()) {
        const std::string_view range = next_entry(ranges);
        const std::size_t dash = range.find('-');
        const std::string_view low = range.substr(0, dash);
        const auto first = number_in(low);
        const auto last =
            dash == std::string_view::npos ? first : number_in(range.substr(dash + 1));
        if (!first || !last || *last < *first || *last - *first >= most - numbers.size()
            || low.size() > most_of_name) {
            return {};
        }
        for (std::uint64_t k = 0; k <= *last - *first; ++k) {
            numbers.push_back(fmt::format("{:0{}}", *first + k, low.size()));
        }
    }
    return numbers;
}

/// Appends what an entry without a comma outside of brackets stands for. False: it is none.
bool add_nodes(std::string_view entry, std::size_t most, std::vector<std::string>& names) {
    std::vector<std::string> begun{""};  // each name as far as the entry is read
    for (int brackets = 0;; ++brackets) {
        const std::size_t open = entry.find('[');
        const bool is_last = open == std::string_view::npos;
        const std::size_t close = is_last ? open : entry.find(']', open);
        const std::string_view plain = entry.substr(0, open);
        if (plain.find(']') != std::string_view::npos || brackets > most_brackets
            || (!is_last && close == std::string_view::npos)) {
            return false;
        }
        const auto numbers = is_last ? std::vector<std::string>{""}
                                     : numbers_in(entry.substr(open + 1, close - open - 1), most);
        if (numbers.empty() || begun.size() * numbers.size() > most - names.size()
            || begun.front().size() + plain.size() + numbers.front().size() > most_of_name) {
            return false;
        }
        std::vector<std::string> longer;
        longer.reserve(begun.size() * numbers.size());
        for (const std::string& name : begun) {
            for (const std::string& number : numbers) {
                longer.push_back(fmt::format("{}{}{}", name, plain, number));
            }
        }
        begun = std::move(longer);
        if (is_last) {
            std::move(begun.begin(), begun.end(), std::back_inserter(names));
            return true;
        }
        entry.remove_prefix(close + 1);
    }
}

}  // namespace

std::optional<std::vector<std::string>> nodes_in(std::string_view list, std::size_t most) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::string_view entry = next_entry(list);
        if (entry.empty() || !add_nodes(entry, most, names)) {
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
