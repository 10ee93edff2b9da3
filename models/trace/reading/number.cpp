#include "models/trace/reading/number.hpp"

#include <charconv>

namespace schedfarm::models::trace {

std::optional<double> parse_number(std::string_view token) {
    const bool is_negative = token.starts_with('-');
    const std::string_view digits = token.substr(is_negative ? 1 : 0);
    const bool begins_well =
        !digits.empty() && ((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.');
    constexpr double largest = 1e15;
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (!begins_well || error != std::errc() || stop != end || !(value <= largest)) {
        return std::nullopt;
    }
    return is_negative ? 0.0 - value : value;  // never -0
}

std::optional<std::int64_t> parse_integer(std::string_view token) {
    std::int64_t value = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace schedfarm::models::trace
