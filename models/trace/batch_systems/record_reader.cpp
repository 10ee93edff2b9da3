#include "models/trace/batch_systems/record_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr double largest_time = 1e15;
constexpr std::int32_t largest_count = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t longest_record = std::size_t{1} << 24;
constexpr std::size_t longest_held = std::size_t{1} << 16;

bool has_odd_quotes(std::string_view line) {
    return std::count(line.begin(), line.end(), '"') % 2 != 0;
}

}  // namespace

void RecordFields::fail(std::string_view name, std::string_view text) {
    constexpr std::size_t longest_text = 40;
    if (problem_.empty()) {
        problem_ =
            fmt::format("its {} is '{}' (it cannot be read)", name, shown(text, longest_text));
    }
}

double RecordFields::count(std::string_view name, std::string_view text) {
    const auto value = text.empty() ? std::optional<std::int64_t>(-1) : parse_integer(text);
    if (!value || *value < -1 || *value > largest_count) {
        fail(name, text);
        return not_said;
    }
    return static_cast<double>(*value);
}

CellTime RecordFields::time(std::string_view name, std::string_view text, double unit_s) {
    const auto value = time_of(text, unit_s);
    if (!value || value->seconds > largest_time) {
        fail(name, text);
        return {};
    }
    return value->seconds == 0 ? CellTime{} : *value;
}

double RecordFields::limit(std::string_view name, std::string_view text, double unit_s) {
    const LimitWord word = is_same(text, "infinity") ? LimitWord::unlimited : limit_word(text);
    if (word != LimitWord::none) {
        row.limit_word = word;
        return not_said;
    }
    const auto value = duration_of(text, unit_s);
    if (!value || *value > largest_time) {
        fail(name, text);
        return not_said;
    }
    return *value;
}

void RecordFields::set_job(std::string_view number, std::string_view task) {
    const bool is_task = !task.empty() && task != "0";
    for (const std::string_view text : {number, is_task ? task : "0"}) {
        if (parse_integer(text).value_or(-1) < 0) {
            fail("job number", text);
        }
    }
    row.id = is_task ? kept(fmt::format("{}_{}", number, task)) : number;
    row.task = row.id;
}

Memory RecordFields::memory(std::string_view name, std::string_view text, Memory::Per per) {
    const std::string_view number = text.substr(0, text.find_first_not_of("0123456789."));
    std::string_view unit = text.substr(number.size());
    const bool is_binary = unit.ends_with('b') || (!unit.empty() && unit[0] != lower(unit[0]));
    unit.remove_suffix(unit.ends_with('b') ? 1 : 0);
    const std::size_t power =
        unit.empty() ? 0 : 1 + std::string_view("kmgt").find(lower(unit.front()));
    const auto value = text.empty() ? std::optional(not_said) : parse_number(number);
    if (!value || power > 4 || unit.size() > 1 || (!unit.empty() && power == 0)
        || *value > largest_count) {
        fail(name, text);
        return {};
    }
    return {
        .kb = *value * std::pow(is_binary ? 1024 : 1000, static_cast<double>(power)) / 1024,
        .per = per};
}

void RecordFields::set_hosts(const std::set<std::string_view>& hosts, double processors) {
    if (!hosts.empty()) {
        row.processors = processors;
        row.nodes = static_cast<double>(hosts.size());
        row.node_list = kept(fmt::format("{}", fmt::join(hosts, ",")));
    }
}

std::size_t RecordReader::add(std::string_view text, bool is_last) {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string_view::npos;
         begin = end + 1) {
        ++line_;
        add_line(whole_line(text.substr(begin, end - begin)));
        long_line_.clear();
    }
    const std::string_view rest = text.substr(begin);
    if (!is_last && rest.size() >= longest_held) {  // jobs of many hosts have long lines
        long_line_ += rest;
        if (long_line_.size() > longest_record) {
            log_.fail(
                line_ + 1,
                fmt::format(
                    "a line of more than {} characters (a record of {} is shorter). {}",
                    longest_record,
                    system_.name,
                    system_.way_out
                )
            );
        }
        return text.size();
    }
    if (!is_last || (rest.empty() && long_line_.empty())) {
        return begin;
    }
    ++line_;  // without its end, which the batch system writes
    if (const std::string_view line = whole_line(rest); is_quoted_ || system_.begins_record(line)) {
        add_line(line);
        end_record(true);
    } else {
        leave_out(OddityKind::torn_row, line_, "its end is missing");
    }
    return text.size();
}

