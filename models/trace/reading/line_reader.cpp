#include "models/trace/reading/line_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

/// A log whose header says less says no more than that something had to be said.
constexpr std::int64_t ten_years_s = 315'360'000;

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 24;
    std::string result;
    for (const char c : text.substr(0, longest)) {
        result += c >= ' ' && c <= '~' ? c : '?';
    }
    return text.size() > longest ? result + "…" : result;
}

/// Of an integer and a number in scientific notation behind it, "576007.39e+08", the length of the
/// first: such notation has one digit before the point. 0: the word is no such pair.
std::size_t length_before_scientific(std::string_view word) {
    const auto digits_from = [word](std::size_t place) {
        while (place < word.size() && word[place] >= '0' && word[place] <= '9') {
            ++place;
        }
        return place;
    };
    const std::size_t begin = word.starts_with('-') ? 1 : 0;
    const std::size_t point = digits_from(begin);
    const std::size_t exponent = digits_from(point + 1);
    const std::size_t end = digits_from(exponent + 2);
    const bool is_pair = point >= begin + 2 && end == word.size() && word[point] == '.'
                         && exponent > point + 1 && end > exponent + 2 && word[exponent] == 'e'
                         && (word[exponent + 1] == '+' || word[exponent + 1] == '-');
    return is_pair ? point - 1 : 0;
}

constexpr bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view next_token(std::string_view& rest) {
    std::size_t begin = 0;
    while (begin < rest.size() && is_blank(rest[begin])) {
        ++begin;
    }
    std::size_t end = begin;
    while (end < rest.size() && !is_blank(rest[end])) {
        ++end;
    }
    const std::string_view token = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return token;
}

}  // namespace

LineReader::LineReader(std::string name, FieldSet kept, std::uint64_t most_jobs)
    : batch_(std::make_unique<JobBatch>()), kept_(kept), most_jobs_(most_jobs) {
    log_.name = std::move(name);
    batch_->count = 0;
}

void LineReader::add(std::string_view lines) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8, as some editors write
    if (line_ == 0 && lines.starts_with(byte_order_mark)) {
        lines.remove_prefix(byte_order_mark.size());
    }
    while (!lines.empty()) {
        const auto* end = static_cast<const char*>(std::memchr(lines.data(), '\n', lines.size()));
        const auto length = static_cast<std::size_t>(end - lines.data());
        ++line_;
        add_line(lines.substr(0, length));
        lines.remove_prefix(length + 1);
    }
}

void LineReader::add_line(std::string_view line) {
    tokens_.clear();
    std::string_view rest = line;
    for (auto token = next_token(rest); !token.empty(); token = next_token(rest)) {
        tokens_.push_back(token);
    }
    if (tokens_.empty()) {
        return;
    }
    if (tokens_[0][0] == ';') {
        add_comment(line.substr(static_cast<std::size_t>(tokens_[0].data() - line.data())));
        return;
    }
    if (fields_ == 0) {
        expect_no_other_format(line);
    }
    expect_fields();
    for (std::size_t i = 0; i < field_count; ++i) {
        const Field field{static_cast<std::uint8_t>(i)};
        if (is_integer(field)) {
            batch_->integers[i][batch_->count] = integer(tokens_[i], field);
        } else {
            batch_->reals[i][batch_->count] = real(tokens_[i], field);
        }
    }
    batch_->line[batch_->count] = line_;
    if (++batch_->count == JobBatch::capacity) {
        flush();
    }
}

/// The first line that is no comment says what kind of file it is.
void LineReader::expect_no_other_format(std::string_view line) const {
    const std::size_t inner_return = line.find('\r');
    if (tokens_.size() > field_count && tokens_.size() % field_count == 0
        && inner_return < line.size() - 1) {
        fail(line_, carriage_return_text());
    }
    const auto may_be_number = [](std::string_view token) {
        return ((token[0] >= '0' && token[0] <= '9') || token[0] == '-' || token[0] == '.')
               && !token.ends_with(',') && token.find('\0') == std::string_view::npos;
    };
    if (tokens_.size() + 1 < field_count
        || !std::all_of(tokens_.begin(), tokens_.begin() + field_count - 1, may_be_number)) {
        if (const std::string text = foreign_line(line); !text.empty()) {
            fail(line_, text);
        }
    }
}

/// Every job has as many fields as the first.
void LineReader::expect_fields() {
    const std::size_t expected = std::max(fields_, field_count);
    if (tokens_.size() + 1 == expected) {
        part_columns();
    }
    if (fields_ == 0 && tokens_.size() > field_count) {
        fields_ = tokens_.size();
    } else if (tokens_.size() != expected) {
        fail(
            line_,
            fmt::format(
                "{} fields ({} {}). {}",
                tokens_.size(),
                expected == field_count && tokens_.size() < expected ? "a job has"
                                                                     : "the jobs above have",
                expected,
                tokens_.size() < expected
                    ? "Is the line cut off, or are fields left out that should be -1?"
                    : "Does a blank part a number, or do two jobs stand on one line?"
            )
        );
    }
    fields_ = tokens_.size();
    if (fields_ > field_count) {
        oddities_.add(OddityKind::further_fields, line_);
    }
}

/// Parts the one word that is two columns without a blank between them, if there is exactly one.
void LineReader::part_columns() {
    std::size_t found = tokens_.size();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (length_before_scientific(tokens_[i]) > 0) {
            if (found < tokens_.size()) {
                return;
            }
            found = i;
        }
    }
    if (found < tokens_.size()) {
        const std::string_view both = tokens_[found];
        const std::size_t length = length_before_scientific(both);
        tokens_[found] = both.substr(length);
        tokens_.insert(
            tokens_.begin() + static_cast<std::ptrdiff_t>(found), both.substr(0, length)
        );
        oddities_.add(OddityKind::columns_run_together, line_);
    }
}

