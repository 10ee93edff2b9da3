// One pass:
//   1. The plan is made anew in its order if a job could not start when it should have: because
//      another still runs at its planned end, the components do not fit, or processors left the
//      machine. Else, if a job finished before its planned end, each reservation is given up for
//      the earliest fit, in the order of the plan, if that is earlier.
//   2. Jobs whose reservation begins now start.
//   3. Newcomers take their places one by one; whatever begins now starts.
// A job that still runs at its planned end counts as free in the plan.
//
// With k jobs moved rather than k − 1, nothing changes unless the newcomer gets an earlier place or
// the first of the k moves ahead of its own: only then are the k placed and the plan priced. A job
// of the plan whose place is its earliest fit beside all others cannot: those planned behind it
// begin no earlier than it does.
//
// Each trial is made on a copy of the profile, which is cheaper than to undo what was reserved.
//
// Cost, for n waiting and running jobs: O(n log n) per instant, and per arrival that must wait
// O(n + moves log n), or O(moves n + moves² log n) where places change.
#include "policies/backfilling/slack_based.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/planning/availability_profile.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/backfilling/running_plan.hpp"
#include "policies/fast_ways.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = AvailabilityProfile::never;

class SlackBased final : public Policy {
  public:
    SlackBased(const SlackSettings& settings, std::uint32_t processors)
        : settings_(settings), plan_(settings.placement, processors) {}

    void react(const EventBatch& events, Actions& actions) override {
        plan_.begin(events, actions);
        fails_ = fails_ || events.capacity_changed;
        take_events(settings_.simultaneous, events, *this);
        set_alarm();
    }

    void finish(JobId id) { plan_.finish(id); }

    void submit(JobId id) {
        const Job& job = plan_.actions().job(id);
        newcomers_.push_back(
            {.id = id,
             .index = job.index,
             .size = job.size,
             .submit_time = job.submit_time,
             .duration = planned_duration(job, settings_.run_time),
             .weight = slack_weight(job.priority)}
        );
    }

    void pass() {
        if (fails_) {
            plan_anew();
        } else if (plan_.was_freed()) {
            compress();
        }
        start_due();
        for (const Planned& newcomer : newcomers_) {
            insert(newcomer);
            start_due();
        }
        newcomers_.clear();
    }

  private:
    struct Planned {
        JobId id;
        std::uint64_t index = 0;
        std::uint32_t size = 0;
        double submit_time = 0;
        double duration = 0;
        double weight = 1;
        double start = never;
        double latest = never;

        double end() const { return planned_end(start, duration); }
        friend bool operator<(const Planned& a, const Planned& b) {
            return a.start < b.start || (a.start == b.start && a.index < b.index);
        }
    };

    /// A job of the plan, or the newcomer, whose place is behind all.
    struct Arrived {
        std::uint64_t index = 0;
        std::size_t place = 0;
    };

    static void reserve(const Planned& job, AvailabilityProfile& profile) {
        if (job.start < never) {
            profile.reserve(job.start, job.end(), job.size);
        }
    }

    void reserve(const Planned& job) { reserve(job, plan_.profile()); }

    void release(const Planned& job) {
        if (job.start < never) {
            plan_.profile().release(job.start, job.end(), job.size);
        }
    }

    double earliest_fit(const Planned& job, const AvailabilityProfile& profile) const {
        return profile.earliest_fit(job.size, job.duration, plan_.now());
    }

    double earliest_fit(const Planned& job) { return earliest_fit(job, plan_.profile()); }

    /// By planned start again, where few jobs have moved.
    void restore_order() {
        for (auto job = jobs_.begin(); job != jobs_.end(); ++job) {
            if (job != jobs_.begin() && *job < *(job - 1)) {
                std::rotate(std::upper_bound(jobs_.begin(), job, *job), job, job + 1);
            }
        }
    }

    void plan_anew() {
        fails_ = false;
        plan_.show_running();
        for (Planned& job : jobs_) {
            job.start = earliest_fit(job);
            fails_ = fails_ || job.start == never;
            reserve(job);
        }
        std::sort(jobs_.begin(), jobs_.end());
    }

