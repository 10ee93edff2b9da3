#include "models/trace/line_reader.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "models/trace/blanks.hpp"
#include "models/trace/log_error.hpp"
#include "models/trace/number.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Positions 0 … 127 in increasing order.
struct Positions {
    std::uint64_t low;
    std::uint64_t high;

    bool empty() const { return (low | high) == 0; }
    /// REQUIRES: not empty.
    std::size_t take() {
        if (low != 0) {
            const int position = std::countr_zero(low);
            low &= low - 1;
            return static_cast<std::size_t>(position);
        }
        const int position = std::countr_zero(high);
        high &= high - 1;
        return static_cast<std::size_t>(position) + 64;
    }
};

/// Where the tokens of a line of at most 127 characters begin and where the blanks behind them do.
struct Tokens {
    Positions begins;
    Positions ends;
};

/// REQUIRES: the line is at most 127 characters long and '\n' follows it.
Tokens tokens_of(std::string_view line) {
    const std::size_t length = line.size();
    const std::uint64_t low_part =
        length < 64 ? (std::uint64_t{1} << length) - 1 : ~std::uint64_t{0};
    const std::uint64_t high_part = length <= 64 ? 0 : (std::uint64_t{1} << (length - 64)) - 1;
    const std::uint64_t low = ~blanks(line.data()) & low_part;
    const std::uint64_t high = length <= 64 ? 0 : ~blanks(line.data() + 64) & high_part;
    const std::uint64_t low_shifted = low << 1;
    const std::uint64_t high_shifted = high << 1 | low >> 63;
    return {
        .begins = {low & ~low_shifted, high & ~high_shifted},
        .ends = {~low & low_shifted, ~high & high_shifted}};
}

/// Other than −1. Looks at all, so that vector instructions can.
bool has_negative(std::span<const double> values) {
    std::size_t count = 0;
    for (const double value : values) {
        count += value < -1 ? 1U : 0U;
    }
    return count > 0;
}

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 24;
    std::string result;
    for (const char c : text.substr(0, longest)) {
        result += c >= ' ' && c <= '~' ? c : '?';
    }
    return text.size() > longest ? result + "…" : result;
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

LineReader::LineReader(std::string name, std::uint64_t text_size)
    : batch_(std::make_unique<JobBatch>())
    , text_size_(text_size)
    , machine_(infinity)
    , last_submit_(-infinity)
    , last_number_(-infinity) {
    log_.name = std::move(name);
    batch_->count = 0;
}

void LineReader::add(std::string_view lines) {
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
    if (line.size() < 128 && add_usual_job(line)) [[likely]] {
        end_row();
        return;
    }
    std::string_view rest = line;
    const std::string_view first = next_token(rest);
    if (first.empty()) {
        return;
    }
    if (first[0] == ';') {
        add_comment(line.substr(static_cast<std::size_t>(first.data() - line.data())));
        return;
    }
    add_any_job(line);
    end_row();
}

/// A line of 18 tokens, each one number; otherwise the row holds nothing of use.
bool LineReader::add_usual_job(std::string_view line) {
    Tokens tokens = tokens_of(line);
    const std::size_t row = batch_->count;
#pragma GCC unroll 18
    for (std::size_t i = 0; i < field_count; ++i) {
        if (tokens.begins.empty()) {
            return false;
        }
        const std::size_t begin = tokens.begins.take();
        const std::size_t length = tokens.ends.take() - begin;
        const char* const text = line.data() + begin;
        const std::uint64_t word = eight_characters(text);
        constexpr std::uint64_t minus_one = '-' | '1' << 8;
        double& value = batch_->values[i][row];
        if (length == 2 && (word & 0xffffU) == minus_one) {
            value = -1;
            continue;
        }
        const std::int64_t number = length <= 8 ? short_number(word, length) : -1;
        if (number >= 0) [[likely]] {
            value = static_cast<double>(number);
            continue;
        }
        if (i == 0 && text[0] == ';') {
            return false;
        }
        const Field field{static_cast<std::uint8_t>(i)};
        value = length <= 8 && !is_integer(field) ? short_decimal(word, length) : -1;
        if (value < 0) {
            value = unusual_number({text, length}, field);
        }
    }
    return tokens.begins.empty();
}

