#include <algorithm>

#include <fmt/format.h>

#include "models/trace/reading/log_error.hpp"

#include "app/report/schedule/job_exports.hpp"

namespace schedfarm::app {

namespace {

struct FinalState {
    int success;
    const char* name;
};

FinalState final_state(JobOutcome outcome) {
    switch (outcome) {
        case JobOutcome::failed:
            return {0, "COMPLETED_FAILED"};
        case JobOutcome::killed:
            return {0, "COMPLETED_KILLED"};
        case JobOutcome::walltime_reached:
            return {0, "COMPLETED_WALLTIME_REACHED"};
        default:
            return {1, "COMPLETED_SUCCESSFULLY"};
    }
}

/// Workloads and profiles are names without commas.
std::string table_word(const std::string& text) {
    std::string word;
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        word += byte <= ' ' || character == ',' || character == '"' ? '_' : character;
    }
    return word.empty() ? "schedule" : word;
}

}  // namespace

std::string jobs_table(const JobSchedule& schedule) {
    const auto has_user = [](const ScheduledJob& job) {
        return job.user.value_or(-1) >= 0;
    };
    const bool has_users = std::any_of(schedule.jobs.begin(), schedule.jobs.end(), has_user);
    const auto has_home = [](const ScheduledJob& job) {
        return job.home.has_value();
    };
    const bool has_homes = std::any_of(schedule.jobs.begin(), schedule.jobs.end(), has_home);
    std::string text = "job,submit,start,finish,processors,ranges,kind";
    text += has_users || has_homes ? ",user" : "";
    text += has_homes ? ",home\n" : "\n";
    for (const JobSegment& segment : schedule.segments) {
        const ScheduledJob& job = schedule.jobs[segment.job];
        text += fmt::format(
            "{},{},{},{},{},{},{}",
            job.number,
            job.submit_s,
            segment.begin_s,
            segment.end_s,
            segment.processors,
            ranges_text(segment.ranges),
            segment.kind == SegmentKind::loading ? "loading" : "running"
        );
        if (has_users || has_homes) {
            text += has_user(job) ? fmt::format(",{}", *job.user) : ",";
        }
        if (has_homes) {
            text += has_home(job) ? fmt::format(",{}", *job.home + 1) : ",";
        }
        text += '\n';
    }
    const char* const unknown = has_homes ? ",," : has_users ? "," : "";
    for (const engine::OutageSpan& span : schedule.outages) {
        text += fmt::format(
            "{},{},{},{},{},{},{}{}\n",
            no_job,
            span.begin,
            span.begin,
            span.end,
            span.processors.count,
            ranges_text({&span.processors, 1}),
            out_of_order,
            unknown
        );
    }
    return text;
}

std::string evalys_table(const JobSchedule& schedule) {
    std::string text =
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
        "requested_time,success,final_state,starting_time,execution_time,finish_time,waiting_time,"
        "turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n";
    const std::string workload = table_word(schedule.name);
    std::vector<bool> is_told(schedule.jobs.size());
    for (const JobSegment& segment : schedule.segments) {
        const ScheduledJob& job = schedule.jobs[segment.job];
        if (is_told[segment.job]) {
            throw models::trace::LogError(fmt::format(
                "{}: job {} has no place in an Evalys table (it has several segments, and the "
                "table one line per job). Use --format csv or paje?",
                schedule.name,
                job.number
            ));
        }
        is_told[segment.job] = true;
        const double execution = job.finish_s - job.start_s;
        const double turnaround = job.finish_s - job.submit_s;
        const FinalState state = final_state(job.outcome);
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},-1,\n",
            job.number,
            workload,
            "delay",
            job.submit_s,
            job.processors,
            job.requested_s.value_or(-1),
            state.success,
            state.name,
            job.start_s,
            execution,
            job.finish_s,
            job.start_s - job.submit_s,
            turnaround,
            execution > 0 ? fmt::format("{}", turnaround / execution) : "",
            ranges_text(segment.ranges)
        );
    }
    return text;
}

}  // namespace schedfarm::app
