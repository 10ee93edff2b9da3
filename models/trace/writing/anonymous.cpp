#include "models/trace/writing/anonymous.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/node_names.hpp"

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr double first_monday = 978'307'200;  // 2001-01-01, in UTC

Log::Names renumbered(const Log::Names& names) {
    std::map<std::int64_t, std::int64_t> numbers;
    std::vector<std::int64_t> values = names.values();
    for (std::int64_t& value : values) {
        if (value >= 0) {
            value =
                numbers.emplace(value, static_cast<std::int64_t>(numbers.size()) + 1).first->second;
        }
    }
    return Log::Names(std::move(values));
}

/// Jobs by their place; a preceding one keeps its job where the number is that of one job.
void renumber_jobs(Log& log) {
    std::map<std::int64_t, std::int64_t> numbers;
    std::vector<std::int64_t> jobs;
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        jobs.push_back(static_cast<std::int64_t>(row) + 1);
        const bool is_new = numbers.emplace(log.job_number[row], jobs.back()).second;
        numbers[log.job_number[row]] = is_new ? jobs.back() : -1;
    }
    std::vector<std::int64_t> preceding;
    for (std::size_t row = 0; row < log.jobs() && log.preceding_job.is_given(); ++row) {
        const auto found = numbers.find(log.preceding_job[row]);
        preceding.push_back(found == numbers.end() ? -1 : found->second);
    }
    log.job_number = Log::Names(std::move(jobs));
    log.preceding_job = Log::Names(std::move(preceding));
}

/// A list that cannot be read names one node of its own.
void renumber_nodes(std::vector<std::string>& lists) {
    std::map<std::string, std::uint32_t> numbers;
    for (std::string& list : lists) {
        std::vector<std::uint32_t> own;
        for (const std::string& name : engine::nodes_in(list).value_or(std::vector{list})) {
            const auto next = static_cast<std::uint32_t>(numbers.size()) + 1;
            own.push_back(numbers.emplace(name, next).first->second);
        }
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        list = own.empty() ? "" : engine::numbered_nodes(own);
    }
}

Header anonymous_header(const Header& header) {
    Header kept;
    for (const HeaderLine& line : header.lines) {
        const bool is_of_machine = std::ranges::any_of(
            std::vector{"Version", "MaxJobs", "MaxRecords", "MaxNodes", "MaxProcs"},
            [&](const char* key) { return is_same_key(line.key, key); }
        );
        if (is_of_machine) {
            kept.lines.push_back({.key = line.key, .value = line.value});
        }
    }
    if (const auto clock = clock_of(header)) {
        const double begin = first_monday + second_of_week(*clock, 0);
        kept.lines.push_back(
            {.key = "UnixStartTime", .value = std::to_string(static_cast<std::int64_t>(begin))}
        );
        kept.lines.push_back({.key = "TimeZone", .value = "0"});
    }
    kept.lines.push_back({.key = "Note", .value = "anonymous: renumbered, moved by whole weeks"});
    return kept;
}

}  // namespace

void make_anonymous(Log& log) {
    log.header = anonymous_header(log.header);
    renumber_jobs(log);
    for (Log::Names* const names :
         {&log.user, &log.group, &log.executable, &log.queue, &log.partition, &log.quality}) {
        *names = renumbered(*names);
    }
    log.names.clear();
    renumber_nodes(log.node_lists);
}

}  // namespace schedfarm::models::trace
