#include "models/trace/row_columns.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

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
    columns.memory = Column<double>::made(log.jobs(), [&](std::size_t row) {
        return std::max(0.0, memory_of(log, row, rule));
    });
}

/// From 1, among the names of the log; 0: not known. Empty: none is too large to be taken as it is.
std::vector<std::uint32_t> ranks_of_wide(const Log::Names& names) {
    std::vector<std::uint32_t> ranks;
    if (!names.has_above(largest_name)) {
        return ranks;
    }
    std::vector<std::int64_t> known = names.values();
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    known.erase(known.begin(), std::lower_bound(known.begin(), known.end(), 0));
    ranks.reserve(names.size());
    for (std::size_t row = 0; row < names.size(); ++row) {
        const std::int64_t name = names[row];
        const auto place = std::upper_bound(known.begin(), known.end(), name);
        ranks.push_back(static_cast<std::uint32_t>(place - known.begin()));
    }
    return ranks;
}

const Log::Names& names_of(const Log& log, Field field) {
    switch (field) {
        case Field::group:
            return log.group;
        case Field::partition:
            return log.partition;
        case Field::quality:
            return log.quality;
        default:
            return log.queue;
    }
}

/// The numbers of the queues that are named, in that order.
std::vector<std::int64_t> numbers_of(const Log& log, const QueueRule& rule) {
    const Log::Names& names = names_of(log, rule.field);
    std::vector<std::int64_t> numbers;
    for (const std::string& text : rule.numbered) {
        auto number = log.number_of(rule.field, text);
        number = number ? number : parse_integer(text);
        const bool is_there = number && std::ranges::count(names.values(), *number) > 0;
        if (!is_there) {
            throw LogError(fmt::format(
                "{}: no job is of {} '{}' ('queues' names it). Check the name.",
                log.name,
                name(rule.field),
                text
            ));
        }
        numbers.push_back(*number);
    }
    return numbers;
}

void add_queues(const Log& log, const QueueRule& rule, RowColumns& columns) {
    const std::vector<std::int64_t> numbered = numbers_of(log, rule);
    const Log::Names& names = names_of(log, rule.field);
    if (!names.is_given()) {
        return;
    }
    columns.queue = numbered.empty() ? ranks_of_wide(names) : std::vector<std::uint32_t>();
    if (!columns.queue.empty()) {
        return;
    }
    columns.queue.reserve(log.jobs());
    for (std::size_t row = 0; row < names.size(); ++row) {
        const std::int64_t queue = names[row];
        const auto place = std::find(numbered.begin(), numbered.end(), queue);
        columns.queue.push_back(
            numbered.empty() ? static_cast<std::uint32_t>(std::max<std::int64_t>(queue, 0))
                             : static_cast<std::uint32_t>(
                                 place == numbered.end() ? 0 : place - numbered.begin() + 1
                             )
        );
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

/// "gpu", "partition 3 (night)", "partition not known".
std::string name_of_group(const Log& log, Field field, std::int64_t number) {
    const std::string thing(name(field));
    const std::string text = number == not_known ? "" : log.name_of(field, number);
    if (log.names.contains(field) && !text.empty()) {
        return thing + " " + text;
    }
    return thing + (number == not_known ? " not known" : " " + std::to_string(number))
           + (text.empty() ? "" : " (" + text + ")");
}

/// The sizes of jobs as two bounds: up to the median, up to the 95th percentile, above.
std::vector<std::uint32_t> size_bounds(const JobList& jobs) {
    std::vector<std::uint32_t> sizes(jobs.processors.begin(), jobs.processors.end());
    std::sort(sizes.begin(), sizes.end());
    std::vector<std::uint32_t> bounds;
    for (const std::size_t twentieths : {10U, 19U, 20U}) {
        const std::size_t place = (sizes.size() * twentieths + 19) / 20;
        if (place > 0 && (bounds.empty() || bounds.back() < sizes[place - 1])) {
            bounds.push_back(sizes[place - 1]);
        }
    }
    return bounds;
}

void add_crossed_classes(const Log& log, const JobList& jobs, RowColumns& columns) {
    constexpr double long_s = 3600;
    const std::vector<std::uint32_t> bounds = size_bounds(jobs);
    using Kind = std::tuple<std::int64_t, std::size_t, bool>;
    const auto kind_of = [&](std::size_t job) {
        const auto band = std::lower_bound(bounds.begin(), bounds.end(), jobs.processors[job]);
        return Kind{
            log.partition[jobs.row[job]],
            static_cast<std::size_t>(band - bounds.begin()),
            log.run_time[jobs.row[job]] >= long_s};
    };
    std::map<Kind, std::uint32_t> places;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        places.emplace(kind_of(job), 0);
    }
    columns.job_classes = std::max(1U, static_cast<std::uint32_t>(places.size()));
    std::uint32_t next = 0;
    for (auto& [kind, place] : places) {
        place = next++;
        const auto& [partition, band, is_long] = kind;
        const std::uint32_t least = band == 0 ? 1 : bounds[band - 1] + 1;
        columns.class_names.push_back(fmt::format(
            "{}, {}, {}",
            name_of_group(log, Field::partition, partition),
            least == bounds[band] ? engine::counted(least, "processor")
                                  : fmt::format("{}-{} processors", least, bounds[band]),
            is_long ? ">= 1 h" : "< 1 h"
        ));
    }
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        columns.job_class[jobs.row[job]] = places.at(kind_of(job));
    }
}

void add_classes(const Log& log, Field field, const JobList& jobs, RowColumns& columns) {
    const Log::Names& numbers = names_of(log, field);
    std::vector<std::int64_t> known;
    for (const std::uint32_t row : jobs.row) {
        known.push_back(numbers[row]);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    columns.job_classes = std::max(1U, static_cast<std::uint32_t>(known.size()));
    for (const std::int64_t number : known) {
        columns.class_names.push_back(name_of_group(log, field, number));
    }
    for (const std::uint32_t row : jobs.row) {
        const auto place = std::lower_bound(known.begin(), known.end(), numbers[row]);
        columns.job_class[row] = static_cast<std::uint32_t>(place - known.begin());
    }
}

}  // namespace

std::optional<Field> field_of(ClassRule classes) {
    switch (classes) {
        case ClassRule::queues:
            return Field::queue;
        case ClassRule::groups:
            return Field::group;
        case ClassRule::partitions:
            return Field::partition;
        case ClassRule::qualities:
            return Field::quality;
        default:
            return std::nullopt;
    }
}

RowColumns row_columns(
    const Log& log,
    const JobList& jobs,
    MemoryRule memory,
    ClassRule classes,
    const QueueRule& queue
) {
    RowColumns columns;
    columns.job_number = log.job_number;
    columns.has_wide_numbers = log.job_number.has_above(largest_job_number);
    columns.user = ranks_of_wide(log.user);
    add_memory(log, memory, columns);
    add_queues(log, queue, columns);
    if (classes == ClassRule::none) {
        return columns;
    }
    columns.job_class.resize(log.jobs());
    if (classes == ClassRule::sizes) {
        add_size_classes(jobs, columns);
    } else if (classes == ClassRule::partitions_sizes_lengths) {
        add_crossed_classes(log, jobs, columns);
    } else {
        add_classes(log, *field_of(classes), jobs, columns);
    }
    return columns;
}

}  // namespace schedfarm::models::trace
