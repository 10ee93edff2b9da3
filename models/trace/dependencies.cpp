#include "models/trace/dependencies.hpp"

#include <algorithm>
#include <unordered_map>

namespace schedfarm::models::trace {

namespace {

/// The rows of the jobs kept, by job number; of several with one number the first.
std::unordered_map<std::int64_t, std::uint32_t> rows_of_numbers(
    const Log& log, const JobList& jobs
) {
    std::unordered_map<std::int64_t, std::uint32_t> rows;
    for (const std::uint32_t row : jobs.row) {
        const auto [entry, is_new] = rows.emplace(log.job_number[row], row);
        entry->second = is_new ? row : std::min(entry->second, row);
    }
    return rows;
}

/// Takes the preceding job from those that would wait for themselves.
void break_circles(const JobList& jobs, Dependencies& dependencies) {
    std::vector<std::uint32_t>& preceding = dependencies.preceding;
    std::vector<std::uint32_t> seen_from(preceding.size(), no_row);
    for (const std::uint32_t first : jobs.row) {
        std::uint32_t row = first;
        while (row != no_row && seen_from[row] == no_row) {
            seen_from[row] = first;
            row = preceding[row];
        }
        if (row == no_row || seen_from[row] != first) {
            continue;
        }
        while (preceding[row] != no_row) {
            const std::uint32_t next = preceding[row];
            preceding[row] = no_row;
            ++dependencies.absent;
            row = next;
        }
    }
}

void add_further(const Log& log, const JobList& jobs, ArrivalRule arrival, Dependencies& result) {
    if (log.row_dependencies.empty()) {
        return;
    }
    std::vector<bool> is_kept(log.jobs());
    for (const std::uint32_t row : jobs.row) {
        is_kept[row] = true;
    }
    for (const RowDependency& one : log.row_dependencies) {
        if (!is_kept[one.row] || !is_kept[one.before]) {
            continue;
        }
        result.further.push_back(one);
        result.earlier.resize(log.jobs());
        if (one.decides && arrival == ArrivalRule::eligible) {
            result.earlier[one.row] = log.eligible(one.row) - log.submit_time[one.row];
        }
    }
}

void add_tasks(const Log& log, const JobList& jobs, Dependencies& result) {
    const auto first = first_of_limited_arrays(log);
    for (const std::uint32_t row : jobs.row) {
        const auto of_array = first.find(log.array[row]);
        if (of_array != first.end() && log.eligible(row) > of_array->second) {
            result.earlier_task.resize(log.jobs());
            result.earlier_task[row] = log.eligible(row) - of_array->second;
        }
    }
}

}  // namespace

std::map<std::int32_t, double> first_of_limited_arrays(const Log& log) {
    std::map<std::int32_t, double> first;
    for (std::size_t row = 0; row < log.jobs() && !log.array_limits.empty(); ++row) {
        if (log.array_limits.contains(log.array[row]) && log.eligible(row) >= 0) {
            const auto [at, is_new] = first.try_emplace(log.array[row], log.eligible(row));
            at->second = std::min(at->second, log.eligible(row));
        }
    }
    return first;
}

Dependencies dependencies_of(const Log& log, const JobList& jobs, ArrivalRule arrival) {
    Dependencies result;
    add_further(log, jobs, arrival, result);
    if (arrival == ArrivalRule::eligible) {
        add_tasks(log, jobs, result);
    }
    if (!log.preceding_job.is_given()) {
        return result;
    }
    const auto rows = rows_of_numbers(log, jobs);
    result.preceding.assign(log.jobs(), no_row);
    result.think_time.assign(log.jobs(), -1);
    bool has_any = false;
    for (const std::uint32_t row : jobs.row) {
        if (log.preceding_job[row] <= 0) {
            continue;
        }
        const auto found = rows.find(log.preceding_job[row]);
        if (found == rows.end()) {
            ++result.absent;
            continue;
        }
        has_any = true;
        result.preceding[row] = found->second;
        result.think_time[row] = log.think_time[row];
    }
    if (!has_any) {
        result.preceding.clear();
        result.think_time.clear();
        return result;
    }
    break_circles(jobs, result);
    return result;
}

}  // namespace schedfarm::models::trace
