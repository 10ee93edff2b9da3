#include "tests/policies/verifiers/plan_verifier.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/planning/profile/availability_profile.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

const double never = ListedJob::never;

}  // namespace

double ListedJob::end() const {
    return planned_end(begin, duration);
}

std::uint64_t in_use(const JobList& jobs, double time) {
    std::uint64_t sum = 0;
    for (const ListedJob& job : jobs) {
        sum += job.has_place() && job.begin <= time && time < job.end() ? job.size : 0;
    }
    return sum;
}

// Use grows only where a job begins.
bool fits(const JobList& jobs, const ListedJob& wanted, std::uint32_t processors) {
    return in_use(jobs, wanted.begin) + wanted.size <= processors
           && std::all_of(jobs.begin(), jobs.end(), [&](const ListedJob& job) {
                  const bool begins_within =
                      job.has_place() && wanted.begin < job.begin && job.begin < wanted.end();
                  return !begins_within || in_use(jobs, job.begin) + wanted.size <= processors;
              });
}

double earliest_begin(
    const JobList& jobs, const ListedJob& wanted, double now, std::uint32_t processors
) {
    struct Change {
        double time;
        std::int64_t free;
    };
    std::vector<Change> changes;
    for (const ListedJob& job : jobs) {
        if (job.has_place()) {
            changes.push_back({std::max(job.begin, now), -std::int64_t{job.size}});
            changes.push_back({std::max(job.end(), now), job.size});
        }
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.time < b.time;
    });
    std::int64_t free = processors;
    double begin = free >= wanted.size ? now : never;
    for (std::size_t i = 0; i < changes.size();) {
        const double time = changes[i].time;
        if (begin < never && time >= planned_end(begin, wanted.duration)) {
            return begin;
        }
        for (; i < changes.size() && changes[i].time == time; ++i) {
            free += changes[i].free;
        }
        begin = free < wanted.size ? never : std::min(begin, time);
    }
    return begin;
}

PlanVerifier::PlanVerifier(
    Simultaneous simultaneous, RunTime run_time, const SystemDescription& system
)
    : simultaneous_(simultaneous)
    , run_time_(run_time)
    , processors_(system.processors())
    , checks_(system.outages.empty()) {}

void PlanVerifier::observe(const ScheduleStep& step) {
    if (!checks_) {
        return;
    }
    const Job& job = *step.job;
    if (step.kind == ScheduleStep::Kind::arrival) {
        const double duration = planned_duration(job, run_time_);
        checks_ = job.structure == RequestStructure::total && duration < never
                  && duration >= job.service_time;
        arrivals_.push_back(
            {.index = job.index,
             .size = job.size,
             .priority = job.priority,
             .submit_time = job.submit_time,
             .duration = duration,
             .fixed_start = job.fixed_start}
        );
    } else if (step.kind == ScheduleStep::Kind::withdrawal) {
        now_ = step.time;
        withdraw(job.index);
    } else if (step.kind == ScheduleStep::Kind::completion) {
        completions_.push_back(job.index);
    } else if (step.kind == ScheduleStep::Kind::start) {
        starts_.push_back(job.index);
    }
}

void PlanVerifier::end_of_instant(double time) {
    if (!checks_) {
        return;
    }
    now_ = time;
    expected_.clear();
    take_events();
    std::sort(starts_.begin(), starts_.end());
    std::sort(expected_.begin(), expected_.end());
    if (starts_ != expected_) {
        throw ScheduleError(fmt::format(
            "at time {}: the jobs {} started; by the plan they would be {}",
            time,
            starts_,
            expected_
        ));
    }
    arrivals_.clear();
    completions_.clear();
    starts_.clear();
}

void PlanVerifier::take_events() {
    const bool once =
        simultaneous_ == Simultaneous::batch || arrivals_.size() + completions_.size() == 0;
    const bool submits_first = simultaneous_ == Simultaneous::submit_first;
    const auto look = [this, once] {
        if (!once) {
            pass();
        }
    };
    const auto submissions = [&] {
        for (const ListedJob& job : arrivals_) {
            arrive(job);
            look();
        }
    };
    if (submits_first) {
        submissions();
    }
    for (const std::uint64_t index : completions_) {
        complete(index);
        look();
    }
    if (!submits_first) {
        submissions();
    }
    if (once) {
        pass();
    }
}

void PlanVerifier::expect_start(const ListedJob& job) {
    if (now_ > job.latest) {
        throw ScheduleError(fmt::format(
            "at time {}: job {} starts later than it was promised, {}", now_, job.index, job.latest
        ));
    }
    expected_.push_back(job.index);
}

}  // namespace schedfarm::tests