void LineReader::add_any_job(std::string_view line) {
    std::size_t count = 0;
    std::string_view rest = line;
    for (auto token = next_token(rest); !token.empty(); token = next_token(rest)) {
        if (count < field_count) {
            const Field field{static_cast<std::uint8_t>(count)};
            batch_->values[count][batch_->count] = unusual_number(token, field);
        }
        ++count;
    }
    if (count != field_count) {
        fail(fmt::format(
            "{} fields (a job has {}). Is the line cut off, or the file no SWF log?",
            count,
            field_count
        ));
    }
}

double LineReader::unusual_number(std::string_view token, Field field) {
    const auto value = parse_number(token);
    if (!value) {
        fail(fmt::format(
            "the {} is '{}' (not a number up to 1e15). Write -1 where it is unknown?",
            name(field),
            shown(token)
        ));
    }
    if (!is_integer(field)) {
        return *value;
    }
    if (std::abs(*value) > std::numeric_limits<std::int32_t>::max()) {
        fail(fmt::format(
            "the {} is {} (an integer of 32 bits is expected). Is a column missing before it?",
            name(field),
            shown(token)
        ));
    }
    if (*value != std::floor(*value)) {
        oddities_.add(OddityKind::fraction_in_integer, line_);
        return -1;
    }
    if (token.find('.') != std::string_view::npos) {
        oddities_.add(OddityKind::decimals_in_integer, line_);
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
    if (log_.jobs() == 0) {
        const auto machine = log_.header.processors();
        machine_ = machine ? static_cast<double>(*machine) : infinity;
        expect_jobs();
    }
    note_oddities(*batch_);
    for_each_column(log_, [&](Field field, auto& column) { column.append(batch_->column(field)); });
    batch_->count = 0;
}

/// From the length of the first lines; the header, few lines, is taken for jobs.
void LineReader::expect_jobs() {
    if (batch_->count == JobBatch::capacity && text_size_ > text_read_) {
        const auto expected = static_cast<std::size_t>(text_size_ / (text_read_ / line_) * 21 / 20);
        for_each_column(log_, [&](Field, auto& column) { column.expect(expected); });
    }
}

void LineReader::note_oddities(const JobBatch& batch) {
    const auto values = [&](Field field) {
        return batch.column(field);
    };
    const auto submit = values(Field::submit_time);
    const auto run = values(Field::run_time);
    const auto request = values(Field::requested_time);
    const auto allocated = values(Field::allocated_processors);
    const auto requested = values(Field::requested_processors);
    const auto status = values(Field::status);
    const auto number = values(Field::job_number);
    for (std::size_t i = 0; i < batch.count; ++i) {
        const auto note = [&](bool is_odd, OddityKind kind) {
            if (is_odd) [[unlikely]] {
                oddities_.add(kind, batch.line[i]);
            }
        };
        note(submit[i] < 0, OddityKind::missing_submit_time);
        note(submit[i] < last_submit_, OddityKind::unsorted_submit);
        note(number[i] <= last_number_, OddityKind::job_number_not_increasing);
        note(allocated[i] <= 0 && requested[i] <= 0, OddityKind::missing_processors);
        note(allocated[i] > machine_ || requested[i] > machine_, OddityKind::more_than_machine);
        note(run[i] < 0, OddityKind::missing_run_time);
        note(run[i] == 0, OddityKind::zero_run_time);
        note(request[i] <= 0, OddityKind::missing_requested_time);
        note(run[i] > request[i] && request[i] > 0, OddityKind::run_above_request);
        note(status[i] < -1 || status[i] > 5, OddityKind::unknown_status);
        note(status[i] >= 2 && status[i] <= 4, OddityKind::partial_execution);
        last_submit_ = submit[i];
        last_number_ = number[i];
    }
    for (const auto& column : batch.values) {
        if (!has_negative(std::span(column).first(batch.count))) [[likely]] {
            continue;
        }
        for (std::size_t i = 0; i < batch.count; ++i) {
            if (column[i] < -1) [[unlikely]] {
                oddities_.add(OddityKind::negative_value, batch.line[i]);
            }
        }
    }
}

Log LineReader::finish() {
    flush();
    if (!log_.header.processors()) {
        oddities_.add(OddityKind::no_machine_size, 0);
    }
    log_.oddities = oddities_.found();
    return std::move(log_);
}

void LineReader::fail(const std::string& text) const {
    throw LogError(log_.name, line_, text);
}

}  // namespace schedfarm::models::trace
