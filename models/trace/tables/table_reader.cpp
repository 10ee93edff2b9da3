#include "models/trace/tables/table_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr double most = 1e15;
constexpr double largest_number = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t most_surplus = 4;

std::string_view without_return(std::string_view row) {
    return row.substr(0, row.size() - (row.ends_with('\r') ? 1 : 0));
}

constexpr std::size_t longest_cell = 40;

/// Sets what nothing has been said of yet. False: the cell cannot be read.
template <typename Read>
bool set_number(double& value, double largest, Read&& read) {
    if (value >= 0) {
        return true;
    }
    const auto found = read();
    value = found.value_or(not_said);
    return found && value <= largest;
}

bool set_count(double& value, std::string_view cell) {
    return set_number(value, largest_number, [cell] { return count_of(cell); });
}

bool set_duration(double& value, std::string_view cell, double unit) {
    return set_number(value, most, [=] { return duration_of(cell, unit); });
}

bool set_time(CellTime& value, std::string_view cell, double unit) {
    if (value.seconds >= 0) {
        return true;
    }
    const auto found = time_of(cell, unit);
    value = found.value_or(CellTime{});
    return found && value.seconds <= most;
}

bool set_memory(Memory& value, std::string_view cell, double unit) {
    if (value.kb > 0) {
        return true;
    }
    const auto found = memory_of(cell, unit);
    value = found.value_or(Memory{});
    return found && value.kb <= most;
}

bool set_text(std::string_view& value, std::string_view cell) {
    value = value.empty() ? cell : value;
    return true;
}

/// "gres/gpu=2", else the sum of "gres/gpu:a100=2": those of a type are counted in the first, too.
bool set_gpus(double& value, std::string_view cell, const std::string& key) {
    if (key.empty()) {
        return set_count(value, cell);
    }
    if (const std::string_view all = value_in_list(cell, key); !all.empty()) {
        return set_count(value, all);
    }
    double of_types = 0;
    for (std::size_t at = cell.find(key + ":"); at != std::string_view::npos;
         at = cell.find(key + ":", at + 1)) {
        const std::string_view entry = cell.substr(at, cell.find(',', at) - at);
        of_types += count_of(entry.substr(entry.rfind('=') + 1)).value_or(0);
    }
    value = value < 0 && of_types > 0 ? of_types : value;
    return true;
}

/// "17.batch": steps have rows beside that of their job. "12_[0,...]" is none.
bool is_step(std::string_view task) {
    return task.find('.') != std::string_view::npos && task.find('[') == std::string_view::npos;
}

/// Whether the cells may be those of the columns they are taken for.
bool is_plausible(const TableRow& row) {
    const std::string_view id = row.id.empty() ? row.task : row.id;
    return !row.has_unknown_state && !id.empty() && id.front() >= '0' && id.front() <= '9'
           && std::abs(excess_of(row)) <= 1;
}

/// Whether a quantity is among the columns found.
template <typename Wanted>
bool has(const std::vector<Wanted>& wanted, Quantity quantity) {
    return std::any_of(wanted.begin(), wanted.end(), [quantity](const Wanted& one) {
        return one.mapped.quantity == quantity;
    });
}

bool has_tasks(const ColumnMap& map) {
    return std::any_of(map.columns.begin(), map.columns.end(), [](const MappedColumn& mapped) {
        return mapped.quantity == Quantity::task;
    });
}

}  // namespace

char separator_of(std::string_view header) {
    char best = '\0';
    std::ptrdiff_t most_often = 0;
    for (const char c : {'|', ',', ';', '\t'}) {
        if (const auto often = std::count(header.begin(), header.end(), c); often > most_often) {
            best = c;
            most_often = often;
        }
    }
    return best;
}

bool is_sacct_header(std::string_view header) {
    const char separator = separator_of(header);
    header = without_return(header);
    while (separator != '\0' && !header.empty()) {
        const std::string_view cell = header.substr(0, header.find(separator));
        if (cell == "JobID" || cell == "JobIDRaw") {
            return true;
        }
        header.remove_prefix(std::min(cell.size() + 1, header.size()));
    }
    return false;
}

TableReader::TableReader(LogBuilder& log, const ColumnMap& map, const std::string& zone)
    : log_(log)
    , map_(map.is_given() ? map : sacct_columns())
    , jobs_(log, zone.empty() ? map.zone : zone)
    , is_sacct_(has_tasks(map_)) {}

