#include "models/trace/clock.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace schedfarm::models::trace {

namespace {

constexpr std::int64_t largest_start = 100'000'000'000;  // in the year 5138
constexpr std::int64_t largest_offset_s = 86400;

/// The number that `text` is from `begin` on, in `length` digits.
std::optional<int> digits(std::string_view text, std::size_t begin, std::size_t length) {
    int value = 0;
    for (std::size_t i = begin; i < begin + length; ++i) {
        if (i >= text.size() || text[i] < '0' || text[i] > '9') {
            return std::nullopt;
        }
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/// The text with every digit as 0: its form.
std::string form_of(std::string_view text) {
    std::string form(text);
    for (char& c : form) {
        c = c >= '0' && c <= '9' ? '0' : c;
    }
    return form;
}

}  // namespace

std::optional<LogClock> clock_of(const Header& header) {
    const auto start = header.number("UnixStartTime");
    if (!start || *start <= 0 || *start > largest_start) {
        return std::nullopt;
    }
    const std::int64_t offset = header.number("TimeZone").value_or(0);
    const bool is_offset = offset >= -largest_offset_s && offset <= largest_offset_s;
    return LogClock{.unix_start = *start, .utc_offset_s = is_offset ? offset : 0};
}

double second_of_week(const LogClock& clock, double time) {
    // 1970-01-01 was a Thursday: Monday 00:00 was three days earlier.
    const double since_monday =
        static_cast<double>(clock.unix_start + clock.utc_offset_s) + time + 3 * day_s;
    return since_monday - std::floor(since_monday / week_s) * week_s;
}

std::optional<double> log_time(const LogClock& clock, std::string_view date) {
    const std::string form = form_of(date);
    if (form != "0000-00-00" && form != "0000-00-00 00:00" && form != "0000-00-00 00:00:00") {
        return std::nullopt;
    }
    const std::chrono::year_month_day day{
        std::chrono::year(*digits(date, 0, 4)),
        std::chrono::month(static_cast<unsigned>(*digits(date, 5, 2))),
        std::chrono::day(static_cast<unsigned>(*digits(date, 8, 2)))};
    const int hours = digits(date, 11, 2).value_or(0);
    const int minutes = digits(date, 14, 2).value_or(0);
    const int seconds = digits(date, 17, 2).value_or(0);
    if (!day.ok() || hours > 23 || minutes > 59 || seconds > 59) {
        return std::nullopt;
    }
    const std::int64_t local =
        std::int64_t{std::chrono::sys_days(day).time_since_epoch().count()} * 86400
        + std::int64_t{3600} * hours + std::int64_t{60} * minutes + seconds;
    return static_cast<double>(local - clock.utc_offset_s - clock.unix_start);
}

std::string date_text(const LogClock& clock, double time) {
    constexpr double end = 253402300800;  // 10000-01-01
    const double local = static_cast<double>(clock.unix_start + clock.utc_offset_s) + time;
    if (!(local >= 0 && local < end)) {
        return "";
    }
    const std::chrono::sys_seconds instant(std::chrono::seconds(static_cast<std::int64_t>(local)));
    const auto midnight = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date(midnight);
    const std::chrono::hh_mm_ss day_time(instant - midnight);
    return fmt::format(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        day_time.hours().count(),
        day_time.minutes().count(),
        day_time.seconds().count()
    );
}

}  // namespace schedfarm::models::trace
