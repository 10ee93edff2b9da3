#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/simulation/measurement/published_columns.hpp"

#include "policies/slurm/site/site.hpp"

#include "results_schema/job_logs.hpp"
#include "results_schema/job_pauses.hpp"
#include "results_schema/result_io.hpp"

#include "app/config/yaml/reader.hpp"
#include "app/report/result_view.hpp"
#include "app/report/schedule/job_sources.hpp"

namespace schedfarm::app {

namespace {

using results_schema::JobLogId;
using results_schema::ResultError;
using results_schema::StoredJobLog;
using results_schema::Table;

/// The numbers in "[8, 8, 8, 8]".
std::vector<std::uint32_t> numbers(const std::string& clusters) {
    std::vector<std::uint32_t> sizes;
    const char* const end = clusters.data() + clusters.size();
    for (const char* at = clusters.data(); at != end;) {
        std::uint32_t size = 0;
        const auto read = std::from_chars(at, end, size);
        if (read.ptr == at) {
            ++at;
        } else {
            sizes.push_back(size);
            at = read.ptr;
        }
    }
    return sizes;
}

void add_jobs(JobSchedule& schedule, const Table& jobs) {
    for (const Row& row : rows_of(jobs)) {
        if (row.count("processors") > most_processors) {
            throw ResultError(fmt::format(
                "{}: it cannot be drawn (job {} has {} processors, and a chart at most {})",
                schedule.name,
                row.count("job"),
                row.count("processors"),
                most_processors
            ));
        }
        ScheduledJob job;
        job.number = static_cast<std::int64_t>(row.count("job"));
        job.submit_s = row.real(std::isnan(row.real("submit")) ? "start" : "submit");
        job.user = static_cast<std::int64_t>(row.count("user"));
        schedule.jobs.push_back(job);
    }
}

/// Where there are outages, the part of the processors in order is measured.
bool has_outages(const results_schema::ResultFile& results, const JobLogId& id) {
    const Table& table = table_of(results, "replications");
    const auto has_name = [](const results_schema::Column& column) {
        return column.name == engine::availability;
    };
    if (std::none_of(table.columns.begin(), table.columns.end(), has_name)) {
        return false;
    }
    for (const Row& row : rows_of(table)) {
        if (row.count("cell") == id.cell && row.count("replication") == id.replication) {
            return !std::isnan(row.real(engine::availability));
        }
    }
    return false;
}

/// Every job from its start to its finish, but for those that have segments of their own.
void add_unbroken(JobSchedule& schedule, const Table& jobs) {
    std::vector<bool> is_told(jobs.rows());
    for (const JobSegment& segment : schedule.segments) {
        is_told[segment.job] = true;
    }
    for (const Row& row : rows_of(jobs)) {
        if (!is_told[row.index()]) {
            JobSegment segment;
            segment.job = static_cast<std::uint32_t>(row.index());
            segment.begin_s = row.real("start");
            segment.end_s = row.real("finish");
            segment.processors = static_cast<std::uint32_t>(row.count("processors"));
            schedule.segments.push_back(std::move(segment));
        }
    }
}

/// The segments of logged jobs; a replication may have had others.
void add_segments(
    JobSchedule& schedule, const Table& jobs, const std::vector<engine::RunSegment>& segments
) {
    const auto& number = column_of<Counts>(jobs, "job");
    for (const engine::RunSegment& told : segments) {
        const auto found = std::lower_bound(number.begin(), number.end(), told.job);
        if (found != number.end() && *found == told.job) {
            JobSegment segment;
            segment.job = static_cast<std::uint32_t>(found - number.begin());
            segment.begin_s = told.begin;
            segment.end_s = told.end;
            segment.processors = told.size;
            segment.ranges = told.processors;
            segment.shares = told.shares;
            if (schedule.clusters.size() > 1) {
                schedule.jobs[segment.job].home = told.origin;
            }
            schedule.segments.push_back(std::move(segment));
        }
    }
}

/// Those of slurm.conf, where the policy of the cell has one.
std::vector<NamedNode> nodes_of_policy(const std::string& policy) {
    const Node tree = read_yaml("", policy);
    const Node* const given = tree.find("slurm");
    if (given == nullptr) {
        return {};
    }
    engine::Parameters files;
    for (const char* name : {"conf", "associations", "qos", "changes", "accept"}) {
        files.set(name, "");
    }
    for (const Node::Entry& entry : given->entries) {
        files.set(entry.key, entry.value->scalar);
    }
    std::vector<NamedNode> nodes;
    std::uint32_t first = 0;
    for (const auto& node :
         policies::slurm::read_site(policies::slurm::site_files(files)).settings.nodes) {
        nodes.push_back({node.name, {.first = {first}, .count = node.cpus}});
        first += node.cpus;
    }
    return nodes;
}

bool has_ranges(const JobSchedule& schedule) {
    return std::any_of(
        schedule.segments.begin(),
        schedule.segments.end(),
        [](const JobSegment& segment) { return !segment.ranges.empty(); }
    );
}

/// Of segments that are without.
void add_ranges(JobSchedule& schedule, const Table& processors) {
    const auto& job = column_of<Counts>(processors, "job");
    for (JobSegment& segment : schedule.segments) {
        if (!segment.ranges.empty()) {
            continue;
        }
        const auto number = static_cast<std::uint64_t>(schedule.jobs[segment.job].number);
        const auto first = std::lower_bound(job.begin(), job.end(), number) - job.begin();
        for (Row row(processors, static_cast<std::size_t>(first));
             row.index() < processors.rows() && row.count("job") == number;
             ++row) {
            const std::uint64_t begin = row.count("first");
            segment.ranges.push_back(
                {.first = {static_cast<std::uint32_t>(begin)},
                 .count = static_cast<std::uint32_t>(row.count("last") - begin + 1)}
            );
        }
    }
}

std::uint64_t needed(const JobSchedule& schedule) {
    if (!has_ranges(schedule)) {
        return most_held(schedule);
    }
    std::uint64_t needed = 0;
    for (const JobSegment& segment : schedule.segments) {
        for (const engine::ProcessorRange& range : segment.ranges) {
            needed = std::max(needed, std::uint64_t{range.first.value} + range.count);
        }
    }
    return needed;
}

void expect_size(const JobSchedule& schedule, std::uint64_t needed, std::uint64_t processors) {
    if (needed > processors || processors > most_processors) {
        throw ResultError(fmt::format(
            "{}: it cannot be drawn on {} processors (its jobs need {}, and a chart has at most "
            "{}). Other --processors?",
            schedule.name,
            processors,
            needed,
            most_processors
        ));
    }
}

/// "0-3, 7". REQUIRES: ascending.
std::string numbers_text(const Counts& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) {
            ++end;
        }
        text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
        text += end - i > 1 ? fmt::format("-{}", numbers[end - 1]) : "";
        i = end;
    }
    return text;
}