    void compress() {
        bool has_moved = false;
        plan_.compress(
            jobs_,
            [](const Planned& /*job*/) { return true; },
            [&has_moved](const Planned& /*job*/) { has_moved = true; }
        );
        if (has_moved) {
            restore_order();
        }
    }

    // Where the plan fails, a job may have a place that it cannot take.
    void show_plan() {
        plan_.show_running();
        for (const Planned& job : jobs_) {
            reserve(job);
        }
        plan_.give_up_until(never);
    }

    void insert(Planned newcomer) {
        if (fails_) {
            show_plan();
        }
        newcomer.start = earliest_fit(newcomer);
        reserve(newcomer);
        const std::size_t moves = std::min<std::uint64_t>(settings_.moves, jobs_.size());
        if (moves > 0 && (newcomer.start > plan_.now() || plan_.is_loose(jobs_))) {
            try_moves(newcomer, moves);
        }
        newcomer.latest = newcomer.start + slack(newcomer);
        fails_ = fails_ || newcomer.start == never;
        jobs_.insert(std::upper_bound(jobs_.begin(), jobs_.end(), newcomer), newcomer);
    }

    /// Gives the newcomer and the last jobs their places by the best of the plans.
    void try_moves(Planned& newcomer, std::size_t moves) {
        const bool has_loose = plan_.is_loose(jobs_);
        AvailabilityProfile& profile = plan_.profile();
        best_profile_.assign(profile);
        best_.clear();
        by_arrival_.clear();
        Planned placed = newcomer;
        std::optional<double> least;
        for (std::size_t first = jobs_.size(); first-- > jobs_.size() - moves;) {
            const Planned& job = jobs_[first];
            const bool may_move = has_loose && earlier_fit(job) < job.start;
            release(job);
            const double start = job.start < placed.start ? earlier_fit(placed) : placed.start;
            if (start < placed.start) {
                release(placed);
                placed.start = start;
                reserve(placed);
            } else if (!may_move) {
                continue;
            }
            if (place_from(first)) {
                least = least ? least : cost(newcomer, {});
                const double price = cost(placed, trial_);
                if (price < *least) {
                    least = price;
                    newcomer = placed;
                    best_ = trial_;
                    best_profile_.assign(trial_profile_);
                }
            }
        }
        profile.assign(best_profile_);
        take_best();
    }

    double earlier_fit(const Planned& job) {
        return plan_.profile().earlier_fit(
            {.processors = job.size, .duration = job.duration, .reserved = job.start}, plan_.now()
        );
    }

    /// Finds the places of the jobs from `first` on, in trial_ and trial_profile_; false if one
    /// would be too late.
    bool place_from(std::size_t first) {
        trial_.clear();
        trial_profile_.assign(plan_.profile());
        for (std::size_t i = first; i < jobs_.size(); ++i) {
            Planned job = jobs_[i];
            job.start = earliest_fit(job, trial_profile_);
            if (job.start > job.latest) {
                return false;
            }
            reserve(job, trial_profile_);
            trial_.push_back(job);
        }
        return true;
    }

    /// Of the plan whose last jobs are `last`. In order of arrival, so that the sum is the same
    /// however jobs are planned.
    double cost(const Planned& newcomer, std::span<const Planned> last) {
        if (by_arrival_.empty()) {
            sort_by_arrival(newcomer);
        }
        const std::size_t first = jobs_.size() - last.size();
        double sum = 0;
        for (const Arrived& job : by_arrival_) {
            const Planned& planned = job.place == jobs_.size() ? newcomer
                                     : job.place < first       ? jobs_[job.place]
                                                               : last[job.place - first];
            sum += planned.weight * planned.start;
        }
        return sum;
    }

