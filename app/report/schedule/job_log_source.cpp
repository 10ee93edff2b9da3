#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "models/trace/reading/log_error.hpp"

#include "app/report/schedule/job_sources.hpp"
#include "app/report/schedule/node_lists.hpp"

namespace schedfarm::app {

namespace {

using models::trace::Log;
using models::trace::LogError;
using models::trace::Status;

enum class LeftOut : std::uint8_t { no_processors, no_submit, no_wait, no_run_time, partial };

constexpr std::array<const char*, 5> reasons{
    "no processors", "no submit time", "no wait time", "no run time", "part of a job"};

std::int32_t processors_of(const Log& log, std::size_t row) {
    const std::int32_t allocated = log.allocated_processors[row];
    return allocated > 0 ? allocated : log.requested_processors[row];
}

std::optional<LeftOut> left_out(const Log& log, std::size_t row) {
    const std::int32_t status = log.status[row];
    if (status >= static_cast<int>(Status::partial)
        && status <= static_cast<int>(Status::last_of_failed)) {
        return LeftOut::partial;
    }
    if (processors_of(log, row) <= 0) {
        return LeftOut::no_processors;
    }
    if (log.submit_time[row] < 0) {
        return LeftOut::no_submit;
    }
    if (log.wait_time[row] < 0) {
        return LeftOut::no_wait;
    }
    return log.run_time[row] < 0 ? std::optional(LeftOut::no_run_time) : std::nullopt;
}

void add_job(JobSchedule& schedule, const Log& log, std::size_t row) {
    ScheduledJob job;
    job.number = log.job_number[row];
    job.submit_s = log.submit_time[row];
    if (log.user[row] >= 0) {
        job.user = log.user[row];
    }
    JobSegment segment;
    segment.job = static_cast<std::uint32_t>(schedule.jobs.size());
    segment.begin_s = log.submit_time[row] + log.wait_time[row];
    segment.end_s = segment.begin_s + log.run_time[row];
    segment.processors = static_cast<std::uint32_t>(processors_of(log, row));
    schedule.jobs.push_back(job);
    schedule.segments.push_back(std::move(segment));
}

void add_note(JobSchedule& schedule, const std::array<std::uint64_t, reasons.size()>& counts) {
    std::uint64_t all = 0;
    std::string why;
    for (std::size_t reason = 0; reason < counts.size(); ++reason) {
        if (counts.at(reason) > 0) {
            all += counts.at(reason);
            why += fmt::format(
                "{}{} {}", why.empty() ? "" : ", ", counts.at(reason), reasons.at(reason)
            );
        }
    }
    if (all > 0) {
        schedule.notes.push_back(
            fmt::format("{} of the log left out ({})", engine::counted(all, "line"), why)
        );
    }
}

void choose_size(JobSchedule& schedule, std::optional<std::uint32_t> size) {
    const std::uint64_t needed = most_held(schedule);
    if (needed > most_processors || size.value_or(0) > most_processors) {
        throw LogError(fmt::format(
            "{}: it cannot be drawn (its jobs hold {} processors at once, and a chart has at most "
            "{}). Is it damaged?",
            schedule.name,
            std::max<std::uint64_t>(needed, size.value_or(0)),
            most_processors
        ));
    }
    schedule.processors = std::max(static_cast<std::uint32_t>(needed), size.value_or(0));
    if (size && needed > *size) {
        schedule.machine = *size;
        schedule.notes.push_back(fmt::format(
            "the log holds up to {} processors at once; those above {} are not drawn", needed, *size
        ));
    }
}

}  // namespace

JobSchedule schedule_of_log(const Log& log, std::optional<std::uint32_t> processors) {
    JobSchedule schedule;
    schedule.name = log.name;
    std::array<std::uint64_t, reasons.size()> counts{};
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        if (const auto reason = left_out(log, row)) {
            ++counts.at(static_cast<std::size_t>(*reason));
        } else {
            add_job(schedule, log, row);
            rows.push_back(row);
        }
    }
    add_note(schedule, counts);
    if (schedule.jobs.empty()) {
        throw LogError(
            log.name + ": no job can be drawn ("
            + (schedule.notes.empty() ? "there is none" : schedule.notes.front())
            + "). Simulate the log and draw the table of simulate --jobs?"
        );
    }
    if (place_on_nodes(schedule, log, rows)) {
        return schedule;
    }
    complete(schedule);
    choose_size(schedule, processors ? processors : log.header.processors());
    name_processors(schedule);
    return schedule;
}

}  // namespace schedfarm::app
