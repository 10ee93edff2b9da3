#include "models/trace/reading/zone_rules.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::trace {

namespace {

using Changes = std::vector<ZoneRules::Change>;

constexpr std::int64_t day = 86400;

/// Numbers of a file, most significant byte first.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : rest_(bytes) {}

    bool has(std::uint64_t count) const { return rest_.size() >= count; }
    /// REQUIRES: has(count).
    std::string_view take(std::uint64_t count) {
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }
    /// Of 1, 4 or 8 bytes, with its sign but for a single byte. REQUIRES: has(size).
    std::int64_t number(std::size_t size) {
        std::uint64_t value = 0;
        for (const char byte : take(size)) {
            value = value << 8U | static_cast<unsigned char>(byte);
        }
        return size == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
    }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

/// The six counts behind the first 20 bytes of a header.
struct Counts {
    std::uint64_t utc_indicators;
    std::uint64_t standard_indicators;
    std::uint64_t leap_seconds;
    std::uint64_t changes;
    std::uint64_t kinds;
    std::uint64_t characters;

    std::uint64_t bytes(std::uint64_t time_size) const {
        return changes * (time_size + 1) + kinds * 6 + characters + leap_seconds * (time_size + 4)
               + standard_indicators + utc_indicators;
    }
};

constexpr std::uint64_t header_size = 44;

std::optional<Counts> counts_of(Bytes& bytes) {
    if (!bytes.has(header_size) || bytes.take(4) != "TZif") {
        return std::nullopt;
    }
    bytes.take(16);  // the version, and nothing
    const auto count = [&] {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(bytes.number(4)));
    };
    const std::uint64_t utc = count();
    const std::uint64_t standard = count();
    const std::uint64_t leap_seconds = count();
    const std::uint64_t changes = count();
    const std::uint64_t kinds = count();
    return Counts{utc, standard, leap_seconds, changes, kinds, count()};
}

/// The words of a rule such as "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX, "TZ"), one after the other.
class RuleText {
  public:
    explicit RuleText(std::string_view text) : rest_(text) {}

    bool is_over() const { return rest_.empty(); }
    bool skip(char c) {
        const bool is_there = rest_.starts_with(c);
        rest_.remove_prefix(is_there ? 1 : 0);
        return is_there;
    }
    /// "CET" or "<+03>".
    bool skip_name() {
        const bool is_quoted = skip('<');
        const std::size_t end = is_quoted ? rest_.find('>') : rest_.find_first_of("+-,0123456789");
        const bool is_name = end != 0 && (!is_quoted || end != std::string_view::npos);
        rest_.remove_prefix(std::min(rest_.size(), end + (is_quoted ? 1 : 0)));
        return is_name;
    }
    /// −1: there is none.
    std::int64_t number() {
        std::int64_t value = 0;
        std::size_t digits = 0;
        for (; digits < std::min<std::size_t>(rest_.size(), 4); ++digits) {
            if (rest_[digits] < '0' || rest_[digits] > '9') {
                break;
            }
            value = value * 10 + (rest_[digits] - '0');
        }
        rest_.remove_prefix(digits);
        return digits > 0 ? value : -1;
    }
    /// "-3", "5:30": hours, minutes and seconds, in s.
    std::optional<std::int64_t> duration() {
        const std::int64_t sign = skip('-') ? -1 : 1;
        skip('+');
        std::int64_t seconds = 0;
        std::int64_t unit = 3600;
        do {
            const std::int64_t part = number();
            if (part < 0) {
                return std::nullopt;
            }
            seconds += part * unit;
            unit /= 60;
        } while (unit > 0 && skip(':'));
        return sign * seconds;
    }

  private:
    std::string_view rest_;
};

/// "M10.5.0/3": the fifth, or last, Sunday of October at 3:00 local time.
struct YearlyChange {
    std::int64_t month;
    std::int64_t week;
    std::int64_t weekday;
    std::int64_t second;

    /// As if local time were UTC.
    std::int64_t in_year(int year) const {
        using namespace std::chrono;  // NOLINT(google-build-using-namespace): names of dates alone
        const year_month of_year =
            std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month));
        const std::chrono::weekday wanted(static_cast<unsigned>(weekday));
        const sys_days found = week == 5 ? sys_days(of_year / wanted[last])
                                         : sys_days(of_year / wanted[static_cast<unsigned>(week)]);
        return found.time_since_epoch().count() * day + second;
    }
};

std::optional<YearlyChange> yearly_change(RuleText& text) {
    if (!text.skip(',') || !text.skip('M')) {
        return std::nullopt;
    }
    YearlyChange change{.month = text.number(), .week = -1, .weekday = -1, .second = 7200};
    change.week = text.skip('.') ? text.number() : -1;
    change.weekday = text.skip('.') ? text.number() : -1;
    if (text.skip('/')) {
        const auto second = text.duration();
        if (!second) {
            return std::nullopt;
        }
        change.second = *second;
    }
    const bool is_date = change.month >= 1 && change.month <= 12 && change.week >= 1
                         && change.week <= 5 && change.weekday >= 0 && change.weekday <= 6;
    return is_date ? std::optional(change) : std::nullopt;
}