    void sort_by_arrival(const Planned& newcomer) {
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            by_arrival_.push_back({jobs_[i].index, i});
        }
        by_arrival_.push_back({newcomer.index, jobs_.size()});
        std::sort(by_arrival_.begin(), by_arrival_.end(), [](const Arrived& a, const Arrived& b) {
            return a.index < b.index;
        });
    }

    // What is given up may let others move ahead when next the plan is compressed.
    void take_best() {
        const std::size_t first = jobs_.size() - best_.size();
        for (std::size_t i = 0; i < best_.size(); ++i) {
            Planned& job = jobs_[first + i];
            if (best_[i].start != job.start) {
                plan_.give_up_until(job.end());
                job.start = best_[i].start;
                fails_ = fails_ || job.start == never;
            }
        }
        restore_order();
    }

    double slack(const Planned& job) const {
        const double mean = started_ > 0 ? waited_ / static_cast<double>(started_) : 0;
        const bool by_wait = settings_.measure == SlackMeasure::average_wait;
        return settings_.slack_factor * (by_wait ? mean : job.duration) / job.weight;
    }

    void start_due() {
        std::size_t started = 0;
        std::size_t due = 0;
        for (; due < jobs_.size() && jobs_[due].start <= plan_.now(); ++due) {
            Planned& job = jobs_[due];
            if (plan_.start({job.id, job.size, job.duration})) {
                waited_ += plan_.now() - job.submit_time;
                ++started_;
                ++started;
                job.size = 0;
            } else {
                fails_ = true;
            }
        }
        if (started > 0) {
            std::erase_if(jobs_, [](const Planned& job) { return job.size == 0; });
        }
    }

    void set_alarm() {
        const auto next = std::find_if(jobs_.begin(), jobs_.end(), [this](const Planned& job) {
            return job.start > plan_.now();
        });
        const bool is_set = !fails_ && next != jobs_.end();
        plan_.set_alarm(is_set ? next->start : never);
    }

    SlackSettings settings_;
    RunningPlan plan_;           // what runs and what is reserved
    std::vector<Planned> jobs_;  // what waits, by planned start
    double waited_ = 0;
    std::uint64_t started_ = 0;
    bool fails_ = false;  // a job could not start when planned, or cannot be planned

    std::vector<Planned> newcomers_;  // since the last pass

    // Of an insertion.
    std::vector<Planned> best_;   // the last jobs as the best plan has them; empty: as they are
    std::vector<Planned> trial_;  // as the plan that is looked at has them
    AvailabilityProfile best_profile_{0};
    AvailabilityProfile trial_profile_{0};
    std::vector<Arrived> by_arrival_;  // empty: not yet sorted
};

SlackSettings settings_of(const Parameters& parameters) {
    return {
        .simultaneous = simultaneous(parameters),
        .slack_factor = parameters.real("slack_factor"),
        .measure = parameters.text("slack_measure") == "run_time" ? SlackMeasure::run_time
                                                                  : SlackMeasure::average_wait,
        .moves = static_cast<std::uint64_t>(parameters.integer("moves")),
        .run_time = run_time(parameters, "run_time"),
        .placement = placement_rule(parameters)};
}

std::vector<ParameterDescription> parameters() {
    return {
        simultaneous_parameter(),
        {.name = "slack_factor",
         .meaning = "slack of a job / the measure, for a job of priority 0: by so much later jobs "
                    "may push its start back",
         .type = ParameterType::real,
         .default_value = 1.0,
         .range = {.low = 0, .high = 1e15}},
        {.name = "slack_measure",
         .meaning =
             "average_wait: of all jobs started before the job came; run_time: the job's own",
         .type = ParameterType::text,
         .default_value = "average_wait",
         .words = {"average_wait", "run_time"}},
        {.name = "moves",
         .meaning = "a job that arrives may push back so many jobs, those planned last; 0: none, "
                    "conservative backfilling",
         .unit = "jobs",
         .type = ParameterType::integer,
         .default_value = 16,
         .range = {.low = 0, .high = 1e9}},
        run_time_parameter("run_time", "run time by which plans are made"),
        placement_parameter()};
}

}  // namespace

PolicyDescription describe_slack_based() {
    PolicyDescription description;
    description.alternative = {
        .name = "slack_based",
        .summary =
            "Slack-based backfilling: jobs that arrive may push others back within their "
            "slack if the plan costs less so.",
        .parameters = parameters(),
        .source = "Talby & Feitelson 1999"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<SlackBased>(settings_of(given), context.system.processors());
    };
    description.make_fast_way = [](const Parameters& given, const FastWayContext& context) {
        return make_bin_filling_fast_way(placement_rule(given), context);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_slack_verifier(settings_of(given), context.system);
    };
    return description;
}

}  // namespace schedfarm::policies
