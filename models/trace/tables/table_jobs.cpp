#include "models/trace/tables/table_jobs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/tables/submit_line.hpp"

namespace schedfarm::models::trace {

namespace {

std::string_view id_of(const TableRow& row) {
    return row.id.empty() ? row.task : row.id;
}

/// "12_[1,3,7-9%2]": 5; 0: none is known.
std::uint64_t tasks_in(std::string_view task) {
    const std::size_t begin = task.find('[');
    std::string_view list = task.substr(begin + 1, task.find_first_of("]%", begin) - begin - 1);
    std::uint64_t count = 0;
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
        const auto first = parse_integer(entry.substr(0, entry.find('-')));
        const auto last = parse_integer(entry.substr(std::min(entry.find('-') + 1, entry.size())));
        count += first && last && *last >= *first ? static_cast<std::uint64_t>(*last - *first + 1)
                 : first                          ? 1U
                                                  : 0U;
    }
    return std::max<std::uint64_t>(count, 1);
}

/// How many tasks of an array may run at once: 2 of "12_[1,3,7-9%2]" and of "0-9%2"; 0: the text
/// does not say.
std::uint32_t array_limit_in(std::string_view text) {
    const std::size_t percent = text.find('%');
    text = text.substr(0, text.find(']'));
    const auto limit =
        percent < text.size() ? parse_integer(text.substr(percent + 1)) : std::nullopt;
    constexpr std::int64_t largest = 1'000'000'000;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(limit.value_or(0), 0, largest));
}

/// Which job the first of a kind is.
std::string_view named(const TableRow& row) {
    return row.task.empty() ? row.id : row.task;
}

bool is_known(const CellTime& time) {
    return time.seconds >= 0;
}

bool has_ended(const TableRow& row) {
    return is_known(row.start) && is_known(row.end);
}

/// KB per processor.
double memory_per_processor(const TableRow& row) {
    const double processors = row.processors > 0 ? row.processors : row.requested_processors;
    const double nodes = row.nodes > 0 ? row.nodes : row.requested_nodes;
    if (row.memory.kb <= 0 || row.memory.per == Memory::Per::processor) {
        return row.memory.kb <= 0 ? not_said : row.memory.kb;
    }
    const double job = row.memory.per == Memory::Per::node ? row.memory.kb * nodes : row.memory.kb;
    return processors > 0 && job > 0 ? job / processors : not_said;
}

}  // namespace

double excess_of(const TableRow& row) {
    return has_ended(row) && row.run >= 0
               ? row.end.seconds - row.start.seconds - std::max(0.0, row.suspended) - row.run
               : 0;
}

double NumberedTexts::number_of(std::string_view text) {
    if (text.empty()) {
        return -1;
    }
    if (recent_.empty()) {
        recent_.resize(512);
    }
    std::uint64_t letters = 0;  // the last eight: names differ at their ends
    const std::size_t count = std::min(text.size(), sizeof letters);
    std::memcpy(&letters, text.data() + text.size() - count, count);
    Recent& recent = recent_[row_mixed(letters + text.size()) & (recent_.size() - 1)];
    if (text != recent.text) {
        if (says_nothing(text)) {
            return -1;
        }
        auto found = numbers_.find(text);
        if (found == numbers_.end()) {
            texts_.emplace_back(text);
            found = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size())).first;
        }
        recent = {found->first, found->second};
    }
    return recent.number;
}

TableJobs::TableJobs(LogBuilder& log, std::string zone, RowChoice choice)
    : log_(log), zone_(std::move(zone)), choice_(std::move(choice)) {
    rules_ = zone_.empty() || zone_ == "UTC" ? nullptr : zone_rules(zone_);
    if (!zone_.empty() && zone_ != "UTC" && rules_ == nullptr) {
        throw LogError(fmt::format(
            "{}: its zone '{}' cannot be used (this machine knows none of that name). Write a name "
            "such as Europe/Paris, or install tzdata.",
            log.name(),
            printable(zone_)
        ));
    }
    log_.fill_all_columns();
}

bool TableJobs::is_chosen(const TableRow& row) {
    const auto is_among = [](const std::vector<std::string>& wanted, std::string_view list) {
        bool is_found = wanted.empty();
        while (!is_found && !list.empty()) {
            const std::string_view name = list.substr(0, list.find(','));
            is_found = std::ranges::find(wanted, name) != wanted.end();
            list.remove_prefix(std::min(name.size() + 1, list.size()));
        }
        return is_found;
    };
    if (!says_nothing(row.cluster)) {
        clusters_.number_of(row.cluster);
    }
    return (choice_.cluster.empty() || row.cluster == choice_.cluster)
           && is_among(choice_.partitions, row.partition) && is_among(choice_.accounts, row.group);
}

