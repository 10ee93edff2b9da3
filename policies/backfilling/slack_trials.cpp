#include "policies/backfilling/slack_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/foundation/special_values.hpp"

namespace schedfarm::policies {

namespace {

using engine::AvailabilityProfile;
using engine::never;

// Sums of whole numbers below this are exact, by far.
constexpr double exact = 1e15;

bool is_whole(double number) {
    return std::abs(number) < exact
           && static_cast<double>(static_cast<std::int64_t>(number)) == number;
}

double last_step(const AvailabilityProfile& profile) {
    return profile.begin_of(profile.stretches() - 1);
}

bool are_steps_whole(const AvailabilityProfile& profile) {
    for (std::size_t i = 0; i < profile.stretches(); ++i) {
        if (!is_whole(profile.begin_of(i))) {
            return false;
        }
    }
    return true;
}

/// Never: nowhere.
void place(AvailabilityProfile& profile, const PlannedJob& job, double start) {
    if (start < never) {
        profile.reserve(start, engine::planned_end(start, job.duration), job.size);
    }
}

/// A bound of what the terms of a price come to together.
double largest_price(const SlackTrials::Plan& plan, double last_step) {
    const double terms = static_cast<double>(plan.jobs.size()) + 3;
    const double latest = std::max(
        {std::abs(plan.jobs.front().start),
         std::abs(plan.jobs.back().start),
         std::abs(plan.newcomer.start),
         std::abs(plan.now),
         std::abs(last_step)}
    );
    return terms * plan.largest_weight * latest;
}

/// More than rounding can add to the difference of two prices.
double rounding(const SlackTrials::Plan& plan, double largest) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    return 8 * (static_cast<double>(plan.jobs.size()) + 3) * epsilon * largest;
}

}  // namespace

bool SlackTrials::find_cheaper(const engine::AvailabilityProfile& profile, const Plan& plan) {
    begin(profile, plan);
    const std::size_t last = plan.jobs.size() - plan.moves;
    const double earliest = plan.is_loose ? -never : std::max(plan.now, plan.jobs[last].start);
    double placed = plan.newcomer.start;
    // Where nobody could move ahead, the newcomer can only by jobs that begin ahead of it.
    for (std::size_t first = plan.jobs.size(); first-- > last && placed > earliest;) {
        const bool moves = plan.is_loose && may_move(plan, first);
        if (plan.jobs[first].start >= placed && !moves) {
            continue;
        }
        if (changes_places(plan, first)) {
            placed = plan.jobs[first].start;
            continue;
        }
        release_from(plan, first);
        const double found = earliest_place(plan);
        if (found >= placed && !moves) {
            continue;
        }
        placed = found;
        if (place_from(plan, first, found) && is_cheaper(plan)) {
            std::swap(best_, trial_);
        }
    }
    return !best_.starts.empty();
}

void SlackTrials::begin(const engine::AvailabilityProfile& profile, const Plan& plan) {
    ahead_.assign(profile);
    ahead_.forget_before(plan.now);
    released_ = plan.jobs.size();
    is_plan_whole_.reset();
    are_prices_exact_.reset();
    by_arrival_.clear();
    best_.starts.clear();
    best_.newcomer_start = plan.newcomer.start;
    best_.change = 0;
}

/// Whether the newcomer would only change places with the first of the jobs, being just like it:
/// all others would be placed as if that had stayed, at the same price, unless rounding makes
/// another of it.
bool SlackTrials::changes_places(const Plan& plan, std::size_t first) {
    const PlannedJob& job = plan.jobs[first];
    const PlannedJob& newcomer = plan.newcomer;
    return (job.size == newcomer.size) & (job.duration == newcomer.duration)
               & (job.weight == newcomer.weight)
           && !plan.is_loose && !plan.fails && are_prices_exact(plan);
}

/// Whether every trial has a price without rounding.
bool SlackTrials::are_prices_exact(const Plan& plan) {
    if (!are_prices_exact_) {
        double last_end = last_step(ahead_) + plan.newcomer.duration;
        const auto ends_whole = [](const PlannedJob& job
                                ) {  // no time at all ends at the next number
            return job.duration > 0 && policies::is_whole(job.duration);
        };
        bool are_whole = is_whole(plan) && ends_whole(plan.newcomer);
        for (const PlannedJob& job : plan.jobs.last(plan.moves)) {
            last_end += job.duration;
            are_whole = are_whole && ends_whole(job);
        }
        are_prices_exact_ =
            are_whole && largest_price(plan, last_end) < exact && are_steps_whole(ahead_);
    }
    return *are_prices_exact_;
}