/// "replications 0-1 of cells 0-3, 7; …"
std::string list_text(const std::vector<JobLogId>& ids) {
    std::map<std::uint64_t, Counts> by_cell;
    for (const JobLogId& id : ids) {
        by_cell[id.cell].push_back(id.replication);
    }
    std::map<Counts, Counts> cells;
    for (const auto& [cell, replications] : by_cell) {
        cells[replications].push_back(cell);
    }
    std::string text;
    for (const auto& [replications, of] : cells) {
        text += fmt::format(
            "{}replication{} {} of cell{} {}",
            text.empty() ? "" : "; ",
            replications.size() == 1 ? "" : "s",
            numbers_text(replications),
            of.size() == 1 ? "" : "s",
            numbers_text(of)
        );
    }
    return text;
}

}  // namespace

StoredJobLog job_log_of(const std::filesystem::path& path, const JobLogId& id) {
    const std::vector<JobLogId> ids = results_schema::job_logs_in(path);
    if (ids.empty()) {
        throw ResultError(
            path.string()
            + ": there are no jobs to draw (the campaign asked for no logs). Add job_log: "
              "{replications: 1} to it and resume it, which computes them?"
        );
    }
    if (!std::binary_search(ids.begin(), ids.end(), id)) {
        throw ResultError(fmt::format(
            "{}: it has no job log of cell {}, replication {} (it has those of {}). Choose another "
            "--cell or --replication",
            path.string(),
            id.cell,
            id.replication,
            list_text(ids)
        ));
    }
    return results_schema::read_job_log(path, id);
}

std::vector<std::uint32_t> clusters_of(
    const results_schema::ResultFile& results, std::uint64_t cell
) {
    return numbers(column_of<Texts>(table_of(results, "cells"), "clusters").at(cell));
}

bool tells_all(const StoredJobLog& log, const results_schema::ResultFile& results) {
    return log.processors.rows() > 0 && !results_schema::has_pauses(log.jobs)
           && clusters_of(results, log.id.cell).size() == 1 && !has_outages(results, log.id);
}

JobSchedule schedule_of_job_log(
    const StoredJobLog& log,
    const std::vector<engine::RunSegment>& segments,
    const results_schema::ResultFile& results,
    std::optional<std::uint32_t> processors
) {
    JobSchedule schedule;
    schedule.time_unit = text_attribute(results, "time_unit");
    schedule.time_unit = schedule.time_unit.empty() ? "time units" : schedule.time_unit;
    const std::string cell = fmt::format("cell {}", log.id.cell);
    const std::string label = CellLabels(results).label(log.id.cell);
    schedule.name = fmt::format(
        "{}, replication {}",
        label == cell ? cell : fmt::format("{} ({})", cell, label),
        log.id.replication
    );
    add_jobs(schedule, log.jobs);
    if (schedule.jobs.empty()) {
        throw ResultError(schedule.name + ": there is no job to draw (none started)");
    }
    schedule.clusters = clusters_of(results, log.id.cell);
    add_segments(schedule, log.jobs, segments);
    add_unbroken(schedule, log.jobs);
    add_ranges(schedule, log.processors);
    complete(schedule);
    const std::uint64_t all =
        std::accumulate(schedule.clusters.begin(), schedule.clusters.end(), std::uint64_t{0});
    const std::uint64_t size = processors ? *processors : all;
    expect_size(schedule, needed(schedule), size);
    schedule.processors = static_cast<std::uint32_t>(size);
    schedule.nodes =
        nodes_of_policy(column_of<Texts>(table_of(results, "cells"), "policy").at(log.id.cell));
    if (!has_ranges(schedule)) {
        name_processors(schedule);
        schedule.notes.emplace_back(
            schedule.clusters.size() > 1 && !segments.empty()
                ? "which processors of a cluster jobs held is not known: each has the lowest free "
                  "ones"
                : "the file does not say which processors jobs held: each has the lowest free ones"
        );
    }
    return schedule;
}

}  // namespace schedfarm::app