std::size_t TableJobs::known_names(const TableRow& row) const {
    const auto knows = [this](Field field, std::string_view text) {
        return texts_[static_cast<std::size_t>(field)].knows(text) ? 1U : 0U;
    };
    return knows(Field::user, row.user) + knows(Field::group, row.group)
           + knows(Field::partition, row.partition) + knows(Field::quality, row.qos)
           + knows(Field::node_list, row.node_list)
           + (row.submit_line.starts_with('s') ? 1U : 0U);  // sbatch, srun, salloc
}

SeenRows::Before TableJobs::seen_before(const TableRow& row) {
    if (id_of(row).empty()) {
        return SeenRows::Before::nothing;
    }
    std::uint64_t hash = row.key.empty() ? 0 : row_hash_of(row.key);
    for (const CellTime& time : {row.submit, row.start, row.end}) {
        hash = row_mixed(hash + std::bit_cast<std::uint64_t>(time.seconds));
    }
    const double day = std::clamp(row.submit.seconds / day_s, 0.0, 65535.0);
    return rows_.insert(id_of(row), hash, log_.expected_jobs(), static_cast<std::int32_t>(day));
}

void TableJobs::examine_task(TableRow& row) {
    const auto is_mark = [](char c) {
        return c == '_' || c == '+';
    };
    const auto mark =
        static_cast<std::size_t>(std::ranges::find_if(row.task, is_mark) - row.task.begin());
    if (mark == row.task.size()) {
        return;
    }
    const bool is_pending = row.task.find('[') != std::string_view::npos;
    log_.oddities().add(
        is_pending              ? OddityKind::pending_tasks
        : row.task[mark] == '_' ? OddityKind::array_task
                                : OddityKind::het_component,
        row.line,
        is_pending ? tasks_in(row.task) : 1,
        named(row)
    );
    const auto array = parse_integer(row.task.substr(0, mark));
    if (row.task[mark] != '_' || !array || *array > largest_job_number) {
        return;
    }
    row.array = static_cast<double>(*array);
    const SubmitLine line(row.submit_line);
    for (const std::string_view text : {row.task, line.option("array").value_or("")}) {
        if (const std::uint32_t limit = array_limit_in(text); limit > 0) {
            array_limits_[static_cast<std::int32_t>(*array)] = limit;
        }
    }
}

/// Keeps the parts of a resized job until its last one, which becomes the whole job. Their times
/// are as the rows have them: that of a later part's submission is when the job was resized, after
/// its start.
bool TableJobs::is_whole(TableRow& row, SeenRows::Before seen) {
    const std::string_view id = id_of(row);
    const auto before = parts_.empty() ? parts_.end() : parts_.find(id);
    if (before != parts_.end() && before->second.start.seconds == row.start.seconds) {
        const TableRow& part = before->second;
        row.submit = part.submit;
        row.eligible = part.eligible;
        row.nodes = std::max(row.nodes, part.nodes);
        row.requested_nodes = std::max(row.requested_nodes, part.requested_nodes);
        row.processors = std::max(row.processors, part.processors);
        row.requested_processors = std::max(row.requested_processors, part.requested_processors);
        row.gpus = std::max(row.gpus, part.gpus);
        parts_.erase(before);
    } else if (seen == SeenRows::Before::id) {
        log_.oddities().add(OddityKind::run_again, row.line, 1, named(row));
    }
    if (row.state == JobState::resizing) {
        log_.oddities().add(OddityKind::resized, row.line);
        TableRow part = row;
        part.id = part.task = part.key = part.node_list = {};
        part.user = part.group = part.queue = part.partition = part.qos = part.submit_line = {};
        part.asked = {};
        parts_.insert_or_assign(std::string(id), part);
        return false;
    }
    return true;
}

/// False: the zone may change its clocks near that time.
bool TableJobs::is_made_by_day(CellTime& time) {
    constexpr double day = 86400;
    if (!time.is_local || !is_known(time)) {
        return true;
    }
    const auto number = static_cast<std::int64_t>(time.seconds / day);
    Day& known = days_[static_cast<std::size_t>(number) % days_.size()];
    if (known.number != number) {
        const std::int64_t offset = rules_->utc_offset_s((number - 1) * 86400);
        known = {
            .number = number,
            .utc_offset_s = static_cast<double>(offset),
            .is_plain = offset == rules_->utc_offset_s((number + 2) * 86400)};
    }
    if (known.is_plain) {
        time = {.seconds = time.seconds - known.utc_offset_s};
    }
    return known.is_plain;
}

