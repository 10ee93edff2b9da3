#include "models/trace/selection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::trace {

namespace {

double processors_of(const Log& log, std::size_t row, ProcessorsRule rule) {
    const std::int32_t allocated = log.allocated_processors[row];
    const std::int32_t requested = log.requested_processors[row];
    switch (rule) {
        case ProcessorsRule::allocated_else_requested:
            return allocated > 0 ? allocated : requested;
        case ProcessorsRule::requested_else_allocated:
            return requested > 0 ? requested : allocated;
        case ProcessorsRule::allocated:
            return allocated;
        case ProcessorsRule::nodes:
            return log.allocated_nodes[row] > 0 ? log.allocated_nodes[row]
                                                : log.requested_nodes[row];
        case ProcessorsRule::requested:
            break;
    }
    return requested;
}

bool is_kept(double value, const Interval& interval) {
    return interval.is_everything() || (value >= 0 && interval.contains(value));
}

/// What a row becomes, before it is known whether it is kept.
struct Candidate {
    double submit;
    double processors;
    double logged_run;
    double run;
    double request;
};

Candidate candidate_of(const Log& log, std::size_t row, const Filling& filling) {
    Candidate job{
        .submit =
            filling.arrival == ArrivalRule::eligible ? log.eligible(row) : log.submit_time[row],
        .processors = processors_of(log, row, filling.processors),
        .logged_run = log.run_time[row],
        .run = log.run_time[row],
        .request = log.requested_time[row]};
    if (job.run == 0) {
        job.run = filling.zero_run_s.value_or(0);
    }
    const bool has_no_end = job.request == limit_of_partition || job.request == limit_without_end_s;
    if ((job.request <= 0 || has_no_end) && !filling.limits.empty()) {
        const auto own = filling.limits.find(log.name_of(Field::partition, log.partition[row]));
        const auto& [name, limits] = own != filling.limits.end() ? *own : *filling.limits.begin();
        job.request = std::max(has_no_end ? limits.most_s : limits.usual_s, job.run);
    }
    if (job.request <= 0 && filling.missing_request != RequestRule::dropped) {
        job.request =
            filling.missing_request == RequestRule::run_time ? job.run : filling.request_s;
    }
    return job;
}

void apply(OverrunRule rule, Candidate& job) {
    if (rule == OverrunRule::killed) {
        job.run = std::min(job.run, job.request);
    } else if (rule == OverrunRule::request_raised) {
        job.request = std::max(job.request, job.run);
    }
}

bool has_status(const Log& log, std::size_t row, const std::vector<Status>& wanted) {
    return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](Status status) {
               return static_cast<std::int32_t>(status) == log.status[row];
           });
}

/// Of a job that was checkpointed or swapped out; the format has a line of the whole job before it.
bool is_partial_execution(std::int32_t status) {
    return status >= 2 && status <= 4;
}

/// When the log was written: how long it runs is not known.
bool is_running(std::int8_t state) {
    return state == static_cast<std::int8_t>(JobState::running)
           || state == static_cast<std::int8_t>(JobState::suspended);
}

std::optional<Dropped> reason_to_drop(
    const Log& log, std::size_t row, const Candidate& job, const Selection& selection
) {
    if (job.submit < 0) {
        return Dropped::no_submit_time;
    }
    if (job.submit < selection.submit_from || job.submit >= selection.submit_before) {
        return Dropped::outside_dates;
    }
    if (!has_status(log, row, selection.statuses)) {
        return Dropped::status;
    }
    if (selection.statuses.empty() && is_partial_execution(log.status[row])) {
        return Dropped::partial_execution;
    }
    if (is_running(log.state[row])) {
        return Dropped::still_running;
    }
    if (job.processors <= 0) {
        return Dropped::no_processors;
    }
    if (!is_kept(job.processors, selection.size)) {
        return Dropped::size;
    }
    if (job.logged_run < 0) {
        return Dropped::no_run_time;
    }
    if (job.run <= 0) {
        return Dropped::zero_run_time;
    }
    if (!is_kept(job.logged_run, selection.run_time)) {
        return Dropped::run_time;
    }
    if (!is_kept(log.cpu_time[row], selection.cpu_time)) {
        return Dropped::cpu_time;
    }
    if (job.request <= 0) {
        return Dropped::no_requested_time;
    }
    if (std::ranges::binary_search(selection.left_out, log.job_number[row])) {
        return Dropped::left_out;
    }
    return std::nullopt;
}

