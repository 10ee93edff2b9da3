#include "app/campaign/yaml/numbers.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

/// Reads all of the text or nothing. A leading plus sign is admitted, which from_chars is not.
template <typename T>
std::optional<T> parse_all(std::string_view text) {
    if (!text.empty() && text.front() == '+' && text.find_first_of("+-", 1) != 1) {
        text.remove_prefix(1);
    }
    T value{};
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || error != std::errc() || stopped != end) {
        return std::nullopt;
    }
    return value;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
    const auto value = parse_all<double>(text);
    if (!value || !std::isfinite(*value)) {
        return std::nullopt;
    }
    return *value + 0.0;  // −0 becomes 0
}

std::optional<double> limit_of(std::string_view text) {
    const bool is_signed = !text.empty() && (text.front() == '+' || text.front() == '-');
    const double infinity = text.starts_with('-') ? -std::numeric_limits<double>::infinity()
                                                  : std::numeric_limits<double>::infinity();
    text.remove_prefix(is_signed ? 1 : 0);
    const bool is_yaml = text.starts_with(".i") || text.starts_with(".I");
    text.remove_prefix(is_yaml ? 1 : 0);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || text.front() == '-' || stopped != end) {
        return std::nullopt;
    }
    if (error == std::errc::result_out_of_range) {
        const std::size_t exponent = text.find_first_of("eE");
        const bool is_small = exponent == std::string_view::npos
                                  ? text.front() == '0' || text.front() == '.'
                                  : text[exponent + 1] == '-';
        return is_small ? 0 : infinity;
    }
    return error == std::errc() && std::isinf(value) ? std::optional(infinity) : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    if (const auto value = parse_all<std::int64_t>(text)) {
        return value;
    }
    constexpr double largest_exact = 9007199254740992.0;  // 2^53
    const auto real = parse_real(text);
    if (!real || std::abs(*real) > largest_exact || *real != std::floor(*real)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*real);
}

std::optional<std::uint64_t> parse_natural(std::string_view text) {
    if (const auto value = parse_all<std::uint64_t>(text)) {
        return value;
    }
    const auto value = parse_integer(text);
    return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::string number_text(double value) {
    return fmt::format("{}", value);
}

}  // namespace schedfarm::app
