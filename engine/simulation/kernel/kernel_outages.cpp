// Processors that go out of order and come back, and the jobs that are cut then.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/kernel.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::uint16_t most_cuts = 1000;  // of a job

}  // namespace

void Kernel::change_capacity() {
    outages_.take(now_, capacity_changes_);
    for (const CapacityChange& change : capacity_changes_) {
        change_capacity(change);
    }
    if (setup_.system.outages.cut_jobs()) {
        cut_jobs_out_of_order();
    }
}

void Kernel::change_capacity(const CapacityChange& change) {
    const bool is_down = change.kind == CapacityChange::Kind::down;
    ++other_events_;
    machine_.change_capacity(change);
    out_area_ += out_ * (now_ - out_since_);
    out_since_ = now_;
    out_ += is_down ? change.count : -change.count;
    ScheduleStep told;
    told.kind = ScheduleStep::Kind::capacity_changed;
    told.time = now_;
    told.change = &change;
    notify_verifiers(told);
}

// In order of submission, then of numbers: so they join the queue, ahead of those submitted now.
void Kernel::cut_jobs_out_of_order() {
    const auto is_hit = [this](const ProcessorRange& range) {
        return std::ranges::any_of(capacity_changes_, [&range](const CapacityChange& change) {
            return change.kind == CapacityChange::Kind::down
                   && range.first.value < change.first_processor + change.count
                   && change.first_processor < range.first.value + range.count;
        });
    };
    std::vector<JobId> hit;
    for (std::uint32_t slot = 0; slot < store_.slots(); ++slot) {
        if (!store_.contains(JobId{slot})) {
            continue;
        }
        const JobEntry& entry = store_.at(JobId{slot});
        const auto held = entry.held_processors();
        if (entry.state == JobState::running && std::any_of(held.begin(), held.end(), is_hit)) {
            hit.push_back(JobId{slot});
        }
    }
    std::ranges::sort(hit, {}, [this](JobId id) {
        const Job& job = store_.at(id).job;
        return std::pair(job.submit_time, job.index);
    });
    for (const JobId id : hit) {
        cut(id);
    }
}

// To the policy and its verifiers the job has completed, and another one like it arrives.
void Kernel::cut(JobId id) {
    JobEntry& entry = store_.at(id);
    if (entry.cuts + 1 == most_cuts) {
        throw UnservedJobError(fmt::format(
            "job {} (counted from 0) was cut {} times by outages and has never got through its "
            "service of {} (no "
            "time between them may be as long). Let running jobs drain.",
            entry.job.index,
            most_cuts,
            entry.service()
        ));
    }
    ScheduleStep told = step(ScheduleStep::Kind::completion, id, entry, 0);
    told.is_cut = true;
    notify_verifiers(told);
    if (is_counted(entry)) {
        add_published(jobs_cut, 1);
        add_published(lost_work, (now_ - entry.held_since) * entry.size);
    }
    end_early(id, entry);
    --started_;
    const auto cuts = static_cast<std::uint16_t>(entry.cuts + 1);
    store_.at(admit(entry.job)).cuts = cuts;
}

}  // namespace schedfarm::engine
