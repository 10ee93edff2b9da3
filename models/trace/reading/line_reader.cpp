#include "models/trace/reading/line_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "models/trace/reading/blanks.hpp"
#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/reading/usual_lines.hpp"

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

LineReader::LineReader(
    std::string name, FieldSet kept, std::uint64_t text_size, std::uint64_t most_jobs
)
    : batch_(std::make_unique<JobBatch>())
    , kept_(kept)
    , text_size_(text_size)
    , most_jobs_(most_jobs) {
    log_.name = std::move(name);
    batch_->count = 0;
}

void LineReader::add(std::string_view lines) {
    if (line_ == 0) {
        lines = without_byte_order_mark(lines);
    }
    while (!lines.empty()) {
        const auto* end = static_cast<const char*>(std::memchr(lines.data(), '\n', lines.size()));
        const auto length = static_cast<std::size_t>(end - lines.data());
        ++line_;
        text_read_ += length + 1;
        add_line(lines.substr(0, length));
        lines.remove_prefix(length + 1);
    }
}

void LineReader::add_line(std::string_view line) {
    if (fields_ <= field_count && split_usual_line(line.data(), line.size(), *batch_)) [[likely]] {
        fields_ = field_count;
        end_row();
        return;
    }
    std::string_view rest = line;
    const std::string_view first = next_token(rest);
    if (first.empty()) {
        return;
    }
    convert();
    if (first[0] == ';') {
        add_comment(line.substr(static_cast<std::size_t>(first.data() - line.data())));
        return;
    }
    add_any_job(line);
    ++converted_;
    end_row();
}

std::string_view LineReader::without_byte_order_mark(std::string_view text) const {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        fail(
            1,
            "the text is UTF-16 (a log is ASCII or UTF-8). Convert it by iconv -f UTF-16 -t UTF-8?"
        );
    }
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

