#include "app/report/json.hpp"

#include <cmath>
#include <cstdint>

namespace schedfarm::app {

Json json_number(double value) {
    constexpr double largest_exact = 9007199254740992;  // 2^53
    const bool is_whole = std::abs(value) <= largest_exact && value == std::floor(value);
    return is_whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace schedfarm::app
