#include "models/trace/reading/reader.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "models/trace/batch_systems/record_reader.hpp"
#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/reading/inflated_file.hpp"
#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/line_reader.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/tables/json_reader.hpp"
#include "models/trace/tables/table_reader.hpp"

namespace schedfarm::models::trace {

namespace {

/// The longest line that is read, and how much text is held.
constexpr std::size_t buffer_size = std::size_t{1} << 17;

class Text {
  public:
    explicit Text(std::string_view text) : rest_(text) {}

    std::size_t read(std::span<char> to) {
        const std::size_t count = std::min(to.size(), rest_.size());
        std::copy_n(rest_.data(), count, to.data());
        rest_.remove_prefix(count);
        return count;
    }

    double share_read() const { return 0; }

  private:
    std::string_view rest_;
};

/// `problem`: of the file as a whole; empty: there is none.
void refuse_if(const std::string& name, const std::string& problem) {
    if (!problem.empty()) {
        throw LogError(name, 1, problem);
    }
}

/// The first line that is neither blank nor above the log, as far as it has come.
std::string_view first_line(std::string_view text) {
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!stands_above(line) || line.size() == text.size()) {
            return line;
        }
        text.remove_prefix(line.size());
    }
}

bool has_whole_line(std::string_view text) {
    const std::string_view line = first_line(text);
    return line.data() + line.size() != text.data() + text.size();
}

/// SWF where it is nothing else: its reader says what is wrong.
LogFormat format_of(std::string_view line) {
    if (line.starts_with('{') || line.starts_with('[')) {
        return LogFormat::json;
    }
    const auto* const system = std::ranges::find_if(batch_systems, [line](const BatchSystem* one) {
        return one->begins_record(line);
    });
    if (system != batch_systems.end()) {
        return static_cast<LogFormat>(
            static_cast<std::ptrdiff_t>(LogFormat::pbs) + (system - batch_systems.begin())
        );
    }
    const bool may_be_header =
        !line.empty() && (is_letter(line.front()) || line.find_first_of("\"|,") == 0);
    if (may_be_header && is_sacct_header(line)) {
        return LogFormat::sacct;
    }
    return may_be_header && separator_of(line) != '\0' ? LogFormat::csv : LogFormat::swf;
}

/// What is said of the reading of other formats would be ignored.
void refuse_unused(const std::string& name, const Reading& reading, LogFormat format) {
    const bool is_table = format == LogFormat::sacct || format == LogFormat::csv;
    const auto refuse = [&name](std::string_view why, std::string_view way_out) {
        throw LogError(fmt::format("{}: it is no {}. {}.", name, why, way_out));
    };
    if (!is_table && (reading.columns.is_given() || !reading.columns.zone.empty())) {
        refuse(
            "table with a header (columns are named of it)", "Write a header, or leave columns out"
        );
    }
    if (!is_table && format != LogFormat::json && !reading.choice.is_everything()) {
        refuse("table (cluster, partitions and accounts are chosen of its rows)", "Leave them out");
    }
    if (!is_table && format != LogFormat::jobcomp && !reading.zone.empty()) {
        refuse("table with a header (zone is that of its times)", "Leave zone out");
    }
    if (format != LogFormat::swf && !reading.fields.empty()) {
        refuse("SWF (fields are those behind its 18)", "Leave fields out");
    }
}

std::unique_ptr<FormatReader> reader_of(
    std::string_view beginning, const Reading& reading, LogBuilder& log
) {
    const std::string_view line = first_line(beginning);
    LogFormat format = reading.format.value_or(format_of(line));
    if (format == LogFormat::sacct && line.starts_with('{')) {
        format = LogFormat::json;  // of sacct --json
    }
    const bool has_header = reading.columns.header.empty() && !reading.columns.has_places();
    const bool is_mapped = reading.columns.is_given() || !reading.columns.header.empty();
    if (!reading.format && format == LogFormat::csv && !is_mapped) {
        format = LogFormat::swf;
    } else if (!reading.format && format == LogFormat::swf && !has_header && separator_of(line) != '\0') {
        format = LogFormat::csv;
    }
    if (!line.empty()) {
        refuse_unused(log.name(), reading, format);
    }
    if (format == LogFormat::csv && !is_mapped) {
        refuse_if(log.name(), foreign_line(line));
    }
    if (format == LogFormat::sacct || format == LogFormat::csv) {
        return std::make_unique<TableReader>(log, reading.columns, reading.zone, reading.choice);
    }
    if (format == LogFormat::json) {
        return std::make_unique<JsonReader>(log, reading.choice);
    }
    if (format >= LogFormat::pbs) {
        const auto place =
            static_cast<std::size_t>(format) - static_cast<std::size_t>(LogFormat::pbs);
        return std::make_unique<RecordReader>(log, *batch_systems.at(place), reading.zone);
    }
    return std::make_unique<LineReader>(log, reading.fields);
}

