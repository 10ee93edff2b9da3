#include "models/trace/reading/line_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::size_t longest_field = 24;
constexpr std::int32_t largest_integer = std::numeric_limits<std::int32_t>::max();

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

/// Of a field behind the 18 of the format; absent: it is passed over.
std::optional<Field> further_field(std::string_view name) {
    constexpr std::array fields{
        std::pair("qos", Field::quality),
        std::pair("nodes", Field::allocated_nodes),
        std::pair("requested_nodes", Field::requested_nodes),
        std::pair("gpus", Field::gpus)};
    const auto* field =
        std::ranges::find_if(fields, [&](const auto& known) { return name == known.first; });
    return field == fields.end() ? std::nullopt : std::optional(field->second);
}

/// "frontier:excl:2500x112": 2500.
std::optional<std::int64_t> nodes_of(std::string_view descriptor) {
    descriptor.remove_prefix(descriptor.rfind(':') + 1);  // from the beginning where there is none
    const std::size_t by = descriptor.find('x');
    const auto nodes = parse_integer(descriptor.substr(0, by));
    const bool is_count = nodes && *nodes > 0 && *nodes <= largest_integer;
    return by == std::string_view::npos || !is_count ? std::nullopt : nodes;
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

/// A number as most are: -1, or up to 15 digits, with a point among them or without.
struct UsualNumber {
    std::int64_t digits = 0;  ///< as if there was no point
    std::size_t decimals = 0;
};

/// The text loses the number. False: another stands there. REQUIRES: a line end follows.
bool take_usual(const char*& text, UsualNumber& number) {
    constexpr std::ptrdiff_t most_digits = 15;
    const char* at = text;
    const bool is_negative = *at == '-';
    at += is_negative ? 1 : 0;
    const char* const begin = at;
    std::uint64_t digits = 0;
    for (; is_digit(*at); ++at) {
        digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
    }
    const char* const point = at;
    if (*at == '.') {
        for (++at; is_digit(*at); ++at) {
            digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
        }
    }
    const std::ptrdiff_t decimals = std::max<std::ptrdiff_t>(at - point - 1, 0);
    const bool is_minus_one = digits == 1 && at - begin == 1;
    if (point == begin || point + 1 == at || at - begin > most_digits || !is_blank(*at)
        || (is_negative && !is_minus_one)) {
        return false;
    }
    number = {
        .digits = is_negative ? -1 : static_cast<std::int64_t>(digits),
        .decimals = static_cast<std::size_t>(decimals)};
    text = at;
    return true;
}

/// Correctly rounded: both numbers are exact.
double value_of(const UsualNumber& number) {
    constexpr std::array powers{
        1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const auto digits = static_cast<double>(number.digits);
    return number.decimals == 0 ? digits : digits / powers[number.decimals];
}

void skip_blanks(const char*& text) {
    while (is_blank(*text) && *text != '\n') {
        ++text;
    }
}

}  // namespace

/// Null: it is no line of 18 usual numbers; else what stands behind it.
const char* LineReader::add_usual_line(const char* text) {
    JobBatch& batch = log_.batch();
    for (std::size_t i = 0; i < field_count; ++i) {
        const Field field{static_cast<std::uint8_t>(i)};
        UsualNumber number;
        skip_blanks(text);
        if (!take_usual(text, number)) {
            return nullptr;
        }
        if (!is_integer(field)) {
            batch.reals[i][batch.count] = value_of(number);
        } else if (number.decimals == 0 && (is_name(field) || number.digits <= largest_integer)) {
            batch.integers[i][batch.count] = number.digits;
        } else {
            return nullptr;
        }
    }
    skip_blanks(text);
    if (*text != '\n') {
        return nullptr;
    }
    log_.end_row(++line_);
    return text + 1;
}

std::size_t LineReader::add(std::string_view text, bool is_last) {
    const std::size_t whole = text.rfind('\n') + 1;  // from the beginning where there is none
    add_lines(text.substr(0, whole));
    if (is_last && whole < text.size()) {
        add_lines(std::string(text.substr(whole)) + "\n");
        return text.size();
    }
    return whole;
}

/// REQUIRES: they end with '\n', or are none.
void LineReader::add_lines(std::string_view lines) {
    while (!lines.empty()) {
        const bool is_job = fields_ == field_count && names_.empty();
        if (const char* const rest = is_job ? add_usual_line(lines.data()) : nullptr) {
            lines.remove_prefix(static_cast<std::size_t>(rest - lines.data()));
            continue;
        }
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
    JobBatch& batch = log_.batch();
    for (std::size_t i = 0; i < field_count; ++i) {
        const Field field{static_cast<std::uint8_t>(i)};
        if (is_integer(field)) {
            batch.integers[i][batch.count] = integer(tokens_[i], field);
        } else {
            batch.reals[i][batch.count] = real(tokens_[i], field);
        }
    }
    if (!names_.empty()) {
        add_further_fields();
    }
    log_.end_row(line_);
}

/// The first line that is no comment says what kind of file it is.
void LineReader::expect_no_other_format(std::string_view line) const {
    const std::size_t inner_return = line.find('\r');
    if (tokens_.size() > field_count && tokens_.size() % field_count == 0
        && inner_return < line.size() - 1) {
        log_.fail(line_, carriage_return_text());
    }
    const auto may_be_number = [](std::string_view token) {
        return ((token[0] >= '0' && token[0] <= '9') || token[0] == '-' || token[0] == '.')
               && !token.ends_with(',') && token.find('\0') == std::string_view::npos;
    };
    if (tokens_.size() + 1 < field_count
        || !std::all_of(tokens_.begin(), tokens_.begin() + field_count - 1, may_be_number)) {
        if (const std::string text = foreign_line(line); !text.empty()) {
            log_.fail(line_, text);
        }
    }
}

/// Every job has as many fields as the first.
void LineReader::expect_fields() {
    const std::size_t expected = std::max(fields_, field_count);
    if (tokens_.size() + 1 == expected) {
        part_columns();
    }
    if (tokens_.size() != expected && (fields_ != 0 || tokens_.size() < field_count)) {
        log_.fail(
            line_,
            fmt::format(
                "{} fields ({} {}). {}",
                tokens_.size(),
                expected == field_count && tokens_.size() < expected ? "a job has"
                                                                     : "the jobs above have",
                expected,
                tokens_.size() < expected
                    ? "Check that the line is whole; a field that is not known is -1."
                    : "Check that no blank parts a number and that each job has its own line."
            )
        );
    }
    if (fields_ == 0) {
        fields_ = tokens_.size();
        begin_further_fields();
    }
    if (fields_ > field_count && names_.empty()) {
        log_.oddities().add(OddityKind::further_fields, line_);
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
        log_.oddities().add(OddityKind::columns_run_together, line_);
    }
}

std::int64_t LineReader::integer(std::string_view token, Field field) {
    const auto value = is_name(field) ? parse_integer(token) : std::nullopt;
    if (!value) {
        return static_cast<std::int64_t>(real(token, field));
    }
    if (*value < -1) {
        log_.oddities().add(OddityKind::negative_value, line_);
    }
    return *value;
}

double LineReader::real(std::string_view token, Field field) {
    const auto value = parse_number(token);
    if (!value) {
        log_.fail(
            line_,
            fmt::format(
                "the {} is '{}' (not a number up to {}). Write -1 where it is unknown.",
                name(field),
                shown(token, longest_field),
                is_name(field) ? "2^63" : "1e15"
            )
        );
    }
    if (is_integer(field)) {
        if (!is_name(field) && std::abs(*value) > largest_integer) {
            log_.fail(
                line_,
                fmt::format(
                    "the {} is {} (an integer of 32 bits is expected). Check that no column is "
                    "missing before "
                    "it.",
                    name(field),
                    shown(token, longest_field)
                )
            );
        }
        if (*value != std::floor(*value)) {
            log_.oddities().add(OddityKind::fraction_in_integer, line_);
            return -1;
        }
        if (token.find('.') != std::string_view::npos) {
            log_.oddities().add(OddityKind::decimals_in_integer, line_);
        }
    }
    if (*value < -1) {
        log_.oddities().add(OddityKind::negative_value, line_);
    }
    return *value;
}

/// Of Frontier's log the layout is known; its 5th and 8th fields are cores of some jobs and nodes
/// of others, and its machine is given in cores.
void LineReader::begin_further_fields() {
    Header& header = log_.header();
    const bool is_frontier = header.find("Computer").value_or("").starts_with("Frontier");
    if (names_.empty() && is_frontier && fields_ == field_count + 3) {
        names_ = {"gpus", "-", "descriptor"};
    }
    if (names_.empty()) {
        return;
    }
    if (fields_ != field_count + names_.size()) {
        log_.fail(
            line_,
            fmt::format(
                "{} fields (18 and the {} that 'fields' names are expected). Name other 'fields'.",
                fields_,
                names_.size()
            )
        );
    }
    log_.fill_all_columns();
    const auto nodes = header.number("MaxNodes");
    for (HeaderLine& line : header.lines) {
        if (names_.back() == "descriptor" && nodes && is_same_key(line.key, "MaxProcs")) {
            line.value = std::to_string(*nodes);
        }
    }
}

void LineReader::add_further_fields() {
    JobBatch& batch = log_.batch();
    batch.set_unknown_from(field_count);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::string_view token = tokens_[field_count + i];
        if (names_[i] == "descriptor") {
            const auto nodes = nodes_of(token);
            for (const Field field :
                 {Field::allocated_processors,
                  Field::requested_processors,
                  Field::allocated_nodes,
                  Field::requested_nodes}) {
                batch.set(field, static_cast<double>(nodes.value_or(-1)));
            }
            log_.oddities().add(OddityKind::nodes_of_descriptor, line_);
            continue;
        }
        const auto field = further_field(names_[i]);
        if (field) {
            batch.set(*field, static_cast<double>(integer(token, *field)));
        }
    }
}

void LineReader::add_comment(std::string_view comment) {
    if (log_.jobs() > 0) {
        log_.oddities().add(OddityKind::comment_among_jobs, line_);
        return;
    }
    log_.header().lines.push_back(header_line(comment));
    log_.header().lines.back().line = line_;
}

}  // namespace schedfarm::models::trace
