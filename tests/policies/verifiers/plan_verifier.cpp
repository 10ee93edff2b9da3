#include "tests/policies/verifiers/plan_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/planning/profile/availability_profile.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

const double never = ListedJob::never;

}  // namespace

double ListedJob::end() const {
    return known_end < never ? known_end : planned_end(begin, duration);
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
    Simultaneous simultaneous,
    RunTime run_time,
    const SystemDescription& system,
    OutageChecks outages
)
    : simultaneous_(simultaneous)
    , run_time_(run_time)
    , system_(system)
    , processors_(system.processors())
    , checks_(system.outages.empty() || outages == OutageChecks::followed)
    , is_out_(processors_, false)
    , unplanned_(processors_, false) {}

void PlanVerifier::observe(const ScheduleStep& step) {
    if (!checks_) {
        return;
    }
    if (step.kind == ScheduleStep::Kind::capacity_changed) {
        for (std::uint32_t i = 0; i < step.change->count; ++i) {
            is_out_[step.change->first_processor + i] =
                step.change->kind == CapacityChange::Kind::down;
        }
    }
    if (step.job == nullptr) {
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
        places_.push_back({job.index, {step.processors.begin(), step.processors.end()}});
    }
}

// Outages are looked for one by one, their repetitions around the time.
bool PlanVerifier::is_planned_out(std::uint32_t processor, double time) const {
    return std::ranges::any_of(system_.outages.listed, [&](const Outage& outage) {
        const bool is_its = processor >= outage.first_processor
                            && processor < outage.first_processor + outage.count;
        if (!outage.is_planned || !is_its) {
            return false;
        }
        const double around =
            outage.every > 0 ? std::floor((time - outage.from) / outage.every) : 0;
        for (double k = std::max(0.0, around - 1); k <= std::max(0.0, around + 1); ++k) {
            const Outage one = outage.every > 0 ? outage.repeated(k) : outage;
            if (one.from <= time && time < one.until) {
                return true;
            }
        }
        return false;
    });
}

double PlanVerifier::horizon(const JobList& jobs) const {
    double horizon = now_;
    for (const ListedJob& job : jobs) {
        horizon += 3 * (job.duration + (job.is_booked ? job.fixed_start : 0));
    }
    for (const Outage& outage : system_.outages.listed) {
        horizon += outage.every > 0 ? 20 * outage.every : outage.until;
    }
    return horizon;
}

JobList PlanVerifier::taken(const JobList& jobs) const {
    const double last = horizon(jobs);
    std::vector<double> times{now_};
    for (const ListedJob& job : jobs) {
        if (job.runs && job.end() > now_) {
            times.push_back(job.end());
        }
    }
    for (const Outage& outage : system_.outages.listed) {
        for (double k = 0; outage.is_planned && outage.repeated(k).from < last; ++k) {
            times.push_back(outage.repeated(k).from);
            times.push_back(outage.repeated(k).until);
            if (outage.every == 0) {
                break;
            }
        }
    }
    std::erase_if(times, [this](double time) { return time < now_; });
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    JobList result;
    for (std::size_t i = 0; i < times.size(); ++i) {
        std::vector<bool> out(processors_);
        for (std::uint32_t p = 0; p < processors_; ++p) {
            out[p] = is_unplanned(p) || is_planned_out(p, times[i]);
        }
        auto taken = static_cast<std::uint32_t>(std::count(out.begin(), out.end(), true));
        for (const ListedJob& job : jobs) {
            for (const ProcessorRange& range : job.processors) {
                for (std::uint32_t k = 0; k < range.count; ++k) {
                    const bool is_held = job.runs && job.end() > times[i];
                    taken += is_held && !out[range.first.value + k] ? 1U : 0U;
                }
            }
        }
        if (taken > 0) {
            result.push_back(
                {.size = taken,
                 .duration = never,
                 .begin = times[i],
                 .known_end = i + 1 < times.size() ? times[i + 1] : never}
            );
        }
    }
    return result;
}

std::vector<ProcessorRange> PlanVerifier::processors_of(std::uint64_t index) const {
    const auto place = std::ranges::find(places_, index, &Place::index);
    return place != places_.end() ? place->processors : std::vector<ProcessorRange>{};
}

void PlanVerifier::end_of_instant(double time) {
    if (!checks_) {
        return;
    }
    now_ = time;
    expected_.clear();
    std::vector<bool> unplanned(processors_);
    for (std::uint32_t p = 0; p < processors_; ++p) {
        unplanned[p] = is_unplanned(p);
    }
    if (unplanned != unplanned_) {
        unplanned_ = std::move(unplanned);
        lose_count();
    }
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
    places_.clear();
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