/// Appends what the rule says of the time after the last change; false: it is not understood.
bool add_yearly(std::string_view rule, Changes& changes) {
    constexpr int last_year = 2200;
    RuleText text(rule);
    const auto west = text.skip_name() ? text.duration() : std::nullopt;
    if (!west) {
        return false;
    }
    if (text.is_over()) {
        return true;  // the last change holds for ever
    }
    const bool is_named = text.skip_name();
    const RuleText behind_name = text;
    auto summer_west = text.duration();
    if (!summer_west) {
        text = behind_name;
        summer_west = *west - 3600;
    }
    const auto begin = yearly_change(text);
    const auto end = yearly_change(text);
    if (!is_named || !begin || !end || !text.is_over()) {
        return false;
    }
    const std::int64_t known_to = changes.back().from;
    const std::chrono::sys_days known(std::chrono::days(std::max<std::int64_t>(known_to, 0) / day));
    const int first_year = static_cast<int>(std::chrono::year_month_day(known).year());
    Changes further;
    for (int year = first_year; year <= last_year; ++year) {
        further.push_back({begin->in_year(year) + *west, -*summer_west});
        further.push_back({end->in_year(year) + *summer_west, -*west});
    }
    std::sort(further.begin(), further.end(), [](const auto& a, const auto& b) {
        return a.from < b.from;
    });
    std::copy_if(
        further.begin(),
        further.end(),
        std::back_inserter(changes),
        [known_to](const auto& change) { return change.from > known_to; }
    );
    return true;
}

/// The changes of the block of data behind a header; empty: there is no such block.
Changes changes_of(Bytes& bytes, const Counts& counts, std::size_t time_size) {
    if (counts.kinds == 0 || counts.leap_seconds > 0 || !bytes.has(counts.bytes(time_size))) {
        return {};
    }
    Bytes times(bytes.take(counts.changes * time_size));
    Bytes kinds(bytes.take(counts.changes));
    const Bytes all_kinds(bytes.take(counts.kinds * 6));
    bytes.take(counts.characters + counts.standard_indicators + counts.utc_indicators);
    const auto offset = [&all_kinds](std::int64_t kind) {
        Bytes of_kind(all_kinds.rest().substr(static_cast<std::size_t>(kind) * 6));
        return of_kind.number(4);
    };
    Changes changes{{.from = std::numeric_limits<std::int64_t>::min(), .utc_offset_s = offset(0)}};
    for (std::uint64_t i = 0; i < counts.changes; ++i) {
        const std::int64_t from = times.number(time_size);
        const std::int64_t kind = kinds.number(1);
        if (static_cast<std::uint64_t>(kind) >= counts.kinds || from < changes.back().from) {
            return {};
        }
        changes.push_back({from, offset(kind)});
    }
    return changes;
}

/// Of a file of version 2 or later, whose second part has times of 64 bits; older ones are not
/// understood.
Changes read_zone(std::string_view file) {
    Bytes bytes(file);
    const auto narrow = counts_of(bytes);
    if (!narrow || file[4] < '2' || !bytes.has(narrow->bytes(4))) {
        return {};
    }
    bytes.take(narrow->bytes(4));
    const auto counts = counts_of(bytes);
    Changes changes = counts ? changes_of(bytes, *counts, 8) : Changes{};
    const std::string_view footer = bytes.rest();
    if (changes.empty() || footer.size() < 2 || footer.front() != '\n' || footer.back() != '\n') {
        return {};
    }
    const std::string_view rule = footer.substr(1, footer.size() - 2);
    return rule.empty() || add_yearly(rule, changes) ? changes : Changes{};
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

}  // namespace

ZoneRules::ZoneRules(std::vector<Change> changes) : changes_(std::move(changes)) {
    SCHEDFARM_EXPECT(!changes_.empty(), "a zone has an offset");
}

std::int64_t ZoneRules::utc_offset_s(std::int64_t unix_s) const {
    const auto next = std::upper_bound(
        changes_.begin() + 1,
        changes_.end(),
        unix_s,
        [](std::int64_t time, const Change& change) { return time < change.from; }
    );
    return std::prev(next)->utc_offset_s;
}

std::int64_t ZoneRules::winter_offset_s(std::int64_t unix_s) const {
    constexpr std::int64_t quarter = 91 * day;
    std::int64_t least = utc_offset_s(unix_s);
    for (const std::int64_t quarters : {-2, -1, 1, 2}) {
        least = std::min(least, utc_offset_s(unix_s + quarters * quarter));
    }
    return least;
}

std::int64_t ZoneRules::unix_time(std::int64_t local_s) const {
    const std::int64_t before = utc_offset_s(local_s - day);
    const std::int64_t after = utc_offset_s(local_s + day);
    const bool is_before = utc_offset_s(local_s - before) == before;
    const bool is_after = utc_offset_s(local_s - after) == after;
    return local_s - (is_before || !is_after ? before : after);
}

std::shared_ptr<const ZoneRules> zone_rules(std::string_view name) {
    constexpr std::uintmax_t largest = 1 << 20;
    const char* const folder = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe)
    const std::filesystem::path file =
        std::filesystem::path(folder == nullptr ? "/usr/share/zoneinfo" : folder) / name;
    std::error_code error;
    if (!is_zone_name(name) || !std::filesystem::is_regular_file(file, error)
        || std::filesystem::file_size(file, error) > largest || error) {
        return nullptr;
    }
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    Changes changes = read_zone(bytes);
    return changes.empty() ? nullptr : std::make_shared<const ZoneRules>(std::move(changes));
}

}  // namespace schedfarm::models::trace