/// Of the first row of the text, with its end; 0: its end is not there yet.
std::size_t TableReader::row_length(std::string_view text, bool is_last) const {
    bool is_quoted = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto* const end =
            static_cast<const char*>(std::memchr(text.data() + begin, '\n', text.size() - begin));
        const std::size_t stop =
            end == nullptr ? text.size() : static_cast<std::size_t>(end - text.data());
        if (has_quotes()) {
            const auto quotes = std::count(
                text.begin() + static_cast<std::ptrdiff_t>(begin),
                text.begin() + static_cast<std::ptrdiff_t>(stop),
                '"'
            );
            is_quoted = is_quoted != (quotes % 2 != 0);
        }
        if (end == nullptr) {
            break;
        }
        if (!is_quoted) {
            return stop + 1;
        }
        begin = stop + 1;
    }
    return is_last ? text.size() : 0;
}

std::size_t TableReader::add(std::string_view text, bool is_last) {
    const std::string_view whole = text;
    while (const std::size_t length = row_length(text, is_last)) {
        const std::string_view row = text.substr(0, length);
        line_ = next_line_;
        next_line_ += has_quotes()
                          ? static_cast<std::uint64_t>(std::count(row.begin(), row.end(), '\n'))
                          : 1U;
        const bool has_end = row.ends_with('\n');
        if (has_end || header_.empty() || has_quotes()) {
            add_row(without_return(row.substr(0, length - (has_end ? 1 : 0))));
        } else {
            ++rows_;
            leave_out(OddityKind::torn_row, "its end is missing");  // sacct writes it
        }
        text.remove_prefix(length);
    }
    return whole.size() - text.size();
}

void TableReader::split(std::string_view row) {
    cells_.clear();
    unquoted_.clear();
    if (has_quotes() && row.find('"') != std::string_view::npos) {
        split_quoted(row);
        return;
    }
    const char* begin = row.data();
    const char* const end = row.data() + row.size();
    while (const auto* const stop = static_cast<const char*>(
               std::memchr(begin, separator_, static_cast<std::size_t>(end - begin))
           )) {
        cells_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
        begin = stop + 1;
    }
    cells_.emplace_back(begin, static_cast<std::size_t>(end - begin));
}

void TableReader::split_quoted(std::string_view row) {
    for (std::size_t at = 0; at <= row.size(); ++at) {
        if (at == row.size() || row[at] != '"') {
            const std::size_t stop = std::min(row.find(separator_, at), row.size());
            cells_.push_back(row.substr(at, stop - at));
            at = stop;
            continue;
        }
        unquoted_.push_back(std::make_unique<std::string>());
        std::string& cell = *unquoted_.back();
        for (++at; at < row.size() && (row[at] != '"' || row.substr(at + 1, 1) == "\""); ++at) {
            at += row[at] == '"' ? 1U : 0U;
            cell += row[at];
        }
        cells_.emplace_back(cell);
        at = std::min(row.find(separator_, at), row.size());
    }
}

void TableReader::add_row(std::string_view row) {
    if (row.find_first_not_of(" \t") == std::string_view::npos) {
        return;
    }
    if (header_.empty() && stands_above(row)) {
        log_.oddities().add(OddityKind::comment_among_jobs, line_);
        return;
    }
    if (header_.empty()) {
        separator_ = separator_of(row);
        split(row);
        add_header();
        return;
    }
    split(row);
    if (cells_.front() == header_.front()
        && std::equal(cells_.begin(), cells_.end(), header_.begin(), header_.end())) {
        log_.oddities().add(OddityKind::repeated_header, line_);
        return;
    }
    ++rows_;
    TableRow job;
    job.line = line_;
    const bool is_whole = cells_.size() == header_.size();
    if (!is_whole && !place_surplus(job)) {
        leave_out(
            OddityKind::torn_row,
            fmt::format("{} fields (the header has {})", cells_.size(), header_.size())
        );
        return;
    }
    if (is_sacct_ && is_step(is_whole ? cells_[task_place_] : job.task)) {
        log_.oddities().add(OddityKind::job_step, line_);
    } else if (is_whole && !read_cells(job, {})) {
        leave_out(OddityKind::unreadable_row, problem_);
    } else if (!jobs_.add(job)) {
        leave_out(OddityKind::unreadable_row, std::string(no_such_time));
    }
}

