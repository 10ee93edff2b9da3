#include "models/trace/tables/read_cell.hpp"

#include <algorithm>
#include <limits>
#include <ranges>

#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr double most = 1e15;
constexpr double largest_number = std::numeric_limits<std::int32_t>::max();

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

bool set_time(CellTime& value, std::string_view cell, double unit, KnownDay& day) {
    if (value.seconds >= 0) {
        return true;
    }
    const auto found = time_of(cell, unit, day);
    value = found.value_or(CellTime{});
    return found && value.seconds <= most;
}

/// The same; `is_unsaid`: the cell says that it is not known.
bool set_time(CellTime& value, bool& is_unsaid, std::string_view cell, double unit, KnownDay& day) {
    const bool is_read = set_time(value, cell, unit, day);
    is_unsaid = is_read && value.seconds < 0;
    return is_read;
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

/// "gpu:a100:2(S:0-1),mps:100" and "gpu:2", of dumps before 21.08: the sum over the types.
bool set_gres(double& value, std::string_view cell, const std::string& key) {
    double sum = 0;
    for (const auto& part : std::views::split(cell, ',')) {
        const std::string_view entry(part.begin(), part.end());
        const std::string_view item = entry.substr(0, entry.find('('));
        const std::string_view name = item.substr(0, item.find(':'));
        const bool is_one = item.size() == name.size();
        if (name == key) {
            const auto count = count_of(is_one ? "1" : item.substr(item.rfind(':') + 1));
            sum += count ? std::max(*count, 0.0) : 1;  // "gpu:a100" is one of these
        }
    }
    value = value < 0 && sum > 0 ? sum : value;
    return true;
}

/// "gres/gpu=2", else the sum of "gres/gpu:a100=2": those of a type are counted in the first, too.
bool set_gpus(double& value, std::string_view cell, const std::string& key) {
    if (key.empty()) {
        return set_count(value, cell);
    }
    if (cell.find('=') == std::string_view::npos) {
        return set_gres(value, cell, key);
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

void set_state(TableRow& row, std::string_view cell, bool may_be_of_swf) {
    const auto status = may_be_of_swf ? parse_integer(cell) : std::nullopt;
    if (status) {
        row.has_unknown_state = *status < -1 || *status > 5;
        row.status = row.has_unknown_state ? not_said : static_cast<double>(*status);
        return;
    }
    const auto state = state_of(cell);
    row.has_unknown_state = !state;
    row.state = state.value_or(JobState::unknown);
}

}  // namespace

bool read_cell(const MappedColumn& mapped, std::string_view cell, TableRow& row, KnownDay& day) {
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
            return set_time(row.submit, cell, mapped.unit, day);
        case Quantity::eligible:
            return set_time(row.eligible, row.is_eligible_unsaid, cell, mapped.unit, day);
        case Quantity::start:
            return set_time(row.start, cell, mapped.unit, day);
        case Quantity::end:
            return set_time(row.end, row.is_end_unsaid, cell, mapped.unit, day);
        case Quantity::run:
            return set_duration(row.run, cell, mapped.unit);
        case Quantity::wait:
            return set_duration(row.wait, cell, mapped.unit);
        case Quantity::suspended:
            return set_duration(row.suspended, cell, mapped.unit);
        case Quantity::limit:
            if (row.limit < 0 && row.limit_word == LimitWord::none) {
                row.limit_word = limit_word(cell);
            }
            return row.limit_word != LimitWord::none || set_duration(row.limit, cell, mapped.unit);
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
        case Quantity::state:
            set_state(row, cell, mapped.is_swf_status);
            return true;
        case Quantity::started_by:
            row.started_by = started_by_of(cell);
            return true;
        case Quantity::node_list:
            return set_text(row.node_list, cell);
        case Quantity::priority:
            row.priority = count_of(cell).value_or(not_said);
            return true;
        case Quantity::cluster:
            return set_text(row.cluster, cell);
        case Quantity::constraint:
            return set_text(row.asked.constraint, cell);
        case Quantity::licences:
            return set_text(row.asked.licences, cell);
        case Quantity::requested_tres:
            return set_text(row.asked.tres, cell);
        case Quantity::submit_line:
            break;
    }
    return set_text(row.submit_line, cell);
}

bool is_lost(const TableRow& row, const UnreadCells& unread) {
    const bool is_unrun = row.run < 0 && (row.start.seconds < 0 || row.end.seconds < 0);
    const bool is_unsized = row.processors <= 0;
    const auto has_any = [&unread](std::initializer_list<Quantity> quantities) {
        return std::ranges::any_of(quantities, [&](Quantity one) { return unread.has(one); });
    };
    return unread.has(Quantity::submit)
           || (is_unrun && has_any({Quantity::run, Quantity::start, Quantity::end}))
           || (is_unsized && has_any({Quantity::processors, Quantity::requested_processors}));
}

}  // namespace schedfarm::models::trace