void SlackTrials::release_from(const Plan& plan, std::size_t first) {
    while (released_ > first) {
        const PlannedJob& job = plan.jobs[--released_];
        const double end = job.end();
        if (job.start < never && end > plan.now) {
            ahead_.release(std::max(job.start, plan.now), end, job.size);
        }
    }
}

double SlackTrials::earliest_place(const Plan& plan) const {
    return ahead_.earliest_fit(plan.newcomer.size, plan.newcomer.duration, plan.now);
}

void SlackTrials::place_newcomer(const Plan& plan, double start) {
    with_.assign(ahead_);
    place(with_, plan.newcomer, start);
}

/// Whether the job could begin earlier beside those ahead of it and the newcomer at its place.
bool SlackTrials::may_move(const Plan& plan, std::size_t first) {
    release_from(plan, first + 1);
    place_newcomer(plan, earliest_place(plan));
    const PlannedJob& job = plan.jobs[first];
    return with_.earlier_fit(job.size, job.duration, plan.now, job.start) < job.start;
}

/// Finds the places of the jobs from `first` on behind the newcomer at its; false if one would be
/// too late.
bool SlackTrials::place_from(const Plan& plan, std::size_t first, double newcomer_start) {
    place_newcomer(plan, newcomer_start);
    trial_.newcomer_start = newcomer_start;
    trial_.change = plan.newcomer.weight * (newcomer_start - plan.newcomer.start);
    trial_.starts.clear();
    for (const PlannedJob& job : plan.jobs.subspan(first)) {
        const double start = with_.earliest_fit(job.size, job.duration, plan.now);
        if (start > job.latest) {
            return false;
        }
        place(with_, job, start);
        trial_.starts.push_back(start);
        trial_.change += job.weight * (start - job.start);
    }
    return true;
}

/// Whether the trial is cheaper than the best so far: by the difference, or where rounding may
/// decide, by the prices.
bool SlackTrials::is_cheaper(const Plan& plan) {
    const double difference = trial_.change - best_.change;
    const double largest = largest_price(plan, last_step(with_));
    if (std::abs(difference) > rounding(plan, largest)
        || (largest < exact && is_whole(plan) && is_whole(trial_) && is_whole(best_))) {
        return difference < 0;
    }
    return price(plan, trial_) < price(plan, best_);
}

bool SlackTrials::is_whole(const Plan& plan) {
    if (!is_plan_whole_) {
        const auto is_job_whole = [](const PlannedJob& job) {
            return policies::is_whole(job.start) && policies::is_whole(job.weight);
        };
        is_plan_whole_ = is_job_whole(plan.newcomer)
                         && std::all_of(plan.jobs.begin(), plan.jobs.end(), is_job_whole);
    }
    return *is_plan_whole_;
}

bool SlackTrials::is_whole(const Trial& trial) {
    return policies::is_whole(trial.newcomer_start)
           && std::all_of(trial.starts.begin(), trial.starts.end(), [](double start) {
                  return policies::is_whole(start);
              });
}

/// In order of arrival, so that the sum is the same however jobs are planned.
double SlackTrials::price(const Plan& plan, const Trial& trial) {
    if (by_arrival_.empty()) {
        sort_by_arrival(plan);
    }
    const std::size_t newcomer = plan.jobs.size();
    const std::size_t first = newcomer - trial.starts.size();
    double sum = 0;
    for (const Arrived& arrived : by_arrival_) {
        const std::size_t place = arrived.place;
        const PlannedJob& job = place == newcomer ? plan.newcomer : plan.jobs[place];
        const double start = place == newcomer ? trial.newcomer_start
                             : place < first   ? job.start
                                               : trial.starts[place - first];
        sum += job.weight * start;
    }
    return sum;
}

void SlackTrials::sort_by_arrival(const Plan& plan) {
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
        by_arrival_.push_back({plan.jobs[i].index, i});
    }
    by_arrival_.push_back({plan.newcomer.index, plan.jobs.size()});
    std::sort(by_arrival_.begin(), by_arrival_.end(), [](const Arrived& a, const Arrived& b) {
        return a.index < b.index;
    });
}

}  // namespace schedfarm::policies