namespace {

/// Most numbers are −1 or of a few digits; absent for others.
std::optional<std::int64_t> usual_number(std::string_view token) {
    if (token == "-1") {
        return -1;
    }
    constexpr std::size_t few = 9;
    const char* const token_end = token.data() + token.size();
    std::uint32_t digits = 0;
    const auto [end, error] = std::from_chars(token.data(), token_end, digits);
    return token.size() <= few && error == std::errc() && end == token_end
               ? std::optional<std::int64_t>(digits)
               : std::nullopt;
}

}  // namespace

double LineReader::real(std::string_view token, Field field) {
    const auto usual = usual_number(token);
    return usual ? static_cast<double>(*usual) : unusual_number(token, field);
}

std::int64_t LineReader::integer(std::string_view token, Field field) {
    const auto usual = usual_number(token);
    const auto value = usual || !is_name(field) ? usual : parse_integer(token);
    if (!value) {
        return static_cast<std::int64_t>(unusual_number(token, field));
    }
    if (*value < -1) {
        oddities_.add(OddityKind::negative_value, line_);
    }
    return *value;
}

double LineReader::unusual_number(std::string_view token, Field field) {
    const auto value = parse_number(token);
    if (!value) {
        fail(
            line_,
            fmt::format(
                "the {} is '{}' (not a number up to {}). Write -1 where it is unknown?",
                name(field),
                shown(token),
                is_name(field) ? "2^63" : "1e15"
            )
        );
    }
    if (is_integer(field)) {
        if (!is_name(field) && std::abs(*value) > std::numeric_limits<std::int32_t>::max()) {
            fail(
                line_,
                fmt::format(
                    "the {} is {} (an integer of 32 bits is expected). Is a column missing before "
                    "it?",
                    name(field),
                    shown(token)
                )
            );
        }
        if (*value != std::floor(*value)) {
            oddities_.add(OddityKind::fraction_in_integer, line_);
            return -1;
        }
        if (token.find('.') != std::string_view::npos) {
            oddities_.add(OddityKind::decimals_in_integer, line_);
        }
    }
    if (*value < -1) {
        oddities_.add(OddityKind::negative_value, line_);
    }
    return *value;
}

void LineReader::add_comment(std::string_view comment) {
    if (log_.jobs() + batch_->count > 0) {
        oddities_.add(OddityKind::comment_among_jobs, line_);
        return;
    }
    log_.header.lines.push_back(header_line(comment));
    log_.header.lines.back().line = line_;
}

void LineReader::flush() {
    if (log_.jobs() == 0) {
        examiner_.begin(log_.header.processors());
    }
    if (log_.jobs() + batch_->count > most_jobs_) {
        throw LogError(fmt::format(
            "{}: it has more than {} jobs, the most that is read. Is it a log? `simulate` and "
            "`trace` read more with --max-jobs",
            log_.name,
            most_jobs_
        ));
    }
    examiner_.examine(*batch_, oddities_);
    for_each_column(log_, [&](Field field, auto& column) {
        if (kept_.has(field)) {
            if constexpr (std::is_same_v<std::decay_t<decltype(column)>, Log::Reals>) {
                column.append(batch_->real_column(field));
            } else {
                column.append(batch_->integer_column(field));
            }
        } else {
            column.append_unknown(batch_->count);
        }
    });
    batch_->count = 0;
}

void LineReader::examine_header() {
    const Header& header = log_.header;
    const auto add_at = [&](OddityKind kind, std::string_view key) {
        oddities_.add(kind, header.line_of(key)->line);
    };
    const auto is_given = [&](std::string_view key) {
        return !header.find(key).value_or("").empty();
    };
    if (const HeaderLine* const line = header.unreadable_processors()) {
        oddities_.add(OddityKind::unreadable_size, line->line);
    } else if (!header.processors()) {
        oddities_.add(OddityKind::no_machine_size, 0);
    }
    const auto clock = clock_of(header);
    if (!clock && is_given("UnixStartTime") && header.number("UnixStartTime") != 0) {
        add_at(OddityKind::unreadable_start, "UnixStartTime");
    }
    if (clock && is_given("TimeZone") && clock->zone != ZoneSource::time_zone) {
        add_at(OddityKind::unreadable_time_zone, "TimeZone");
    }
    if (clock && clock->is_zone_unknown()) {
        add_at(OddityKind::unknown_zone, "TimeZoneString");
    } else if (clock && clock->zone == ZoneSource::none) {
        oddities_.add(OddityKind::no_time_zone, 0);
    }
    if (clock && contradicts_zone(header, *clock)) {
        add_at(OddityKind::contradictory_zone, "TimeZone");
    }
    if (clock && contradicts_start(header, *clock)) {
        add_at(OddityKind::contradictory_start, "StartTime");
    }
    if (clock && clock->unix_start > ten_years_s
        && examiner_.last_submit() > static_cast<double>(clock->unix_start)) {
        oddities_.add(OddityKind::submits_in_unix_time, 0);
    }
}

Log LineReader::finish() {
    flush();
    examine_header();
    log_.oddities = oddities_.found();
    return std::move(log_);
}

void LineReader::fail(std::uint64_t line, const std::string& text) const {
    throw LogError(log_.name, line, text);
}

}  // namespace schedfarm::models::trace