/// Makes local times those of the Unix clock. False: one of them does not exist.
bool TableJobs::make_universal(TableRow& row) {
    const std::array times{&row.submit, &row.eligible, &row.start, &row.end};
    if (rules_ == nullptr) {
        if (zone_.empty() && row.submit.is_local && is_known(row.submit)) {
            log_.oddities().add(OddityKind::unsaid_zone, row.line);
        }
        return true;
    }
    bool is_made = true;
    for (CellTime* const time : times) {
        is_made = is_made_by_day(*time) && is_made;
    }
    return is_made || settle(row);
}

/// Near a change of clocks a local time may mean two instants: of all readings the first in which
/// the run time is End − Start − Suspended and nothing comes before what causes it.
bool TableJobs::settle(TableRow& row) {
    const std::array times{&row.submit, &row.eligible, &row.start, &row.end};
    std::array<std::vector<double>, 4> readings;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double local = times[i]->seconds;
        if (!times[i]->is_local || !is_known(*times[i])) {
            readings[i] = {local};
            continue;
        }
        const auto whole = static_cast<std::int64_t>(std::floor(local));
        for (const std::int64_t days : {-1, 1}) {
            const std::int64_t offset = rules_->utc_offset_s(whole + days * 86400);
            const double instant = local - static_cast<double>(offset);
            const bool exists = rules_->utc_offset_s(whole - offset) == offset;
            if (exists && (readings[i].empty() || readings[i].back() != instant)) {
                readings[i].push_back(instant);
            }
        }
        if (readings[i].empty()) {
            return false;
        }
    }
    TableRow first;
    std::size_t possible = 0;
    std::size_t all = 1;
    for (const auto& of_time : readings) {
        all *= of_time.size();
    }
    for (std::size_t way = 0; way < all; ++way) {
        TableRow read = row;
        const std::array read_times{&read.submit, &read.eligible, &read.start, &read.end};
        std::size_t rest = way;
        double last = not_said;
        bool is_ordered = true;
        for (std::size_t i = 0; i < readings.size(); ++i) {
            const double instant = readings[i][rest % readings[i].size()];
            rest /= readings[i].size();
            *read_times[i] = {.seconds = instant};
            is_ordered = is_ordered && (instant < 0 || instant >= last);
            last = std::max(last, instant);
        }
        const bool is_possible = is_ordered && std::abs(excess_of(read)) <= 1;
        if (way == 0 || (is_possible && possible == 0)) {
            first = read;
        }
        possible += is_possible ? 1U : 0U;
    }
    row = first;
    if (all > 1 && possible != 1) {
        log_.oddities().add(OddityKind::ambiguous_hour, row.line);
    }
    return true;
}

/// In a table of Unix times one of the seventies means that something never came: 0 in Slurm's
/// database. Counts are whole.
void TableJobs::remove_sentinels(TableRow& row) const {
    constexpr auto first = static_cast<double>(ten_years_s);
    const std::array times{&row.submit, &row.eligible, &row.start, &row.end};
    const auto is_unix = [](const CellTime* time) {
        return time->seconds >= first;
    };
    if (first_submit_ >= 0 || std::ranges::any_of(times, is_unix)) {
        row.is_eligible_unsaid =
            row.is_eligible_unsaid || (is_known(row.eligible) && !is_unix(&row.eligible));
        row.is_end_unsaid = row.is_end_unsaid || (is_known(row.end) && !is_unix(&row.end));
        for (CellTime* const time : times) {
            *time = is_unix(time) ? *time : CellTime{};
        }
    }
    if (nodes_are_processors_) {
        row.processors = row.nodes;
        row.requested_processors = row.requested_nodes;
    }
    const auto counts = {
        &row.nodes, &row.requested_nodes, &row.processors, &row.requested_processors, &row.gpus};
    for (double* const count : counts) {
        const double whole = std::ceil(*count);
        row.has_fraction = row.has_fraction || whole != *count;
        *count = whole;
    }
}