void LineReader::add_any_job(std::string_view line) {
    tokens_.clear();
    std::string_view rest = line;
    for (auto token = next_token(rest); !token.empty(); token = next_token(rest)) {
        tokens_.push_back(token);
    }
    expect_fields();
    for (std::size_t i = 0; i < field_count; ++i) {
        const std::string_view token = tokens_[i];
        const std::int64_t number =
            token.size() <= 8 ? short_number(eight_characters(token.data()), token.size()) : -1;
        batch_->values[i][batch_->count] =
            number >= 0 ? static_cast<double>(number)
                        : unusual_number(token, Field{static_cast<std::uint8_t>(i)}, line_);
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

/// Turns the words of further rows into numbers.
void LineReader::convert() {
    const std::size_t first = std::exchange(converted_, batch_->count);
    const std::size_t rows = batch_->count - first;
    for (std::size_t column = 0; column < field_count && rows > 0; ++column) {
        const Field field{static_cast<std::uint8_t>(column)};
        const std::uint64_t* const words = &batch_->words[column][first];
        const bool is_wanted = JobExaminer::looks_at(field) || kept_.has(field);
        if (is_wanted ? convert_words(words, rows, &batch_->values[column][first])
                      : has_unusual_words(words, rows)) {
            convert_unusual_words(field, first);
        }
    }
    std::sort(unusual_.begin(), unusual_.end());  // the first error in the text is the one told
    for (const auto& [row, column] : unusual_) {
        const std::size_t length = batch_->lengths[column][row];
        const std::uint64_t text = characters_of(batch_->words[column][row], length);
        std::array<char, 8> characters{};
        std::memcpy(characters.data(), &text, characters.size());
        batch_->values[column][row] = unusual_number(
            {characters.data(), length}, Field{static_cast<std::uint8_t>(column)}, batch_->line[row]
        );
    }
    unusual_.clear();
}

/// Numbers with a point at once; leaves those that need more for later.
void LineReader::convert_unusual_words(Field field, std::size_t first) {
    const auto column = static_cast<std::size_t>(field);
    for (std::size_t row = first; row < batch_->count; ++row) {
        const std::uint64_t word = batch_->words[column][row];
        const std::size_t length = batch_->lengths[column][row];
        if (unusual_bits(word) == 0) {
            continue;
        }
        double& value = batch_->values[column][row];
        value = is_integer(field) ? -1 : short_decimal(characters_of(word, length), length);
        if (value < 0) {
            unusual_.emplace_back(row, column);
        }
    }
}

double LineReader::unusual_number(std::string_view token, Field field, std::uint64_t line) {
    const auto value = parse_number(token);
    if (!value) {
        fail(
            line,
            fmt::format(
                "the {} is '{}' (not a number up to 1e15). Write -1 where it is unknown?",
                name(field),
                shown(token)
            )
        );
    }
    if (is_integer(field)) {
        if (std::abs(*value) > std::numeric_limits<std::int32_t>::max()) {
            fail(
                line,
                fmt::format(
                    "the {} is {} (an integer of 32 bits is expected). Is a column missing before "
                    "it?",
                    name(field),
                    shown(token)
                )
            );
        }
        if (*value != std::floor(*value)) {
            oddities_.add(OddityKind::fraction_in_integer, line);
            return -1;
        }
        if (token.find('.') != std::string_view::npos) {
            oddities_.add(OddityKind::decimals_in_integer, line);
        }
    }
    if (*value < -1) {
        oddities_.add(OddityKind::negative_value, line);
    }
    return *value;
}

void LineReader::add_comment(std::string_view comment) {
    if (log_.jobs() + batch_->count > 0) {
        oddities_.add(OddityKind::comment_among_jobs, line_);
        return;
    }
    log_.header.lines.push_back(header_line(comment));
}

void LineReader::end_row() {
    batch_->line[batch_->count] = line_;
    if (++batch_->count == JobBatch::capacity) {
        flush();
    }
}

void LineReader::flush() {
    convert();
    if (log_.jobs() == 0) {
        examiner_.begin(log_.header.processors());
        expect_jobs();
    }
    if (log_.jobs() + batch_->count > most_jobs_) {
        throw LogError(fmt::format(
            "{}: it has more than {} jobs, which is the most that is read. Is it a log?",
            log_.name,
            most_jobs_
        ));
    }
    examiner_.examine(*batch_, oddities_);
    for_each_column(log_, [&](Field field, auto& column) {
        if (kept_.has(field)) {
            column.append(batch_->column(field));
        } else {
            column.append_unknown(batch_->count);
        }
    });
    batch_->count = 0;
    converted_ = 0;
}

/// From the length of the first lines; the header, few lines, is taken for jobs.
void LineReader::expect_jobs() {
    if (batch_->count == JobBatch::capacity && text_size_ > text_read_) {
        const auto expected = static_cast<std::size_t>(text_size_ / (text_read_ / line_) * 21 / 20);
        for_each_column(log_, [&](Field, auto& column) { column.expect(expected); });
    }
}

Log LineReader::finish() {
    flush();
    if (!log_.header.processors()) {
        oddities_.add(OddityKind::no_machine_size, 0);
    }
    const auto clock = clock_of(log_.header);
    if (clock && clock->zone == ZoneSource::none) {
        oddities_.add(OddityKind::no_time_zone, 0);
    }
    if (!clock && log_.header.find("UnixStartTime") && log_.header.number("UnixStartTime") != 0) {
        oddities_.add(OddityKind::unreadable_start, 0);
    }
    if (clock && clock->unix_start > ten_years_s
        && examiner_.last_submit() > static_cast<double>(clock->unix_start)) {
        oddities_.add(OddityKind::submits_in_unix_time, 0);
    }
    log_.oddities = oddities_.found();
    return std::move(log_);
}

void LineReader::fail(std::uint64_t line, const std::string& text) const {
    throw LogError(log_.name, line, text);
}

}  // namespace schedfarm::models::trace
