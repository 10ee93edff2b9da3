// One pass:
//   1. The plan is made anew in its order if a job could not start when it should have: because
//      another still runs at its planned end, the components do not fit, or processors left the
//      machine. Else, if a job finished before its planned end, each reservation is given up for
//      the earliest fit, in the order of the plan, if that is earlier.
//   2. Jobs whose reservation begins now start.
//   3. Newcomers take their places one by one; whatever begins now starts.
// A job that still runs at its planned end counts as free in the plan.
//
// An advance reservation is taken or refused when the job is submitted, stands as what runs does,
// and is missed where processors are lacking at its time, as in reservations.hpp.
//
// Cost, for n waiting and running jobs: O(n log n) per instant, and for each arrival that must wait
// that of the trials (slack_trials.hpp).
#include "policies/backfilling/slack_based.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "engine/foundation/special_values.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/planning/promise_verifier.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/backfilling/running_plan.hpp"
#include "policies/backfilling/slack_trials.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class SlackBased final : public Policy {
  public:
    SlackBased(const SlackSettings& settings, const SystemDescription& system)
        : settings_(settings), plan_(settings.placement, system, Foresight::none) {}

    void react(const EventBatch& events, Actions& actions) override {
        plan_.begin(events, actions);
        fails_ = fails_ || !events.capacity_changes.empty();
        take_events(settings_.simultaneous, events, *this);
        set_alarm();
    }

    void finish(JobId id) { plan_.finish(id); }

    void submit(JobId id) {
        const Job& job = plan_.actions().job(id);
        const PlannedJob newcomer{
            .id = id,
            .size = job.size,
            .index = job.index,
            .submit_time = job.submit_time,
            .duration = planned_duration(job, settings_.run_time),
            .weight = slack_weight(job.priority),
            .start = job.fixed_start};
        largest_weight_ = std::max(largest_weight_, newcomer.weight);
        if (job.fixed_start == no_fixed_start || !book(newcomer)) {
            newcomers_.push_back(newcomer);
        }
    }

    void pass() {
        if (fails_) {
            plan_anew();
        } else if (plan_.was_freed()) {
            compress();
        }
        start_due();
        for (const PlannedJob& newcomer : newcomers_) {
            insert(newcomer);
            start_due();
        }
        newcomers_.clear();
    }

  private:
    /// Takes an advance reservation if it delays nothing that is planned.
    bool book(const PlannedJob& job) {
        if (fails_) {
            plan_anew();
        }
        const bool is_booked = plan_.book({job.id, job.size, job.duration}, job.start);
        if (is_booked) {
            put_in_order(booked_, job);
        }
        return is_booked;
    }

    static void put_in_order(std::vector<PlannedJob>& jobs, const PlannedJob& job) {
        jobs.insert(std::upper_bound(jobs.begin(), jobs.end(), job), job);
    }

    void reserve(const PlannedJob& job) {
        if (job.start < never) {
            plan_.profile().reserve(job.start, job.end(), job.size);
        }
    }

    void release(const PlannedJob& job) {
        if (job.start < never) {
            plan_.profile().release(job.start, job.end(), job.size);
        }
    }

    double earliest_fit(const PlannedJob& job) {
        return plan_.profile().earliest_fit(job.size, job.duration, plan_.now());
    }

    /// Moves the job at this place up to where it belongs among those ahead of it.
    void restore_order(std::size_t place) {
        const auto job = jobs_.begin() + static_cast<std::ptrdiff_t>(place);
        if (place > 0 && *job < *(job - 1)) {
            std::rotate(std::upper_bound(jobs_.begin(), job, *job), job, job + 1);
        }
    }

    /// Makes the profile anew of what no plan changes.
    void show_fixed() {
        plan_.show_running();
        for (const PlannedJob& job : booked_) {
            reserve(job);
        }
    }

    void plan_anew() {
        fails_ = false;
        show_fixed();
        for (PlannedJob& job : jobs_) {
            job.start = earliest_fit(job);
            fails_ = fails_ || job.start == never;
            reserve(job);
            plan_.actions().promise(job.id, {.latest = std::max(job.start, job.latest)});
        }
        std::sort(jobs_.begin(), jobs_.end());
    }

    void compress() {
        moved_.clear();
        plan_.compress(windows(), [this](std::size_t place, double start) {
            jobs_[place].start = start;
            moved_.push_back(place);
        });
        for (const std::size_t place : moved_) {
            restore_order(place);
        }
    }

    /// The waiting jobs as windows that end where their reservations begin.
    StepWindows& windows() {
        windows_.clear(jobs_.size());
        for (const PlannedJob& job : jobs_) {
            windows_.add(static_cast<std::int32_t>(job.size), job.duration, job.start);
        }
        return windows_;
    }

    // Where the plan fails, a job may have a place that it cannot take.
    void show_plan() {
        show_fixed();
        for (const PlannedJob& job : jobs_) {
            reserve(job);
        }
        plan_.give_up_until(never);
    }

    void insert(PlannedJob newcomer) {
        if (fails_) {
            show_plan();
        }
        newcomer.start = earliest_fit(newcomer);
        const std::size_t moves = std::min<std::uint64_t>(settings_.moves, jobs_.size());
        if (moves > 0) {
            try_moves(newcomer, moves);
        }
        reserve(newcomer);
        if (newcomer.start <= plan_.now() && !is_due(jobs_) && start_waiting(newcomer)) {
            return;
        }
        newcomer.latest = newcomer.start + slack(newcomer);
        plan_.actions().promise(newcomer.id, {.latest = newcomer.latest});
        fails_ = fails_ || newcomer.start == never;
        put_in_order(jobs_, newcomer);
    }

    /// Gives the newcomer and the last jobs their places by the best of the plans.
    void try_moves(PlannedJob& newcomer, std::size_t moves) {
        const bool is_loose = plan_.was_given_up() && is_loose_beside(newcomer);
        if (newcomer.start <= plan_.now() && !is_loose) {
            return;
        }
        const SlackTrials::Plan plan{
            .jobs = jobs_,
            .newcomer = newcomer,
            .now = plan_.now(),
            .moves = moves,
            .is_loose = is_loose,
            .fails = fails_,
            .largest_weight = largest_weight_};
        if (trials_.find_cheaper(plan_.profile(), plan)) {
            newcomer.start = trials_.newcomer_start();
            move_last(trials_.starts());
        }
    }

    /// Whether a job could move ahead. If so but for the newcomer, trials are in vain, not wrong,
    /// unless the plan fails.
    bool is_loose_beside(const PlannedJob& newcomer) {
        if (!fails_) {
            return plan_.is_loose(windows());
        }
        reserve(newcomer);
        const bool result = plan_.is_loose(windows());
        release(newcomer);
        return result;
    }

    // What is given up may let others move ahead when next the plan is compressed.
    void move_last(std::span<const double> starts) {
        const std::size_t first = jobs_.size() - starts.size();
        for (std::size_t i = 0; i < starts.size(); ++i) {
            PlannedJob& job = jobs_[first + i];
            if (starts[i] != job.start) {
                plan_.give_up_until(job.end());
                move(job, starts[i]);
                fails_ = fails_ || job.start == never;
            }
        }
        for (std::size_t place = first; place < jobs_.size(); ++place) {
            restore_order(place);
        }
    }

    void move(PlannedJob& job, double start) {
        const AvailabilityProfile::Move back{
            job.start, job.end(), start, planned_end(start, job.duration)};
        if (job.start < start && start < never && back.end <= back.old_end) {
            plan_.profile().move_back(back, job.size);
            job.start = start;
            return;
        }
        release(job);
        job.start = start;
        reserve(job);
    }

    double slack(const PlannedJob& job) const {
        const double mean = started_ > 0 ? waited_ / static_cast<double>(started_) : 0;
        const bool by_wait = settings_.measure == SlackMeasure::average_wait;
        return settings_.slack_factor * (by_wait ? mean : job.duration) / job.weight;
    }

    bool is_due(const std::vector<PlannedJob>& jobs) const {
        return !jobs.empty() && jobs.front().start <= plan_.now();
    }

    /// The plan fails where it cannot start.
    bool start(const PlannedJob& job) {
        if (!plan_.start({job.id, job.size, job.duration})) {
            fails_ = true;
            return false;
        }
        return true;
    }

    bool start_waiting(const PlannedJob& job) {
        if (!start(job)) {
            return false;
        }
        if (!job.was_booked) {
            waited_ += plan_.now() - job.submit_time;
            ++started_;
        }
        return true;
    }

    // One that lacks processors goes on as a job that may be moved.
    void start_booked() {
        while (is_due(booked_)) {
            PlannedJob job = booked_.front();
            booked_.erase(booked_.begin());
            if (!start(job)) {
                plan_.actions().publish_of(job.id, reservations_missed, 1);
                job.latest = job.start + slack(job);
                job.was_booked = true;
                put_in_order(jobs_, job);
            }
        }
    }

    void start_due() {
        start_booked();
        const auto first_later =
            std::find_if(jobs_.begin(), jobs_.end(), [this](const PlannedJob& job) {
                return job.start > plan_.now();
            });
        const auto first_started = std::remove_if(
            jobs_.begin(), first_later, [this](const PlannedJob& job) { return start_waiting(job); }
        );
        jobs_.erase(first_started, first_later);
    }

    void set_alarm() {
        const auto next = std::find_if(jobs_.begin(), jobs_.end(), [this](const PlannedJob& job) {
            return job.start > plan_.now();
        });
        const bool is_set = !fails_ && next != jobs_.end();
        const double next_booked = booked_.empty() ? never : booked_.front().start;
        plan_.set_alarm(std::min(is_set ? next->start : never, next_booked));
    }

    SlackSettings settings_;
    RunningPlan plan_;                // what runs and what is reserved
    std::vector<PlannedJob> jobs_;    // what waits, by planned start
    std::vector<PlannedJob> booked_;  // advance reservations, by start
    double waited_ = 0;
    std::uint64_t started_ = 0;
    bool fails_ = false;  // a job could not start when planned, or cannot be planned

    std::vector<PlannedJob> newcomers_;  // since the last pass
    StepWindows windows_;                // of jobs_, to be made anew
    std::vector<std::size_t> moved_;     // places of jobs that a compression moved, ascending

    SlackTrials trials_;
    double largest_weight_ = 0;  // of all jobs so far
};

