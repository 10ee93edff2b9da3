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
#include "models/trace/reading/number.hpp"
#include "models/trace/tables/cell_places.hpp"

namespace schedfarm::models::trace {

namespace {

std::string_view without_return(std::string_view row) {
    return row.substr(0, row.size() - (row.ends_with('\r') ? 1 : 0));
}

constexpr std::size_t longest_cell = 40;
constexpr std::size_t longest_row = 100'000;  ///< in several lines
constexpr std::size_t most_surplus = 40;      ///< separators in the texts of a row
constexpr std::size_t most_ways = 20'000;     ///< to part a row

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

/// "cpu=8" behind "billing=8", of one list. `has_order`: a key that comes before the one before it
/// begins another.
bool continues_tres(std::string_view list, std::string_view part, bool has_order) {
    const auto key_of = [](std::string_view entry) {
        const std::string_view key = entry.substr(0, entry.find('='));
        const bool is_key =
            !key.empty() && key.size() < entry.size() && std::ranges::all_of(key, [](char c) {
                return is_letter(c) || is_digit(c) || c == '/' || c == ':' || c == '_' || c == '-';
            });
        return is_key ? key : std::string_view{};
    };
    const std::string_view key = key_of(part);
    const std::string_view last = key_of(list.substr(list.rfind(',') + 1));
    return !key.empty() && !last.empty() && value_in_list(list, key).empty()
           && (!has_order || key > last);
}

/// Whether a quantity is among the columns found.
template <typename Wanted>
bool has(const std::vector<Wanted>& wanted, Quantity quantity) {
    return std::any_of(wanted.begin(), wanted.end(), [quantity](const Wanted& one) {
        return one.mapped.quantity == quantity;
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
        if (is_same(cell, "JobID") || is_same(cell, "JobIDRaw")) {
            return true;
        }
        header.remove_prefix(std::min(cell.size() + 1, header.size()));
    }
    return false;
}

TableReader::TableReader(
    LogBuilder& log, const ColumnMap& map, const std::string& zone, const RowChoice& choice
)
    : log_(log), map_(map), jobs_(log, zone.empty() ? map.zone : zone, choice) {
    if (!map.is_given()) {
        map_.columns = sacct_columns().columns;
    }
    is_sacct_ = std::ranges::any_of(map_.columns, [](const MappedColumn& mapped) {
        return mapped.quantity == Quantity::task;
    });
    if (!is_sacct_) {
        jobs_.keep_left_from_load();
    }
}

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
    while (std::size_t length = row_length(text, is_last || text.size() > longest_row)) {
        // A quotation mark too many is no reason to lose the rows behind it.
        const std::size_t line =
            has_quotes() ? std::min(text.find('\n'), text.size() - 1) + 1 : length;
        if (line < length && !header_.empty()) {
            const std::string_view below = text.substr(line, text.find('\n', line) - line);
            TableRow tried;
            const bool is_row = read_row(without_return(text.substr(0, length - 1)), tried);
            length = !is_row || read_row(without_return(below), tried) ? line : length;
        }
        const std::string_view row = text.substr(0, length);
        line_ = next_line_;
        next_line_ += has_quotes()
                          ? static_cast<std::uint64_t>(std::count(row.begin(), row.end(), '\n'))
                          : 1U;
        const bool has_end = row.ends_with('\n');
        if (has_end || header_.empty() || has_quotes()) {
            const bool is_begun = !header_.empty();
            add_row(without_return(row.substr(0, length - (has_end ? 1 : 0))));
            if (!is_begun && !header_.empty()) {
                tell_statuses(text.substr(map_.header.empty() && !map_.has_places() ? length : 0));
            }
        } else {
            give_up_torn_lines();
            ++rows_;
            leave_out(line_, OddityKind::torn_row, "its end is missing");  // sacct writes it
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
    std::size_t begin = 0;
    for_each_place(row, separator_, [&](std::size_t place) {
        cells_.emplace_back(row.data() + begin, place - begin);
        begin = place + 1;
    });
    cells_.push_back(row.substr(begin));
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
    if (row.find_first_not_of(" \t") == std::string_view::npos && torn_lines_.empty()) {
        return;
    }
    if (header_.empty() && stands_above(row)) {
        log_.oddities().add(OddityKind::comment_among_jobs, line_);
        return;
    }
    if (header_.empty() && begin(row)) {
        return;
    }
    TableRow job;
    if (read_row(row, job)) {
        give_up_torn_lines();
        job.line = line_;
        take(job);
        return;
    }
    if (has_quotes()) {
        ++rows_;
        leave_out(line_, problem_kind_, problem_);
        return;
    }
    const bool is_text_of_last = torn_lines_.empty() && rows_ > 0 && !is_digit(row.front())
                                 && separators_.back() == Separators::likely
                                 && is_same(header_.front().substr(0, 5), "JobID");
    if (is_text_of_last) {
        log_.oddities().add(OddityKind::separator_in_text, line_);
        return;
    }
    // A text may hold ends of lines: what follows may be the rest of the row.
    torn_text_ += (torn_lines_.empty() ? "" : "\n") + std::string(row);
    torn_lines_.push_back({.line = line_, .kind = problem_kind_, .problem = problem_});
    if (torn_lines_.size() > 1 && read_row(torn_text_, job)) {
        job.line = torn_lines_.front().line;
        take(job);
        torn_lines_.clear();
        torn_text_.clear();
    } else if (torn_text_.size() > longest_row || cells_.size() > header_.size() + most_surplus) {
        give_up_torn_lines();
    }
}

/// Whether the row is the header, and none of jobs.
bool TableReader::begin(std::string_view row) {
    separator_ = separator_of(row);
    split(row);
    std::vector<std::string> names = map_.header;
    for (std::size_t place = 0; map_.has_places() && place < cells_.size(); ++place) {
        names.push_back(std::to_string(place + 1));
    }
    const bool is_header = names.empty();
    for (const std::string_view cell : cells_) {
        if (is_header) {
            names.emplace_back(cell.substr(0, cell.find_last_not_of(' ') + 1));
        }
    }
    header_ = std::move(names);
    add_header();
    return is_header;
}

void TableReader::take(TableRow& job) {
    if (job.is_header) {
        log_.oddities().add(OddityKind::repeated_header, job.line);
        return;
    }
    ++rows_;
    if (job.has_joined_cells) {
        log_.oddities().add(OddityKind::separator_in_text, job.line);
    }
    if (!unread_.is_empty()) {
        log_.oddities().add(OddityKind::unread_cell, job.line, 1, problem_);
    }
    if (is_sacct_ && is_step(job.task)) {
        log_.oddities().add(OddityKind::job_step, job.line);
    } else if (!jobs_.add(job)) {
        leave_out(job.line, OddityKind::unreadable_row, std::string(no_such_time));
    }
}

void TableReader::give_up_torn_lines() {
    for (const TornLine& torn : torn_lines_) {
        ++rows_;
        leave_out(torn.line, torn.kind, torn.problem);
    }
    torn_lines_.clear();
    torn_text_.clear();
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
                "the others out.",
                printable(column),
                often
            )
        );
    }
}

void TableReader::add_header() {
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
    for (Wanted& wanted : wanted_) {
        wanted.is_of_list = lists_.add(wanted.mapped, wanted.place);
    }
    for (const std::string& column : header_) {
        separators_.push_back(separators_in(column));
    }
    using enum Quantity;
    const bool has_sizes = has(wanted_, processors) || has(wanted_, requested_processors);
    if (!is_sacct_ && !has_sizes && (has(wanted_, nodes) || has(wanted_, requested_nodes))) {
        jobs_.take_nodes_for_processors();
    }
    if (!is_sacct_ && missing != map_.columns.end()) {
        log_.fail(
            line_,
            fmt::format(
                "there is no column '{}' (the map of columns names it; the header has {}). Give "
                "another map.",
                missing->column,
                shown_columns()
            )
        );
    }
    const bool has_submit = has(wanted_, submit) || has(wanted_, eligible);
    const bool has_run = has(wanted_, run) || (has(wanted_, start) && has(wanted_, end));
    if (!has_submit || !has_run) {
        log_.fail(
            line_,
            fmt::format(
                "no column says when jobs {} (the header has {}). {}.",
                has_submit ? "ran" : "were submitted",
                shown_columns(),
                is_sacct_ ? "Run sacct with -o JobIDRaw,JobID,Submit,Eligible,Start,End,ElapsedRaw "
                            "and more, and check that the header is whole"
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

/// False: it is none of a job, and problem_ says why.
bool TableReader::read_row(std::string_view text, TableRow& job) {
    split(text);
    unread_ = {};
    job.is_header = cells_.front() == header_.front()
                    && std::equal(cells_.begin(), cells_.end(), header_.begin(), header_.end());
    if (job.is_header) {
        return true;
    }
    const std::size_t fields = cells_.size();
    const bool has_surplus = fields > header_.size();
    const bool is_text = unquoted_.empty();  // cells side by side are
    if (has_surplus && separator_ == ',' && is_text) {
        join_lists();
    }
    const bool is_joined = has_surplus || text.find('\n') != std::string_view::npos;
    if (cells_.size() != header_.size() && !(has_surplus && is_text && join_texts())) {
        problem_kind_ = OddityKind::torn_row;
        problem_ = fmt::format("{} fields (the header has {})", fields, header_.size());
        return false;
    }
    job = {};
    const bool is_read = read_cells(job);
    job.has_joined_cells = is_joined && !has_quotes();
    return is_read && (!job.has_joined_cells || is_plausible(job));
}

/// False: a cell that no simulation can do without cannot be read.
bool TableReader::read_cells(TableRow& row) {
    unread_ = {};
    std::string problem;
    std::size_t list_place = header_.size();
    const TableRow* said = nullptr;
    for (Wanted& wanted : wanted_) {
        const std::string_view cell = cells_[wanted.place];
        if (wanted.is_of_list && wanted.place != list_place) {
            list_place = wanted.place;
            said = lists_.said(wanted.place, cell);
        }
        const bool is_said = wanted.is_of_list && said != nullptr;
        if (!(is_said && take_number(wanted.mapped.quantity, *said, row))
            && !read_cell(wanted.mapped, cell, row, wanted.day)) {
            unread_.add(wanted.mapped.quantity);
            problem = !problem.empty() ? problem
                                       : fmt::format(
                                           "its {} is '{}' ({} cannot be read)",
                                           wanted.mapped.column,
                                           shown(cell, longest_cell),
                                           name_of(wanted.mapped.quantity)
                                       );
        }
    }
    row.task = is_sacct_ && row.task.empty() ? row.id : row.task;
    if (problem.empty() || is_step(row.task)) {
        unread_ = {};
        return true;
    }
    problem_ = std::move(problem);
    problem_kind_ = OddityKind::unreadable_row;
    return !is_lost(row, unread_);
}

/// Commas within lists of TRES and of nodes, where they part columns, too. Keys of a list of TRES
/// come once, and mostly in order.
void TableReader::join_lists() {
    const std::vector<std::string_view> parts = cells_;
    for (const bool has_order : {false, true}) {
        cells_.clear();
        for (const std::string_view part : parts) {
            const bool goes_on =
                !cells_.empty()
                && (std::ranges::count(cells_.back(), '[') > std::ranges::count(cells_.back(), ']')
                    || continues_tres(cells_.back(), part, has_order));
            if (goes_on) {
                const char* const begin = cells_.back().data();
                cells_.back() = {begin, part.data() + part.size()};
            } else {
                cells_.push_back(part);
            }
        }
        if (cells_.size() >= header_.size()) {
            return;
        }
    }
}

/// Of a row with more cells than columns, whose texts hold separators: the way to part it in which
/// every cell can be read, separators stand where they are likely, and most names are known from
/// other rows. Of names that differ in equal ways none is taken. False: there is no way, or
/// several that are different jobs.
bool TableReader::join_texts() {
    const std::vector<std::string_view> parts = std::exchange(cells_, {});
    const std::size_t surplus = parts.size() - header_.size();
    if (!is_sacct_ || parts.size() < header_.size() || surplus > most_surplus) {
        cells_ = parts;
        return false;
    }
    for (const Separators where : {Separators::likely, Separators::unlikely}) {
        std::vector<std::string_view> best;
        std::size_t most_known = 0;
        std::size_t tried = 0;
        bool is_one_job = true;
        std::vector<std::string_view> way(header_.size());
        const auto compare = [&] {
            cells_ = way;
            TableRow read;
            const bool is_read = read_cells(read) && unread_.is_empty() && is_plausible(read);
            const bool has_key = !has(wanted_, Quantity::row)
                                 || (!read.key.empty() && std::ranges::all_of(read.key, is_digit));
            if (!is_read || !has_key) {
                return;
            }
            const std::size_t known = jobs_.known_names(read) + 1;
            if (known > most_known) {
                most_known = known;
                is_one_job = true;
                best = way;
                return;
            }
            for (const Wanted& wanted : wanted_) {
                std::string_view& cell = best[wanted.place];
                if (known == most_known && cell != way[wanted.place]) {
                    is_one_job = is_one_job && separators_[wanted.place] != Separators::never;
                    cell = {};
                }
            }
        };
        const auto place = [&](auto&& self, std::size_t column, std::size_t from) -> void {
            if (column == way.size()) {
                compare();
                return;
            }
            const std::size_t rest = parts.size() - from - (way.size() - column);
            const std::size_t most =
                column + 1 == way.size() || separators_[column] <= where ? rest : 0;
            const std::size_t least = column + 1 == way.size() ? rest : 0;
            for (std::size_t here = least; here <= most && ++tried < most_ways; ++here) {
                if (here > 0 && separators_[column] > where) {
                    return;
                }
                const std::string_view last = parts[from + here];
                way[column] = {parts[from].data(), last.data() + last.size()};
                self(self, column + 1, from + here + 1);
            }
        };
        place(place, 0, 0);
        if (!best.empty() && tried < most_ways) {
            cells_ = std::move(best);
            return is_one_job;
        }
    }
    cells_ = parts;
    return false;
}

void TableReader::leave_out(std::uint64_t line, OddityKind kind, const std::string& problem) {
    ++lost_;
    log_.oddities().add(kind, line, 1, problem);
    if (first_problem_.empty()) {
        first_problem_ = fmt::format("{}:{}: {}", log_.name(), line, problem);
    }
}

/// Numbers of states are Slurm's, unless a job that has ended has one of jobs that wait or run:
/// then they are those of SWF, as where jobs of that table have none that SWF does not have and the
/// column is called as there.
void TableReader::tell_statuses(std::string_view rows) {
    const auto state = std::ranges::find_if(wanted_, [](const Wanted& wanted) {
        return wanted.mapped.quantity == Quantity::state;
    });
    bool is_swf = state != wanted_.end() && is_same(state->mapped.column, "status");
    bool has_ended_early = false;
    while (state != wanted_.end()) {
        const std::size_t length = row_length(rows, true);
        if (length == 0) {
            break;
        }
        split(without_return(rows.substr(0, length - (rows[length - 1] == '\n' ? 1 : 0))));
        rows.remove_prefix(length);
        const auto number =
            state->place < cells_.size() ? parse_integer(cells_[state->place]) : std::nullopt;
        TableRow job;
        if (!number || cells_.size() != header_.size() || !read_cells(job)) {
            continue;
        }
        if (*number > 5) {
            return;
        }
        const bool has_end = has(wanted_, Quantity::end) ? job.end.seconds > 0 : job.run >= 0;
        has_ended_early = has_ended_early || *number == -1 || (*number < 2 && has_end);
        is_swf = is_swf && *number != 3 && *number != 4;
    }
    if (state != wanted_.end()) {
        state->mapped.is_swf_status = is_swf || has_ended_early;
    }
}

void TableReader::finish() {
    give_up_torn_lines();
    if (is_sacct_ && separator_ == ',' && lost_ * 100 > rows_) {
        throw LogError(fmt::format(
            "{}, as in {} of {} rows (commas stand in texts of sacct, too). Run sacct with -P "
            "without --delimiter.",
            first_problem_,
            lost_,
            rows_
        ));
    }
    if (!header_.empty() && rows_ == 0) {
        log_.fail(line_, "there is no job below the header. Check that the file is complete.");
    }
    jobs_.finish();
    if (log_.jobs() == 0 && !first_problem_.empty()) {
        throw LogError(
            first_problem_ + ", and no other row can be read. "
            + (is_sacct_ ? "Run sacct with -P and SLURM_TIME_FORMAT=%s, as slurm/sacct.sh does."
                         : "Give the format with --format, or the columns with --columns.")
        );
    }
}

}  // namespace schedfarm::models::trace
