// EASY backfilling (Lifka 1995; as in Mu'alem & Feitelson 2001, figure 1): the head of the queue
// has a reservation, and whatever does not delay it may overtake.
//
// One pass: heads start while they fit. For the head that does not, the shadow time is the first at
// which the running jobs will have given back enough by their planned ends, and the extra
// processors are those left over then. Each other job, in the order of the queue, starts if it fits
// and will end by the shadow time, or if it needs no more than the extra processors, which it then
// uses up. A job that still runs at its planned end is expected to end at once: nothing ends by the
// shadow time then. A head that fits by number but not by its components lets nobody overtake.
//
// Cost: O(waiting + running jobs) per pass with a finish; O(new jobs) where none finished since,
// the order does not change with time and requests are not grouped.
#include "policies/backfilling/easy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/planning/profile/planned_ends.hpp"
#include "engine/planning/promise_verifier.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/backfilling/queue_order.hpp"
#include "policies/backfilling/reservations.hpp"
#include "policies/specialised_simulators.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// The waiting jobs of a backfilling policy: one of them is the head by the chosen order, the
/// others may be candidates. With an order that does not change with time the jobs lie in that
/// order and the head is the first; else they lie in order of arrival, and update() finds the head.
///
/// Cost: add O(1) at the tail, elsewhere O(n); update O(n) where the order changes with time, else
/// O(1); remove O(n).
class BackfillQueue {
  public:
    struct Waiting {
        double duration = 0;  ///< as a candidate
        std::uint32_t size = 0;
        JobId id;
        double key = 0;
        OrderedJob job;
    };

    explicit BackfillQueue(QueueOrder order) : order_(order) {}

    bool empty() const { return jobs_.empty(); }
    std::size_t size() const { return jobs_.size(); }
    const Waiting& at(std::size_t i) const { return jobs_[i]; }
    /// Where the head is. REQUIRES: not empty; update() since the last change.
    std::size_t head() const { return head_; }

    /// Returns where the job is.
    std::size_t add(JobId id, double duration, const OrderedJob& job) {
        const double key = changes_with_time(order_) ? 0 : queue_key(order_, job, 0);
        const Waiting waiting{duration, job.size, id, key, job};
        smallest_ = std::min(smallest_, job.size);
        auto after = jobs_.end();
        if (!jobs_.empty() && key < jobs_.back().key) {
            after = std::upper_bound(
                jobs_.begin(),
                jobs_.end(),
                key,
                [](double wanted, const Waiting& other) { return wanted < other.key; }
            );
        }
        const auto place = jobs_.insert(after, waiting);
        return static_cast<std::size_t>(place - jobs_.begin());
    }

    /// Where a job is, looked for from the tail. REQUIRES: it waits.
    std::size_t place_of(JobId id) const {
        std::size_t i = jobs_.size() - 1;
        while (!(jobs_.at(i).id == id)) {
            --i;
        }
        return i;
    }

    /// The order as it is at `now`.
    void update(double now) {
        head_ = 0;
        if (!changes_with_time(order_)) {
            return;
        }
        if (order_ == QueueOrder::lxf) {
            find_keys([now](const OrderedJob& job) { return queue_key(QueueOrder::lxf, job, now); }
            );
        } else {
            find_keys([now](const OrderedJob& job) { return queue_key(QueueOrder::wfp, job, now); }
            );
        }
    }

    /// Puts some jobs, given by where they are, in the order of the queue.
    void sort(std::span<std::uint32_t> some) const {
        if (changes_with_time(order_)) {
            std::sort(some.begin(), some.end(), [this](std::uint32_t a, std::uint32_t b) {
                return jobs_[a].key < jobs_[b].key || (jobs_[a].key == jobs_[b].key && a < b);
            });
        }
    }

    void remove(std::size_t i) {
        const std::uint32_t size = jobs_[i].size;
        jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
        if (size == smallest_) {
            smallest_ = none;
            for (const Waiting& job : jobs_) {
                smallest_ = std::min(smallest_, job.size);
            }
        }
    }

