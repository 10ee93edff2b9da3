#include "models/trace/tables/cells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>

#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

namespace {

/// The number at the beginning of the text, which it loses.
constexpr std::size_t few = 15;  ///< digits that every double holds

std::optional<double> leading_number(std::string_view& text) {
    std::int64_t whole = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && digits <= few && is_digit(text[digits]); ++digits) {
        whole = 10 * whole + (text[digits] - '0');
    }
    const char next = digits < text.size() ? text[digits] : '\0';
    if (digits > 0 && digits <= few && next != '.' && lower(next) != 'e') {
        text.remove_prefix(digits);
        return static_cast<double>(whole);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || text.front() == '-' || !is_digit(text.front())) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// All of the text as a number, "-1.0" too.
std::optional<double> number_of_all(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    text.remove_prefix(is_negative ? 1 : 0);
    const auto value = text.empty() ? std::nullopt : leading_number(text);
    return value && text.empty() ? std::optional(is_negative ? -*value : *value) : std::nullopt;
}

bool is_sentinel_cell(std::string_view cell) {
    const auto number = number_of_all(cell);
    return number && is_sentinel(*number);
}

/// "K", "M", "G", "T", "P", "E": powers of 1024; absent for other letters.
std::optional<double> factor_of(char letter) {
    constexpr std::string_view letters = "KMGTPE";
    const std::size_t place = letters.find(letter);
    return place == std::string_view::npos
               ? std::nullopt
               : std::optional(static_cast<double>(std::uint64_t{1} << 10 * (place + 1)));
}

std::optional<double> small_integer(std::string_view text) {
    if (text.empty() || text.size() > few) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char c : text) {
        if (!is_digit(c)) {
            return std::nullopt;
        }
        value = 10 * value + (c - '0');
    }
    return static_cast<double>(value);
}

/// "[D-]HH:MM:SS", "MM:SS", with decimals of the seconds or without.
std::optional<double> clock_duration(std::string_view text) {
    double days = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto whole = small_integer(text.substr(0, dash));
        if (!whole) {
            return std::nullopt;
        }
        days = *whole;
        text.remove_prefix(dash + 1);
    }
    double seconds = 0;
    std::size_t parts = 0;
    for (bool goes_on = true; goes_on; ++parts) {
        const std::size_t colon = text.find(':');
        goes_on = colon != std::string_view::npos;
        std::string_view part = text.substr(0, colon);
        const auto value = part.empty() ? std::nullopt : leading_number(part);
        if (!value || !part.empty()) {
            return std::nullopt;
        }
        seconds = 60 * seconds + *value;
        text.remove_prefix(goes_on ? colon + 1 : text.size());
    }
    return parts == 2 || parts == 3 ? std::optional(days * 86400 + seconds) : std::nullopt;
}

/// Digits of a fixed place; −1: others stand there.
template <std::size_t Count>
int digits_at(std::string_view text, std::size_t place) {
    if (place + Count > text.size()) {
        return -1;
    }
    unsigned value = 0;
    bool are_digits = true;
    for (const char c : text.substr(place, Count)) {
        const auto digit = static_cast<unsigned>(c) - '0';
        are_digits = are_digits && digit < 10;
        value = 10 * value + digit;
    }
    return are_digits ? static_cast<int>(value) : -1;
}

/// "Z", " UTC", "+01:00", "+0100", "-07": seconds east of UTC.
std::optional<double> offset_of(std::string_view text) {
    text.remove_prefix(text.starts_with(' ') ? 1 : 0);
    if (is_same(text, "z") || is_same(text, "utc")) {
        return 0;
    }
    if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) {
        return std::nullopt;
    }
    const int hours = digits_at<2>(text, 1);
    const std::size_t minutes_at = text.size() > 3 && text[3] == ':' ? 4 : 3;
    const int minutes = text.size() == 3 ? 0 : digits_at<2>(text, minutes_at);
    if (hours < 0 || minutes < 0 || (text.size() != 3 && text.size() != minutes_at + 2)) {
        return std::nullopt;
    }
    return (text[0] == '-' ? -1 : 1) * (3600.0 * hours + 60.0 * minutes);
}

/// By JobState, from pending on: Slurm's word, its short one, its number, and those of data sets.
constexpr std::array<std::string_view, 15> state_words{
    "PENDING|PD|0",
    "RUNNING|R|1|COMPLETING|CG|CONFIGURING",
    "SUSPENDED|S|2",
    "COMPLETED|CD|3|PASS|COMPLETED_SUCCESSFULLY",
    "CANCELLED|CA|4|CANCELED|KILLED|COMPLETED_KILLED|REJECTED",
    "FAILED|F|5|COMPLETED_FAILED",
    "TIMEOUT|TO|6|COMPLETED_WALLTIME_REACHED",
    "NODE_FAIL|NF|7|NODE FAIL",
    "PREEMPTED|PR|8",
    "BOOT_FAIL|BF|9",
    "DEADLINE|DL|10",
    "OUT_OF_MEMORY|OOM|11|OUT OF MEMORY",
    "REQUEUED|RQ",
    "REVOKED",
    "RESIZING|RS"};

}  // namespace

