// One pass:
//   1. The plan is made anew in its order if a job could not start when it should have: because
//      another still runs at its planned end, the components do not fit, or processors left the
//      machine. Else, if a job finished before its planned end, each reservation is given up for
//      the earliest fit, in the order of the plan, if that is earlier.
//   2. Jobs whose reservation begins now start.
//   3. Newcomers take their places one by one; whatever begins now starts.
// A job that still runs at its planned end counts as free in the plan.
//
// Cost, for n waiting and running jobs: O(n log n) per instant, and O(moves × (n + moves) log n)
// per arrival.
#include "policies/slack_based.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/planning/availability_profile.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/fast_ways.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = AvailabilityProfile::never;
constexpr Timer alarm{1};

class SlackBased final : public Policy {
  public:
    SlackBased(const SlackSettings& settings, std::uint32_t processors)
        : settings_(settings), placer_(settings.placement), profile_(processors) {}

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        now_ = actions.now();
        bool freed = false;
        for (const JobId id : events.completions) {
            const auto done = std::find_if(running_.begin(), running_.end(), [id](const auto& job) {
                return job.id == id;
            });
            freed = freed || done->end > now_;
            running_.erase(done);
        }
        show_running();
        if (fails_ || events.capacity_changed) {
            fails_ = false;
            plan(0, profile_, plan_);
        } else {
            reserve_all(plan_.size(), profile_);
            if (freed) {
                compress();
            }
        }
        start_due();
        for (const JobId id : events.arrivals) {
            insert(planned(actions.job(id), id));
            start_due();
        }
        set_alarm();
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
    };
    using Plan = std::vector<Planned>;

    struct Running {
        JobId id;
        std::uint32_t size = 0;
        double end = 0;
    };

    Planned planned(const Job& job, JobId id) const {
        return {
            .id = id,
            .index = job.index,
            .size = job.size,
            .submit_time = job.submit_time,
            .duration = planned_duration(job, settings_.run_time),
            .weight = slack_weight(job.priority)};
    }

    /// The profile of what runs; what has passed its planned end counts as free.
    void show_running() {
        std::int64_t processors = actions_->machine().free_processors();
        for (const Running& job : running_) {
            processors += job.size;
        }
        profile_.forget_before(now_);
        profile_.reset(static_cast<std::int32_t>(processors));
        for (const Running& job : running_) {
            if (job.end > now_) {
                profile_.reserve(now_, job.end, job.size);
            }
        }
    }

    static void reserve(const Planned& job, AvailabilityProfile& profile) {
        if (job.start < never) {
            profile.reserve(job.start, job.end(), job.size);
        }
    }

    /// The first `count` jobs of the plan.
    void reserve_all(std::size_t count, AvailabilityProfile& profile) const {
        for (std::size_t i = 0; i < count; ++i) {
            reserve(plan_[i], profile);
        }
    }

    /// Gives the jobs of `plan` from `first` on their earliest fits in turn.
    void plan(std::size_t first, AvailabilityProfile& profile, Plan& plan) {
        for (std::size_t i = first; i < plan.size(); ++i) {
            plan[i].start = profile.earliest_fit(plan[i].size, plan[i].duration, now_);
            fails_ = fails_ || plan[i].start == never;
            reserve(plan[i], profile);
        }
        sort(plan);
    }

    static void sort(Plan& plan) {
        std::sort(plan.begin(), plan.end(), [](const Planned& a, const Planned& b) {
            return a.start < b.start || (a.start == b.start && a.index < b.index);
        });
    }

    void compress() {
        for (Planned& job : plan_) {
            if (job.start > now_) {
                profile_.release(job.start, job.end(), job.size);
                job.start = profile_.earliest_fit(job.size, job.duration, now_);
                reserve(job, profile_);
            }
        }
        sort(plan_);
    }

    // Candidates share the profile of the jobs that none of them moves.
    void insert(Planned newcomer) {
        const std::size_t kept =
            plan_.size()
            - static_cast<std::size_t>(std::min<std::uint64_t>(settings_.moves, plan_.size()));
        show_running();
        reserve_all(kept, profile_);
        double least = never;
        for (std::size_t first = plan_.size() + 1; first-- > kept;) {
            candidate_ = profile_;
            for (std::size_t i = kept; i < first; ++i) {
                reserve(plan_[i], candidate_);
            }
            trial_.assign(plan_.begin(), plan_.end());
            trial_.insert(trial_.begin() + static_cast<std::ptrdiff_t>(first), newcomer);
            const double price = place(first);
            if (first == plan_.size() || price < least) {
                least = price;
                best_ = trial_;
            }
        }
        for (Planned& job : best_) {
            if (job.index == newcomer.index) {
                job.latest = job.start + slack(newcomer);
            }
            fails_ = fails_ || job.start == never;
        }
        plan_ = best_;
        sort(plan_);
        show_running();
        reserve_all(plan_.size(), profile_);
    }

    /// Places the jobs of the trial from `first` on; its cost, or never if it cannot be had.
    double place(std::size_t first) {
        for (std::size_t i = first; i < trial_.size(); ++i) {
            Planned& job = trial_[i];
            job.start = candidate_.earliest_fit(job.size, job.duration, now_);
            if (job.start > job.latest) {
                return never;
            }
            reserve(job, candidate_);
        }
        return cost();
    }

    // In order of arrival, so that the sum is the same however jobs are planned.
    double cost() {
        std::sort(trial_.begin(), trial_.end(), [](const Planned& a, const Planned& b) {
            return a.index < b.index;
        });
        double sum = 0;
        for (const Planned& job : trial_) {
            sum += job.weight * job.start;
        }
        return sum;
    }

    double slack(const Planned& job) const {
        const double mean = started_ > 0 ? waited_ / static_cast<double>(started_) : 0;
        const bool by_wait = settings_.measure == SlackMeasure::average_wait;
        return settings_.slack_factor * (by_wait ? mean : job.duration) / job.weight;
    }

    void start_due() {
        for (const Planned& job : plan_) {
            if (job.start > now_) {
                break;
            }
            if (!start(job)) {
                fails_ = true;
            }
        }
        std::erase_if(plan_, [this](const Planned& job) {
            return actions_->state(job.id) != JobState::waiting;
        });
    }

    bool start(const Planned& job) {
        const Machine& machine = actions_->machine();
        if (job.size > machine.free_processors()) {
            return false;
        }
        const auto shares = placer_.place(actions_->job(job.id), machine.free_by_cluster());
        if (shares.empty()) {
            return false;
        }
        actions_->start(job.id, shares);
        running_.push_back({job.id, job.size, planned_end(now_, job.duration)});
        waited_ += now_ - job.submit_time;
        ++started_;
        return true;
    }

    // A reservation may begin at an instant at which nothing else happens. Where the plan fails, it
    // is events that help.
    void set_alarm() {
        actions_->cancel_timer(alarm);
        if (fails_) {
            return;
        }
        const auto next = std::find_if(plan_.begin(), plan_.end(), [this](const Planned& job) {
            return job.start > now_;
        });
        if (next != plan_.end() && next->start < never) {
            actions_->set_timer(next->start, alarm);
        }
    }

    SlackSettings settings_;
    Placer placer_;
    AvailabilityProfile profile_;
    Plan plan_;  // what waits, by planned start
    std::vector<Running> running_;
    double waited_ = 0;
    std::uint64_t started_ = 0;
    bool fails_ = false;  // a job could not start when planned, or cannot be planned

    // Of an insertion.
    AvailabilityProfile candidate_{0};
    Plan trial_;
    Plan best_;

    // Of the batch being taken.
    Actions* actions_ = nullptr;
    double now_ = 0;
};

SlackSettings settings_of(const Parameters& parameters) {
    return {
        .slack_factor = parameters.real("slack_factor"),
        .measure = parameters.text("slack_measure") == "run_time" ? SlackMeasure::run_time
                                                                  : SlackMeasure::average_wait,
        .moves = static_cast<std::uint64_t>(parameters.integer("moves")),
        .run_time = run_time(parameters, "run_time"),
        .placement = placement_rule(parameters)};
}

std::vector<ParameterDescription> parameters() {
    return {
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