    /// The least size of all jobs.
    std::uint32_t smallest() const { return smallest_; }

  private:
    /// And the head.
    template <typename Function>
    void find_keys(Function key_of) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            const double key = key_of(jobs_[i].job);
            jobs_[i].key = key;
            head_ = key < least ? i : head_;
            least = std::min(key, least);
        }
    }

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    QueueOrder order_;
    std::vector<Waiting> jobs_;
    std::size_t head_ = 0;
    std::uint32_t smallest_ = none;
};

class Easy final : public Policy {
  public:
    explicit Easy(const EasySettings& settings)
        : settings_(settings)
        , promises_(
              settings.candidate_time == settings.running_time
              && (settings.shadow == ShadowRule::recomputed
                  || settings.simultaneous == Simultaneous::batch)
          )
        , queue_(settings.order)
        , placer_(settings.placement) {}

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        now_ = actions.now();
        const bool capacity_changed = !events.capacity_changes.empty();
        if (!events.completions.empty() || capacity_changed) {
            forget_rejections(capacity_changed);
        }
        for (const JobId id : std::views::reverse(events.withdrawals)) {
            withdraw(id);
        }
        free_ = actions.machine().free_processors();
        for (const JobId id : events.completions) {
            if (holds_until_taken(id)) {
                free_ -= actions.job(id).size;
            } else {
                running_.remove(id);
            }
        }
        take_events(settings_.simultaneous, events, *this);
    }

    void finish(JobId id) {
        if (holds_until_taken(id)) {
            running_.remove(id);
            free_ += actions_->job(id).size;
            forget_rejections(false);
        }
    }

    void submit(JobId id) {
        const Job& job = actions_->job(id);
        const std::size_t at = queue_.add(
            id,
            planned_duration(job, settings_.candidate_time),
            {.submit_time = job.submit_time, .request = job.estimate, .size = job.size}
        );
        if (at < rejected_) {
            rejected_ = 0;
        }
    }

    void pass() {
        const bool keeps = settings_.shadow == ShadowRule::kept;
        if (queue_.smallest() > free_ && !keeps) {
            return;
        }
        queue_.update(now_);
        while (!queue_.empty() && start(queue_.head())) {
            take_back_promise();
            queue_.remove(queue_.head());
            queue_.update(now_);
            reserved_for_ = nobody;
            rejected_ = 0;
        }
        if (queue_.empty() || free_ >= queue_.at(queue_.head()).size) {
            return;
        }
        const bool may_start = queue_.size() > 1 && free_ > 0;
        if (may_start || keeps) {
            reserve_for_head();
        }
        if (may_start) {
            backfill();
        }
    }

  private:
    /// Whether the processors of a job that finishes now are busy until its finish is taken.
    bool holds_until_taken(JobId id) const {
        return settings_.simultaneous == Simultaneous::finish_by_finish
               || running_.end_of(id) > now_;
    }

    bool start(std::size_t i) {
        const BackfillQueue::Waiting& waiting = queue_.at(i);
        if (waiting.size > free_) {
            return false;
        }
        const Job& job = actions_->job(waiting.id);
        const auto shares = placer_.place(job, actions_->machine().free_by_cluster());
        if (shares.empty()) {
            return false;
        }
        const double end = planned_end(now_, planned_duration(job, settings_.running_time));
        running_.add(waiting.id, end, waiting.size);
        actions_->start(waiting.id, shares);
        free_ -= waiting.size;
        if (promised_to_ == waiting.id) {
            promised_to_.reset();
        }
        return true;
    }

    /// Another job comes ahead of the one that was promised a start.
    void take_back_promise() {
        if (promised_to_) {
            actions_->announce({engine::Promise{}, *promised_to_});
            promised_to_.reset();
        }
    }

    void promise(JobId head) {
        if (promised_to_ != head) {
            take_back_promise();
        }
        promised_to_ = head;
        actions_->announce({engine::Promise{.latest = forecast_.shadow_time}, head});
    }

    void forget_rejections(bool capacity_changed) {
        rejected_ = 0;
        is_current_ = false;
        if (capacity_changed) {
            reserved_for_ = nobody;
        }
    }

    void withdraw(JobId id) {
        queue_.remove(queue_.place_of(id));
        rejected_ = 0;
        if (actions_->job(id).index == reserved_for_) {
            reserved_for_ = nobody;
        }
        if (promised_to_ == id) {
            promised_to_.reset();
        }
    }

    // The forecast stays as it is while nothing finishes: backfilled jobs do not change it, if they
    // are judged by the same run times as running jobs.
    void reserve_for_head() {
        const std::uint64_t head = actions_->job(queue_.at(queue_.head()).id).index;
        const bool is_kept = settings_.shadow == ShadowRule::kept
                             || (is_current_ && now_ < forecast_.shadow_time
                                 && settings_.candidate_time == settings_.running_time);
        if (head == reserved_for_ && is_kept) {
            return;
        }
        forecast_ = running_.forecast(queue_.at(queue_.head()).size, free_, now_);
        if (settings_.extra_rule == ExtraRule::off) {
            forecast_.extra_processors = 0;
        }
        reserved_for_ = head;
        is_current_ = true;
        rejected_ = 0;
        if (promises_) {
            promise(queue_.at(queue_.head()).id);
        }
    }

    bool ends_in_time(const BackfillQueue::Waiting& job) const {
        return now_ < forecast_.shadow_time
               && planned_end(now_, job.duration) <= forecast_.shadow_time;
    }

    bool may_overtake(const BackfillQueue::Waiting& job) const {
        return job.size <= free_ && (job.size <= forecast_.extra_processors || ends_in_time(job));
    }

    // What was rejected stays rejected until something finishes, for time goes on and free and
    // extra processors only become fewer. All but grouped requests: their placement may fail on
    // more processors and succeed on fewer.
    void backfill() {
        candidates_.clear();
        for (std::size_t i = rejected_; i < queue_.size(); ++i) {
            if (i != queue_.head() && may_overtake(queue_.at(i))) {
                candidates_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        queue_.sort(candidates_);
        std::size_t kept = 0;
        bool may_fit_on_fewer = false;
        for (const std::uint32_t i : candidates_) {
            const BackfillQueue::Waiting& job = queue_.at(i);
            const bool uses_extra = !ends_in_time(job);
            if (!may_overtake(job)) {
                continue;
            }
            if (start(i)) {
                forecast_.extra_processors -= uses_extra ? std::int64_t{job.size} : 0;
                candidates_[kept++] = i;
            } else if (actions_->job(job.id).structure == RequestStructure::grouped) {
                may_fit_on_fewer = true;
            }
        }
        candidates_.resize(kept);
        std::sort(candidates_.begin(), candidates_.end());
        for (; !candidates_.empty(); candidates_.pop_back()) {
            queue_.remove(candidates_.back());
        }
        rejected_ = may_fit_on_fewer ? 0 : queue_.size();
    }

    static constexpr std::uint64_t nobody = std::numeric_limits<std::uint64_t>::max();

    EasySettings settings_;
    bool promises_;  // jobs that overtake are judged as the head's start is forecast
    BackfillQueue queue_;
    Placer placer_;
    PlannedEnds running_;
    PlannedEnds::Forecast forecast_;
    std::uint64_t reserved_for_ = nobody;  // index of the job that the forecast is for
    std::optional<JobId> promised_to_;
    bool is_current_ = false;   // nothing has finished since the forecast
    std::size_t rejected_ = 0;  // so many jobs from the first on were found not to start
    std::vector<std::uint32_t> candidates_;

    // Of the batch being taken.
    Actions* actions_ = nullptr;
    double now_ = 0;
    std::int64_t free_ = 0;  // less the processors of finishes yet to be taken that are busy
};

// Around advance reservations and outages EASY plans as one reservation that stands does; without
// them the two are the same.
bool is_one_reservation(const EasySettings& settings) {
    return settings.simultaneous != Simultaneous::finish_by_finish
           && settings.candidate_time == settings.running_time
           && settings.extra_rule == ExtraRule::on && settings.shadow == ShadowRule::recomputed
           && settings.order == QueueOrder::fcfs;
}

bool plans_as_one_reservation(const EasySettings& settings, const PolicyContext& context) {
    return context.has_fixed_starts
           || (!context.system.outages.empty() && is_one_reservation(settings));
}

ReservationSettings one_reservation(const EasySettings& settings) {
    SCHEDFARM_EXPECT(
        is_one_reservation(settings), "EASY with these options cannot plan around fixed starts"
    );
    return {
        .simultaneous = settings.simultaneous,
        .run_time = settings.running_time,
        .placement = settings.placement,
        .entitlement = {.most = 1}};
}

std::vector<ParameterDescription> easy_parameters() {
    ParameterDescription events = simultaneous_parameter();
    events.meaning +=
        "; finish_by_finish: as finish_first, and a job holds its processors until its "
        "own finish is taken, also where its planned end is this instant";
    events.words.emplace_back("finish_by_finish");
    return {
        events,
        run_time_parameter(
            "candidate_time", "run time by which a job that may overtake the head is judged"
        ),
        run_time_parameter("running_time", "run time by which running jobs are expected to end"),
        {.name = "extra_rule",
         .meaning = "on: a job may also overtake on processors that the head will leave over; off: "
                    "only if it ends by the shadow time",
         .type = ParameterType::text,
         .default_value = "on",
         .words = {"on", "off"}},
        {.name = "shadow",
         .meaning = "recomputed: in each pass; kept: shadow time and extra processors stay as they "
                    "were when the job became the head",
         .type = ParameterType::text,
         .default_value = "recomputed",
         .words = {"recomputed", "kept"}},
        queue_order_parameter(),
        placement_parameter()};
}

}  // namespace