bool is_word_for_nothing(std::string_view cell) {
    constexpr std::array<std::string_view, 10> words{
        "", "Unknown", "None", "None assigned", "N/A", "INVALID", "null", "nan", "NaT", "NA"};
    return std::any_of(words.begin(), words.end(), [cell](std::string_view word) {
        return is_same(cell, word);
    });
}

bool is_sentinel(double number) {
    constexpr double most_of_32_bits = 4294967295;
    constexpr double most_of_64_bits = 18446744073709551615.0;  // and the one below, as doubles
    return number == -1 || number == most_of_32_bits || number == most_of_32_bits - 1
           || number == most_of_64_bits;
}

std::optional<double> count_of(std::string_view cell) {
    if (const auto usual = small_integer(cell)) {
        return is_sentinel(*usual) ? not_said : *usual;
    }
    if (says_nothing(cell) || is_sentinel_cell(cell)) {
        return not_said;
    }
    const auto value = leading_number(cell);
    if (!value || cell.empty()) {
        return value;
    }
    const auto factor = factor_of(cell.front());
    return factor && cell.size() == 1 ? std::optional(*value * *factor) : std::nullopt;
}

LimitWord limit_word(std::string_view cell) {
    if (is_same(cell, "unlimited") || is_same(cell, "infinite")) {
        return LimitWord::unlimited;
    }
    const double number = cell.starts_with('4') ? number_of_all(cell).value_or(0) : 0;
    return number == 4294967295                                       ? LimitWord::unlimited
           : number == 4294967294 || is_same(cell, "partition_limit") ? LimitWord::partition
                                                                      : LimitWord::none;
}

std::optional<double> duration_of(std::string_view cell, double unit_s) {
    if (const auto usual = small_integer(cell)) {
        return is_sentinel(*usual) ? not_said : *usual * unit_s;
    }
    if (says_nothing(cell) || is_sentinel_cell(cell)) {
        return not_said;
    }
    if (cell.find(':') != std::string_view::npos) {
        return clock_duration(cell);
    }
    const auto value = leading_number(cell);
    return value && cell.empty() ? std::optional(*value * unit_s) : std::nullopt;
}

std::optional<Memory> memory_of(std::string_view cell, double unit_kb) {
    constexpr std::uint64_t per_processor = std::uint64_t{1} << 63;
    Memory memory;
    if (says_nothing(cell) || is_sentinel_cell(cell)) {
        return memory;
    }
    std::uint64_t whole = 0;
    const char* const last = cell.data() + cell.size();
    const auto [end, error] = std::from_chars(cell.data(), last, whole);
    if (error == std::errc() && end == last && whole >= per_processor) {
        return Memory{
            .kb = static_cast<double>(whole - per_processor) * unit_kb,
            .per = Memory::Per::processor};
    }
    if (cell.ends_with('c') || cell.ends_with('n')) {
        memory.per = cell.ends_with('c') ? Memory::Per::processor : Memory::Per::node;
        cell.remove_suffix(1);
    }
    const auto value = cell.empty() ? std::nullopt : leading_number(cell);
    if (!value) {
        return std::nullopt;
    }
    memory.kb = *value * unit_kb;
    if (!cell.empty()) {
        const auto factor = factor_of(cell.front());
        cell.remove_prefix(1);
        if (!factor || (!cell.empty() && cell != "B" && cell != "iB")) {
            return std::nullopt;
        }
        memory.kb = *value * *factor / 1024;
    }
    return memory;
}

std::string_view value_in_list(std::string_view cell, std::string_view key) {
    while (!cell.empty()) {
        const std::size_t comma = cell.find(',');
        const std::string_view entry = cell.substr(0, comma);
        if (entry.size() > key.size() && entry[key.size()] == '=' && entry.starts_with(key)) {
            return entry.substr(key.size() + 1);
        }
        cell.remove_prefix(comma == std::string_view::npos ? cell.size() : comma + 1);
    }
    return {};
}

