#include <algorithm>

#include <fmt/format.h>

#include "models/trace/writing/table_writer.hpp"

#include "app/report/schedule/job_exports.hpp"

namespace schedfarm::app {

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
    const auto add_line = [&](const auto& name,
                              double begin,
                              double end,
                              const engine::ProcessorRange& processors,
                              const char* kind) {
        text += fmt::format(
            "{},{},{},{},{},{},{}{}\n",
            name,
            begin,
            begin,
            end,
            processors.count,
            ranges_text({&processors, 1}),
            kind,
            unknown
        );
    };
    for (const engine::OutageSpan& span : schedule.outages) {
        add_line(no_job, span.begin, span.end, span.processors, out_of_order);
    }
    for (const NamedNode& node : schedule.nodes) {
        add_line(models::trace::csv_cell(node.name), 0, 0, node.processors, named_node);
    }
    return text;
}

}  // namespace schedfarm::app