EasySettings easy_settings(const Parameters& parameters) {
    return {
        .simultaneous = simultaneous(parameters),
        .candidate_time = run_time(parameters, "candidate_time"),
        .running_time = run_time(parameters, "running_time"),
        .extra_rule = parameters.text("extra_rule") == "off" ? ExtraRule::off : ExtraRule::on,
        .shadow = parameters.text("shadow") == "kept" ? ShadowRule::kept : ShadowRule::recomputed,
        .order = queue_order(parameters),
        .placement = placement_rule(parameters)};
}

PolicyDescription describe_easy() {
    PolicyDescription description;
    description.alternative = {
        .name = "easy",
        .summary = "EASY backfilling: jobs overtake if they do not delay the head of the queue.",
        .parameters = easy_parameters(),
        .source = "Lifka 1995; Mu'alem & Feitelson 2001"};
    description.traits = [](const Parameters& parameters) {
        const bool is_plan = is_one_reservation(easy_settings(parameters));
        return PolicyTraits{
            .keeps_fixed_starts = is_plan,
            .takes_withdrawals = true,
            .answers_earliest_start = is_plan};
    };
    description.make = [](const Parameters& parameters,
                          const PolicyContext& context) -> std::unique_ptr<Policy> {
        if (plans_as_one_reservation(easy_settings(parameters), context)) {
            return make_reservation_policy(
                one_reservation(easy_settings(parameters)), context.system
            );
        }
        return std::make_unique<Easy>(easy_settings(parameters));
    };
    description.specialised_simulator =
        [](const Parameters& parameters, const SimulationSetup& setup, WorkloadModel& workload) {
            return simulate_easy(easy_settings(parameters), setup, workload);
        };
    description.make_verifier = [](const Parameters& parameters, const PolicyContext& context) {
        const EasySettings settings = easy_settings(parameters);
        const bool may_retract =
            settings.order != QueueOrder::fcfs && !plans_as_one_reservation(settings, context);
        return make_promise_verifier(
            settings.running_time,
            context.system,
            may_retract ? Retraction::allowed : Retraction::forbidden
        );
    };
    return description;
}

}  // namespace schedfarm::policies