/// What follows from what the row says.
void TableJobs::complete(TableRow& row) const {
    remove_sentinels(row);
    if (!is_known(row.submit)) {
        row.submit = row.eligible;
    }
    if (!is_known(row.start) && is_known(row.submit) && row.wait >= 0) {
        row.start.seconds = row.submit.seconds + row.wait;
    }
    if (row.limit_word == LimitWord::unlimited) {
        row.limit = limit_without_end_s;
    } else if (row.limit_word == LimitWord::partition) {
        row.limit = limit_of_partition;
    }
    if (row.run < 0 && has_ended(row) && row.end.seconds >= row.start.seconds) {
        row.run = std::max(0.0, row.end.seconds - row.start.seconds - std::max(0.0, row.suspended));
    }
    if (is_known(row.start) && row.is_end_unsaid && row.state == JobState::unknown) {
        row.state = JobState::running;
    }
    if (!is_known(row.start) && row.run == 0) {
        row.run = not_said;
    }
}

void TableJobs::examine(const TableRow& row) {
    const double excess = std::abs(excess_of(row));
    const bool is_started = is_known(row.start);
    const bool ends_early = has_ended(row) && row.end.seconds < row.start.seconds;
    const bool is_hour_off =
        rules_ == nullptr && row.start.is_local && !ends_early && std::abs(excess - hour_s) <= 1;
    const bool has_ended_unstarted = is_known(row.end) || row.state == JobState::cancelled;
    const auto note = [&](OddityKind kind, bool is_odd) {
        if (is_odd) {
            log_.oddities().add(
                kind, row.line, 1, kind == OddityKind::several_partitions ? named(row) : ""
            );
        }
    };
    using enum OddityKind;
    note(never_started, !is_started && row.run < 0 && has_ended_unstarted);
    note(never_eligible, !is_started && row.is_eligible_unsaid);
    note(still_waiting, row.state == JobState::pending);
    note(still_running, row.state == JobState::running || row.state == JobState::suspended);
    note(was_suspended, row.suspended > 0);
    note(without_limit, row.limit_word == LimitWord::unlimited);
    note(partition_limit, row.limit_word == LimitWord::partition);
    note(fraction_of_count, row.has_fraction);
    note(several_partitions, row.partition.find(',') != std::string_view::npos);
    note(nodes_are_processors, nodes_are_processors_);
    note(ended_before_start, ends_early);
    note(unknown_state, row.has_unknown_state);
    note(unsaid_summer_time, is_hour_off);
    note(elapsed_differs, excess > 1 && !is_hour_off && !ends_early);
    note(started_before_submit, is_started && row.start.seconds < row.submit.seconds);
    note(profile_without_length, !row.has_length);
}

void TableJobs::fill(const TableRow& row) {
    JobBatch& batch = log_.batch();
    ++place_;
    const std::string_view id = id_of(row);
    const auto* const digits_end = std::ranges::find_if_not(id, is_digit);
    batch.integers[static_cast<std::size_t>(Field::job_number)][batch.count] =
        parse_integer({id.begin(), digits_end}).value_or(place_);
    const bool was_held = row.priority == 0;
    const bool has_left = row.state == JobState::cancelled || row.state == JobState::deadline;
    const bool has_run = is_known(row.start) || row.run >= 0;
    const bool waited = has_left && !has_run && !row.is_eligible_unsaid && !was_held;
    const bool has_wait = is_known(row.start) && is_known(row.submit);
    batch.set(Field::submit_time, row.submit.seconds);
    batch.set(
        Field::wait_time, has_wait ? std::max(not_said, row.start.seconds - row.submit.seconds) : -1
    );
    batch.set(Field::run_time, row.run);
    batch.set(Field::allocated_processors, row.processors);
    batch.set(Field::requested_processors, row.requested_processors);
    batch.set(Field::requested_time, row.limit);
    batch.set(Field::requested_memory, memory_per_processor(row));
    batch.set(
        Field::status, row.status >= 0 ? row.status : static_cast<double>(status_of(row.state))
    );
    batch.set(Field::eligible_time, row.eligible.seconds);
    batch.set(Field::allocated_nodes, row.nodes);
    batch.set(Field::requested_nodes, row.requested_nodes);
    batch.set(Field::gpus, row.gpus);
    batch.set(Field::state, static_cast<double>(row.state));
    batch.set(Field::started_by, static_cast<double>(row.started_by));
    batch.set(Field::array, row.array);
    batch.set(Field::left_time, waited ? row.end.seconds : not_said);
    batch.set(Field::released, was_held && is_known(row.start) ? 1 : not_said);
    const SubmitLine line(row.submit_line);
    dependencies_.add(row, line);
    const std::int32_t options = options_.number_of(line, row.asked);
    batch.set(Field::options, options);
    if (options >= 0 && options_.at(options).names_nodes) {
        log_.oddities().add(OddityKind::names_nodes, row.line, 1, named(row));
    }
    const std::array texts{
        std::pair(Field::user, row.user),
        std::pair(Field::group, row.group),
        std::pair(Field::queue, row.queue),
        std::pair(Field::partition, row.partition),
        std::pair(Field::quality, row.qos),
        std::pair(Field::node_list, row.node_list)};
    for (const auto& [field, text] : texts) {
        if (log_.keeps(field)) {
            batch.set(field, texts_[static_cast<std::size_t>(field)].number_of(text));
        }
    }
    log_.end_row(row.line);
}

