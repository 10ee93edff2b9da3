#include "models/trace/reading/row_columns.hpp"

#include <algorithm>
#include <bit>

#include "engine/foundation/message_text.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::int64_t not_known = -1;

double memory_of(const Log& log, std::size_t row, MemoryRule rule) {
    const double requested = log.requested_memory[row];
    const double used = log.used_memory[row];
    switch (rule) {
        case MemoryRule::requested_else_used:
            return requested > 0 ? requested : used;
        case MemoryRule::used_else_requested:
            return used > 0 ? used : requested;
        case MemoryRule::requested:
            return requested;
        case MemoryRule::used:
            break;
    }
    return used;
}

void add_memory(const Log& log, MemoryRule rule, RowColumns& columns) {
    if (!log.requested_memory.is_given() && !log.used_memory.is_given()) {
        return;
    }
    columns.memory.reserve(log.jobs());
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        columns.memory.push_back(std::max(0.0, memory_of(log, row, rule)));
    }
}

/// From 1, among the names of the log; 0: not known. Empty: none is too large to be taken as it is.
std::vector<std::uint32_t> ranks_of_wide(const Log::Names& names) {
    std::vector<std::uint32_t> ranks;
    if (std::ranges::all_of(names.values(), [](auto name) { return name <= largest_name; })) {
        return ranks;
    }
    std::vector<std::int64_t> known(names.values().begin(), names.values().end());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    known.erase(known.begin(), std::lower_bound(known.begin(), known.end(), 0));
    ranks.reserve(names.size());
    for (const std::int64_t name : names.values()) {
        const auto place = std::upper_bound(known.begin(), known.end(), name);
        ranks.push_back(static_cast<std::uint32_t>(place - known.begin()));
    }
    return ranks;
}

void add_queues(const Log& log, RowColumns& columns) {
    if (!log.queue.is_given()) {
        return;
    }
    columns.queue = ranks_of_wide(log.queue);
    if (!columns.queue.empty()) {
        return;
    }
    columns.queue.reserve(log.jobs());
    for (const std::int64_t queue : log.queue.values()) {
        columns.queue.push_back(static_cast<std::uint32_t>(std::max<std::int64_t>(queue, 0)));
    }
}

void add_size_classes(const JobList& jobs, RowColumns& columns) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto job_class = static_cast<std::uint32_t>(std::bit_width(jobs.processors[i] - 1));
        columns.job_class[jobs.row[i]] = job_class;
        columns.job_classes = std::max(columns.job_classes, job_class + 1);
    }
    std::uint64_t least = 1;
    for (std::uint32_t c = 0; c < columns.job_classes; ++c) {
        const std::uint64_t most = std::uint64_t{1} << c;
        columns.class_names.push_back(engine::counted_range(least, most, "processor"));
        least = most + 1;
    }
}

/// `thing`: what the numbers are of, and the key of the header's lines that name them: "queue".
void add_classes(
    const std::string& thing,
    const Header& header,
    const Log::Names& numbers,
    const JobList& jobs,
    RowColumns& columns
) {
    std::vector<std::int64_t> known;
    for (const std::uint32_t row : jobs.row) {
        known.push_back(numbers[row]);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    columns.job_classes = std::max(1U, static_cast<std::uint32_t>(known.size()));
    for (const std::int64_t number : known) {
        const std::string name = number == not_known ? "" : header.name_of(thing, number);
        columns.class_names.push_back(
            thing + (number == not_known ? " not known" : " " + std::to_string(number))
            + (name.empty() ? "" : " (" + name + ")")
        );
    }
    for (const std::uint32_t row : jobs.row) {
        const auto place = std::lower_bound(known.begin(), known.end(), numbers[row]);
        columns.job_class[row] = static_cast<std::uint32_t>(place - known.begin());
    }
}

}  // namespace

RowColumns row_columns(const Log& log, const JobList& jobs, MemoryRule memory, ClassRule classes) {
    RowColumns columns;
    columns.job_number.assign(log.job_number.values().begin(), log.job_number.values().end());
    columns.has_wide_numbers =
        std::any_of(columns.job_number.begin(), columns.job_number.end(), [](std::int64_t number) {
            return number > largest_job_number;
        });
    columns.user = ranks_of_wide(log.user);
    add_memory(log, memory, columns);
    add_queues(log, columns);
    if (classes == ClassRule::none) {
        return columns;
    }
    columns.job_class.resize(log.jobs());
    if (classes == ClassRule::sizes) {
        add_size_classes(jobs, columns);
    } else if (classes == ClassRule::queues) {
        add_classes("queue", log.header, log.queue, jobs, columns);
    } else {
        add_classes("group", log.header, log.group, jobs, columns);
    }
    return columns;
}

}  // namespace schedfarm::models::trace