std::vector<ParameterDescription> slack_based_parameters() {
    return {
        simultaneous_parameter(),
        {.name = "slack_factor",
         .meaning = "slack of a job / the measure, for a job of priority 0: by so much later jobs "
                    "may push its start back",
         .type = ParameterType::real,
         .default_value = 1.0,
         .range = {.low = 0, .high = 1e15}},
        {.name = "slack_measure",
         .meaning = "average_wait: of all jobs started before the job came, but for advance "
                    "reservations; run_time: the job's own",
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

SlackSettings slack_settings(const Parameters& parameters) {
    return {
        .simultaneous = simultaneous(parameters),
        .slack_factor = parameters.real("slack_factor"),
        .measure = parameters.text("slack_measure") == "run_time" ? SlackMeasure::run_time
                                                                  : SlackMeasure::average_wait,
        .moves = static_cast<std::uint64_t>(parameters.integer("moves")),
        .run_time = run_time(parameters, "run_time"),
        .placement = placement_rule(parameters)};
}

PolicyDescription describe_slack_based() {
    PolicyDescription description;
    description.alternative = {
        .name = "slack_based",
        .summary =
            "Slack-based backfilling: jobs that arrive may push others back within their "
            "slack if the plan costs less so.",
        .parameters = slack_based_parameters(),
        .source = "Talby & Feitelson 1999"};
    description.traits = [](const Parameters& /*given*/) {
        return PolicyTraits{.keeps_fixed_starts = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<SlackBased>(slack_settings(given), context.system);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_promise_verifier(run_time(given, "run_time"), context.system);
    };
    return description;
}

}  // namespace schedfarm::policies
