// Zones of the machine's table against the C library, and files that are none.
#include "models/trace/reading/zone_rules.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/models/trace/reading/zone_folder.hpp"
#include "tests/support/dice.hpp"

namespace schedfarm::models::trace {

namespace {

/// 2002-03-31 01:00 UTC, when Stockholm's summer time began, and 2002-10-27 01:00, when it ended.
constexpr std::int64_t spring = 1017536400;
constexpr std::int64_t autumn = 1035680400;

/// Of localtime() in that zone. REQUIRES: tzset() was called for it.
std::int64_t offset_of_library(std::int64_t unix_s) {
    const std::time_t time = unix_s;
    std::tm local{};
    ::localtime_r(&time, &local);
    return local.tm_gmtoff;
}

}  // namespace

TEST_CASE("every zone of this machine has the offsets of the C library from 1970 to 2100") {
    const std::filesystem::path folder = "/usr/share/zoneinfo";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("this machine has no table of zones");
        return;
    }
    schedfarm::tests::Dice dice(1);
    std::size_t zones = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        const auto rules = name.starts_with("right/") ? nullptr : zone_rules(name);
        if (rules == nullptr) {
            continue;
        }
        ++zones;
        ::setenv("TZ", (":" + name).c_str(), 1);
        ::tzset();
        for (int i = 0; i < 40; ++i) {
            const auto time = static_cast<std::int64_t>(dice.below(4102444800));
            CAPTURE(name);
            CAPTURE(time);
            REQUIRE(rules->utc_offset_s(time) == offset_of_library(time));
            const std::int64_t local = time + rules->utc_offset_s(time);
            const std::int64_t again = rules->unix_time(local);
            REQUIRE(again + rules->utc_offset_s(again) == local);
        }
    }
    ::unsetenv("TZ");
    ::tzset();
    MESSAGE(zones, " zones");
    CHECK(zones > 100);
    const auto south = zone_rules("America/Sao_Paulo");
    REQUIRE(south != nullptr);
    constexpr std::int64_t january = 1041379200;  // of 2003
    CHECK(south->utc_offset_s(january) == -7200);
    CHECK(south->winter_offset_s(january) == -10800);
    CHECK(south->winter_offset_s(spring) == -10800);
}

TEST_CASE("hours that come twice or never have an instant") {
    const tests::ZoneFolder folder;
    const auto rules = zone_rules("Europe/Stockholm");
    REQUIRE(rules != nullptr);
    CHECK(rules->utc_offset_s(spring - 1) == 3600);
    CHECK(rules->utc_offset_s(spring) == 7200);
    CHECK(rules->utc_offset_s(autumn - 1) == 7200);
    CHECK(rules->utc_offset_s(autumn) == 3600);
    CHECK(rules->winter_offset_s(spring) == 3600);
    CHECK(rules->winter_offset_s(autumn) == 3600);
    CHECK(rules->unix_time(autumn + 3600) == autumn - 3600);         // 02:00, the first time
    CHECK(rules->unix_time(autumn + 7200) == autumn + 3600);         // 03:00
    CHECK(rules->unix_time(spring + 3600 + 1800) == spring + 1800);  // 02:30, an hour later
    CHECK(rules->unix_time(spring + 7200) == spring);                // 03:00
}

TEST_CASE("files that are no zones and names that lead elsewhere give none") {
    const tests::ZoneFolder folder;
    const std::string right = tests::zone_file(3600, "ABC-1ABD,M3.5.0,M10.5.0/3");
    folder.write("Fixed", tests::zone_file(19800, "ABC-5:30"));
    REQUIRE(zone_rules("Fixed") != nullptr);
    CHECK(zone_rules("Fixed")->utc_offset_s(autumn) == 19800);
    for (std::size_t length = 0; length < right.size() / 2; ++length) {
        const std::string name = "Cut" + std::to_string(length);
        folder.write(name, right.substr(0, length));
        CAPTURE(length);
        CHECK(zone_rules(name) == nullptr);
    }
    for (const char* name :
         {"",
          "/etc/localtime",
          "Europe/../Europe/Stockholm",
          "Europe",
          "no such",
          "Europe/Atlantis",
          "Fixed/UTC+01:00:00"}) {
        CAPTURE(name);
        CHECK(zone_rules(name) == nullptr);
    }
}

}  // namespace schedfarm::models::trace