/// A text in pieces, each with what was left of the one before.
template <typename Source>
class Pieces {
  public:
    Pieces(Source& source, const std::string& name, Checksum checksum)
        : source_(source), name_(name), checksum_(checksum), buffer_(buffer_size) {}

    /// Goes on reading; false: nothing more came.
    bool read_on() {
        const std::size_t count =
            source_.read({buffer_.data() + filled_, buffer_.size() - filled_});
        const std::string_view fresh(buffer_.data() + filled_, count);
        if (read_ == 0) {
            refuse_if(name_, foreign_beginning(fresh));
        }
        if (checksum_ == Checksum::sha256) {
            hash_.add(fresh);
        }
        read_ += count;
        filled_ += count;
        return count > 0;
    }
    std::string_view text() const { return {buffer_.data(), filled_}; }
    bool is_full() const { return filled_ == buffer_.size(); }
    void remove(std::size_t count) {
        std::copy(buffer_.data() + count, buffer_.data() + filled_, buffer_.data());
        filled_ -= count;
    }
    std::string checksum() { return checksum_ == Checksum::sha256 ? hash_.hex() : ""; }

  private:
    Source& source_;
    const std::string& name_;
    Checksum checksum_;
    engine::Sha256 hash_;
    std::vector<char> buffer_;
    std::size_t filled_ = 0;
    std::uint64_t read_ = 0;
};

/// A line that does not end.
[[noreturn]] void refuse_line(const std::string& name, std::string_view line, bool is_first) {
    if (is_first) {
        refuse_if(name, foreign_line(line));
    }
    throw LogError(fmt::format(
        "{}: a line of more than {} characters (a job has 18 numbers). Check that it is a log in "
        "SWF.",
        name,
        buffer_size
    ));
}

template <typename Source>
Log read_from(Source& source, const std::string& name, const Reading& reading) {
    LogBuilder log(name, reading.kept, reading.most_jobs);
    Pieces pieces(source, name, reading.checksum);
    bool is_over = false;
    while (!is_over && !pieces.is_full() && !has_whole_line(pieces.text())) {
        is_over = !pieces.read_on();
    }
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8, as some editors write
    pieces.remove(pieces.text().starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    refuse_if(name, has_carriage_returns_alone(pieces.text()) ? carriage_return_text() : "");
    const auto format = reader_of(pieces.text(), reading, log);
    bool is_first = true;
    for (;;) {
        const std::size_t read = format->add(pieces.text(), false);
        pieces.remove(read);
        log.expect_by(source.share_read());
        is_first = is_first && read == 0;
        if (pieces.is_full()) {
            refuse_line(name, pieces.text(), is_first);
        }
        if (is_over || !pieces.read_on()) {
            break;
        }
    }
    format->add(pieces.text(), true);
    format->finish();
    Log result = log.finish();
    result.sha256 = pieces.checksum();
    return result;
}

}  // namespace

Log read_log(const std::filesystem::path& file, const Reading& reading) {
    InflatedFile source(file.string());
    try {
        Log log = read_from(source, file.string(), reading);
        if (source.has_trailing_garbage()) {
            log.oddities.push_back({.kind = OddityKind::trailing_garbage, .count = 1});
        }
        return log;
    } catch (const std::bad_alloc&) {
        throw LogError(
            file.string() + ": memory does not suffice for its jobs. Check that it is a log."
        );
    }
}

Log read_log_text(std::string_view text, const std::string& name, const Reading& reading) {
    Text source(text);
    return read_from(source, name, reading);
}

}  // namespace schedfarm::models::trace