std::optional<JobState> state_of(std::string_view cell) {
    constexpr std::string_view with_user = "CANCELLED by ";
    if (says_nothing(cell)) {
        return JobState::unknown;
    }
    if (const auto number = small_integer(cell); number && *number > 255) {
        constexpr std::uint64_t requeued = 1U << 10U;
        constexpr std::uint64_t resizing = 1U << 13U;
        const auto bits = static_cast<std::uint64_t>(*number);
        return (bits & requeued) != 0   ? JobState::requeued
               : (bits & resizing) != 0 ? JobState::resizing
                                        : state_of(std::to_string(bits & 255U));
    }
    for (std::size_t state = 0; state < state_words.size(); ++state) {  // as Slurm writes it
        if (word_of(static_cast<JobState>(state)) == cell) {
            return static_cast<JobState>(state);
        }
    }
    if (cell.size() > with_user.size() && is_same(cell.substr(0, with_user.size()), with_user)) {
        return JobState::cancelled;
    }
    for (std::size_t state = 0; state < state_words.size(); ++state) {
        std::string_view words = state_words[state];
        while (!words.empty()) {
            const std::string_view word = words.substr(0, words.find('|'));
            if (is_same(cell, word)) {
                return static_cast<JobState>(state);
            }
            words.remove_prefix(std::min(word.size() + 1, words.size()));
        }
    }
    return std::nullopt;
}

std::string_view word_of(JobState state) {
    const std::string_view words = state_words.at(static_cast<std::size_t>(state));
    return words.substr(0, words.find('|'));
}

Status status_of(JobState state) {
    switch (state) {
        case JobState::completed:
            return Status::completed;
        case JobState::failed:
        case JobState::timeout:
        case JobState::node_fail:
        case JobState::boot_fail:
        case JobState::deadline:
        case JobState::out_of_memory:
            return Status::failed;
        case JobState::cancelled:
        case JobState::preempted:
        case JobState::requeued:
        case JobState::revoked:
            return Status::cancelled;
        default:
            return Status::unknown;
    }
}

StartedBy started_by_of(std::string_view flags) {
    constexpr std::array<std::string_view, 3> in_json{
        "STARTED_ON_SCHEDULE", "STARTED_ON_BACKFILL", "STARTED_ON_SUBMIT"};
    for (std::size_t starter = 0; starter < in_json.size(); ++starter) {
        if (flags.find(starter_words[starter]) != std::string_view::npos
            || flags.find(in_json[starter]) != std::string_view::npos) {
            return static_cast<StartedBy>(starter);
        }
    }
    return StartedBy::unknown;
}

std::optional<CellTime> time_of(std::string_view cell, double unit_s) {
    if (says_nothing(cell) || cell.starts_with("1969-12-31")) {
        return CellTime{};
    }
    if (cell.size() < 16 || cell[4] != '-') {
        std::string_view rest = cell;
        const auto value = leading_number(rest);
        if (is_sentinel_cell(cell)) {
            return CellTime{};
        }
        const bool is_number = value && rest.empty();
        return is_number ? std::optional(CellTime{.seconds = *value * unit_s}) : std::nullopt;
    }
    const int year = digits_at<4>(cell, 0);
    const std::chrono::year_month_day date{
        std::chrono::year(year),
        std::chrono::month(static_cast<unsigned>(digits_at<2>(cell, 5))),
        std::chrono::day(static_cast<unsigned>(digits_at<2>(cell, 8)))};
    const int hours = digits_at<2>(cell, 11);
    const int minutes = digits_at<2>(cell, 14);
    const bool has_seconds = cell.size() > 16 && cell[16] == ':';
    const int seconds = has_seconds ? digits_at<2>(cell, 17) : 0;
    if (year < 1970 || !date.ok() || cell[7] != '-' || (cell[10] != 'T' && cell[10] != ' ')
        || cell[13] != ':' || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0
        || seconds > 60) {
        return std::nullopt;
    }
    std::string_view rest = cell.substr(has_seconds ? 19 : 16);
    double fraction = 0;
    if (rest.starts_with('.')) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), fraction);
        if (error != std::errc()) {
            return std::nullopt;
        }
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    const double local =
        86400.0 * static_cast<double>(days) + 3600.0 * hours + 60.0 * minutes + seconds + fraction;
    if (rest.empty()) {
        return CellTime{.seconds = local, .is_local = true};
    }
    const auto offset = offset_of(rest);
    return offset ? std::optional(CellTime{.seconds = local - *offset}) : std::nullopt;
}

std::optional<CellTime> time_of(std::string_view cell, double unit_s, KnownDay& known) {
    const bool is_usual = cell.size() == 19 && cell[13] == ':' && cell[16] == ':';
    const int hours = is_usual ? digits_at<2>(cell, 11) : -1;
    const int minutes = is_usual ? digits_at<2>(cell, 14) : -1;
    const int seconds = is_usual ? digits_at<2>(cell, 17) : -1;
    const double of_day = 3600 * hours + 60 * minutes + seconds;
    if (known.begin_s >= 0 && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60
        && seconds >= 0 && seconds < 60
        && cell.starts_with(std::string_view(known.text.data(), known.text.size()))) {
        return CellTime{.seconds = known.begin_s + of_day, .is_local = true};
    }
    const auto time = time_of(cell, unit_s);
    if (is_usual && time && time->is_local) {
        std::copy_n(cell.begin(), known.text.size(), known.text.begin());
        known.begin_s = time->seconds - of_day;
    }
    return time;
}

}  // namespace schedfarm::models::trace
