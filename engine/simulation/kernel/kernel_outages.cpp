// Processors that go out of order and come back, and the jobs that are cut then.
#include <algorithm>

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
    if (is_down && setup_.system.outages.cut_jobs()) {
        cut_jobs_on(change);
    }
}

// In order of slots, which is the same in every run.
void Kernel::cut_jobs_on(const CapacityChange& change) {
    const auto is_hit = [&change](const ProcessorRange& range) {
        return range.first.value < change.first_processor + change.count
               && change.first_processor < range.first.value + range.count;
    };
    for (std::uint32_t slot = 0; slot < store_.slots(); ++slot) {
        if (!store_.contains(JobId{slot})) {
            continue;
        }
        const JobEntry& entry = store_.at(JobId{slot});
        const auto held = entry.held_processors();
        if (entry.state == JobState::running && std::any_of(held.begin(), held.end(), is_hit)) {
            cut(JobId{slot});
        }
    }
}

// To the policy and its verifiers the job has completed, and another one like it arrives.
void Kernel::cut(JobId id) {
    JobEntry& entry = store_.at(id);
    if (entry.cuts + 1 == most_cuts) {
        throw UnservedJobError(fmt::format(
            "job {} was cut {} times by outages and has never got through its service of {} (no "
            "time between them may be as long). Let running jobs drain?",
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
