#include "models/trace/reading/number.hpp"

#include <array>
#include <charconv>

namespace schedfarm::models::trace {

namespace {

constexpr double largest = 1e15;
constexpr std::size_t exact_digits = 15;

/// At most 15 digits with a point among them: one division of exact numbers, so correctly rounded.
/// Absent where the text is of another form.
std::optional<double> exact_decimal(std::string_view digits) {
    constexpr std::array<double, exact_digits + 1> powers{
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (digits.size() > exact_digits + 1) {
        return std::nullopt;
    }
    std::int64_t mantissa = 0;
    std::size_t decimals = 0;
    bool has_point = false;
    for (const char c : digits) {
        if (c == '.' && !has_point) {
            has_point = true;
        } else if (c >= '0' && c <= '9') {
            mantissa = mantissa * 10 + (c - '0');
            decimals += has_point ? 1 : 0;
        } else {
            return std::nullopt;
        }
    }
    if (!has_point || digits.size() == 1) {
        return std::nullopt;
    }
    return static_cast<double>(mantissa) / powers[decimals];
}

}  // namespace

std::optional<double> parse_number(std::string_view token) {
    const bool is_negative = token.starts_with('-');
    const std::string_view digits = token.substr(is_negative ? 1 : 0);
    if (const auto value = exact_decimal(digits)) {
        return is_negative ? 0.0 - *value : *value;
    }
    const bool begins_well =
        !digits.empty() && ((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.');
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (!begins_well || error != std::errc() || stop != end || !(value <= largest)) {
        return std::nullopt;
    }
    return is_negative ? 0.0 - value : value;  // never -0
}

}  // namespace schedfarm::models::trace