void TableReader::expect_once(const std::string& column) const {
    const auto often = std::count_if(header_.begin(), header_.end(), [&](const auto& other) {
        return is_same(other, column);
    });
    if (often > 1) {
        log_.fail(
            line_,
            fmt::format(
                "column '{}' stands in the header {} times (which is meant is not known). Leave "
                "the others out?",
                printable(column),
                often
            )
        );
    }
}

void TableReader::add_header() {
    for (const std::string_view cell : cells_) {
        header_.emplace_back(cell.substr(0, cell.find_last_not_of(' ') + 1));
    }
    for (const MappedColumn& mapped : map_.columns) {
        const auto found = std::find_if(header_.begin(), header_.end(), [&](const auto& column) {
            return is_same(column, mapped.column);
        });
        if (found != header_.end()) {
            expect_once(*found);
            wanted_.push_back(
                {.mapped = mapped, .place = static_cast<std::size_t>(found - header_.begin())}
            );
        }
    }
    const auto step = std::find_if(wanted_.begin(), wanted_.end(), [](const Wanted& wanted) {
        return wanted.mapped.quantity == Quantity::id || wanted.mapped.quantity == Quantity::task;
    });
    task_place_ = step == wanted_.end() ? 0 : step->place;
    const auto missing =
        std::find_if(map_.columns.begin(), map_.columns.end(), [this](const MappedColumn& mapped) {
            return !has(wanted_, mapped.quantity);
        });
    for (std::size_t place = 0; place < header_.size() && !has_quotes(); ++place) {
        if (is_free_text(header_[place])) {
            free_texts_.push_back(place);
        }
    }
    if (!is_sacct_ && missing != map_.columns.end()) {
        log_.fail(
            line_,
            fmt::format(
                "there is no column '{}' (the map of columns names it; the header has {}). Another "
                "map?",
                missing->column,
                shown_columns()
            )
        );
    }
    using enum Quantity;
    const bool has_submit = has(wanted_, submit) || has(wanted_, eligible);
    const bool has_run = has(wanted_, run) || (has(wanted_, start) && has(wanted_, end));
    if (!has_submit || !has_run) {
        log_.fail(
            line_,
            fmt::format(
                "no column says when jobs {} (the header has {}). {}?",
                has_submit ? "ran" : "were submitted",
                shown_columns(),
                is_sacct_ ? "Ask sacct for -o JobIDRaw,JobID,Submit,Eligible,Start,End,ElapsedRaw "
                            "and more, or is the header cut off"
                          : "Name it in the map of columns"
            )
        );
    }
}

std::string TableReader::shown_columns() const {
    constexpr std::size_t longest = 200;
    std::string text;
    for (const std::string& column : header_) {
        text += (text.empty() ? "" : ", ") + printable(column);
    }
    return text.size() > longest ? text.substr(0, longest) + "…" : text;
}

bool TableReader::read_cell(const MappedColumn& mapped, std::string_view cell, TableRow& row) {
    if (!mapped.key.empty() && mapped.quantity != Quantity::gpus) {
        cell = value_in_list(cell, mapped.key);
    }
    switch (mapped.quantity) {
        case Quantity::id:
            return set_text(row.id, cell);
        case Quantity::task:
            return set_text(row.task, cell);
        case Quantity::row:
            return set_text(row.key, cell);
        case Quantity::submit:
            return set_time(row.submit, cell, mapped.unit);
        case Quantity::eligible:
            row.is_eligible_unsaid = says_nothing(cell);
            return set_time(row.eligible, cell, mapped.unit);
        case Quantity::start:
            return set_time(row.start, cell, mapped.unit);
        case Quantity::end:
            row.is_end_unsaid = says_nothing(cell);
            return set_time(row.end, cell, mapped.unit);
        case Quantity::run:
            return set_duration(row.run, cell, mapped.unit);
        case Quantity::wait:
            return set_duration(row.wait, cell, mapped.unit);
        case Quantity::suspended:
            return set_duration(row.suspended, cell, mapped.unit);
        case Quantity::limit:
            row.is_unlimited = row.is_unlimited || is_unlimited(cell);
            return row.is_unlimited || set_duration(row.limit, cell, mapped.unit);
        case Quantity::nodes:
            return set_count(row.nodes, cell);
        case Quantity::requested_nodes:
            return set_count(row.requested_nodes, cell);
        case Quantity::processors:
            return set_count(row.processors, cell);
        case Quantity::requested_processors:
            return set_count(row.requested_processors, cell);
        case Quantity::gpus:
            return set_gpus(row.gpus, cell, mapped.key);
        case Quantity::memory:
            return set_memory(row.memory, cell, mapped.unit);
        case Quantity::user:
            return set_text(row.user, cell);
        case Quantity::group:
            return set_text(row.group, cell);
        case Quantity::queue:
            return set_text(row.queue, cell);
        case Quantity::partition:
            return set_text(row.partition, cell);
        case Quantity::qos:
            return set_text(row.qos, cell);
        case Quantity::state: {
            const auto state = state_of(cell);
            row.has_unknown_state = !state;
            row.state = state.value_or(JobState::unknown);
            return true;
        }
        case Quantity::started_by:
            row.started_by = started_by_of(cell);
            return true;
        case Quantity::node_list:
            return set_text(row.node_list, cell);
        case Quantity::priority:
            row.priority = count_of(cell).value_or(not_said);
            return true;
        case Quantity::submit_line:
            break;
    }
    return set_text(row.submit_line, cell);
}