/// When a job left that waited from `submit` on; absent: it did not, or is not to be simulated.
std::optional<double> left_at(
    const Log& log, std::size_t row, const Candidate& job, const Filling& filling
) {
    const bool is_cancelled = log.status[row] == static_cast<std::int32_t>(Status::cancelled);
    const bool is_load =
        filling.left == LeftRule::of_tables ? log.left_is_load : filling.left == LeftRule::replayed;
    double left = is_load ? log.left_time[row] : -1;
    if (filling.left == LeftRule::replayed && left < 0 && is_cancelled) {
        left = log.start(row);
    }
    return left > job.submit && job.request > 0 ? std::optional(left) : std::nullopt;
}

void add(JobList& jobs, std::size_t row, const Candidate& job) {
    jobs.submit.push_back(job.submit);
    jobs.run.push_back(job.run);
    jobs.request.push_back(job.request);
    jobs.processors.push_back(static_cast<std::uint32_t>(job.processors));
    jobs.row.push_back(static_cast<std::uint32_t>(row));
}

void reserve(JobList& jobs, std::size_t count) {
    const auto reserve_all = [count](auto&... columns) {
        (columns.reserve(count), ...);
    };
    reserve_all(jobs.submit, jobs.run, jobs.request, jobs.processors, jobs.row);
}

}  // namespace

std::string_view meaning(Dropped reason) {
    constexpr std::array<std::string_view, dropped_reasons> meanings{
        "no submit time",
        "outside the dates",
        "status not kept",
        "a partial execution",
        "running when the log was written",
        "no processors",
        "outside the sizes",
        "no run time",
        "run time 0",
        "outside the run times",
        "outside the CPU times",
        "no requested time",
        "by their numbers"};
    return meanings[static_cast<std::size_t>(reason)];
}

std::string dropped_text(const DroppedCounts& dropped, std::string_view size) {
    std::string text;
    for (std::size_t reason = 0; reason < dropped_reasons; ++reason) {
        if (dropped[reason] > 0) {
            const auto why = static_cast<Dropped>(reason);
            text += text.empty() ? "" : ", ";
            text +=
                fmt::format("{} {}", dropped[reason], why == Dropped::size ? size : meaning(why));
        }
    }
    return text;
}

std::string_view way_to_keep(const DroppedCounts& dropped) {
    const auto most = std::max_element(dropped.begin(), dropped.end());
    switch (static_cast<Dropped>(most - dropped.begin())) {
        case Dropped::partial_execution:
            return "Keep them with 'statuses: [2, 3, 4]'.";
        case Dropped::no_processors:
            return "Take the nodes with --set workload.processors=nodes, in a campaign with "
                   "'processors: nodes'.";
        case Dropped::zero_run_time:
            return "Give them one with 'zero_run_time: 1'.";
        case Dropped::no_requested_time:
            return "Keep them with 'missing_request: run_time'.";
        default:
            return "Give fewer conditions.";
    }
}

bool lacks_requested_times(const DroppedCounts& dropped, std::uint64_t lines) {
    const std::uint64_t missing = dropped[static_cast<std::size_t>(Dropped::no_requested_time)];
    return missing > 0 && missing >= lines / 10;
}

SelectedJobs select(const Log& log, const Selection& selection, const Filling& filling) {
    SCHEDFARM_EXPECT(
        filling.missing_request != RequestRule::given || filling.request_s > 0,
        "a requested time that is given is positive"
    );
    SelectedJobs selected;
    JobList& jobs = selected.jobs;
    reserve(jobs, log.jobs());
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        Candidate job = candidate_of(log, row, filling);
        if (const auto reason = reason_to_drop(log, row, job, selection)) {
            const bool has_not_run =
                *reason == Dropped::no_run_time || *reason == Dropped::zero_run_time;
            const auto left = has_not_run ? left_at(log, row, job, filling) : std::nullopt;
            if (left) {
                job.run = *left - job.submit;
                add(selected.left, row, job);
            } else {
                ++selected.dropped[static_cast<std::size_t>(*reason)];
                if (log.state[row] == static_cast<std::int8_t>(JobState::pending)
                    || is_running(log.state[row])) {
                    selected.unfinished.push_back({job.submit, job.processors * job.request});
                }
            }
            continue;
        }
        apply(filling.overrun, job);
        add(jobs, row, job);
    }
    for (JobList* const list : {&jobs, &selected.left}) {
        list->user =
            Log::Names::made(list->size(), [&](std::size_t i) { return log.user[list->row[i]]; });
        sort_by_submit(*list);
    }
    return selected;
}

}  // namespace schedfarm::models::trace