bool TableJobs::add(TableRow& row) {
    if (!is_chosen(row)) {
        log_.oddities().add(OddityKind::not_chosen, row.line);
        return true;
    }
    const SeenRows::Before seen = seen_before(row);
    if (seen == SeenRows::Before::row) {
        log_.oddities().add(OddityKind::doubled_row, row.line);
        return true;
    }
    examine_task(row);
    return !is_whole(row, seen) || add_whole(row);
}

bool TableJobs::add_whole(TableRow& row) {
    if (!make_universal(row)) {
        return false;
    }
    complete(row);
    examine(row);
    const bool is_unix = row.submit.seconds >= static_cast<double>(ten_years_s);
    if (is_unix && (first_submit_ < 0 || row.submit.seconds < first_submit_)) {
        first_submit_ = row.submit.seconds;
    }
    fill(row);
    return true;
}

/// Names that are all numbers are these numbers.
void TableJobs::finish_names(Log& log) {
    const auto number_of = [](const std::string& text) {
        return text.starts_with('-') ? std::nullopt : parse_integer(text);
    };
    const auto finish = [&](Field field, Log::Names& column) {
        std::vector<std::string> texts = texts_[static_cast<std::size_t>(field)].taken();
        if (!std::all_of(texts.begin(), texts.end(), number_of)) {
            log.names.emplace(field, std::move(texts));
        } else if (!texts.empty()) {
            column.change_known([&](std::int64_t number) {
                return *number_of(texts[static_cast<std::size_t>(number - 1)]);
            });
        }
    };
    finish(Field::user, log.user);
    finish(Field::group, log.group);
    finish(Field::queue, log.queue);
    finish(Field::partition, log.partition);
    finish(Field::quality, log.quality);
    log.node_lists = texts_[static_cast<std::size_t>(Field::node_list)].taken();
    log.node_list.change_known([](std::int32_t number) { return number - 1; });
}

void TableJobs::finish() {
    for (auto& [id, part] : parts_) {
        if (!add_whole(part)) {
            log_.oddities().add(OddityKind::unreadable_row, part.line, 1, no_such_time);
        }
    }
    const auto joined = [](const std::vector<std::string>& names) {
        return printable(fmt::format("{}", fmt::join(names, ", ")));
    };
    if (choice_.cluster.empty() && clusters_.texts().size() > 1) {
        throw LogError(fmt::format(
            "{}: its jobs are of {} clusters, {} (they are no one machine). Choose one by "
            "--cluster {}.",
            log_.name(),
            clusters_.texts().size(),
            joined(clusters_.texts()),
            printable(clusters_.texts().front())
        ));
    }
    Log& log = log_.flushed();
    if (log.jobs() == 0 && !choice_.is_everything()) {
        throw LogError(fmt::format(
            "{}: no job is of that cluster, partition or account ({}). Name others.",
            log_.name(),
            clusters_.texts().empty() ? "its rows name no clusters"
                                      : "its clusters are " + joined(clusters_.texts())
        ));
    }
    finish_names(log);
    log.left_is_load = left_is_load_;
    log.array_limits = std::move(array_limits_);
    log.row_dependencies = dependencies_.found(log);
    log.submit_options = options_.taken();
    if (first_submit_ >= 0) {
        const auto without_never = [](double time) {
            return time < static_cast<double>(ten_years_s) ? not_said : time;
        };
        log.submit_time.change_known(without_never);
        log.eligible_time.change_known(without_never);
        log_.count_times_from(std::floor(first_submit_), zone_.empty() ? "UTC" : zone_);
    }
}

}  // namespace schedfarm::models::trace
