#include "models/trace/reading/zone_rules.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <cctz/civil_time.h>

namespace schedfarm::models::trace {

namespace {

using Instant = cctz::time_point<cctz::seconds>;

Instant instant_of(std::int64_t unix_s) {
    return Instant(cctz::seconds(unix_s));
}

bool is_zone_name(std::string_view name) {
    constexpr std::size_t longest = 64;
    const auto is_of_names = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
               || c == '_' || c == '/' || c == '+' || c == '-';
    };
    return !name.empty() && name.size() <= longest && name.front() != '/'
           && std::all_of(name.begin(), name.end(), is_of_names);
}

/// The library knows names without a file, too ("UTC", "Fixed/UTC+01:00:00").
bool has_file(std::string_view name) {
    const char* const folder = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe)
    std::error_code error;
    return std::filesystem::is_regular_file(
        std::filesystem::path(folder == nullptr ? "/usr/share/zoneinfo" : folder) / name, error
    );
}

}  // namespace

std::int64_t ZoneRules::utc_offset_s(std::int64_t unix_s) const {
    return zone_.lookup(instant_of(unix_s)).offset;
}

std::int64_t ZoneRules::winter_offset_s(std::int64_t unix_s) const {
    constexpr std::int64_t quarter = 91 * std::int64_t{86400};
    std::int64_t least = utc_offset_s(unix_s);
    for (const std::int64_t quarters : {-2, -1, 1, 2}) {
        least = std::min(least, utc_offset_s(unix_s + quarters * quarter));
    }
    return least;
}

std::int64_t ZoneRules::unix_time(std::int64_t local_s) const {
    const cctz::civil_second local = cctz::civil_second(1970, 1, 1) + local_s;
    return zone_.lookup(local).pre.time_since_epoch().count();
}

std::shared_ptr<const ZoneRules> zone_rules(std::string_view name) {
    cctz::time_zone zone;
    return is_zone_name(name) && has_file(name) && cctz::load_time_zone(std::string(name), &zone)
               ? std::make_shared<const ZoneRules>(zone)
               : nullptr;
}

}  // namespace schedfarm::models::trace