/// `surplus`: for each column in which separators may stand how many do; empty: none.
bool TableReader::read_cells(TableRow& row, const std::vector<std::size_t>& surplus) {
    for (const Wanted& wanted : wanted_) {
        std::size_t place = wanted.place;
        for (std::size_t i = 0; i < surplus.size() && free_texts_[i] < wanted.place; ++i) {
            place += surplus[i];
        }
        if (!read_cell(wanted.mapped, cells_[place], row)) {
            problem_ = fmt::format(
                "its {} is '{}' ({} cannot be read)",
                wanted.mapped.column,
                shown(cells_[place], longest_cell),
                quantity_names[static_cast<std::size_t>(wanted.mapped.quantity)]
            );
            return false;
        }
    }
    row.task = is_sacct_ && row.task.empty() ? row.id : row.task;
    return true;
}

/// Of a row with more cells than columns, whose free texts hold separators: the one way to part it
/// in which every cell can be read. False: there is none, or several that differ.
bool TableReader::place_surplus(TableRow& row) {
    if (free_texts_.empty() || cells_.size() < header_.size()
        || cells_.size() - header_.size() > most_surplus) {
        return false;
    }
    std::size_t ways = 0;
    std::vector<std::size_t> surplus(free_texts_.size());
    const auto place = [&](auto&& self, std::size_t column, std::size_t rest) -> void {
        if (column + 1 == surplus.size()) {
            surplus[column] = rest;
            TableRow read;
            read.line = line_;
            if (read_cells(read, surplus) && is_plausible(read)) {
                const bool is_other = ways == 0 || read.id != row.id || read.user != row.user
                                      || read.partition != row.partition
                                      || read.submit.seconds != row.submit.seconds
                                      || read.node_list != row.node_list;
                ways += is_other ? 1U : 0U;
                row = read;
            }
            return;
        }
        for (std::size_t here = 0; here <= rest; ++here) {
            surplus[column] = here;
            self(self, column + 1, rest - here);
        }
    };
    place(place, 0, cells_.size() - header_.size());
    if (ways == 1) {
        log_.oddities().add(OddityKind::separator_in_text, line_);
    }
    return ways == 1;
}

void TableReader::leave_out(OddityKind kind, const std::string& problem) {
    log_.oddities().add(kind, line_, 1, problem);
    if (first_problem_.empty()) {
        first_problem_ = fmt::format("{}:{}: {}", log_.name(), line_, problem);
    }
}

void TableReader::finish() {
    if (!header_.empty() && rows_ == 0) {
        log_.fail(line_, "there is no job below the header. Is the file complete?");
    }
    jobs_.finish();
    if (log_.jobs() == 0 && !first_problem_.empty()) {
        throw LogError(
            first_problem_ + ", and no other row can be read. "
            + (is_sacct_ ? "Ask sacct -P with SLURM_TIME_FORMAT=%s, as slurm/sacct.sh does"
                         : "Another format, or another map of columns?")
        );
    }
}

}  // namespace schedfarm::models::trace
