#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/availability_profile.hpp"

#include "policies/slack_based.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = std::numeric_limits<double>::infinity();

struct PlannedJob {
    std::uint64_t index = 0;
    std::uint32_t size = 0;
    double submit_time = 0;
    double duration = 0;
    double weight = 1;
    double start = never;
    double latest = never;

    double end() const { return planned_end(start, duration); }
};

using JobList = std::vector<PlannedJob>;

bool is_planned_before(const PlannedJob& a, const PlannedJob& b) {
    return a.start < b.start || (a.start == b.start && a.index < b.index);
}

/// Processors in use by `jobs` at a time.
std::uint64_t in_use(const JobList& jobs, double time) {
    std::uint64_t sum = 0;
    for (const PlannedJob& job : jobs) {
        sum += job.start <= time && time < job.end() ? job.size : 0;
    }
    return sum;
}

/// The first time at which the job fits beside `jobs`: now or when one of them ends.
double earliest(
    const JobList& jobs, const PlannedJob& wanted, double now, std::uint32_t processors
) {
    std::vector<double> times{now};
    for (const PlannedJob& job : jobs) {
        times.push_back(std::max(now, job.end()));
    }
    std::sort(times.begin(), times.end());
    for (const double begin : times) {
        const double end = planned_end(begin, wanted.duration);
        bool fits = in_use(jobs, begin) + wanted.size <= processors;
        for (const PlannedJob& job : jobs) {  // use grows only where a job begins
            const bool begins_within = begin < job.start && job.start < end;
            fits = fits && (!begins_within || in_use(jobs, job.start) + wanted.size <= processors);
        }
        if (fits) {
            return begin;
        }
    }
    return never;
}

class SlackVerifier final : public ScheduleVerifier {
  public:
    SlackVerifier(const SlackSettings& settings, const SystemDescription& system)
        : settings_(settings)
        , processors_(system.processors())
        , checks_(system.capacity_changes.empty()) {}

    void observe(const ScheduleStep& step) override {
        if (!checks_) {
            return;
        }
        const Job& job = *step.job;
        if (step.kind == ScheduleStep::Kind::arrival) {
            const double duration = planned_duration(job, settings_.run_time);
            checks_ = job.structure == RequestStructure::total && duration < never
                      && duration >= job.service_time;
            arrivals_.push_back(
                {.index = job.index,
                 .size = job.size,
                 .submit_time = job.submit_time,
                 .duration = duration,
                 .weight = slack_weight(job.priority)}
            );
        } else if (step.kind == ScheduleStep::Kind::completion) {
            const auto done =
                std::find_if(running_.begin(), running_.end(), [&job](const PlannedJob& other) {
                    return other.index == job.index;
                });
            freed_ = freed_ || done->end() > step.time;
            running_.erase(done);
        } else if (step.kind == ScheduleStep::Kind::start) {
            starts_.push_back(job.index);
        }
    }

    void end_of_instant(double time) override {
        if (!checks_) {
            return;
        }
        now_ = time;
        expected_.clear();
        if (freed_) {
            compress();
        }
        start_due();
        for (const PlannedJob& job : arrivals_) {
            insert(job);
            start_due();
        }
        if (starts_ != expected_) {
            throw ScheduleError(fmt::format(
                "at time {}: {} jobs started, by the plan it would be {}, or others",
                time,
                starts_.size(),
                expected_.size()
            ));
        }
        freed_ = false;
        arrivals_.clear();
        starts_.clear();
    }

    void finish() override {}

  private:
    void compress() {
        for (std::size_t i = 0; i < plan_.size(); ++i) {
            JobList others = running_;
            for (std::size_t j = 0; j < plan_.size(); ++j) {
                if (j != i) {
                    others.push_back(plan_[j]);
                }
            }
            plan_[i].start =
                std::min(plan_[i].start, earliest(others, plan_[i], now_, processors_));
        }
        std::sort(plan_.begin(), plan_.end(), is_planned_before);
    }

    /// The plan with the newcomer ahead of the last `moved` jobs; empty: one would be too late.
    JobList candidate(const PlannedJob& newcomer, std::size_t moved) const {
        const auto first = plan_.end() - static_cast<std::ptrdiff_t>(moved);
        JobList taken = running_;
        taken.insert(taken.end(), plan_.begin(), first);
        JobList result(plan_.begin(), first);
        JobList rest{newcomer};
        rest.insert(rest.end(), first, plan_.end());
        for (PlannedJob& job : rest) {
            job.start = earliest(taken, job, now_, processors_);
            if (job.start > job.latest) {
                return {};
            }
            taken.push_back(job);
            result.push_back(job);
        }
        return result;
    }

    static double cost(JobList plan) {
        std::sort(plan.begin(), plan.end(), [](const PlannedJob& a, const PlannedJob& b) {
            return a.index < b.index;
        });
        double sum = 0;
        for (const PlannedJob& job : plan) {
            sum += job.weight * job.start;
        }
        return sum;
    }

    void insert(const PlannedJob& newcomer) {
        JobList best = candidate(newcomer, 0);
        for (std::size_t moved = 1; moved <= std::min<std::size_t>(settings_.moves, plan_.size());
             ++moved) {
            const JobList trial = candidate(newcomer, moved);
            if (!trial.empty() && cost(trial) < cost(best)) {
                best = trial;
            }
        }
        plan_ = best;
        for (PlannedJob& job : plan_) {
            if (job.index == newcomer.index) {
                job.latest = job.start + slack(job);
            }
        }
        std::sort(plan_.begin(), plan_.end(), is_planned_before);
    }

    double slack(const PlannedJob& job) const {
        const double mean = started_ > 0 ? waited_ / static_cast<double>(started_) : 0;
        return settings_.slack_factor
               * (settings_.measure == SlackMeasure::average_wait ? mean : job.duration)
               / job.weight;
    }

    void start_due() {
        while (!plan_.empty() && plan_.front().start <= now_) {
            const PlannedJob job = plan_.front();
            plan_.erase(plan_.begin());
            if (now_ > job.latest) {
                throw ScheduleError(fmt::format(
                    "at time {}: job {} starts later than its latest start, {}",
                    now_,
                    job.index,
                    job.latest
                ));
            }
            running_.push_back(job);
            expected_.push_back(job.index);
            waited_ += now_ - job.submit_time;
            ++started_;
        }
    }

    SlackSettings settings_;
    std::uint32_t processors_;
    bool checks_;
    JobList running_;  // started at their planned start
    JobList plan_;     // what waits, by planned start
    double now_ = 0;
    double waited_ = 0;
    std::uint64_t started_ = 0;

    // Of this instant.
    bool freed_ = false;
    JobList arrivals_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint64_t> expected_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_slack_verifier(
    const SlackSettings& settings, const SystemDescription& system
) {
    return std::make_unique<SlackVerifier>(settings, system);
}

}  // namespace schedfarm::policies
