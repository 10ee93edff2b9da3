#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/foundation/hash.hpp"

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"
#include "results_schema/job_logs.hpp"
#include "results_schema/job_pauses.hpp"

namespace schedfarm::results_schema {

namespace {

std::optional<std::size_t> replication_row(const ResultFile& results, const JobLogId& id) {
    const Table& table = *results.find("replications");
    const auto& cell = column_of<Counts>(table, "cell");
    const auto& replication = column_of<Counts>(table, "replication");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (cell[row] == id.cell && replication[row] == id.replication) {
            return row;
        }
    }
    return std::nullopt;
}

/// Held against the schema under the names that its tables have in the file.
Problems structure(const StoredJobLog& log) {
    std::vector<TableSchema> schema = job_log_schema();
    schema[0].name = fmt::format("jobs/{}/{}", log.id.cell, log.id.replication);
    schema[1].name = fmt::format("processors/{}/{}", log.id.cell, log.id.replication);
    ResultFile file;
    file.tables = {log.jobs, log.processors};
    return table_problems(file, schema);
}

void check_replication(
    const Table& jobs, const ResultFile& results, std::size_t row, Problems& problems
) {
    const Table& replications = *results.find("replications");
    const auto& job = column_of<Counts>(jobs, "job");
    const auto& start = column_of<Reals>(jobs, "start");
    const auto& finish = column_of<Reals>(jobs, "finish");
    std::uint64_t fingerprint = 0;
    for (std::size_t i = 0; i < job.size(); ++i) {
        fingerprint += engine::schedule_hash(job[i], start[i], finish[i]);
    }
    const std::uint64_t expected = column_of<Counts>(replications, "fingerprint")[row];
    if (fingerprint != expected) {
        problems.push_back(fmt::format(
            "{}: its jobs have the fingerprint {}, but 'replications' has {}",
            jobs.name,
            fingerprint,
            expected
        ));
    }
    if (job.size() != column_of<Counts>(replications, "jobs")[row]) {
        problems.push_back(fmt::format(
            "{}: {} jobs, but 'replications' has {}",
            jobs.name,
            job.size(),
            column_of<Counts>(replications, "jobs")[row]
        ));
    }
}

void check_times(const Table& jobs, Problems& problems) {
    const auto& submit = column_of<Reals>(jobs, "submit");
    const auto& start = column_of<Reals>(jobs, "start");
    const auto& finish = column_of<Reals>(jobs, "finish");
    for (std::size_t row = 0; row < jobs.rows(); ++row) {
        if (start[row] < submit[row] || !(start[row] <= finish[row])) {
            add_row_problem(
                problems,
                jobs,
                row,
                fmt::format(
                    "submitted at {}, started at {}, finished at {}",
                    submit[row],
                    start[row],
                    finish[row]
                )
            );
            return;
        }
    }
}

/// The ranges of each job of a log: rows first, … before the next job's.
std::map<std::uint64_t, std::vector<std::size_t>> ranges_by_job(const Table& processors) {
    std::map<std::uint64_t, std::vector<std::size_t>> ranges;
    const auto& job = column_of<Counts>(processors, "job");
    for (std::size_t row = 0; row < job.size(); ++row) {
        ranges[job[row]].push_back(row);
    }
    return ranges;
}

/// Every job has ranges of as many processors as it held, and no other job has any.
bool ranges_are_those_of_the_jobs(const StoredJobLog& log, Problems& problems) {
    const auto& job = column_of<Counts>(log.jobs, "job");
    const auto& held = column_of<Counts>(log.jobs, "processors");
    const auto& first = column_of<Counts>(log.processors, "first");
    const auto& last = column_of<Counts>(log.processors, "last");
    auto ranges = ranges_by_job(log.processors);
    for (std::size_t row = 0; row < job.size(); ++row) {
        std::uint64_t sum = 0;
        for (const std::size_t range : ranges[job[row]]) {
            sum += last[range] >= first[range] ? last[range] - first[range] + 1 : 0;
        }
        if (sum != held[row]) {
            add_row_problem(
                problems,
                log.jobs,
                row,
                fmt::format("{} processors, but ranges of {}", held[row], sum)
            );
            return false;
        }
    }
    if (ranges.size() != job.size()) {
        problems.push_back(fmt::format("{}: ranges of a job that is not there", log.processors.name)
        );
    }
    return ranges.size() == job.size();
}

/// Something that happens to the processors of a job; at one instant they are given back first, and
/// jobs without service come and go before the others.
struct Change {
    enum class Kind : std::uint8_t { finish, pass, start };
    double time;
    Kind kind;
    std::size_t row;  ///< of the job

    auto key() const { return std::tuple(time, kind, row); }
};

std::vector<Change> changes_of(const Table& jobs) {
    const auto& start = column_of<Reals>(jobs, "start");
    const auto& finish = column_of<Reals>(jobs, "finish");
    std::vector<Change> changes;
    for (std::size_t row = 0; row < jobs.rows(); ++row) {
        if (start[row] == finish[row]) {
            changes.push_back({start[row], Change::Kind::pass, row});
        } else {
            changes.push_back({start[row], Change::Kind::start, row});
            changes.push_back({finish[row], Change::Kind::finish, row});
        }
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.key() < b.key();
    });
    return changes;
}

/// No processor is held by two jobs at a time. REQUIRES: the ranges are those of the jobs.
void check_no_overlap(const StoredJobLog& log, Problems& problems) {
    const auto& job = column_of<Counts>(log.jobs, "job");
    const auto& first = column_of<Counts>(log.processors, "first");
    const auto& last = column_of<Counts>(log.processors, "last");
    const auto ranges = ranges_by_job(log.processors);
    std::map<std::uint64_t, std::uint64_t> held;  // last by first
    const auto is_free = [&](std::size_t range) {
        const auto next = held.lower_bound(first[range]);
        return (next == held.end() || next->first > last[range])
               && (next == held.begin() || std::prev(next)->second < first[range]);
    };
    for (const Change& change : changes_of(log.jobs)) {
        for (const std::size_t range : ranges.at(job[change.row])) {
            if (change.kind == Change::Kind::finish) {
                held.erase(first[range]);
            } else if (!is_free(range)) {
                add_row_problem(
                    problems,
                    log.processors,
                    range,
                    fmt::format("job {} gets a processor that another holds", job[change.row])
                );
                return;
            } else if (change.kind == Change::Kind::start) {
                held[first[range]] = last[range];
            }
        }
    }
}

}  // namespace

std::vector<std::string> job_log_problems(const StoredJobLog& log, const ResultFile& results) {
    Problems problems = structure(log);
    if (!problems.empty()) {
        return problems;
    }
    if (const auto row = replication_row(results, log.id)) {
        check_replication(log.jobs, results, *row, problems);
    } else {
        problems.push_back(fmt::format(
            "{}: replication {} of cell {} is not in 'replications'",
            log.jobs.name,
            log.id.replication,
            log.id.cell
        ));
    }
    const std::size_t before = problems.size();
    check_times(log.jobs, problems);
    if (problems.size() == before && log.processors.rows() > 0
        && ranges_are_those_of_the_jobs(log, problems) && !has_pauses(log.jobs)) {
        check_no_overlap(log, problems);
    }
    return problems;
}

}  // namespace schedfarm::results_schema
