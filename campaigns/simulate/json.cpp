#include "campaigns/simulate/json.hpp"

#include <cmath>

#include <fmt/format.h>

namespace schedfarm::campaigns {

std::string json_number(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string json_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (byte < ' ' || byte > '~') {
            result += fmt::format("\\u{:04x}", byte);
        } else {
            result += c;
        }
    }
    return result + "\"";
}

}  // namespace schedfarm::campaigns