/// With what has come before of it.
std::string_view RecordReader::whole_line(std::string_view end) {
    std::string_view line = end;
    if (!long_line_.empty()) {
        long_line_ += end;
        line = long_line_;
    }
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
}

void RecordReader::add_line(std::string_view line) {
    if (system_.begins_record(line)) {
        end_record(false);
        first_line_ = line_;
        record_ = line;
        is_quoted_ = has_odd_quotes(line);
        return;
    }
    if (!is_quoted_ && trimmed(line).size() <= 1) {
        return;
    }
    if (!is_quoted_ && line.starts_with('#')) {
        log_.oddities().add(OddityKind::comment_among_jobs, line_);
    } else if (record_.empty() || record_.size() + line.size() > longest_record || !may_go_on()) {
        leave_out(
            OddityKind::torn_row, line_, fmt::format("no record of {} begins in it", system_.name)
        );
    } else {
        log_.oddities().add(OddityKind::continued_record, line_);
        record_ += '\n';
        record_ += line;
        is_quoted_ = is_quoted_ != has_odd_quotes(line);
    }
}

void RecordReader::end_record(bool is_torn) {
    if (record_.empty()) {
        return;
    }
    TableRow row;
    row.line = first_line_;
    RecordFields fields(row);
    const RecordKind kind = is_torn ? RecordKind::torn : system_.read(record_, fields);
    const auto counts = std::minmax({row.processors, row.requested_processors, row.gpus});
    if (kind == RecordKind::torn) {
        leave_out(
            OddityKind::torn_row,
            first_line_,
            is_torn ? "its end is missing" : "it has too few fields"
        );
    } else if (kind == RecordKind::other) {
        log_.oddities().add(OddityKind::other_record, first_line_);
    } else if (kind == RecordKind::step) {
        log_.oddities().add(OddityKind::job_step, first_line_);
    } else if (counts.first < not_said || counts.second > largest_count) {
        leave_out(OddityKind::unreadable_row, first_line_, "its processors are no such number");
    } else if (!fields.problem().empty()) {
        leave_out(OddityKind::unreadable_row, first_line_, fields.problem());
    } else {
        add_job(row);
    }
    record_.clear();
    is_quoted_ = false;
}

void RecordReader::add_job(TableRow& row) {
    const auto before = requeued_.empty() ? requeued_.end() : requeued_.find(row.id);
    if (before != requeued_.end() && row.start.seconds >= before->second) {
        row.submit.seconds = std::max(row.submit.seconds, before->second);
        row.eligible.seconds = std::max(row.eligible.seconds, row.submit.seconds);
    }
    if (row.state == JobState::requeued && row.end.seconds >= 0) {
        requeued_.insert_or_assign(std::string(row.id), row.end.seconds);
    }
    if (!jobs_.add(row)) {
        leave_out(OddityKind::unreadable_row, row.line, std::string(no_such_time));
    }
}

void RecordReader::leave_out(OddityKind kind, std::uint64_t line, const std::string& problem) {
    log_.oddities().add(kind, line, 1, problem);
    if (first_problem_.empty()) {
        first_problem_ = fmt::format("{}:{}: {}", log_.name(), line, problem);
    }
}

void RecordReader::finish() {
    end_record(false);
    jobs_.finish();
    if (log_.jobs() == 0 && !first_problem_.empty()) {
        throw LogError(
            fmt::format("{}, and no other record can be read. {}", first_problem_, system_.way_out)
        );
    }
}

}  // namespace schedfarm::models::trace
